"""What is in the finds, and which links led to them: counted by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.reports.group_yields import learned_of
from lodehound.reports.harvest import contents_of, sample_of, types_of
from lodehound.stores.catalogue.totals import FileCounts
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader

ROOT = "https://s.example/"


def put(db: sqlite3.Connection, table: str, **values: object) -> None:
    """Write a row; what is not given is empty."""
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    filled = {row[1]: "" if row[2] == "TEXT" else 0 for row in columns} | values
    marks = ", ".join("?" * len(filled))
    db.execute(f"INSERT INTO {table} VALUES ({marks})", list(filled.values()))


@pytest.fixture
def look(tmp_path: Path) -> Iterator[CrawlReader]:
    """Two CSV (one truncated), two XLSX that share a file, one PDF that cannot be read."""
    CrawlDir.create(tmp_path / "c", config="{}", version="1").close()
    with sqlite3.connect(tmp_path / "c" / "crawl.sqlite") as db:
        xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        finds = [("a", "text/csv", 100, 0), ("b", "text/csv", 300, 1), ("c", xlsx, 50, 0)]
        finds += [("c", xlsx, 50, 0), ("d", "application/pdf", 10, 0)]
        for number, (file, mime, size, cut) in enumerate(finds, 1):
            put(db, "finds", number=number, url=f"{ROOT}{number}", file=file, mime=mime,
                size=size, truncated=cut, found_on=ROOT)  # fmt: skip
        put(db, "inspections", file="a", kind="csv", tables=1, rows=9, statistics=1)
        put(db, "inspections", file="c", kind="xlsx", tables=4, rows=20, statistics=0)
        put(db, "inspections", file="d", kind="pdf", error="not readable: no PDF")
    db.close()
    with CrawlReader(tmp_path / "c") as opened:
        yield opened


def test_the_share_of_statistics(look: CrawlReader) -> None:
    """Of four files one is truncated and one cannot be read: one of two holds statistics."""
    by_type = contents_of(look)
    everything = sum(by_type.values(), FileCounts())

    assert everything == FileCounts(
        truncated=1, unreadable=1, with_tables=2, tables=5, with_statistics=1, statistics=1, rows=29
    )
    assert (everything.files, everything.inspected, everything.readable) == (4, 3, 2)
    assert (everything.statistics_share, everything.statistics_per_file) == (0.5, 0.5)
    assert {name: counts.files for name, counts in by_type.items()} == {
        "csv": 2,
        "xlsx": 1,
        "pdf": 1,
    }


def test_types_and_sizes(look: CrawlReader) -> None:
    assert [(kind.mime, kind.count, kind.bytes, kind.median) for kind in types_of(look)] == [
        ("csv", 2, 400, 200),
        ("xlsx", 2, 100, 50),
        ("pdf", 1, 10, 10),
    ]


def test_the_sample_says_what_is_missing(look: CrawlReader) -> None:
    notes = [(row[7:10], row[10]) for row in sample_of(look).rows]

    assert notes == [
        ([1, 9, 1], ""),
        ([None, None, None], "truncated"),
        ([4, 20, 0], ""),
        ([4, 20, 0], ""),
        ([None, None, None], "not readable"),
    ]


def test_groups_of_links_are_credited_with_what_they_led_to(
    tmp_path: Path, look: CrawlReader
) -> None:
    """Group 1 led to a page with all five finds; group 2 brought one itself; group 3 nothing."""
    asks = [("", "group 1 like x"), ("1", "group 2 like y"), ("q", "")]
    asks += [(f"p{number}", "group 3 like z.md:w") for number in range(3)]
    with sqlite3.connect(tmp_path / "c" / "crawl.sqlite") as db:
        for number, (place, group) in enumerate(asks, 1):
            url = ROOT + place
            put(db, "asks", seq=2 * number, number=number, url=url, method="GET",
                crawl_group=group, why=f"reason {number}")  # fmt: skip
            put(db, "answers", seq=2 * number + 1, number=number, url=url, status=200, sent=1,
                tries=1, found=int(place == "1"))  # fmt: skip
    db.close()
    learned = learned_of(look)

    best = [(group.name, group.visits, group.brought) for group in learned.best]
    assert best == [("group 1 like x", 1, 5), ("group 2 like y", 1, 1)]
    assert [(group.name, group.visits) for group in learned.worst] == [("group 3 like z.md:w", 3)]
    assert learned.count == 4


def test_only_groups_below_the_mean_are_bad(tmp_path: Path, look: CrawlReader) -> None:
    """Nine reasons that are all alike, and one that brought nothing; this policy has no groups."""
    with sqlite3.connect(tmp_path / "c" / "crawl.sqlite") as db:
        for number in range(1, 31):
            url, kind = f"{ROOT}k{number}", number % 10
            put(db, "asks", seq=2 * number, number=number, url=url, method="GET",
                why=f"kind {kind}")  # fmt: skip
            put(db, "answers", seq=2 * number + 1, number=number, url=url, status=200, sent=1,
                tries=1, found=int(kind > 0))  # fmt: skip
    db.close()
    learned = learned_of(look)

    assert len(learned.best) == 8
    assert [group.name for group in learned.worst] == ["kind 0"]
