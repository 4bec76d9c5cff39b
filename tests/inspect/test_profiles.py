"""What is known of a table: title lines, header, types, units, ranges, years, values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import pytest

from lodehound.inspect import FileLimits, Inspection, Options, Table
from lodehound.inspect.cells import Cell
from lodehound.inspect.files import inspect_file
from lodehound.inspect.headings import heading_of
from lodehound.inspect.profile import MOST_VALUES, column_facts
from lodehound.inspect.records import PROFILE_CHARS
from tests.inspect import make, make_data


def profiled(folder: Path, name: str, body: bytes | str, **limits: int) -> Inspection:
    """Inspect a file as a crawl stores it."""
    path = folder / name
    path.write_bytes(body if isinstance(body, bytes) else body.encode())
    found = inspect_file(path, "", Options(limits=FileLimits(**limits)))
    return Inspection.from_json(found.to_json())


def only_table(folder: Path, name: str, body: bytes | str) -> Table:
    (table,) = profiled(folder, name, body).tables
    return table


@pytest.mark.parametrize(
    ("cells", "kind", "least", "most"),
    [
        (["1", "2", "1,234"], "integer", "1", "1,234"),
        ([1.0, 20.0, 3.0], "integer", "1", "20"),
        (["1.5", "-2", "1e3"], "number", "-2", "1e3"),
        (["1,5", "10,25", ".."], "number", "1,5", "10,25"),
        (["2019", "1950", "n/a"], "year", "1950", "2019"),
        (["1950", "20", "350"], "integer", "20", "1950"),
        (["2019-01-31", "2018-12-01"], "date", "2018-12-01", "2019-01-31"),
        (["31.01.2019", "01.12.2018"], "date", "01.12.2018", "31.01.2019"),
        ([date(2019, 1, 2), datetime(2018, 1, 1, 5)], "date", "2018-01-01T05:00:00", "2019-01-02"),
        (["2019Q1", "2018Q4"], "period", "2018Q4", "2019Q1"),
        ([True, False, None], "boolean", "False", "True"),
        (["true", "false"], "boolean", "false", "true"),
        (["Oslo", "Bonn", "12"], "text", "Bonn", "Oslo"),
        (["007", "012"], "text", "007", "012"),
        (["", None, ".."], "empty", "", ""),
        (["مدينة", "القاهرة", "Chișinău", "東京"], "text", "Chișinău", "東京"),
    ],
)
def test_the_type_and_the_range_of_a_column(
    cells: list[Cell], kind: str, least: str, most: str
) -> None:
    (found,) = column_facts(["x"], [[cell] for cell in cells], most=9)

    assert (found.kind, found.least, found.most) == (kind, least, most)


@pytest.mark.parametrize(
    ("name", "cells", "unit"),
    [
        ("Rate (%)", [1.5], "%"),
        ("Area [sq. miles]", ["1"], "sq. miles"),
        ("Exports (EUR million)", [1.5], "EUR million"),
        ("Population in thousands", [1.5], "thousands"),
        ("Bevölkerung (1 000 Personen)", [1.5], "1 000 Personen"),
        ("Emissions, tonnes", [1.5], "tonnes"),
        ("Rate", ["5 %", "7.5 %", "9%"], "%"),
        ("Price", ["$5", "$1,200"], "$"),
        ("Men (1)", [1.5], ""),
        ("Total (provisional)", [1.5], ""),
        ("Town (km)", ["Oslo"], ""),
    ],
)
def test_the_unit_of_a_column(name: str, cells: list[Cell], unit: str) -> None:
    (found,) = column_facts([name], [[cell] for cell in cells], most=9)

    assert found.unit == unit


def test_the_values_of_dimensions_are_kept() -> None:
    towns: list[list[Cell]] = [[f"t{at % 40}", at * 1.5, f"unique {at}"] for at in range(1000)]

    town, rate, name = column_facts(["town", "rate", "name"], towns, most=9)

    assert len(town.values) == 40
    assert town.values[:2] == ("t0", "t1")
    assert (rate.values, name.values) == ((), ())


def test_of_many_values_those_that_occur_most_often_are_kept() -> None:
    often: list[list[Cell]] = [[f"often {at % 100}"] for at in range(2000)]
    seldom: list[list[Cell]] = [[f"seldom {at}"] for at in range(400)]

    (found,) = column_facts(["x"], [*seldom, *often], most=9)

    assert len(found.values) == MOST_VALUES
    assert sum(value.startswith("often") for value in found.values) == 100


def test_prose_is_no_dimension() -> None:
    (found,) = column_facts(["x"], [["A long sentence. " * 9], ["Short."]], most=9)

    assert found.values == ()
    assert len(found.least) <= 120


MERGED: list[list[Cell]] = [
    ["Table 5. Employment by region"],
    ["Source: the office"],
    ["Region", "Men", "", "Women", ""],
    ["", "2019", "2020", "2019", "2020"],
    ["North", 1.5, 2.5, 3.5, 4.5],
    ["South", 1.5, 2.5, 3.5, 4.5],
]
ABOVE: list[list[Cell]] = [
    ["", "Men", "", "Women", ""],
    ["Region", "2019", "2020", "2019", "2020"],
    *MERGED[4:],
]
JOINED = ("Region", "Men 2019", "Men 2020", "Women 2019", "Women 2020")


@pytest.mark.parametrize(("rows", "height"), [(MERGED, 4), (ABOVE, 2)])
def test_a_header_of_several_rows_is_joined(rows: list[list[Cell]], height: int) -> None:
    found = heading_of(rows)

    assert (found.names, found.height) == (JOINED, height)


def test_titles_above_the_header_are_kept_and_units_below_it(tmp_path: Path) -> None:
    rows = "Table 5. Employment\nSource: the office\n\nRegion,Rate,Staff\n,%,1 000 persons\n"

    table = only_table(tmp_path, "a.csv", rows + "North,1.5,12\nSouth,2.5,13\n")

    assert table.titles == ("Table 5. Employment", "Source: the office")
    assert (table.header, table.rows) == (("Region", "Rate", "Staff"), 2)
    assert [column.unit for column in table.facts] == ["", "%", "1 000 persons"]


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "", "Town"], ["Ann", "x", "Oslo"], ["Bob", "y", "Rome"]],
        [["Name", "Town"], ["Ann", "Oslo"], ["Bob", ""], ["", "Rome"]],
    ],
)
def test_rows_of_words_are_no_second_header(rows: Sequence[Sequence[Cell]]) -> None:
    assert heading_of(rows).height <= 1


def test_lines_above_figures_without_a_header() -> None:
    found = heading_of([["Rain in Oslo"], ["Oslo", 1.5, 2], ["Rome", 2.5, 3]])

    assert (found.height, found.names, found.titles) == (1, (), ("Rain in Oslo",))


def test_a_header_in_row_forty(tmp_path: Path) -> None:
    rows = [[f"Note {at}"] for at in range(39)] + [list(row) for row in make.POPULATION]

    table = only_table(tmp_path, "a.xlsx", make.xlsx({"S": rows}))

    assert table.header == ("Town", "2019", "2020", "2021")
    assert table.titles[0] == "Note 0"


@pytest.mark.parametrize(
    ("body", "years"),
    [
        ("Town,2019,2021\nOslo,1.5,2.5\n", (2019, 2021)),
        ("Year,Rate\n2001,1.5\n1999,2.5\n", (1999, 2001)),
        ("Quarter,Rate\n2001Q1,1.5\n1999Q4,2.5\n", (1999, 2001)),
        ("Rates of 2015,,\nTown,Rate,Tax\nOslo,1.5,2\nRome,2.5,3\n", (2015, 2015)),
        ("Town,Rate\nOslo,1.5\n", ()),
    ],
)
def test_the_years_that_a_table_covers(tmp_path: Path, body: str, years: tuple[int, ...]) -> None:
    assert only_table(tmp_path, "a.csv", body).years == years


def test_years_and_values_come_from_the_whole_of_a_long_table(tmp_path: Path) -> None:
    towns = ["Oslo", "Rome", "Bonn", "Chisinau"]
    lines = [f"{1960 + at // 500},{towns[at // 7500]},{at * 1.5}" for at in range(30_000)]

    table = only_table(tmp_path, "a.csv", "\n".join(["Year,Town,Rate", *lines]))

    assert (table.rows, table.years) == (30_000, (1960, 2019))
    assert table.facts[1].values == ("Bonn", "Chisinau", "Oslo", "Rome")


def test_what_formats_themselves_say_of_columns(tmp_path: Path) -> None:
    survey = only_table(tmp_path, "a.sav", make_data.microdata("sav"))
    towns = only_table(tmp_path, "a.gpkg", make_data.geopackage())
    cube = {
        "label": "Births", "id": ["sex", "time"], "value": [1, 2, 3, 4],
        "dimension": {
            "sex": {"label": "Sex", "category": {"label": {"M": "Men", "F": "Women"}}},
            "time": {"category": {"label": {"a": "2019", "b": "2020"}}},
        },
    }  # fmt: skip
    births = only_table(tmp_path, "a.json", json.dumps(cube))

    assert (survey.facts[0].label, survey.facts[0].values) == (
        "Sex of the person", ("Female", "Male"),
    )  # fmt: skip
    assert towns.titles == ("Towns of Europe", "With rates")
    assert (births.facts[0].label, births.facts[0].values) == ("Sex", ("Men", "Women"))
    assert births.years == (2019, 2020)


def test_the_dimensions_of_sdmx_json(tmp_path: Path) -> None:
    sex = {"id": "SEX", "name": {"en": "Sex"}, "values": [{"id": "M", "name": "Men"}, {"id": "F"}]}
    structure = {"dimensions": {"series": [sex], "observation": [{"id": "TIME", "values": 5}]}}
    message = {
        "structure": structure,
        "dataSets": [{"series": {"0": {"observations": {"0": [1.5], "1": [2.5]}}}}],
    }

    table = only_table(tmp_path, "a.json", json.dumps(message))

    assert table.header == ("SEX", "TIME", "value")
    assert (table.facts[0].label, table.facts[0].values) == ("Sex", ("Men", "F"))


def test_what_is_stored_of_columns_is_bounded(tmp_path: Path) -> None:
    """A workbook of fifty wide sheets has no room for all of them."""
    rows: list[list[str | float]] = [[f"column {at}" for at in range(26)]]
    rows += [[f"value {at % 50} of {column}" for column in range(26)] for at in range(60)]
    body = make.xlsx({f"S{at}": rows for at in range(6)})

    found = profiled(tmp_path, "a.xlsx", body)

    assert len(found.tables) == 6
    assert len(found.tables[0].facts) == 26
    assert found.tables[-1].facts == ()
    assert found.tables[-1].header[0] == "column 0"
    assert len(found.to_json()) < 2 * PROFILE_CHARS


def test_a_cell_of_ten_megabytes(tmp_path: Path) -> None:
    bodies: dict[str, bytes | str] = {
        "a.xlsx": make.xlsx({"S": [["a", "b"], ["x" * (10 << 20), 1.5], ["y", 2.5]]}),
        "a.json": json.dumps([{"a": "x" * (10 << 20), "b": 1}, {"a": "y", "b": 2}]),
    }
    for name, body in bodies.items():
        found = profiled(tmp_path, name, body)

        assert (found.error, found.rows) == ("", 2)
        assert len(found.to_json()) < 2000


def test_an_inspection_of_an_earlier_version_is_read() -> None:
    old = '{"kind":"csv","tables":[{"name":"","rows":2,"columns":3,"header":["a"],'
    old += '"statistics":false}],"table_count":1,"members":[]}'

    (table,) = Inspection.from_json(old).tables

    assert (table.rows, table.facts, table.titles, table.years) == (2, (), (), ())
