"""What changed in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.reports import table_diff
from lodehound.reports.table_diff import TableChange, TableComparer
from lodehound.stores.catalogue.entries import Catalogue
from tests.exports.crawls import add, begin
from tests.inspect import make

HEAD = "region,year,births\n"
ROWS = "North,2020,512\nSouth,2020,498\nEast,2020,77\n"
OCTETS = "application/octet-stream"


def change(
    folder: Path, old: bytes | str, new: bytes | str, name: str = "a.csv"
) -> TableChange | None:
    """Compare one file of two crawls."""
    mime = "text/csv" if name.endswith("csv") else OCTETS
    for place, body in (("one", old), ("two", new)):
        with begin(folder / place) as directory:
            add(directory, name, body if isinstance(body, bytes) else body.encode(), mime)
    with Catalogue(folder / "one") as first, Catalogue(folder / "two") as second:
        return TableComparer(first, second).compare(first.entry(1), second.entry(1))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (HEAD + ROWS, HEAD + ROWS + "West,2021,9\n", "1 row added"),
        (HEAD + ROWS, HEAD + ROWS.replace("77", "78"), "1 row added, 1 row removed"),
        (HEAD, HEAD + ROWS, "3 rows added"),
        (HEAD + ROWS, "Births\n\n" + HEAD + ROWS, ""),  # a title above
        (HEAD + ROWS, ROWS.join(["region;year;births\n", ""]).replace(",", ";"), ""),
        (HEAD + ROWS, (HEAD + ROWS).replace("\n", ",x\n").replace("births,x", "births,note"),
         "column added: 'note'"),
        (HEAD + ROWS, "year,births\n2020,512\n2020,498\n2020,77\n", "column removed: 'region'"),
        (ROWS, ROWS + "West,2021,9\n", "1 row added"),  # no header
    ],
)  # fmt: skip
def test_rows_are_compared_in_the_columns_that_both_have(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    found = change(tmp_path, old, new)
    assert found is not None
    assert (str(found), found.compared) == (expected, True)


def test_of_a_workbook_the_numbers_are_known(tmp_path: Path) -> None:
    more: make.Rows = [*make.POPULATION, ["Lima", 1.5, 2.5, 3.5], ["Kyiv", 1.5, 2.5, 3.5]]
    old, new = (make.xlsx({"One": rows}) for rows in (make.POPULATION, more))
    assert change(tmp_path, old, new, "a.xlsx") == TableChange(2, 0, (), (), compared=False)


def test_what_cannot_be_read_cannot_be_compared(tmp_path: Path) -> None:
    assert change(tmp_path, b"%PDF-1.4 broken", b"%PDF-1.4 torn", "a.pdf") is None


def test_there_is_an_end_to_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_diff, "MOST_READ", 10)
    found = change(tmp_path, HEAD + ROWS, HEAD + ROWS.replace("77", "78"))
    assert found == TableChange(0, 0, (), (), compared=False)
