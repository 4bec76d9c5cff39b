"""Parquet: a table with typed columns, written in batches."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from lodehound.exports.columns import COLUMNS, Column
from lodehound.exports.notes import Notes
from lodehound.extras import extra
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.texts import whole_text

with extra("export"):
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH = 5000  # finds per batch: some have pages of text around them
TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "time": pa.timestamp("ms", tz="UTC"),
    "list": pa.list_(pa.string()),
    "json": pa.string(),
}


def write(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write one row per find."""

    def rows() -> Iterator[list[Any]]:
        for entry in source.entries():
            yield [column.value(entry) for column in COLUMNS]
            notes.written += 1

    write_rows(path, COLUMNS, rows())


def write_rows(path: Path, columns: Sequence[Column], rows: Iterator[list[Any]]) -> None:
    """Write rows of values of these columns."""
    schema = pa.schema(
        [pa.field(column.name, TYPES[column.type], metadata={"description": column.about})
         for column in columns]
    )  # fmt: skip
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(itertools.islice(rows, BATCH)):
            arrays = [
                pa.array([_value(column, row[place]) for row in batch], schema[place].type)
                for place, column in enumerate(columns)
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _value(column: Column, value: Any) -> Any:
    if value is None:
        return None
    if column.type == "time":
        return _time(value)
    if column.type == "json":
        return whole_text(json.dumps(value, ensure_ascii=False))
    return value


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
