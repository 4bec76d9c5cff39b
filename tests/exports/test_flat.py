"""CSV, JSON lines and Parquet: every find, every column, and nothing that runs."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lodehound.exports.columns import COLUMNS, NAMES
from lodehound.exports.csv_file import safe
from tests.exports.conftest import Export
from tests.exports.crawls import FORMULA, LONG, ROOT

PROMISED = ["url", "file", "mime", "bytes", "sha256", "found_on"]


def test_csv_has_every_find(exported: Export) -> None:
    with exported("csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert list(rows[0])[:6] == PROMISED
    assert (rows[0]["url"], rows[0]["rows"]) == (ROOT + "births.csv", "2")
    assert rows[0]["header"] == "region | year | births"
    assert (rows[4]["truncated"], rows[4]["sha256"], rows[4]["size"]) == ("1", "", "9000")
    assert rows[9]["anchor"] == LONG


def test_no_cell_of_csv_is_a_formula(exported: Export) -> None:
    raw = exported("csv").read_bytes()
    rows = list(csv.reader(io.StringIO(raw.decode(), newline="")))
    hostile = dict(zip(NAMES, rows[9], strict=True))
    assert hostile["anchor"] == "'" + FORMULA
    assert hostile["etag"] == "'\t@x"
    assert not [cell for row in rows for cell in row if cell.startswith(tuple("=+-@\t\r\n"))]
    assert b"\x00" not in raw
    assert raw.count(b"\r\n") == 11


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t1", "\r1", "\n1", " =1", "\ufeff=1",
                                  "\uff1d1", "\x00=1"])  # fmt: skip
def test_what_may_be_a_formula_gets_an_apostrophe(text: str) -> None:
    assert safe(text).startswith("'")


@pytest.mark.parametrize("text", ["", "a=1", "1-2", "https://s.example/", "'", "\u00fc"])
def test_other_texts_stay(text: str) -> None:
    assert safe(text) == text


def test_json_lines_have_every_find(exported: Export) -> None:
    text = exported("jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    assert len(found) == 10
    assert list(found[0]) == list(NAMES)
    assert found[0]["header"] == ["region", "year", "births"]
    assert found[0]["details"] == {"triples": 3}
    assert (found[4]["truncated"], found[4]["sha256"], found[4]["kind"]) == (True, None, None)
    assert found[8]["page_title"].endswith("\u202egnp.exe\n\x00 \ufffd \u05e9\u05dc\u05d5\u05dd")
    assert not {"\x1b", "\u202e", "\x00"} & set(text)  # escaped: nothing steers a terminal


def test_parquet_has_types(exported: Export) -> None:
    table = pq.read_table(exported("parquet"))
    types = {field.name: field.type for field in table.schema}
    assert table.num_rows == 10
    assert types["bytes"] == pa.int64()
    assert types["truncated"] == pa.bool_()
    assert types["header"] == pa.list_(pa.string())
    first = table.slice(0, 1).to_pylist()[0]
    assert first["fetched_at"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert (first["header"], first["details"]) == (["region", "year", "births"], '{"triples": 3}')
    assert table.column("rows").to_pylist()[4] is None


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_an_empty_catalogue_is_an_empty_table(name: str, exported: Export, empty: Path) -> None:
    path = exported(name, empty)
    if name == "parquet":
        assert pq.read_table(path).column_names == list(NAMES)
    else:
        assert len(path.read_text().splitlines()) == (name == "csv")


def test_the_columns_are_documented() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "exports.md").read_text(encoding="utf-8")
    for column in COLUMNS:
        assert f"| `{column.name}` | {column.type} | {column.about} |" in page
