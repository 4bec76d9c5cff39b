"""Cells as typed values."""

from __future__ import annotations

import io
from datetime import date, datetime
from pathlib import Path

import pytest

from lodehound.inspect.cells import Cell
from lodehound.inspect.limits import FileLimits, Options
from lodehound.inspect.profile import column_facts
from lodehound.inspect.sampling import RowSample
from lodehound.inspect.values import read_values, values_of
from lodehound.inspect.worker import Reader
from tests.inspect import make_data

COLUMNS: list[tuple[list[Cell], str, list[object]]] = [
    (["1 234,5", "2,25", ".."], "number", [1234.5, 2.25, None]),
    (["1,234", "999", "2,000"], "integer", [1234, 999, 2000]),
    (["1,234", "0,125"], "number", [1.234, 0.125]),
    (["1.234.567", "1.000", "2.500.000"], "integer", [1234567, 1000, 2500000]),
    (["1,234.5", "7"], "number", [1234.5, 7.0]),
    (["12 %", "(12)", "\u22123", "4*"], "integer", [12, -12, -3, 4]),
    (["007", "012", "13"], "text", ["007", "012", "13"]),
    (["2019", "2020", ""], "integer", [2019, 2020, None]),
    ([1.0, 2.0, None], "integer", [1, 2, None]),
    ([1.5, float("nan")], "number", [1.5, None]),
    (["true", "False"], "boolean", [True, False]),
    (["31.01.2020", "01.02.2020"], "date", ["2020-01-31", "2020-02-01"]),
    (["01/31/2020", "02/01/2020"], "date", ["2020-01-31", "2020-02-01"]),
    (["01/02/2020", "03/04/2020"], "text", ["01/02/2020", "03/04/2020"]),
    (["2020-02-30", "2020-02-01"], "text", ["2020-02-30", "2020-02-01"]),
    ([date(2020, 1, 31), datetime(2020, 2, 1)], "date", ["2020-01-31", "2020-02-01"]),
    ([datetime(2020, 2, 1, 12)], "time", ["2020-02-01 12:00:00"]),
    (["Oslo", "", "a\x00b\ud800"], "text", ["Oslo", None, "a\ufffdb?"]),
    (["<5", "7"], "text", ["<5", "7"]),
]


@pytest.mark.parametrize(("cells", "kind", "wanted"), COLUMNS, ids=lambda one: str(one)[:20])
def test_columns_are_typed(cells: list[Cell], kind: str, wanted: list[object]) -> None:
    data = [[cell] for cell in cells]
    values = values_of(["x"], column_facts(["x"], data, most=9), data)
    assert (values.kinds, [row[0] for row in values.rows]) == ((kind,), wanted)


def test_few_cells_that_do_not_fit_are_counted() -> None:
    data: list[list[Cell]] = [[number] for number in range(99)]
    data.append(["source: us"])
    values = values_of(["x"], column_facts(["x"], data, most=9), data)
    assert (values.kinds, values.unfit, list(values.rows)[-1]) == (("integer",), 1, (None,))


def test_a_column_without_cells_is_kept() -> None:
    data: list[list[Cell]] = [["a"], ["b"]]
    values = values_of(["x", "y"], column_facts(["x", "y"], data, most=9), data)
    assert (values.names, list(values.rows)) == (("x", "y"), [("a", None), ("b", None)])


def read(path: Path, rows: int, **limits: int) -> tuple[list[tuple[object, ...]], int]:
    options = Options(limits=FileLimits(
        **{"sample_rows": rows, "value_rows": rows, "sample_places": 1, **limits}
    ))  # fmt: skip
    with io.BytesIO() as lines, Reader(options, lines) as reader:
        found = reader.inspect(path)
        tables = [tuple(map(tuple, values.rows)) for _, values in read_values(lines)]
    return [row for table in tables for row in table], found.rows


FORMATS = {
    "parquet": make_data.parquet,
    "arrow": make_data.arrow,
    "dbf": make_data.dbf,
    "sav": lambda: make_data.microdata("sav"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_first_rows_of_other_formats(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"a.{name}"
    path.write_bytes(FORMATS[name]())
    found, count = read(path, 2)
    assert (len(found), count > 2) == (2, True)
    assert found == read(path, 1000)[0][:2]


@pytest.mark.parametrize("rows", [10, 3000])
def test_first_rows_of_csv_are_read_in_order(tmp_path: Path, rows: int) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(["town,rate\n", *(f"t{n},{n}.5\n" for n in range(2500))]))
    found, count = read(path, rows)
    wanted = [(f"t{n}", n + 0.5) for n in range(2500)][:rows]
    assert (found, count) == (wanted, 2500)


def test_bytes_of_rows_are_limited(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(["town,rate\n", *(f"t{n},{n}.5\n" for n in range(2500))]))
    found, _ = read(path, 2500, value_bytes=1000)
    assert 10 < len(found) < 100


def test_no_row_is_kept_beyond_the_first() -> None:
    sample = RowSample[int](2, others=False)
    for number in range(100):
        sample.add(number)
    assert (sample.first, sample.others, sample.count) == ([0, 1], [], 100)
