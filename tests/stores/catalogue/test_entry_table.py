"""The entries of a catalogue: kept with the finds, filtered and sorted by one query."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.wanted import Wanted
from lodehound.stores.crawl_dir import CrawlDir
from tests.exports.crawls import CSV, add, begin


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV, anchor="Births")
        add(directory, "more/b.csv", CSV + b"2025,1\n", anchor="Births")
        add(directory, "c.txt", b"nothing", "text/plain", anchor="\u00c9tudes")
    return tmp_path / "crawl"


def names(path: Path, order: str = "", *, reverse: bool = False, **wanted: object) -> list[str]:
    with Catalogue(path, Wanted(**wanted)) as catalogue:  # type: ignore[arg-type]
        found = [one.name for one in catalogue.entries(order, reverse=reverse)]
        assert catalogue.count() == len(found)
    return found


def test_finds_are_filtered_by_what_is_stored(path: Path) -> None:
    assert names(path, type="csv") == ["a.csv", "b.csv"]
    assert names(path, numbers=(3, 1, 99)) == ["c.txt", "a.csv"]  # in this order
    assert names(path, "file", numbers=(3, 1)) == ["a.csv", "c.txt"]
    assert names(path, numbers=(3, 1), type="csv") == ["a.csv"]
    assert names(path, numbers=()) == []
    assert names(path, section="s.example/more/") == ["b.csv"]
    assert names(path, min_rows=1, like="BIRTHS") == ["a.csv", "b.csv"]
    assert names(path, content="no-tables") == ["c.txt"]


def test_finds_are_sorted_and_paged(path: Path) -> None:
    assert names(path, "size") == ["b.csv", "a.csv", "c.txt"]
    assert names(path, "size", reverse=True) == ["c.txt", "a.csv", "b.csv"]
    with Catalogue(path) as catalogue:
        assert [one.name for one in catalogue.entries("new", first=1, most=1)] == ["b.csv"]
        assert catalogue.facets().values["type"] == [("csv", 2), ("text", 1)]


def test_entries_that_are_missing_are_made_when_a_crawl_is_opened(path: Path) -> None:
    """Those of a crawl that was repaired, or of an older version; and none is left over."""
    with closing(sqlite3.connect(path / "crawl.sqlite")) as db, db:
        before = db.execute("SELECT * FROM entries ORDER BY number").fetchall()
        db.execute("DELETE FROM entries WHERE number < 3")
        db.execute("UPDATE entries SET number = 99 WHERE number = 3")
    CrawlDir.open(path).close()

    with closing(sqlite3.connect(path / "crawl.sqlite")) as db:
        assert db.execute("SELECT * FROM entries ORDER BY number").fetchall() == before


def test_titles_know_the_finds_that_came_later(path: Path) -> None:
    """The first of two finds of one name was alone when it came."""
    with Catalogue(path) as catalogue:
        titles = [one.title for one in catalogue.entries()]

    assert len(set(titles)) == 3
    assert titles[0] != "Births"
