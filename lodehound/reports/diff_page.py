"""The comparison of two crawls as an HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from lodehound.core.urls import host_of
from lodehound.reports.diff import KINDS, Change, Difference
from lodehound.reports.screen_text import clean
from lodehound.reports.template import HtmlPage
from lodehound.stores.catalogue.entries import Catalogue

DIFF = HtmlPage("diff")
MOST = 2_000  # changes of one kind on the page


@dataclass(frozen=True, slots=True)
class ComparedCrawl:
    """One of the two crawls, as the page shows it."""

    folder: str
    created_at: str
    starts: tuple[str, ...]
    requests: int
    finds: int

    @classmethod
    def of(cls, catalogue: Catalogue) -> ComparedCrawl:
        summary = catalogue.summary()
        begun = catalogue.created_at[:16].replace("T", " ") + " UTC"
        folder = catalogue.folder.resolve().name
        return cls(folder, begun, catalogue.start_urls, summary.requests, summary.finds)


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Changes of one kind, as the page shows them."""

    name: str
    about: str
    count: int
    changes: tuple[Change, ...]

    @property
    def id(self) -> str:
        return self.name.replace(" ", "-")


def write_diff(
    first: Catalogue,
    second: Catalogue,
    difference: Difference,
    output: Path,
    *,
    force: bool = False,
) -> Path:
    """Write the page atomically and return its path."""
    return DIFF.write(lambda: make_diff(first, second, difference), output, force=force)


def make_diff(first: Catalogue, second: Catalogue, difference: Difference) -> str:
    """Return the page as HTML."""
    hosts = dict.fromkeys(host_of(url) for url in (*first.start_urls, *second.start_urls))
    return DIFF.made(
        title=clean(", ".join(list(hosts)[:3]), 120) or "two crawls",
        differs=difference.differs,
        sides=(ComparedCrawl.of(first), ComparedCrawl.of(second)),
        figures=[(f"{count:,}", name, "") for name, count in difference.counts.items()],
        kinds=groups_of_changes(difference, MOST),
    )


def groups_of_changes(difference: Difference, most: int) -> list[ChangeGroup]:
    """Return the changes by kind, at most so many of each."""
    counts = difference.counts
    grouped = groupby(difference.changes, key=lambda change: change.what)
    return [
        ChangeGroup(what, KINDS[what], counts[what], tuple(islice(changes, most)))
        for what, changes in grouped
    ]
