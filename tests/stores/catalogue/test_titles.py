"""What a find is called."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from lodehound.core.caption import Caption
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.wanted import Wanted
from tests.exports.crawls import CSV, HOSTILE, ROOT, add, begin
from tests.inspect import make


def titles(path: Path) -> list[str]:
    with Catalogue(path) as catalogue:
        return [entry.title for entry in catalogue.entries()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl"


def test_a_link_text_that_repeats_gets_its_page_and_then_its_file(path: Path) -> None:
    with begin(path) as directory:
        for at, (place, title) in enumerate(
            [("a.csv", "Births"), ("b.csv", "Births"), ("c.csv", "Deaths")]
        ):
            add(directory, place, CSV + bytes([65 + at]), anchor="CSV", page_title=title)
        add(directory, "d.csv", CSV, anchor="Rents", page_title="Births")
        add(directory, "e.csv", CSV + b"e", anchor="", page_title="Births")
        add(directory, "f.csv", CSV + b"f", anchor="CSV", page_title="")
    assert titles(path) == [
        "Births (a.csv)", "Births (b.csv)", "Deaths", "Rents", "Births (e.csv)", "f.csv",
    ]  # fmt: skip


def test_addresses_of_the_same_file_may_share_a_title(path: Path) -> None:
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor="Births")
        add(directory, "copy.csv", CSV, anchor="Births")
    assert titles(path) == ["Births", "Births"]


def test_finds_that_share_a_file_keep_their_own_names(path: Path) -> None:
    with begin(path) as directory:
        for place in ("a.csv", "new/b.txt", "export?year=2024", "a.csv/"):
            add(directory, place, CSV, anchor="", page_title="")
    with Catalogue(path) as catalogue:
        shown = [(entry.name, entry.title, entry.find.file) for entry in catalogue.entries()]
        assert {"csv", "txt"} <= catalogue.types()
    names = ["a.csv", "b.txt", "export-ea7a70da.csv", "index.csv"]
    assert shown == [(name, name, "files/s.example/a.csv") for name in names]
    with Catalogue(path, Wanted(type="txt")) as catalogue:
        assert [entry.find.final_url for entry in catalogue.entries()] == [ROOT + "new/b.txt"]


def test_a_file_with_a_mark_in_its_name_is_called_by_it(path: Path) -> None:
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor="")
        add(directory, "A.csv", CSV + b"x", anchor="")  # some disks ignore case
    with Catalogue(path) as catalogue:
        first, second = (entry.name for entry in catalogue.entries())
        assert second == next(reversed(list(catalogue.entries()))).find.file.rpartition("/")[2]
    assert first == "a.csv" != second.casefold()


def test_a_title_that_a_template_gave_to_many_files_gets_their_names(path: Path) -> None:
    with begin(path) as directory:
        for name, title in (("a.xlsx", "Template"), ("b.xlsx", "Template"), ("c.xlsx", "Births")):
            body = make.xlsx({name: make.POPULATION}, title=title)
            add(directory, name, body, "application/octet-stream", anchor="Excel")
    assert titles(path) == ["Data (a.xlsx)", "Data (b.xlsx)", "Births"]


def test_a_title_is_one_line_whatever_it_was(path: Path) -> None:
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor=HOSTILE)
        add(directory, "b.csv", CSV + b"b", anchor="x" * 999)
    first, second = titles(path)
    assert first == "<script>alert(1)</script> [31m gnp.exe \u05e9\u05dc\u05d5\u05dd"
    assert (len(second), second[-1]) == (200, "…")


@pytest.mark.parametrize(
    "written", ['{"title":"x', '{"title":"a"}]', '["title":"a"]', '"title":"a"']
)
def test_an_inspection_that_is_damaged_names_nothing(path: Path, written: str) -> None:
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor="Births")
    with sqlite3.connect(path / "crawl.sqlite") as db:
        db.execute("UPDATE inspections SET inspection = ?", (written,))
    db.close()
    assert titles(path) == ["Births"]


def test_a_column_called_title_is_no_title(path: Path) -> None:
    with begin(path) as directory:
        rows = [{"title": "Ulysses", "year": 1922}, {"title": "Emma", "year": 1815}]
        add(directory, "a.json", json.dumps(rows).encode(), "application/json", anchor="Books")
    assert titles(path) == ["Books"]


def test_a_text_that_links_to_other_files_have_follows_the_name_of_the_row(path: Path) -> None:
    with begin(path) as directory:
        for at, name in enumerate(("On Bees", "On Wasps", "On Bees")):
            place = f"{at}.csv"
            caption = Caption("Full Paper (CSV)", (name, f"Volume {at}"), "", 8)
            directory.finds.captioned(ROOT, {ROOT + place: caption})
            add(directory, place, CSV + bytes([65 + at]), anchor="CSV")
    assert titles(path) == [
        "On Bees: Full Paper (Volume 0)", "On Wasps: Full Paper", "On Bees: Full Paper (Volume 2)",
    ]  # fmt: skip


def test_files_of_one_name_are_told_apart_by_their_folders(path: Path) -> None:
    with begin(path) as directory:
        for at, place in enumerate(("2019/b/x.csv", "2020/b/x.csv", "2020/c/x.csv")):
            add(directory, place, CSV + bytes([65 + at]), anchor="CSV", page_title="Births")
    assert titles(path) == ["Births (2019/b/x.csv)", "Births (2020/b/x.csv)", "Births (c/x.csv)"]
