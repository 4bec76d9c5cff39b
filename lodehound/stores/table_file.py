"""Writes a table to a new SQLite file, for other programs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

BATCH = 1000  # rows


def write_table(path: Path, name: str, types: Mapping[str, str], rows: Iterable[list[Any]]) -> None:
    """Write one table.

    Args:
        path: The file.
        name: Of the table.
        types: SQLite's types of the columns, by their names.
        rows: Their values.

    Raises:
        sqlite3.Error: It cannot be written.
    """
    columns = ", ".join(f'"{column}" {kind}' for column, kind in types.items())
    marks = ", ".join("?" * len(types))
    passing = iter(rows)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f'CREATE TABLE "{name}" ({columns})')
        while batch := list(islice(passing, BATCH)):
            db.executemany(f'INSERT INTO "{name}" VALUES ({marks})', batch)  # noqa: S608 - our own names
