"""Fields of a Data Package: types and units by what is known of the tables in the files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lodehound.stores.files.layout import DATABASE
from tests.exports.conftest import Export
from tests.exports.crawls import add, begin
from tests.exports.test_folders import errors_of, package_of
from tests.inspect import make, make_data

RATES = b"Town,Year,Rate (%),Open\nOslo,2019,1.5,true\nRome,2020,20,false\nBonn,2021,3,true\n"
TITLED: make.Rows = [["Rates of towns"], ["Town", "Rate (%)"], ["Oslo", 1.5], ["Rome", 2.5]]


def resource(folder: Path, name: str) -> dict[str, Any]:
    made = package_of(folder)["resources"]
    (found,) = [one for one in made if one["path"].endswith(name)]
    return dict(found)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "rates.csv", RATES)
        add(directory, "book.xlsx", make.xlsx({"One": TITLED, "Two": make.PEOPLE}), "x/xlsx")
        add(directory, "survey.sav", make_data.microdata("sav"), "x/sav")
    return tmp_path / "crawl"


def test_a_plain_table_has_types_that_validators_agree_with(exported: Export, crawl: Path) -> None:
    folder = exported("datapackage", crawl)

    assert resource(folder, "rates.csv")["schema"]["fields"] == [
        {"name": "Town", "type": "string"},
        {"name": "Year", "type": "year"},
        {"name": "Rate (%)", "type": "number", "unit": "%"},
        {"name": "Open", "type": "boolean"},
    ]
    assert errors_of(folder) == set()


def test_other_files_describe_the_tables_in_them(exported: Export, crawl: Path) -> None:
    folder = exported("datapackage", crawl)

    one, two = resource(folder, "book.xlsx")["tables"]
    assert (one["name"], one["title"], one["rows"]) == ("One", "Rates of towns", 2)
    assert one["schema"]["fields"][1] == {"name": "Rate (%)", "type": "number", "unit": "%"}
    assert [field["name"] for field in two["schema"]["fields"]] == ["Name", "Town"]
    (survey,) = resource(folder, "survey.sav")["tables"]
    assert survey["schema"]["fields"][0]["title"] == "Sex of the person"


def test_a_damaged_inspection_costs_only_what_it_said(exported: Export, crawl: Path) -> None:
    odd = '{"tables":[5,{"rows":[],"titles":7,"facts":[3,{"name":[],"kind":{},"unit":9}]}]}'
    with closing(sqlite3.connect(crawl / DATABASE)) as db, db:
        db.execute("UPDATE inspections SET inspection = ? WHERE kind = 'xlsx'", (odd,))

    (table,) = resource(exported("datapackage", crawl), "book.xlsx")["tables"]

    assert table == {"schema": {"fields": [{"name": "", "type": "string"}]}}
