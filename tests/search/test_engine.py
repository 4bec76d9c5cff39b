"""The right find comes first, and the answer says why."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.search import engine
from lodehound.search.engine import Filter, Found, Match, search
from lodehound.search.indexing import index_finds
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.search_index import StoredIndex
from lodehound.stores.crawl_dir import CrawlDir
from tests.exports.crawls import CSV, add, begin
from tests.search.conftest import REGIONS


def names(found: list[Found]) -> list[str]:
    return [answer.entry.find.final_url.rpartition("/")[2] for answer in found]


def indexed(folder: Path) -> int:
    """Return how many finds are in the index of a crawl."""
    with Catalogue(folder) as catalogue:
        index = StoredIndex(catalogue).index()
        return index.count() if index else 0


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("unemployment by region", "t1.csv"),
        ("unemployed people in Chişinău", "t1.csv"),
        ("How many births were there in Köln?", "t2.csv"),
        ("german cars", "GermanCars.csv"),
        ("Gewicht und horsepower", "GermanCars.csv"),
        ("wage of Spain", "t4.csv"),
        ('"wages" OR NEAR(italy) -*', "t4.csv"),
    ],
)
def test_the_right_file_comes_first(crawl: Path, question: str, first: str) -> None:
    assert names(search(question, [crawl]))[:1] == [first]


def test_an_answer_says_where_each_word_stands(crawl: Path) -> None:
    (found,) = search("chisinau unemployment gdp", [crawl])
    assert [(one.word, one.place, one.table) for one in found.matches][1] == (
        "unemployment", "column", 1,
    )  # fmt: skip
    assert Match("chisinau", "value", "Chisinau", 1) in found.matches
    assert found.missing == ("gdp",)
    assert found.table == 1
    assert found.path is not None
    assert found.path.read_bytes() == REGIONS


def test_a_find_with_all_words_comes_before_one_that_has_one_often(tmp_path: Path) -> None:
    with CrawlDir.create(
        tmp_path / "crawl", config='{"urls": ["https://s.example/"]}', version="1"
    ) as made:
        add(made, "a.csv", CSV, anchor="Rents Rents Rents", page_title="Rents")
        add(made, "b.csv", CSV + b"x,1,1\n", anchor="Rents in towns")
        add(made, "c.csv", CSV + b"y,1,1\n", anchor="Towns")
    assert names(search("rents in towns", [tmp_path / "crawl"]))[0] == "b.csv"


def test_filters(crawl: Path) -> None:
    everything = "labour wages geburten cars"
    assert len(search(everything, [crawl])) == 4
    assert names(search(everything, [crawl], only=Filter(years=(2012, 2030)))) == ["t1.csv"]
    assert search(everything, [crawl], only=Filter(years=(1990, 2009))) == []
    assert search(everything, [crawl], only=Filter(type="pdf")) == []
    assert len(search(everything, [crawl], only=Filter(type="csv", site="s.example"))) == 4
    assert search(everything, [crawl], only=Filter(site="other.example")) == []
    assert len(search(everything, [crawl], limit=2)) == 2


def test_copies_are_one_answer(crawl: Path) -> None:
    with CrawlDir.open(crawl) as directory:
        add(directory, "copy.csv", REGIONS, anchor="Labour market")
    assert len(search("labour market", [crawl])) == 1


def test_a_question_without_words_is_refused(crawl: Path) -> None:
    with pytest.raises(ConfigError, match="no word to search for"):
        search("?! *", [crawl])


def test_the_index_grows_with_the_crawl(crawl: Path) -> None:
    search("wages", [crawl])
    assert indexed(crawl) == 4
    with CrawlDir.open(crawl) as directory:
        add(directory, "new.csv", CSV + b"z,1,1\n", anchor="Heights of towers")
        # The crawl runs: what it has not indexed yet is found, too.
        assert names(search("towers", [crawl])) == ["new.csv"]
        assert indexed(crawl) == 4
        index_finds(directory)
    assert indexed(crawl) == 5
    assert names(search("towers", [crawl])) == ["new.csv"]


def test_what_was_inspected_later_replaces_what_was_known(crawl: Path) -> None:
    search("wages", [crawl])
    with CrawlDir.open(crawl) as directory:
        seen = next(one for one in directory.finds.inspections() if "t4" in one.file)
        text = seen.inspection.replace("Spain", "Malta")
        directory.finds.inspected(replace(seen, inspection=text))
        directory.database.flush()
        assert names(search("malta", [crawl])) == ["t4.csv"]
    assert names(search("malta", [crawl])) == ["t4.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_crawl_that_may_not_be_written_is_searched(crawl: Path) -> None:
    crawl.chmod(0o500)
    try:
        assert names(search("wages", [crawl])) == ["t4.csv"]
    finally:
        crawl.chmod(0o700)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE search_data SET block = randomblob(99)",
        "DELETE FROM search_config",
        "DROP TABLE search_data",
        "UPDATE meta SET value = '9 1 1' WHERE key = 'search'",
        "UPDATE meta SET value = 'x' WHERE key = 'search'",
    ],
)
def test_a_damaged_index_is_made_anew(crawl: Path, harm: str) -> None:
    search("wages", [crawl])
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        db.execute(harm)
    warnings: list[str] = []
    assert names(search("wages", [crawl], warn=warnings.append)) == ["t4.csv"]
    assert indexed(crawl) == 4
    assert [word for word in warnings if "is made anew" not in word] == []
    assert bool(warnings) == ("meta" not in harm)


def test_a_table_of_a_stranger_is_not_asked(crawl: Path) -> None:
    """One of the same name that computes: it is replaced."""
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        db.execute("CREATE TABLE search (title)")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('search', '1 999 999')")
    assert names(search("wages", [crawl])) == ["t4.csv"]


@pytest.mark.parametrize(
    ("kind", "body", "match"),
    [
        ("csv", REGIONS + b"Tiraspol,20", Match("cahul", "value", "Cahul", 1)),
        ("json", b'{"a": "Vases', Match("vases", "text", '{"a": "Vases')),
        ("xml", b"<rows>\n<row>Vases</row>\n<row>Jugs</r", Match("vases", "text", "Vases")),
    ],
)
def test_of_a_truncated_text_the_beginning_is_searched(
    tmp_path: Path, kind: str, body: bytes, match: Match
) -> None:
    with begin(tmp_path / "crawl") as made:
        add(made, f"cut.{kind}", body, f"text/{kind}", truncated=True, size=10**6)
    (found,) = search(match.word, [tmp_path / "crawl"])
    assert found.matches == (match,)


def test_what_was_cut_in_the_middle_is_no_value(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as made:
        add(made, "cut.csv", REGIONS + b"Tiraspol,20", truncated=True, size=10**6)
    assert search("tiraspol", [tmp_path / "crawl"]) == []


def test_a_file_that_is_gone_is_found_by_its_title(crawl: Path) -> None:
    with CrawlDir.open(crawl) as directory:
        cut = add(directory, "cut.csv", REGIONS, truncated=True, size=10**6, anchor="Harvests")
        (directory.path / cut.file).unlink()
    assert names(search("harvests", [crawl])) == ["cut.csv"]


def test_in_many_finds_words_that_most_have_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(tmp_path / "crawl") as made:
        for name, anchor in {"a": "Rents in Oslo", "b": "Rents in Bergen", "c": "Rents"}.items():
            add(made, f"{name}.csv", CSV + name.encode(), anchor=anchor)
    folders = [tmp_path / "crawl"]
    assert len(search("rents in oslo", folders)) == 3
    monkeypatch.setattr(engine, "MANY", 2)
    assert names(search("rents in oslo", folders)) == ["a.csv"]
    assert len(search("rents", folders)) == 3
    assert search("snow", folders) == []
