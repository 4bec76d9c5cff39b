"""A statistics office's web site, generated: real HTML, data deep in an archive."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.urls import canonical
from lodehound.sites.branch import LEVELS, least_pages
from lodehound.sites.pages import Anchor, page_html
from lodehound.sites.plan import Plan
from lodehound.sites.words import WORDS
from lodehound.stores.records import Record
from lodehound.stores.warc import http_head

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOffice:
    """The knobs of a generated site. The same knobs make the same site.

    The home page leads to topics, a glossary, publications, news, data sets and
    an archive; a menu and a sidebar stand on every page. Files hang on releases
    deep in the archive, on some of its indexes and on some data sets. Every
    page, file and redirect can be reached from the home page.

    Args:
        pages: HTML pages.
        files: Data files; one in five has an address without an ending.
        depth: Clicks from a home page to the releases in the archive, 2 to 8.
        languages: Each has its own pages and files; the first is at the root.
        dead: Share of the addresses linked to that are not there.
        redirects: Addresses that redirect, to pages and to files.
        seed: Seed of every draw.
        host: Where the site is.

    >>> site = StatsOffice(pages=60, files=12)
    >>> next(site.records()).url
    'https://stats.example/'
    """

    pages: int = 600
    files: int = 80
    depth: int = 4
    languages: tuple[str, ...] = ("en",)
    dead: float = 0.05
    redirects: int = 20
    seed: int = 0
    host: str = "https://stats.example/"

    def __post_init__(self) -> None:
        for language in self.languages:
            if language not in WORDS:
                raise UnknownNameError("language", language, WORDS)
        if not self.languages or len(set(self.languages)) < len(self.languages):
            raise ConfigError("A site needs at least one language, and each only once.")
        if self.depth not in LEVELS:
            raise ConfigError(f"The depth is {self.depth}; give 2 to {max(LEVELS)}.")
        least = least_pages(self.depth) * len(self.languages)
        if self.pages < least:
            raise ConfigError(f"A site like this needs {least} pages at least, not {self.pages}.")
        if self.files < 0 or self.redirects < 0 or not 0 <= self.dead < 1:
            raise ConfigError("Files and redirects are 0 or more, dead is a share below 1.")
        if canonical(self.host) != self.host or self.host.count("/") != 3:
            raise ConfigError(f"{self.host!r} is no root of a site: give https://NAME/.")

    def records(self) -> Iterator[Record]:
        """Make the site, one response after the other; the first is the root."""
        plan = self._plan()
        for record in self._responses(plan):
            sized = replace(record, size=len(record.body))
            yield replace(sized, head_size=len(http_head(sized)))

    def _plan(self) -> Plan:
        live = self.pages + self.files + self.redirects
        return Plan(
            languages=self.languages,
            pages=self.pages,
            files=self.files,
            depth=self.depth,
            redirects=self.redirects,
            dead=round(self.dead / (1 - self.dead) * live),
            rng=random.Random(self.seed),
        )

    def _responses(self, plan: Plan) -> Iterator[Record]:
        languages = [Anchor(branch.home.path, branch.language) for branch in plan.branches]
        for branch in plan.branches:
            frame = branch.frame(languages)
            for page in branch.pages:
                yield Record(self._url(page.path), 200, HTML, page_html(page, frame))
        for file in plan.files:
            yield Record(self._url(file.path), 200, file.mime, file.body(self.seed))
        for redirect in plan.redirects:
            yield Record(self._url(redirect.path), 301, location=redirect.place)

    def _url(self, path: str) -> str:
        return self.host + path.removeprefix("/")
