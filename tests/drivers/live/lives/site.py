"""A random site: what it answers depends on its seed and on how often it was asked."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from lodehound.core.link import Link
from lodehound.core.listing import listed_link, page_link, probe_link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.core.urls import host_of
from lodehound.drivers.live.replies import Reply
from lodehound.read.page import read_page

HTML = {"content-type": "text/html; charset=utf-8"}
ROOT = "https://s.example/"
HOSTS = ("s.example", "a.s.example", "b.s.example")
OUTSIDE = "https://elsewhere.example/"
KINDS = ("page", "page", "page", "shell", "shell", "csv", "csv", "moved", "gone", "broken",
         "flaky", "busy", "api", "list", "closed", "refresh")  # fmt: skip
API = "made-up"  # the name of a shortcut


class Site:
    """Pages, applications, files, redirects, lists and failures on up to three hosts."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.healed = False
        hosts = HOSTS[: rng.randint(1, len(HOSTS))]
        self.urls = [ROOT]
        self.kinds = {ROOT: rng.choice(["page", "page", "shell", "list"])}
        for number in range(rng.randint(1, 25)):
            kind = rng.choice(KINDS)
            ending = {"csv": ".csv", "closed": "/closed"}.get(kind, "")
            url = f"https://{rng.choice(hosts)}/{kind}{number}{ending}"
            self.urls.append(url)
            self.kinds[url] = kind
        self.links = {url: rng.choices(self.urls, k=rng.randrange(5)) for url in self.urls}
        self.links[ROOT] = rng.choices(self.urls, k=6)
        self.loads = {url: self._loads() for url in self.urls}
        self.down = {host for host in hosts if rng.random() < 0.15}
        self.robots = {host: self._robots() for host in hosts}
        self.asked: Counter[str] = Counter()

    def _loads(self) -> list[list[str]]:
        """Return what an application asks for, in turns."""
        own = [f"{ROOT}api/{number}" for number in range(8)]
        places = [*own, *own, *self.urls, OUTSIDE, f"{ROOT}closed/api", f"{ROOT}logout"]
        return [self.rng.choices(places, k=self.rng.randrange(8)) for _ in range(3)]

    def _robots(self) -> str:
        return self.rng.choice(
            ["none", "none", "rules", "slow", "sitemap", "moved", "down", "down2"]
        )

    def reply(self, url: str) -> Reply:
        """Answer a request."""
        self.asked[url] += 1
        host = host_of(url)
        if host in self.down and not self.healed:
            return Reply(0, error="timeout")
        if url.endswith("/robots.txt"):
            return self._rules(host)
        kind = self.kinds.get(url, "json" if "/api/" in url else "gone")
        if kind in {"flaky", "busy"} and self.asked[url] <= 1 + len(url) % 3 and not self.healed:
            after = {"retry-after": "100"} if len(url) % 2 else {}
            return (
                Reply(429, after)
                if kind == "busy"
                else self.rng.choice(
                    [Reply(500), Reply(503), Reply(0, error="ServerDisconnectedError")]
                )
            )
        return self._answer(kind, url)

    def _rules(self, host: str) -> Reply:
        kind = self.robots.get(host, "none")
        failing = kind == "down" or (
            kind == "down2" and self.asked[f"https://{host}/robots.txt"] < 2
        )
        if failing and not self.healed:
            return Reply(503)
        if kind == "moved":
            return Reply(301, {"location": f"https://{host}/rules.txt"})
        text = "User-agent: *\nDisallow: /*/closed\nDisallow: /closed\n"
        text += "Crawl-delay: 7\n" if kind == "slow" else ""
        text += f"Sitemap: https://{host}/list0\n" if kind == "sitemap" else ""
        return Reply(404) if kind == "none" else Reply(200, {}, text.encode())

    def _answer(self, kind: str, url: str) -> Reply:
        links = self.links.get(url, [])
        if kind in {"gone", "broken"}:
            return Reply(404 if kind == "gone" else 500)
        if kind == "csv":
            return Reply(200, {"content-type": "text/csv"}, b"a,b\n1,2\n", 8)
        if kind == "moved":
            return Reply(302, {"location": links[0] if links else ROOT})
        if kind in {"api", "json", "list"}:
            body = "[" + ", ".join(f'{{"url": "{link}"}}' for link in links) + "]"
            return Reply(200, {"content-type": "application/json"}, body.encode(), len(body))
        head = f'<meta http-equiv=refresh content="0; url={links[0]}">' if links else ""
        head = head if kind == "refresh" else ""
        return Reply(200, HTML, self.document(url, head, shell=kind == "shell"), 100)

    def document(self, url: str, head: str = "", *, shell: bool = False) -> bytes:
        """Return a page, or the shell of an application that shows nothing by itself."""
        if shell:
            return b"<div id=app></div><script src=app.js></script>"
        links = "".join(f'<p><a href="{link}">link</a>' for link in self.links[url])
        return f"{head}<title>Page</title><p>Much text.{links}".encode()


@lru_cache(maxsize=4096)  # the lives of a site ask for the same pages many times
def read_once(ask: Ask, status: int, mime: str, body: bytes, depth: int) -> Page:
    return read_page(Answer(ask, status, mime, body), Link(ask.url, depth=depth))


def read(answer: Answer, link: Link) -> Page:
    """Read a page; lists are those of an API."""
    ask = replace(answer.ask, number=1)
    page = read_once(ask, answer.status, answer.mime, answer.body, link.depth)
    links = tuple(_of_api(one) if "/list" in one.url else one for one in page.links)
    if "/list" in page.url and page.ok:
        links = tuple(
            listed_link(API, one.url, source=page.url, depth=1) if one.kind != "api" else one
            for one in links
        )
    return Page(
        page.url, page.method, page.status, page.mime, page.body, links=links, moved=page.moved,
        charset=page.charset, title=page.title,
    )  # fmt: skip


def _of_api(link: Link) -> Link:
    if len(link.url) % 2:
        return probe_link(API, link.url, root=link.url, source=link.source, depth=link.depth)
    return page_link(API, link.url, promise=30, source=link.source, depth=link.depth)
