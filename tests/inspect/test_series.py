"""Editions of one table have one key; other tables have others."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.inspect import Table
from lodehound.inspect.files import inspect_file
from lodehound.inspect.series import series_of
from tests.inspect import make

HEADER = ("Region", "Sex", "Rate")


def key(file: str, *titles: str, header: tuple[str, ...] = HEADER, title: str = "") -> str:
    return series_of(Table("", 9, len(header), header, titles=titles), file, title)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("births-2019.csv", "births-2020.csv"),
        ("births_2019-20.csv", "births_2020-21.csv"),
        ("births2019Q1.csv", "births2019Q2.csv"),
        ("births_20190131.csv", "births_20200229.csv"),
        ("births 2019 final.xlsx", "births 2020 provisional.xlsx"),
        ("births-source-data.csv", "births-headline-data.csv"),
        ("births_v1.csv", "births_v12.csv"),
    ],
)
def test_editions_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("births-2019.csv", "deaths-2019.csv"),
        ("1-2-1.csv", "1-3-1.csv"),  # numbers of indicators, not years
        ("table12.csv", "table13.csv"),
    ],
)
def test_other_tables_have_another_key(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_the_title_counts_before_the_name_of_the_file() -> None:
    assert key("a1b2.csv", "Births in 2019") == key("c3d4.csv", "Births in 2020")
    assert key("a.csv", "Births in 2019") != key("a.csv", "Deaths in 2019")
    assert key("births.xlsx", "Table 1") != key("deaths.xlsx", "Table 1")
    assert key("1.xlsx", title="Births 2019") == key("2.xlsx", title="Births 2020")


def test_years_as_columns_do_not_count_and_other_columns_do() -> None:
    wide = ("Region", "2018", "2019")

    assert key("a.csv", header=wide) == key("a.csv", header=("Region", "2019", "2020", "2021"))
    assert key("a.csv", header=wide) != key("a.csv", header=("Country", "2018", "2019"))


def test_a_table_that_nothing_tells_from_others_has_no_key() -> None:
    assert key("2019.csv", header=("a", "b")) == ""
    assert key("2019.csv", header=()) == ""
    assert key("2019.csv") == key("2020.csv") != ""


def test_files_are_given_their_keys(tmp_path: Path) -> None:
    keys = []
    for year in (2019, 2020):
        path = tmp_path / f"births-{year}.zip"
        book = make.xlsx({"North": make.POPULATION, "South": make.POPULATION})
        path.write_bytes(
            make.zipped({f"births{year}.xlsx": book, "people.csv": make.csv(make.PEOPLE)})
        )
        keys.append([table.series for table in inspect_file(path).tables])

    assert keys[0] == keys[1]
    assert len({*keys[0]}) == 3
