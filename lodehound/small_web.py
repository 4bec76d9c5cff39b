"""A small random web, for checks of policies."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.truth import Kind

FOUND = Verdict(found=True, value=1.0, label="text/csv")
NOTHING = Verdict(found=False)


class SmallWeb:
    """A random web of pages, files and dead links on two hosts; what a check crawls."""

    def __init__(self, *, seed: int = 7, size: int = 120, dead: bool = True) -> None:
        rng = random.Random(seed)
        hosts = ["https://a.example", "https://b.example"]
        names = ["page", "page", "data", *(["gone"] if dead else [])]
        self.urls = [
            f"{rng.choice(hosts)}/{rng.choice(names) if i else 'page'}/{i}" for i in range(size)
        ]
        self._links = {url: rng.sample(self.urls, 6) for url in self.urls}
        for i, url in enumerate(self.urls):
            if self.kind(url) == "html":
                self._links[url].extend(self.urls[i + 1 : i + 4])
        # Files that only another file lists, as in a JSON document.
        self.listing = next((url for url in self.urls if self.kind(url) == "target"), "")
        self.listed = [f"{hosts[0]}/data/listed/{i}" for i in range(3)]
        self.urls += self.listed

    @property
    def root(self) -> Link:
        return Link(self.urls[0], kind="")

    def kind(self, url: str) -> Kind:
        if "/page/" in url:
            return "html"
        return "target" if "/data/" in url else "neither"

    def targets(self) -> Sequence[str]:
        return [url for url in self.urls if self.kind(url) == "target"]

    def first(self, count: int) -> Sequence[Outcome]:
        """Return the outcomes of pages in the order of their numbers."""
        given: dict[str, int] = {}
        return [self.outcome(Choice(Link(url)), given) for url in self.urls[:count]]

    def links(self, url: str) -> list[Link]:
        """Return the links of a page or file, each with a tag path and an anchor."""
        if self.kind(url) != "html":
            listed = self.listed if url == self.listing else ()
            return [Link(to, url, "json/files/url", "file", "", "json", 1) for to in listed]
        paths = {"html": "html/body/nav/a", "target": "html/body/ul/li/a"}
        return [
            Link(to, url, paths.get(self.kind(to), "html/body/p/a"), "see", "", "a", 1)
            for to in self._links[url]
        ]

    def outcome(self, choice: Choice, given: dict[str, int]) -> Outcome:
        """Answer a choice as a crawl would, and note what links it gives."""
        url, kind = choice.link.url, self.kind(choice.link.url)
        status = 404 if kind == "neither" else 200
        mime = {"html": "text/html", "target": "text/csv"}.get(kind, "")
        verdict = FOUND if kind == "target" else NOTHING
        if status != 200 or choice.method == "HEAD":
            return Outcome(choice, url, status, mime, verdict, ())
        new: list[Link] = []
        again: list[Link] = []
        for link in self.links(url):
            (again if link.url in given else new).append(link)
            given.setdefault(link.url, len(given))
        return Outcome(choice, url, status, mime, verdict, tuple(new), tuple(again))
