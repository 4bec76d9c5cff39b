"""What pages say about links stays with the finds, and only with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core.caption import Caption
from lodehound.core.messages import Answer, Page
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.stored_captions import names_of, write_captions
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.schema import SCHEMA
from tests.exports.crawls import CSV, ROOT, add, begin
from tests.stores.log.test_journal import a_choice, a_step, an_ask

URL = ROOT + "a.csv"
WEAK = Caption("CSV", ("Data",), "Get the CSV", 2)
GOOD = Caption("CSV", ("Births in 2024", "Data"), "Title: Births in 2024; Rows: 2", 4)


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        yield db


def kept(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return db.execute("SELECT page, about FROM captions").fetchall()


@pytest.mark.parametrize("order", [(WEAK, GOOD), (GOOD, WEAK)])
def test_the_page_that_says_most_counts_whatever_the_order(
    db: sqlite3.Connection, order: tuple[Caption, ...]
) -> None:
    for at, caption in enumerate(order):
        write_captions(db, f"p{at}", {URL: caption})
    assert kept(db) == [(f"p{order.index(GOOD)}", GOOD.about)]


def test_of_equals_the_first_page_counts_and_a_page_replaces_its_own(
    db: sqlite3.Connection,
) -> None:
    write_captions(db, "p0", {URL: GOOD})
    write_captions(db, "p1", {URL: GOOD._replace(about="other")})
    assert kept(db) == [("p0", GOOD.about)]
    write_captions(db, "p0", {URL: WEAK})
    assert kept(db) == [("p0", WEAK.about)]


def page_with(directory: CrawlDir, captions: dict[str, Caption], number: int = 1) -> None:
    ask = replace(an_ask(), number=number, url=f"{ROOT}p{number}")
    directory.journal.asked(ask, a_choice(ask), ())
    answer = Answer(ask, 200, "text/html")
    page = Page(ask.url, "GET", 200, "text/html", title="Data | Office", captions=captions)
    directory.answered(answer, page, replace(a_step(answer), found=False), at=1.0, find=None)


def test_a_find_has_title_and_description_from_its_page(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        page_with(directory, {URL: GOOD, ROOT + "p2": WEAK}, 1000)
        add(directory, "a.csv", CSV, anchor="CSV")
    with Catalogue(tmp_path / "crawl") as catalogue:
        [entry] = catalogue.entries()
    assert (entry.title, entry.about) == ("Births in 2024", GOOD.about)


def test_what_leads_to_no_find_is_dropped(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        page_with(directory, {URL: GOOD, ROOT + "p2": WEAK})
        page_with(directory, {}, 2)
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite")) as db:
        assert db.execute("SELECT url FROM captions").fetchall() == [(URL,)]


def test_a_text_with_a_lone_surrogate_is_kept(tmp_path: Path) -> None:
    odd = Caption("Rents \ud800", ("n \ud800",), "a \ud800", 3)
    with begin(tmp_path / "crawl") as directory:
        page_with(directory, {URL: odd}, 1000)
        add(directory, "a.csv", CSV)
    with Catalogue(tmp_path / "crawl") as catalogue:
        [entry] = catalogue.entries()
    assert (entry.title, entry.about) == ("Rents", "a \ud800")


@pytest.mark.parametrize("packed", ["", None, "[", '{"a": 1}', "[" * 100_000, "3"])
def test_damaged_names_are_none(packed: str | None) -> None:
    assert names_of(packed) == ()
