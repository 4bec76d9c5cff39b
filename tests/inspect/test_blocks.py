"""Several tables on one sheet, and what is not taken for several."""

from __future__ import annotations

from pathlib import Path

from lodehound.inspect import Options
from lodehound.inspect.blocks import MOST_TABLES, Row, tables_of
from lodehound.inspect.files import inspect_file
from tests.inspect import make

NORTH: list[Row] = [["Town", "2019", "2020"], ["Oslo", 1.5, 2.5], ["Bergen", 3.5, 4.5]]
SOUTH: list[Row] = [["City", "Rate"], ["Rome", 5], ["Bari", 6], ["Bonn", 7]]


def found(rows: list[Row]) -> list[tuple[str, tuple[str, ...], int, tuple[str, ...]]]:
    tables = tables_of("S", rows, Options())
    return [(one.name, one.header, one.rows, one.titles) for one in tables]


def test_tables_below_one_another_each_with_its_title() -> None:
    rows = [["Table 1"], [], *NORTH, ["Note: rates"], [], ["Table 2"], [], *SOUTH, [], ["Source"]]

    assert found(rows) == [
        ("S!A3", ("Town", "2019", "2020"), 3, ("Table 1",)),
        ("S!A10", ("City", "Rate"), 4, ("Table 2",)),
    ]


def test_tables_side_by_side() -> None:
    pairs = zip([*NORTH, ["", "", ""]], SOUTH, strict=True)
    rows: list[Row] = [[*left, "", *right] for left, right in pairs]

    assert [one[:3] for one in found([["Both"], [], *rows])] == [
        ("S!A3", ("Town", "2019", "2020"), 2),
        ("S!E3", ("City", "Rate"), 3),
    ]


def test_a_line_right_above_two_tables_is_the_title_of_the_first() -> None:
    rows: list[Row] = [["Both"], *([*NORTH[at], "", *SOUTH[at]] for at in range(3))]

    assert [(one[0], one[3]) for one in found(rows)] == [("S!A1", ("Both",)), ("S!E1", ())]


def test_groups_of_one_table_stay_together() -> None:
    groups: list[Row] = [*NORTH, [], ["Women"], ["Oslo", 1, 2], ["Bergen", 3, 4], [], ["All", 5, 6]]

    assert found(groups) == [("S", ("Town", "2019", "2020"), 6, ())]


def test_columns_apart_without_names_of_rows_stay_together() -> None:
    rows: list[Row] = [
        ["Town", "2019", "", "2020", "2021"],
        ["Oslo", 1.5, "", 2.5, 3.5],
        ["Rome", 1.5, "", 2.5, 3.5],
    ]

    assert [one[0] for one in found(rows)] == ["S"]


def test_blocks_of_words_are_one_table() -> None:
    rows: list[Row] = [["Name", "Town"], ["Ann", "Oslo"], [], ["Bob", "Rome"], ["Cleo", "Bonn"]]

    assert found(rows) == [("S", ("Name", "Town"), 3, ())]


def test_only_so_many_tables_are_told_apart() -> None:
    rows: list[Row] = [row for _ in range(MOST_TABLES + 20) for row in (*SOUTH, [])]

    tables = tables_of("S", rows, Options())

    assert len(tables) == MOST_TABLES
    assert sum(table.rows for table in tables) == 3 * MOST_TABLES + 20 * 4


def test_a_sheet_of_notes_and_an_empty_one() -> None:
    assert [one[2] for one in found([["Notes"], [], ["More of them"]])] == [1]
    assert found([[], ["", None]]) == []


def test_the_place_of_a_table_in_a_workbook(tmp_path: Path) -> None:
    """Columns that are empty on the left are no part of a sheet; rows above are."""

    def cells(number: int, *values: float | str) -> str:
        texts = (
            f'<c r="{letter}{number}" t="str"><v>{value}</v></c>'
            if isinstance(value, str)
            else f'<c r="{letter}{number}"><v>{value}</v></c>'
            for letter, value in zip("CD", values, strict=True)
        )
        return f'<row r="{number}">{"".join(texts)}</row>'

    data = cells(3, "a", "b") + cells(4, "x", 1) + cells(5, "y", 2)
    data += cells(8, "e", "f") + cells(9, "z", 3) + cells(10, "w", 4)
    path = tmp_path / "a.xlsx"
    path.write_bytes(make.xlsx(raw=make.sheet(data, "C3:D10")))

    inspection = inspect_file(path)

    assert [table.name for table in inspection.tables] == ["Sheet!C3", "Sheet!C8"]
    assert (inspection.table_count, inspection.error) == (2, "")
