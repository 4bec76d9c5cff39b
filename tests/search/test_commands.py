"""lodehound search, show and cite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.stores.crawl_dir import CrawlDir

Program = Callable[..., tuple[int, str, str]]


def test_search_says_why_and_how_to_get_the_rows(crawl: Path, program: Program) -> None:
    code, out, _ = program("search", "unemployment in Chisinau", crawl.parent)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("1. Labour market  [csv, 3 rows x 3 columns, 2010 to 2012]")
    assert '   unemployment: column "Unemployment rate (%)"' in lines
    assert '   chisinau: value "Chisinau"' in lines
    assert "   | Chisinau | 2010 | 6.1" in lines
    command = lines[-1].split()
    assert command[:2] == ["lodehound", "show"]
    assert program(*command[1:])[0] == 0


def test_search_for_programs(crawl: Path, program: Program) -> None:
    code, out, _ = program("search", "wages", crawl, "--json", "--limit", "1")
    (answer,) = map(json.loads, out.splitlines())
    assert code == 0
    assert answer["url"].endswith("/t4.csv")
    assert answer["rows"] == [["Italy", "1"], ["Spain", "2"]]
    assert answer["matches"][0] == {
        "word": "wages", "place": "title", "text": "Wages in Europe", "table": None,
    }  # fmt: skip


def test_no_answer_is_no_error(crawl: Path, program: Program) -> None:
    code, out, err = program("search", "volcanoes", crawl)
    assert (code, out) == (0, "")
    assert "ask in other words" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["???"], "no word to search for"),
        (["wages", "--years", "nineteen"], "--years 'nineteen' is not understood"),
        (["wages", "--years", "2020-2010"], "write 2019, or 2010-2020"),
        (["wages", "--limit", "0"], "--limit"),
    ],
)
def test_a_bad_question_is_refused(
    crawl: Path, program: Program, words: list[str], said: str
) -> None:
    code, out, err = program("search", words[0], crawl, *words[1:])
    assert (code, out) == (2, "")
    assert said in err


def test_a_folder_without_crawls_is_refused(tmp_path: Path, program: Program) -> None:
    (tmp_path / "empty").mkdir()
    for place in ("empty", "nowhere"):
        code, _, err = program("search", "wages", tmp_path / place)
        assert code == 2
        assert "There is no crawl in" in err


@pytest.mark.parametrize("name", ["1", "https://s.example/t1.csv", "files/s.example/t1.csv"])
def test_a_find_is_named_in_three_ways(crawl: Path, program: Program, name: str) -> None:
    code, out, _ = program("show", crawl, name)
    assert code == 0
    assert out.startswith("Labour market\n")
    assert "    Unemployment rate (%): number, 5.5 to 7.9\n" in out


def test_a_find_is_named_by_the_path_of_its_file(crawl: Path, program: Program) -> None:
    code, out, _ = program("show", crawl, crawl / "files/s.example/t1.csv", "--json")
    shown = json.loads(out)
    assert (code, shown["title"], shown["number"]) == (0, "Labour market", 1)
    assert shown["preview"][0]["rows"][0] == ["Chisinau", "2010", "6.1"]


def test_citations(crawl: Path, program: Program) -> None:
    text = program("cite", crawl, "1")[1]
    assert text.startswith("s.example: Labour market. https://s.example/t1.csv, retrieved 2026-")
    assert "  title = {Labour market}," in program("cite", crawl, "1", "--format", "bibtex")[1]
    (item,) = json.loads(program("cite", crawl, "1", "--format", "csl-json")[1])
    assert (item["type"], item["accessed"]) == ("dataset", {"date-parts": [[2026, 1, 2]]})
    code, _, err = program("cite", crawl, "1", "--format", "apa")
    assert code == 2
    assert "csl-json" in err


@pytest.mark.parametrize("name", ["99", "9" * 40, "https://s.example/none", "../../etc/passwd", ""])
def test_an_unknown_find_is_refused(crawl: Path, program: Program, name: str) -> None:
    code, out, err = program("show", crawl, name)
    assert (code, out) == (2, "")
    assert "There is no find" in err


@pytest.mark.parametrize(
    "inspection",
    [
        '{"tables": [{"years": 5, "facts": 5, "titles": {}}], "title": "births"}',
        '{"tables": [{"years": {"a": 1}, "header": [null]}]}',
        '{"tables": [{"rows": NaN}]}',
        '{"tables": [{"rows": 1e999}]}',
        '{"title":"births","x":' + "[" * 100_000,
    ],
)
def test_an_inspection_of_a_stranger_is_shown(
    crawl: Path, program: Program, inspection: str
) -> None:
    with CrawlDir.open(crawl) as directory, directory.database.writing() as db:
        db.execute("UPDATE inspections SET inspection = ?", [inspection])
    for command in (["search", "wages", crawl, "--years", "2010"], ["show", crawl, "4", "--json"]):
        code, out, err = program(*command)
        assert code == 0, err
        assert "Infinity" not in out
        assert "NaN" not in out


def test_an_endless_address_of_a_stranger_does_not_fill_the_screen(
    crawl: Path, program: Program
) -> None:
    with CrawlDir.open(crawl) as directory, directory.database.writing() as db:
        db.execute("UPDATE finds SET final_url = final_url || ?", ["a" * 1_000_000])
    for command in (["search", "wages", crawl], ["show", crawl, "4"]):
        code, out, _ = program(*command)
        assert code == 0
        assert "http" in out
        assert len(out) < 50_000
