"""The beginning of a file, for a person who decides whether to open it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lodehound.inspect import FileLimits, Inspection, Options
from lodehound.inspect.files import inspect_file
from lodehound.inspect.profile import column_facts
from tests.inspect import make

WANTED = Options(limits=FileLimits(preview_rows=2, preview_chars=40))
ROWS: list[list[str | float]] = [["town", "rain"], ["Rome", 1.5], ["Oslo", 20], ["Bern", 3]]


def preview(folder: Path, name: str, body: bytes, options: Options = WANTED) -> Inspection:
    path = folder / name
    path.write_bytes(body)
    found = inspect_file(path, "", options)
    return Inspection.from_json(found.to_json())  # as it comes from the other process


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.csv", make.csv(ROWS).encode()),
        ("a.xlsx", make.xlsx({"One": ROWS})),
        ("a.json", json.dumps([dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]).encode()),
    ],
)
def test_a_table_shows_its_first_rows_and_the_range_of_columns(
    tmp_path: Path, name: str, body: bytes
) -> None:
    (table,) = preview(tmp_path, name, body).tables

    assert table.first == (("Rome", "1.5"), ("Oslo", "20"))
    assert [(one.name, one.kind, one.least, one.most) for one in table.facts] == [
        ("town", "text", "Bern", "Rome"),
        ("rain", "number", "1.5", "20"),
    ]


def test_a_text_and_a_pdf_show_their_first_words(tmp_path: Path) -> None:
    text = preview(tmp_path, "a.txt", b"Read me first. " * 9)
    pages = preview(tmp_path, "a.pdf", make.pdf([["Births by region"], ["second page"]]))

    assert text.opening == ("Read me first. " * 9)[:40]
    assert pages.opening.startswith("Births by region")


def test_a_binary_file_shows_nothing(tmp_path: Path) -> None:
    assert preview(tmp_path, "a.bin", bytes(range(256)) * 9).opening == ""


def test_an_inspection_that_is_stored_has_no_preview(tmp_path: Path) -> None:
    found = preview(tmp_path, "a.csv", make.csv(ROWS).encode(), Options())

    assert (found.opening, found.tables[0].first) == ("", ())
    assert "opening" not in found.to_json()


def test_numbers_are_compared_as_numbers_however_they_are_written() -> None:
    cells = [["1 200"], ["9,5"], ["1,000"], ["12 %"]]

    assert [(one.least, one.most) for one in column_facts(["x"], cells, most=9)] == [
        ("9,5", "1 200")
    ]
