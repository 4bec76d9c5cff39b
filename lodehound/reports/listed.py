"""What sitemaps, feeds and APIs list, against what was fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lodehound.core.listing import LISTED, shortcut_of
from lodehound.core.urls import canonical
from lodehound.reports.skipped import REASONS, Skips
from lodehound.stores.catalogue.find_reads import count_datasets, listed_files
from lodehound.stores.log.crawl_reader import CrawlReader

MOST = 1_000  # addresses that were listed and not fetched, one by one
# Reasons that no URL has that a page shows.
OF_LISTS = {
    "catalogued": "the crawl only catalogues: files are listed, not fetched",
    "address": "listed with an address that is no http or https URL",
    "unread": "listed, but not taken in as a link",
}
LIST_REASONS = REASONS | OF_LISTS


@dataclass(frozen=True, slots=True)
class NotFetched:
    """One URL that was listed and not fetched, or not completely."""

    list: str  # the shortcut that read it: sitemap, feed, ckan ...
    url: str
    reason: str  # one of LIST_REASONS
    detail: str


@dataclass(slots=True)
class ListCounts:
    """What one kind of list names, and what was fetched of it."""

    list: str
    datasets: int = 0
    listed: int = 0  # different URLs
    fetched: int = 0
    not_fetched: dict[str, int] = field(default_factory=dict)  # by reason


@dataclass(slots=True)
class Listings:
    """What all lists name, and what was fetched of it.

    Attributes:
        lists: By kind.
        missing: The first URLs that were not fetched, at most `MOST`.
        missing_count: How many there are.
    """

    lists: dict[str, ListCounts] = field(default_factory=dict)
    missing: list[NotFetched] = field(default_factory=list)
    missing_count: int = 0

    def of(self, name: str) -> ListCounts:
        return self.lists.setdefault(name, ListCounts(name))

    def take(self, name: str, url: str, why: tuple[str, str]) -> None:
        """Count a listed URL, with the reason why it was not fetched."""
        counts = self.of(name)
        counts.listed += 1
        if not why[0]:
            counts.fetched += 1
            return
        counts.not_fetched[why[0]] = counts.not_fetched.get(why[0], 0) + 1
        self.missing_count += 1
        if len(self.missing) < MOST:
            self.missing.append(NotFetched(name, url, *why))


def listings_of(look: CrawlReader, skips: Skips, *, only: bool) -> Listings:
    """Compare what lists name with what was fetched.

    Args:
        look: The journal.
        skips: Why URLs were not fetched.
        only: The crawl only catalogues what is listed.
    """
    found = Listings()
    for name, count in count_datasets(look).items():
        found.of(name).datasets = count
    seen = set()
    for name, written in _listed(look):
        url = canonical(written)
        if (key := hash((name, url or written))) in seen:
            continue
        seen.add(key)
        why = skips.why_of(url) if url else ("address", "")
        found.take(name, url or written, why or ("catalogued" if only else "unread", ""))
    return found


def _listed(look: CrawlReader) -> Iterator[tuple[str, str]]:
    """Yield what lists name: files from the catalogue, and pages from the journal."""
    yield from listed_files(look)
    mark = f',"{LISTED}"'
    for shown in look.shown():
        for part in shown.parts:
            if mark in part and (link := shown.link(part)).kind == LISTED:
                yield shortcut_of(link), link.url
