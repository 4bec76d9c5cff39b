"""The finds: a sample to look through, their types and sizes, and what is in them."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import dataclass
from typing import Any

from lodehound.reports.screen_text import clean, type_name
from lodehound.reports.verdict_words import worth_of
from lodehound.stores.catalogue.datasets import count_datasets, dataset_finds, formats_of
from lodehound.stores.catalogue.find_reads import (
    count_finds,
    has_listings,
    sample_of_finds,
    sizes_of_finds,
)
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.catalogue.listings import FileDescription, describe_file
from lodehound.stores.catalogue.totals import FileCounts, files_by_type
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.text.counts import counted

SAMPLE = 5_000  # finds that go into the page
WORDS = {"truncated": "truncated", "empty": "empty", "no-rows": "headers, no values"}


@dataclass(frozen=True, slots=True)
class Type:
    """Finds of one type."""

    mime: str
    count: int
    bytes: int
    median: float
    largest: int


@dataclass(frozen=True, slots=True)
class Sample:
    """Finds in a compact form: rows of texts and numbers, as the page's script reads them."""

    rows: list[list[Any]]
    pages: list[tuple[str, str]]  # address and title, by their place
    total: int

    @property
    def whole(self) -> bool:
        return len(self.rows) == self.total


COLUMNS = (
    "url", "file", "opens", "type", "size", "page", "anchor", "tables", "rows", "statistics",
    "note", "final", "title",
)  # fmt: skip


def sample_of(look: CrawlReader, want: str = "", *, most: int = SAMPLE) -> Sample:
    """Take finds evenly over the crawl, all of them if there are not more than ``most``.

    Args:
        look: The journal.
        want: What the crawl looked for: what that says of a find stands in its note.
        most: Finds.
    """
    total = count_finds(look)
    listed = has_listings(look)
    pages: dict[tuple[str, str], int] = {}
    rows = []
    for row in sample_of_finds(look, -(-total // most) or 1):
        on = (row["found_on"][:1000], clean(row["page_title"], 120))
        rows.append([
            row["url"][:1000], row["file"], int(opens(row["mime"])),
            type_name(row["mime"]), row["size"], pages.setdefault(on, len(pages)),
            clean(row["anchor"], 120), *_figures(row),
            "; ".join(filter(None, (_note(row, want), _by_api(look, row) if listed else ""))),
            _final(row),
            clean(row["shown_title"], 120),
        ])  # fmt: skip
    datasets, _ = count_datasets(look.rows)
    if datasets:
        step = -(-datasets // most)
        found = itertools.islice(dataset_finds(look.rows), 0, None, step)
        rows += [_dataset(*one[1:], pages) for one in found]
    return Sample(rows, list(pages), total + datasets)


def _dataset(find: FindRow, about: FileDescription, pages: dict[tuple[str, str], int]) -> list[Any]:
    """Return the row of a dataset that an API lists."""
    on = (find.found_on[:1000], "")
    files = counted(len(about.dataset.files), "file")
    licence = f", licence {clean(about.licence, 100)}" if about.licence else ""
    note = f"{files}, listed by {clean(about.shortcut, 40)}{licence}"
    kind = ", ".join(clean(name, 20) for name in formats_of(about.dataset)[:5]) or "dataset"
    title = clean(about.dataset.title, 120)
    return [
        find.url[:1000], "", 0, kind, find.size, pages.setdefault(on, len(pages)),
        title, None, None, None, note, "", title,
    ]  # fmt: skip


def types_of(look: CrawlReader) -> list[Type]:
    """Return the types of the finds, the most frequent first."""
    sizes: dict[str, list[int]] = {}
    for row in sizes_of_finds(look):
        sizes.setdefault(type_name(row["mime"]), []).append(row["size"])
    made = [
        Type(mime, len(of), sum(of), statistics.median(of), max(of)) for mime, of in sizes.items()
    ]
    return sorted(made, key=lambda kind: -kind.count)


def contents_of(look: CrawlReader) -> dict[str, FileCounts]:
    """Return what is in the files, by the names of their types, the most frequent first."""
    by_name: dict[str, FileCounts] = {}
    for mime, counts in files_by_type(look.rows).items():
        name = type_name(mime)
        by_name[name] = by_name.get(name, FileCounts()) + counts
    return by_name


def opens(mime: str) -> bool:
    """Return whether a browser may open a file of this type: some types bring scripts along.

    >>> opens("text/csv"), opens("image/svg+xml"), opens("text/html")
    (True, False, False)
    """
    return not mime.endswith(("html", "+xml", "/xml"))


def _figures(row: Any) -> list[Any]:
    """Return how much is in a file; nothing of one that could not be read."""
    names = ("tables", "rows", "statistics")
    return [None if row["content"] == "unreadable" else row[name] for name in names]


def _final(row: Any) -> str:
    """Return where the redirects ended, if there were any."""
    final: str = row["final_url"]
    return "" if final == row["url"] else final[:1000]


def _by_api(look: CrawlReader, row: Any) -> str:
    """Return which API lists a find, and the licence that it gives."""
    about = describe_file(look.rows, row["url"])
    if about is None:
        return ""
    licence = f", licence {clean(about.licence, 100)}" if about.licence else ""
    return f"listed by {about.shortcut}{licence}"


def _note(row: Any, want: str) -> str:
    error = clean((row["error"] or "").partition(":")[0], 60)
    flaw = WORDS.get(row["content"]) or error
    return "; ".join(filter(None, (worth_of(want, row["label"], row["value"]), flaw)))
