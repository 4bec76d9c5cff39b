"""A web of twenty hosts on this machine: some dead, some slow, some forbidding."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Lock, Thread

import pytest

from lodehound.drivers.replay import replay, scope_of
from lodehound.papers.anthelion.anthelion import Anthelion
from lodehound.stores.cache import open_site
from lodehound.stores.records import Record
from lodehound.stores.verdicts import judged
from lodehound.stores.warc import write_warc
from lodehound.targets.markup import MarkupPages
from tests.live import crawl, crawl_words, query, resume, start, wait_for

HOSTS, PAGES = 20, 5
DEAD, FORBIDDING, PARTLY, SLOW = {5, 6}, {7, 8}, {9, 10}, {11, 12}
DELAY = 0.4
MARKED = '<script type="application/ld+json">{"@type": "Dataset", "name": "x"}</script>'


@dataclass
class Web:
    """Twenty servers, one to an address of the loopback network, and their logs."""

    port: int = 0
    servers: list[ThreadingHTTPServer] = field(default_factory=list)
    log: list[tuple[str, str, float, float]] = field(default_factory=list)  # came, answered
    lock: Lock = field(default_factory=Lock)

    def url(self, host: int, path: str = "/") -> str:
        return f"http://127.0.0.{host + 2}:{self.port}{path}"

    def body(self, host: int, path: str) -> str:
        if path == "/robots.txt":
            what = "/" if host in FORBIDDING else "/secret" if host in PARTLY else ""
            return f"User-agent: *\nDisallow: {what}\n"
        links = [f"/{number}" for number in range(PAGES)] + ["/secret/1"]
        if host == 0:
            links += [self.url(other) for other in range(1, HOSTS)]
        marked = MARKED if host % 2 and path != "/" else ""
        return marked + "".join(f'<a href="{link}">x</a>' for link in links)

    def serve(self) -> None:
        for host in sorted(set(range(HOSTS)) - DEAD):
            server = ThreadingHTTPServer((f"127.0.0.{host + 2}", self.port), self._handler(host))
            self.port = server.server_port
            self.servers.append(server)
            Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def _handler(self, host: int) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                came = time.monotonic()
                time.sleep(0.15 if host in SLOW else 0)
                body = web.body(host, self.path).encode()
                with web.lock:
                    place = self.headers["Host"].partition(":")[0]
                    web.log.append((place, self.path, came, time.monotonic()))
                self.send_response(200)
                kind = "text/plain" if self.path == "/robots.txt" else "text/html"
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def allowed(self, host: int, path: str) -> bool:
        shut = host in DEAD or host in FORBIDDING
        return not shut and not (host in PARTLY and path.startswith("/secret"))

    def records(self) -> Iterator[Record]:
        """Give the pages that a polite crawler can have."""
        for host in range(HOSTS):
            paths = ["/", *(f"/{number}" for number in range(PAGES)), "/secret/1"]
            for path in paths:
                if self.allowed(host, path):
                    body = self.body(host, path).encode()
                    yield Record(self.url(host, path), 200, "text/html", body, len(body))


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    made = Web()
    try:
        made.serve()
    except OSError:
        pytest.skip("this machine has one loopback address only")
    yield made
    made.close()


@pytest.fixture
def expected(web: Web, tmp_path: Path) -> set[str]:
    """What a replay of the same web finds."""
    path = tmp_path / "web.warc.gz"
    write_warc(path, web.records())
    site = open_site([path], cache=tmp_path)
    target = judged([path], site, MarkupPages(), cache=tmp_path)
    scope = scope_of(site, [site.root], web=True)
    _, steps = replay(site, policy=Anthelion(seed=1), target=target, scope=scope)
    return {step.url for step in steps if step.found}


def words(web: Web) -> list[object]:
    return [web.url(0), "--want", "markup", "--allow-private", "127.0.0.0/8", "--quiet"]


# Patient: a machine that is busy may be slower than any host of this web.
OPTIONS = {"delay": DELAY, "concurrency": 16, "backoff": 0.2, "read_timeout": 20} | {
    "total_timeout": 30
}


def check_politeness(web: Web) -> None:
    """One request at a time and host, a delay between two, nothing that robots.txt forbids."""
    by_host = defaultdict(list)
    for place, path, came, answered in web.log:
        by_host[place].append((came, answered))
        host = int(place.rpartition(".")[2]) - 2
        assert path == "/robots.txt" or web.allowed(host, path), f"{host} forbids {path}"
    for times in by_host.values():
        times.sort()
        for (came, answered), (after, _) in pairwise(times):
            assert after >= answered - 0.1
            # As seen by a server that may get to run late itself.
            assert after - came >= DELAY * 0.6


@pytest.mark.serial
def test_live_finds_what_replay_finds(web: Web, expected: set[str], tmp_path: Path) -> None:
    """All of it, politely, although some hosts are dead, slow or forbidding."""
    web.log.clear()
    crawled = crawl(*words(web), out=tmp_path / "out", **OPTIONS)
    assert crawled.code == 0, crawled.said
    assert set(crawled.finds) == expected
    assert len(expected) == sum(1 for h in range(1, HOSTS, 2) if h not in DEAD | FORBIDDING) * (
        PAGES + 1
    ) - len([h for h in PARTLY if h % 2])
    check_politeness(web)
    details = query(tmp_path / "out", "SELECT details FROM answers WHERE found LIMIT 1")[0][0]
    assert '"counts":{"jsonld":2}' in details


def test_killed_and_resumed(web: Web, expected: set[str], tmp_path: Path) -> None:
    """SIGKILL in the middle: every find is there once in the end."""
    out = tmp_path / "out"
    web.log.clear()
    child = start(*crawl_words(*words(web), out=out, **OPTIONS))
    wait_for(lambda: len(web.log) > 50 or child.poll() is not None)
    child.kill()
    child.communicate()
    resumed = resume(out, "--quiet", "--allow-private", "127.0.0.0/8")
    assert resumed.code == 0, resumed.said
    urls = [row[0] for row in query(out, "SELECT final_url FROM finds")]
    assert (len(urls), set(urls)) == (len(expected), expected)


def test_hosts_by_number_and_by_name(web: Web, tmp_path: Path) -> None:
    """Few hosts, few URLs of each, none of a list; start URLs from a file."""
    web.log.clear()
    (tmp_path / "starts").write_text(f"# two\n{web.url(1)}\n{web.url(13)}\n")
    (tmp_path / "blocked").write_text("127.0.0.4\n")
    crawled = crawl(
        web.url(0), "--want", "markup", "--allow-private", "127.0.0.0/8", "--quiet",
        "--from", tmp_path / "starts", "--block-hosts", tmp_path / "blocked",
        "--per-host", 2, "--max-hosts", 4, out=tmp_path / "out", **OPTIONS,
    )  # fmt: skip
    assert crawled.code == 0, crawled.said
    pages = [place for place, path, *_ in web.log if path != "/robots.txt"]
    assert set(pages) == {"127.0.0.2", "127.0.0.3", "127.0.0.15", "127.0.0.5"}
    assert all(pages.count(place) == 2 for place in set(pages))
