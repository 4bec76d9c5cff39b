"""Small files of data formats: written by other programs' libraries, or by hand."""

from __future__ import annotations

import io
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pyreadstat

from tests.inspect.make import POPULATION, Rows


def arrow_table(rows: Rows = POPULATION) -> pyarrow.Table:
    names, *data = rows
    return pyarrow.table({str(name): [row[at] for row in data] for at, name in enumerate(names)})


def parquet(table: pyarrow.Table | None = None, **options: Any) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table or arrow_table(), out, **options)
    return out.getvalue()


def arrow(table: pyarrow.Table | None = None, *, stream: bool = False, **options: Any) -> bytes:
    out, table = io.BytesIO(), table or arrow_table()
    make = pyarrow.ipc.new_stream if stream else pyarrow.ipc.new_file
    with make(out, table.schema) as writer:
        writer.write_table(table, **options)
    return out.getvalue()


def feather(table: pyarrow.Table | None = None) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(table or arrow_table(), out)  # compressed, unlike the file above
    return out.getvalue()


def sqlite(*statements: str, wal: bool = False) -> bytes:
    """Return a database that these statements made."""
    with TemporaryDirectory() as folder:
        place = Path(folder, "a.sqlite")
        with closing(sqlite3.connect(place, isolation_level=None)) as db:
            if wal:
                db.execute("PRAGMA journal_mode = WAL")
            for statement in statements:
                db.execute(statement)
        return place.read_bytes()


TOWNS = (
    "CREATE TABLE towns (town TEXT, year INTEGER, rate REAL)",
    "INSERT INTO towns VALUES ('Oslo', 2019, 1.5), ('Rome', 2020, 2.5), ('Bonn', 2021, 3.5)",
)


def geopackage() -> bytes:
    return sqlite(
        "PRAGMA application_id = 0x47504B47",
        "CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT,"
        " description TEXT)",
        "INSERT INTO gpkg_contents VALUES ('towns', 'features', 'Towns of Europe', 'With rates'),"
        " ('map', 'tiles', 'A map', '')",
        *TOWNS,
        "ALTER TABLE towns ADD COLUMN geom BLOB",
        "CREATE TABLE map (zoom_level INTEGER, tile_data BLOB)",
        "CREATE VIRTUAL TABLE rtree_towns_geom USING rtree(id, minx, maxx)",
    )


def dbf(rows: Rows = POPULATION, *, mark: int = 0x57, charset: str = "cp1252") -> bytes:
    """Return a dBASE table; its last row is deleted."""
    names, *data = rows
    widths = [max(len(str(row[at]).encode(charset)) for row in data) for at in range(len(names))]
    kinds = ["C" if isinstance(cell, str) else "N" for cell in data[0]]
    start, width = 33 + 32 * len(names), 1 + sum(widths)
    head = struct.pack("<4BLHH", 3, 120, 1, 31, len(data) + 1, start, width).ljust(29, b"\0")
    head += bytes([mark, 0, 0])
    for name, kind, size in zip(names, kinds, widths, strict=True):
        column = str(name).encode(charset).ljust(11, b"\0") + kind.encode() + bytes(4)
        head += (column + bytes([size])).ljust(32, b"\0")
    body = b"".join(
        b" "
        + b"".join(
            str(cell).encode(charset).ljust(size) for cell, size in zip(row, widths, strict=True)
        )
        for row in data
    )
    return head + b"\r" + body + b"*".ljust(width, b"9") + b"\x1a"


def microdata(ending: str) -> bytes:
    """Return a file of SPSS, Stata or SAS, with labels where the writer can write them."""
    import pandas  # noqa: PLC0415 - heavy

    frame = pandas.DataFrame({"SEX": [1.0, 2.0, 1.0], "TOWN": ["Oslo", "Rome", "Bonn"]})
    labels: dict[str, Any] = {}
    if ending in {"sav", "dta"}:
        labels = {"variable_value_labels": {"SEX": {1: "Male", 2: "Female"}}}
    if ending != "por":
        labels["file_label"] = "Survey of towns"
    write = {"sav": "write_sav", "dta": "write_dta", "xpt": "write_xport", "por": "write_por"}
    with TemporaryDirectory() as folder:
        place = Path(folder, f"a.{ending}")
        getattr(pyreadstat, write[ending])(
            frame, place, column_labels=["Sex of the person", "Town"], **labels
        )
        return place.read_bytes()
