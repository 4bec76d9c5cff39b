"""Data formats of programs: Parquet, Arrow, SQLite, GeoPackage, dBASE, SPSS, Stata, SAS, packed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pandas
import pyarrow
import pyreadstat
import pytest

from lodehound.inspect import FileLimits, Inspection, Options
from lodehound.inspect.files import inspect_file
from tests.inspect import make, make_data
from tests.inspect.test_formats import TOWNS, inspect

SHOWN = Options(limits=FileLimits(preview_rows=3))
FIRST = (("Oslo", "10.5", "11.5", "12.5"), ("Rome", "20.5", "21.5", "22.5"))


def shown(folder: Path, name: str, body: bytes) -> Inspection:
    file = folder / name
    file.write_bytes(body)
    return inspect_file(file, "", SHOWN)


@pytest.mark.parametrize("name", ["a.arrow", "download"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("parquet", make_data.parquet),
        ("arrow", make_data.arrow),
        ("arrow", make_data.feather),
        ("dbf", make_data.dbf),
    ],
)
def test_a_table_of_a_data_format(
    tmp_path: Path, kind: str, body: Callable[[], bytes], name: str
) -> None:
    found = shown(tmp_path, name, body())

    (table,) = found.tables
    assert (found.kind, found.error) == (kind, "")
    assert (table.header, table.columns, table.statistics) == (TOWNS, 4, True)
    assert table.first[:2] == FIRST
    assert found.rows == 3  # without the deleted row of the dBASE table


def test_a_stream_of_arrow_is_known_by_its_name(tmp_path: Path) -> None:
    body = make_data.arrow(stream=True)

    assert shown(tmp_path, "a.arrow", body).tables[0].first[:2] == FIRST
    assert shown(tmp_path, "download", body).kind == "unknown"


def test_rows_of_a_sorted_file_are_read_from_all_over_it(tmp_path: Path) -> None:
    years = sorted(list(range(1960, 2020)) * 100)
    table = pyarrow.table({"year": years, "value": [at * 1.5 for at in range(6000)]})
    rows = ", ".join(f"({year}, {at})" for at, year in enumerate(years))
    bodies = {
        "a.parquet": make_data.parquet(table, row_group_size=500),
        "a.arrow": make_data.arrow(table, max_chunksize=500),
        "a.sqlite": make_data.sqlite(
            "CREATE TABLE t (year INTEGER, value REAL)", f"INSERT INTO t VALUES {rows}"
        ),
        "a.dbf": make_data.dbf(
            [["year", "value"], *zip(map(str, years), range(6000), strict=True)]
        ),
    }
    for name, body in bodies.items():
        (found,) = shown(tmp_path, name, body).tables

        assert found.rows == 6000
        assert (found.facts[0].least, found.facts[0].most) == ("1960", "2019"), name


def test_types_that_python_lacks_are_shown_all_the_same(tmp_path: Path) -> None:
    table = pyarrow.table(
        {
            "when": pyarrow.array([1, 2], pyarrow.timestamp("ns", "Europe/Oslo")),
            "price": pyarrow.array([1, 2], pyarrow.decimal128(10, 2)),
            "list": [[1], [2, 3]],
            "shape": [b"\x00", None],
        }
    )

    (found,) = shown(tmp_path, "a.parquet", make_data.parquet(table)).tables

    assert found.first == (
        ("1970-01-01T00:00:00", "1", "[...]", "[...]"),
        ("1970-01-01T00:00:00", "2", "[...]", ""),
    )


def test_a_day_that_python_lacks_does_not_hide_the_others(tmp_path: Path) -> None:
    far = pyarrow.array([20_000, 2**31 - 1], pyarrow.date32())
    moments = pyarrow.array([-(2**62), 0], pyarrow.timestamp("us"))
    body = make_data.parquet(pyarrow.table({"day": far, "moment": moments}))
    (table,) = shown(tmp_path, "a.parquet", body).tables
    assert table.rows == 2
    assert table.first[0][0] == "2024-10-04"
    assert "2147483647" in table.first[1][0]


@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_tables_of_a_database(tmp_path: Path, *, wal: bool, packed: bool) -> None:
    body = make_data.sqlite(*make_data.TOWNS, "CREATE TABLE empty (a)", wal=wal)
    name, body = ("a.db.gz", gzip.compress(body)) if packed else ("a.db", body)

    found = shown(tmp_path, name, body)

    assert (found.kind, found.error, found.table_count) == ("gz" if packed else "sqlite", "", 1)
    assert [(one.name, one.rows, one.header) for one in found.tables] == [
        ("towns", 3, ("town", "year", "rate")),
        ("empty", 0, ("a",)),
    ]
    assert found.tables[0].first[0] == ("Oslo", "2019", "1.5")
    assert [path.name for path in tmp_path.iterdir()] == [name]  # nothing is written beside it


def test_a_geopackage_has_the_tables_that_are_no_maps(tmp_path: Path) -> None:
    found = shown(tmp_path, "download", make_data.geopackage())

    assert (found.kind, found.error) == ("gpkg", "")
    assert [(one.name, one.rows, one.columns) for one in found.tables] == [("towns", 3, 4)]


def test_nothing_that_a_database_defines_is_run(tmp_path: Path) -> None:
    """Views, triggers, generated columns and virtual tables are the stranger's programs."""
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    body = make_data.sqlite(
        *make_data.TOWNS,
        "ALTER TABLE towns ADD COLUMN large GENERATED ALWAYS AS (hex(zeroblob(300000000)))",
        f"CREATE VIEW endless AS {endless}",
        "CREATE VIRTUAL TABLE words USING fts5(text)",
        "CREATE TABLE more (a)",
    )

    found = shown(tmp_path, "a.sqlite", body)

    assert [(one.name, one.header) for one in found.tables] == [
        ("towns", ("town", "year", "rate")), ("more", ("a",)),
    ]  # fmt: skip
    assert (found.error, found.note) == ("", "")


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt", "por"])
def test_files_of_statistics_programs(tmp_path: Path, ending: str) -> None:
    found = shown(tmp_path, "download", make_data.microdata(ending))

    (table,) = found.tables
    assert (found.kind, found.error) == (ending, "")
    assert (table.rows, table.header) == (3, ("SEX", "TOWN"))
    labelled = ending in {"sav", "dta"}
    assert table.first[1] == ("Female" if labelled else "2", "Rome")
    assert found.title == ("" if ending == "por" else "Survey of towns")


def test_a_date_that_python_lacks_leaves_numbers(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"DAY": [1e300, 0.0], "TOWN": ["Oslo", "Rome"]})
    place = tmp_path / "written.sav"
    pyreadstat.write_sav(frame, place, variable_format={"DAY": "DATE10"})
    (table,) = shown(tmp_path, "a.sav", place.read_bytes()).tables
    assert table.rows == 2
    assert [row[1] for row in table.first] == ["Oslo", "Rome"]


def test_a_sas_file_is_known_by_its_beginning(tmp_path: Path) -> None:
    magic = bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c"

    found = shown(tmp_path, "download", magic + bytes(2000))

    assert found.kind == "sas7bdat"
    assert found.error.startswith("not readable")


@pytest.mark.parametrize(("mark", "charset"), [(0x57, "cp1252"), (0xC9, "cp1251"), (0, "utf-8")])
def test_the_character_set_of_a_dbase_table(tmp_path: Path, mark: int, charset: str) -> None:
    town = "Москва" if charset != "cp1252" else "Zürich"
    row: list[str | float] = [town, 1.5]
    rows: make.Rows = [["Town", "Rate"], *[row] * 9]
    body = make_data.dbf(rows, mark=mark, charset=charset)

    found = shown(tmp_path, "a.dbf", body)

    assert (found.charset, found.tables[0].first[0]) == (charset, (town, "1.5"))


def test_numbers_of_a_dbase_table_do_not_tell_its_character_set(tmp_path: Path) -> None:
    """Of 32 bits each: their bytes look like UTF-16."""
    columns = [(b"TOWN", b"C", 6), (b"AREA", b"I", 4)]
    described = b"".join(struct.pack("<11sc4xB15x", *column) for column in columns)
    head = struct.pack("<4BLHH20x", 3, 124, 1, 31, 2, 33 + len(described), 11)
    rows = b" Oslo  \xff\xff\xff\xff" + b" Rome  \x01\x00\x00\x00"
    (table,) = shown(tmp_path, "a.dbf", head + described + b"\r" + rows).tables
    assert table.header == ("TOWN", "AREA")
    assert table.first == (("Oslo", "-1"), ("Rome", "1"))


def test_a_dbase_table_that_is_cut(tmp_path: Path) -> None:
    found = shown(tmp_path, "a.dbf", make_data.dbf()[:-30])

    assert (found.rows, found.note) == (2, "2 rows are missing at its end")


def test_a_shapefile_in_an_archive(tmp_path: Path) -> None:
    shapes = b"\x00\x00\x27\x0a" + bytes(200)
    body = make.zipped({"towns.dbf": make_data.dbf(), "towns.shp": shapes})

    found = inspect(tmp_path, "a.zip", body)

    assert [table.name for table in found.tables] == ["towns.dbf"]
    assert found.note == "1 of the files: shapes; their table is in the .dbf file beside them"


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda body: pyarrow.compress(body, "zstd", asbytes=True),
}


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("inner", ["csv", "parquet"])
def test_a_packed_file_holds_one_file(tmp_path: Path, kind: str, inner: str) -> None:
    body = make_data.parquet() if inner == "parquet" else make.csv(make.POPULATION).encode()

    found = inspect(tmp_path, f"a.{inner}.{kind}", PACKERS[kind](body))

    assert (found.kind, found.rows, found.tables[0].header, found.error) == (kind, 3, TOWNS, "")
    assert found.note == ("holds parquet" if inner == "parquet" else "")


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_bomb_is_not_unpacked(tmp_path: Path, kind: str) -> None:
    body = PACKERS[kind](bytes(60 << 20))

    found = inspect(tmp_path, f"a.{kind}", body, limits=FileLimits(member_bytes=20 << 20))

    assert found.error.startswith("unpacks to more than")


@pytest.mark.parametrize(
    ("name", "body", "module"),
    [
        ("a.parquet", make_data.parquet, "pyarrow"),
        ("a.sav", lambda: make_data.microdata("sav"), "pyreadstat"),
        ("a.zst", lambda: PACKERS["zst"](b"a,b\n"), "pyarrow"),
    ],
)
def test_a_missing_library_of_a_data_format_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    body: Callable[[], bytes],
    module: str,
) -> None:
    content = body()
    monkeypatch.setitem(sys.modules, module, None)

    found = inspect(tmp_path, name, content)

    assert (found.kind, found.error) == (name[2:], "needs pip install 'lodehound[inspect]'")
