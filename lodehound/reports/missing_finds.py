"""What happened in a crawl to URLs that are not among its finds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from lodehound.reports.screen_text import type_name
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.log.crawl_reader import CrawlReader, url_of
from lodehound.stores.log.request_reads import last_answer

Missing = Literal["gone", "no longer linked", "not reached", "unavailable"]
GONE = {404, 410}


class LastAnswer(NamedTuple):
    """The last answer from a URL."""

    status: int
    mime: str
    error: str
    sent: bool

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def __str__(self) -> str:
        """Describe the answer in a few words."""
        if self.ok:
            return f"status {self.status}, {type_name(self.mime)}: no find"
        return f"status {self.status}" if self.status else _kind(self.error) or "no answer"


class Whereabouts:
    """Finds out why URLs are not among the finds of a crawl.

    Args:
        catalogue: The catalogue of the crawl.
        urls: All URLs in question: the stored links are read only once.

    Attributes:
        linked: The URLs that a page or sitemap of the crawl links to.
    """

    def __init__(self, catalogue: Catalogue, urls: set[str]) -> None:
        self._catalogue = catalogue
        self.linked = _linked(catalogue, urls) if urls else set()

    def of(self, urls: Iterable[str], page: str) -> tuple[Missing, str]:
        """Return what happened to a find of another crawl, and the evidence.

        Args:
            urls: The URLs of the find, the final one first.
            page: The page that linked to it.
        """
        for url in urls:
            known = self._answer(url)
            if known is not None:
                return ("gone" if known.status in GONE else "unavailable"), str(known)
        if any(url in self.linked for url in urls):
            return "not reached", self._why_not()
        return self._unlinked(page)

    def _unlinked(self, page: str) -> tuple[Missing, str]:
        """Decide whether the link is gone: from its page, or because all links were followed."""
        known = self._answer(page) if page else None
        if known is not None and known.ok:
            return "no longer linked", "the page that linked to it no longer does"
        if known is not None and known.status in GONE:
            return "no longer linked", f"the page that linked to it is gone ({known})"
        if known is not None:
            return "not reached", f"the page that linked to it could not be read ({known})"
        if self._catalogue.ended == "exhausted":
            return "no longer linked", "no page links to it"
        return "not reached", "the page that linked to it was not read"

    def _why_not(self) -> str:
        if self._catalogue.ended == "exhausted":
            return "linked, but excluded by the crawl's rules"
        return "linked, but not requested before the crawl ended"

    def _answer(self, url: str) -> LastAnswer | None:
        row = last_answer(self._catalogue, url)
        if row is None:
            return None
        status, mime, error, sent = row
        return LastAnswer(status, mime, error, bool(sent))


def _linked(catalogue: Catalogue, urls: set[str]) -> set[str]:
    """Return the URLs that any page or sitemap of a crawl links to."""
    found = set()
    with CrawlReader(catalogue.folder) as look:
        for shown in look.shown():
            for part in shown.parts:
                url = url_of(part)
                if url in urls:
                    found.add(url)
    return found


def _kind(error: str) -> str:
    return error.partition(":")[0]
