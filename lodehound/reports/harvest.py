"""The finds: a sample to look through, their types and sizes, and what is in them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, fields
from typing import Any

from lodehound.reports.clean import clean, type_name
from lodehound.reports.worth import worth_of
from lodehound.stores.crawl_dir.events import plain
from lodehound.stores.crawl_dir.look import Look

SAMPLE = 5_000  # finds that go into the page
TYPES = 20

FINDS = """
    SELECT url, final_url, finds.file, mime, size, truncated, found_on, page_title, anchor,
        tables, rows, statistics, error, label, value
    FROM finds LEFT JOIN inspections USING (file)
    WHERE number IN (SELECT number FROM (
        SELECT number, row_number() OVER (ORDER BY number) - 1 AS place FROM finds
    ) WHERE place % ? = 0) ORDER BY number"""
SIZES = "SELECT mime, size FROM finds"
INSPECTED = """
    SELECT mime, count(*) AS finds, count(kind) AS inspected,
        count(*) FILTER (WHERE error <> '') AS unreadable,
        count(*) FILTER (WHERE statistics > 0) AS with_statistics,
        coalesce(sum(statistics), 0) AS statistics, coalesce(sum(tables), 0) AS tables,
        coalesce(sum(rows), 0) AS rows, count(*) FILTER (WHERE truncated) AS truncated
    FROM finds LEFT JOIN inspections USING (file) GROUP BY mime ORDER BY finds DESC"""


@dataclass(frozen=True, slots=True)
class Type:
    """Finds of one type."""

    mime: str
    count: int
    bytes: int
    median: float
    largest: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in the finds, all together or of one type (Table 7 of the SB paper)."""

    mime: str
    finds: int
    inspected: int
    unreadable: int
    with_statistics: int
    statistics: int
    tables: int
    rows: int
    truncated: int

    @property
    def share(self) -> float:
        """Of the targets looked into, those with at least one statistics table (SD yield)."""
        return self.with_statistics / self.inspected if self.inspected else 0.0

    @property
    def per_target(self) -> float:
        """Statistics tables per target looked into."""
        return self.statistics / self.inspected if self.inspected else 0.0


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
    "note", "final",
)  # fmt: skip


def sample_of(look: Look, want: str = "", *, most: int = SAMPLE) -> Sample:
    """Take finds evenly over the crawl, all of them if there are not more than ``most``.

    Args:
        look: The journal.
        want: What the crawl looked for: what that says of a find stands in its note.
        most: Finds.
    """
    total = _count(look)
    pages: dict[tuple[str, str], int] = {}
    rows = []
    for row in look.rows(FINDS, -(-total // most) or 1):
        on = (plain(row["found_on"])[:1000], clean(plain(row["page_title"]), 120))
        rows.append([
            plain(row["url"])[:1000], plain(row["file"]), int(opens(plain(row["mime"]))),
            type_name(plain(row["mime"])), row["size"], pages.setdefault(on, len(pages)),
            clean(plain(row["anchor"]), 120), *_figures(row), _note(row, want), _final(row),
        ])  # fmt: skip
    return Sample(rows, list(pages), total)


def types_of(look: Look) -> list[Type]:
    """Return the types of the finds, the most frequent first."""
    sizes: dict[str, list[int]] = {}
    for row in look.rows(SIZES):
        sizes.setdefault(type_name(plain(row["mime"])), []).append(row["size"])
    made = [
        Type(mime, len(of), sum(of), statistics.median(of), max(of)) for mime, of in sizes.items()
    ]
    return sorted(made, key=lambda kind: -kind.count)


def contents_of(look: Look) -> list[Contents]:
    """Return what is in the finds, by type, the most frequent type first."""
    by_name: dict[str, list[Contents]] = {}
    for row in look.rows(INSPECTED):
        name = type_name(plain(row["mime"]))
        by_name.setdefault(name, []).append(Contents(name, *list(row)[1:]))
    return [all_of(parts, name) for name, parts in by_name.items()]


def all_of(parts: list[Contents], name: str = "all") -> Contents:
    """Add up what is in the finds of several types."""
    figures = [field.name for field in fields(Contents) if field.name != "mime"]
    return Contents(name, *(sum(getattr(part, figure) for part in parts) for figure in figures))


def _count(look: Look) -> int:
    row = look.one("SELECT count(*) FROM finds")
    return int(row[0]) if row is not None else 0


def opens(mime: str) -> bool:
    """Say whether a browser may open a file of this type: some types bring scripts along.

    >>> opens("text/csv"), opens("image/svg+xml"), opens("text/html")
    (True, False, False)
    """
    return not mime.endswith(("html", "+xml", "/xml"))


def _figures(row: Any) -> list[Any]:
    """Return how much is in a file; nothing of one that could not be read."""
    names = ("tables", "rows", "statistics")
    return [None if row["error"] else row[name] for name in names]


def _final(row: Any) -> str:
    """Return where the redirects ended, if there were any."""
    final: str = plain(row["final_url"])
    return "" if final == plain(row["url"]) else final[:1000]


def _note(row: Any, want: str) -> str:
    error = clean(plain(row["error"] or "").partition(":")[0], 60)
    flaw = "truncated" if row["truncated"] else error
    return "; ".join(filter(None, (worth_of(want, plain(row["label"]), row["value"]), flaw)))
