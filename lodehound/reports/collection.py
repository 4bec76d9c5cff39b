"""What was collected, as a whole: hosts, column names, dates, copies, the largest tables."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import NamedTuple

from lodehound.core.urls import host_of
from lodehound.inspect import FileLimits, Options, Reader, Table
from lodehound.reports.charts import Chart, Curve, bars, ceiling, labels, short
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.find_reads import (
    headers_of_tables,
    largest_tables,
    modification_dates,
    repeated_contents,
    sizes_of_finds,
)
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.texts import json_texts

HOSTS, NAMES, SHOWN = 20, 40, 20  # rows of the tables
LARGEST, FIRST_ROWS = 5, 5
MOST_NAMES = 100_000  # different column names that are counted
BY_MONTH = 36  # months up to which a timeline has a bar for each

PREVIEW = Options(
    limits=FileLimits(seconds=10.0, read_bytes=64 << 20, tables=1, preview_rows=FIRST_ROWS)
)


class HostShare(NamedTuple):
    """The finds of one host."""

    host: str
    finds: int
    bytes: int


class ColumnName(NamedTuple):
    """A column name, and the number of files whose largest table has it."""

    name: str
    files: int


@dataclass(frozen=True, slots=True)
class Copies:
    """Finds with the same content."""

    title: str
    url: str
    finds: int
    size: int


@dataclass(frozen=True, slots=True)
class LargeTable:
    """A table with many rows, and the first of them."""

    entry: CatalogueEntry
    table: Table | None  # None if the file can no longer be read


@dataclass(frozen=True, slots=True)
class Collection:
    """What was collected, as a whole."""

    hosts: list[HostShare]
    host_count: int
    columns: list[ColumnName]
    dates: Chart | None
    copies: list[Copies]
    copy_count: int  # contents that are found more than once
    empty: list[CatalogueEntry]
    empty_count: int
    largest: list[LargeTable] = field(default_factory=list)


def collection_of(look: CrawlReader, empty_count: int) -> Collection:
    """Read what was collected.

    Args:
        look: The journal.
        empty_count: Number of files whose tables have no rows.
    """
    hosts = _hosts(look)
    with Catalogue(look.folder) as catalogue, ExitStack() as stack:
        copies = list(repeated_contents(look))
        entries = catalogue.entries() if empty_count else iter(())
        empty = list(islice((one for one in entries if one.content == "no-rows"), SHOWN))
        numbers = largest_tables(look, LARGEST)
        reader = stack.enter_context(Reader(PREVIEW)) if numbers else None
        return Collection(
            hosts[:HOSTS],
            len(hosts),
            _columns(look),
            timeline_of(row["last_modified"] for row in modification_dates(look)),
            [_copies(catalogue, row) for row in copies[:SHOWN]],
            len(copies),
            empty,
            empty_count,
            [_large(catalogue, number, reader) for number in numbers],
        )


def _hosts(look: CrawlReader) -> list[HostShare]:
    finds: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for row in sizes_of_finds(look):
        host = host_of(row["final_url"])
        finds[host] += 1
        size[host] += row["size"]
    return [HostShare(host, count, size[host]) for host, count in finds.most_common()]


def _columns(look: CrawlReader) -> list[ColumnName]:
    counts: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    for row in headers_of_tables(look):
        for name in _header(row["header"]):
            key = name.casefold()
            if key in spellings or len(spellings) < MOST_NAMES:
                spellings.setdefault(key, name)
                counts[key] += 1
    return [ColumnName(spellings[key], count) for key, count in counts.most_common(NAMES)]


def _header(text: str) -> set[str]:
    return {name for text in json_texts(text) if (name := " ".join(text.split()))}


def _copies(catalogue: Catalogue, row: sqlite3.Row) -> Copies:
    entry = catalogue.entry(row["first"])
    return Copies(entry.title, entry.find.final_url, row["finds"], row["size"])


def _large(catalogue: Catalogue, number: int, reader: Reader | None) -> LargeTable:
    entry = catalogue.entry(number)
    path = catalogue.path_of(entry.find)
    seen = reader.inspect(path, entry.find.mime) if reader and path else None
    tables = [table for table in seen.tables if table.first] if seen else []
    return LargeTable(entry, tables[0] if tables else None)


def timeline_of(dates: Iterable[str]) -> Chart | None:
    """Draw how many finds were last modified in each year, or month; None without any date.

    >>> timeline_of(["Sun, 06 Nov 1994 08:49:37 GMT", "nonsense"]).alt
    '1 of 2 dates; most of them in 1994-11: 1'
    """
    given = [_date(text) for text in dates]
    known = sorted(date for date in given if date is not None)
    if not known:
        return None
    first, last = known[0], known[-1]
    monthly = _months(last) - _months(first) < BY_MONTH
    counts: defaultdict[int, int] = defaultdict(int)
    for date in known:
        counts[_months(date) if monthly else date.year] += 1
    steps = range(min(counts), max(counts) + 1)
    values = [counts[step] for step in steps]
    names = [_step(step, monthly=monthly) for step in steps]
    best = max(zip(values, names, strict=True))
    top = ceiling(max(values))
    alt = f"{len(known):,} of {len(given):,} dates; most of them in {best[1]}: {best[0]:,}"
    across = "month" if monthly else "year"
    ends = tuple(names[:: max(1, -(-len(names) // 6))])
    drawn = (Curve("finds", bars(values, top), "bars"),)
    return Chart("Last modified", alt, across, drawn, ends, labels(top, short)[::-1])


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if 1980 <= date.year <= 2100 else None


def _months(date: datetime) -> int:
    return date.year * 12 + date.month - 1


def _step(step: int, *, monthly: bool) -> str:
    return f"{step // 12}-{step % 12 + 1:02}" if monthly else str(step)
