"""The rule for what looks like statistics."""

from __future__ import annotations

from datetime import date

import pytest

from lodehound.inspect import StatisticsRule
from lodehound.inspect.cells import Cell, classify
from lodehound.inspect.headings import heading_of


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-1.5", "1,234,567.8", "1 234,5", "1.234,5", "(12)", "12 %", "$5", "1e-5", ".5",
          "12.5 p", "1'234", 7, 0.0, "3000"], "number"),
        (["2019", 1950.0, "1999.0"], "year"),
        (["2019Q1", "2019-M01", "2019-01", "2019/20", "2019-01-31", "31.12.2019", "mars 2019",
          "Q1 2019", date(2019, 1, 1)], "period"),
        (["", " ", "..", ":", "n/a", None, float("nan")], "empty"),
        (["Oslo", "007", "A1", True, "12345678901234567890", "1.2.3", "10-20", "x" * 100], "text"),
    ],
)  # fmt: skip
def test_what_a_cell_is(cells: list[Cell], kind: str) -> None:
    assert [cell for cell in cells if classify(cell) != kind] == []


LONG_HEADER = ["area", "sex", "age", "status", "time", "value"]
LONG: list[list[Cell]] = [["FR", "F", "Y15-24", "A", f"20{at}", f"{at}.5"] for at in range(10, 20)]
WIDE: list[list[Cell]] = [["Oslo", 1, 2, 3], ["Rome", 4, 5, 6], ["Bonn", 7, 8, 9]]
ALBUM_HEADER = ["title", "artist", "style", "form", "minutes"]
ALBUMS: list[list[Cell]] = [[f"Opus {at}", "Joni", "folk", "LP", at + 0.5] for at in b"ABC"]
ALBUMS += [[f"Song {at}", "Miles", "jazz", "LP", at + 0.5] for at in range(9)]


@pytest.mark.parametrize(
    ("header", "rows", "expected"),
    [
        (["town", "a", "b", "c"], WIDE, True),
        (["town", "a", "b", "c"], WIDE[:2], False),  # too few rows
        (LONG_HEADER, LONG, True),  # one measure among codes, and time
        ([*LONG_HEADER[:4], "value"], [[*r[:4], r[5]] for r in LONG], True),  # codes come again
        (["name", "min", "max"], [[f"n{at}", "0", "1"] for at in range(9)], False),  # yes and no
        (ALBUM_HEADER, ALBUMS, False),  # entities
        (["no", "name"], [[at, "x"] for at in range(9)], False),  # numbers the rows
        (["", "name"], [[at, "x"] for at in range(9)], False),  # so does this
        (["latitude", "longitude"], [[1.5, 2.5]] * 9, False),
        (["year", "name"], [["2019", "x"]] * 9, False),  # no measure
        ([], [[1.5]] * 9, False),  # no dimension
    ],
)
def test_what_looks_like_statistics(
    header: list[str], rows: list[list[Cell]], expected: bool
) -> None:
    assert StatisticsRule().looks_like_statistics(header, rows, len(rows)) is expected


def test_the_rule_can_be_changed() -> None:
    assert not StatisticsRule(rows=4).looks_like_statistics(["t", "a", "b", "c"], WIDE, 3)
    assert not StatisticsRule(time=False, repeated=0).looks_like_statistics(LONG_HEADER, LONG, 10)
    assert StatisticsRule(time=False).looks_like_statistics(LONG_HEADER, LONG, 10)
    assert StatisticsRule(repeated=0).looks_like_statistics(LONG_HEADER, LONG, 10)
    assert StatisticsRule(table_share=0.1).looks_like_statistics(ALBUM_HEADER, ALBUMS, 12)


def test_a_header_of_two_levels_begins_with_the_fuller_one() -> None:
    rows: list[list[Cell]] = [
        ["Table 3", "", "", "", ""],
        ["", "men", "", "", ""],
        ["town", "2019", "2020", "2019", "2020"],
        ["Oslo", 1, 2, 3, 4],
        ["Rome", 1, 2, 3, 4],
    ]

    assert heading_of(rows).names == tuple(map(str, rows[2]))
