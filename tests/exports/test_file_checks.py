"""A plain table is one from its first line to its last, however long the file is."""

from __future__ import annotations

from pathlib import Path

import frictionless
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.exports import file_checks
from lodehound.exports.file_checks import table_fields


@pytest.mark.parametrize("piece", [1, 1 << 20])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,2\n", ["a", "b"]),
        ('a,b\r\n"1\n2",\u2028\r\n3,4', ["a", "b"]),
        ("a,b\n", []),
        ("", []),
        ("a,b\n1,2\n , \n", []),
        ("a,b\n1,2,3\n", []),
        ("a,a\n1,2\n", []),
        ('a,b\n1,"2', []),
    ],
)
def test_names_of_plain_tables(
    text: str, names: list[str], piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_checks, "PIECE", piece)
    (tmp_path / "t.csv").write_bytes(text.encode())
    found = table_fields(str(tmp_path / "t.csv"), "utf-8", ",")
    assert [field["name"] for field in found] == names


@pytest.mark.parametrize("charset", ["ascii", "no such", "hex"])
def test_what_cannot_be_decoded_is_no_table(charset: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("\u00fc,b\n1,2\n".encode())
    assert table_fields(tmp_path / "t.csv", charset, ",") == []


CELLS = [
    *["0", "-0", "+1", "01", "1.5", "1,5", "1e3", "1.", "true", "TRUE", "2020-02-30", "2020-02-29"],
    *["٣", " 1", "1 ", "", "nan", "1_000", "x", "1,000,000"],
]
ROWS = """code;year;share;comma;ok;day;mixed;late;big;none
01001;2020;1.5;1,5;true;2020-01-31;1,5;1;1;
02;-7;2;3;False;2020-02-29;2.5;;99999999999999999999;
"""
TYPES = {
    "code": "string", "year": "integer", "share": "number", "comma": "number", "ok": "boolean",
    "day": "date", "mixed": "string", "late": "integer", "big": "string", "none": "string",
}  # fmt: skip


def test_fields_are_typed_so_that_every_row_is_valid(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS)
    fields = table_fields(tmp_path / "t.csv", "utf-8", ";")
    assert {field["name"]: field["type"] for field in fields} == TYPES
    assert [field["name"] for field in fields if "decimalChar" in field] == ["comma"]
    described = {"name": "t", "path": "t.csv", "schema": {"fields": fields}}
    described |= {"dialect": {"delimiter": ";"}, "encoding": "utf-8", "format": "csv"}
    report = frictionless.Resource(described, basepath=str(tmp_path)).validate()
    assert report.valid, report.flatten(["rowNumber", "fieldName", "message"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=4))
def test_any_column_is_valid(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("k;x\n" + "".join(f"k;{cell}\n" for cell in cells))
    fields = table_fields(path, "utf-8", ";")
    described = {"name": "t", "path": "t.csv", "schema": {"fields": fields}}
    described |= {"dialect": {"delimiter": ";"}, "encoding": "utf-8", "format": "csv"}
    report = frictionless.Resource(described, basepath=str(path.parent)).validate()
    assert report.valid, report.flatten(["rowNumber", "fieldName", "message"])
