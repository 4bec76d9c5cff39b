"""A generated web site of a statistics office: real HTML, data deep in an archive."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.urls import canonical
from lodehound.sites.branch import LEVELS, least_pages
from lodehound.sites.html_pages import Anchor, page_html
from lodehound.sites.plan import Plan
from lodehound.sites.vocabulary import WORDS
from lodehound.stores.records import Record
from lodehound.stores.warc import http_head

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOffice:
    """The parameters of a generated site. The same parameters generate the same site.

    The home page links to topics, a glossary, publications, news, data sets and
    an archive; every page has a menu and a sidebar. Releases deep in the archive,
    some of its indexes and some data sets link to files. Every page, file and
    redirect can be reached from the home page.

    Args:
        pages: HTML pages.
        files: Data files; one in five has a URL without an extension.
        depth: Clicks from a home page to the releases in the archive, 2 to 8.
        languages: Each has its own pages and files; the first is at the root.
        dead: Share of dead links among the linked URLs.
        redirects: URLs that redirect to pages and files.
        seed: Random seed.
        host: Root URL of the site.

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
            raise ConfigError("A site needs at least one language, and each language only once.")
        if self.depth not in LEVELS:
            raise ConfigError(f"The depth is {self.depth}; give 2 to {max(LEVELS)}.")
        least = least_pages(self.depth) * len(self.languages)
        if self.pages < least:
            raise ConfigError(f"Such a site needs at least {least} pages, not {self.pages}.")
        if self.files < 0 or self.redirects < 0 or not 0 <= self.dead < 1:
            raise ConfigError("Files and redirects must be 0 or more, and dead a share below 1.")
        if canonical(self.host) != self.host or self.host.count("/") != 3:
            raise ConfigError(f"{self.host!r} is not the root of a site: give https://NAME/.")

    def records(self) -> Iterator[Record]:
        """Yield the responses of the site, starting with the root."""
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
