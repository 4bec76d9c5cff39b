"""Databases that take tables: SQLite and DuckDB."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lodehound.tables.names import TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH = 10_000  # rows that are inserted at a time
OUR_COMMENT = "written by lodehound export"
SIGNED = "SELECT 1 FROM duckdb_tables() WHERE table_name = ? AND comment = ?"
OURS = int.from_bytes(b"Lode", "big")  # application_id of a SQLite file


class Database(ABC):
    """A database to which tables are written.

    Attributes:
        types: The names of its types by the kind of a column.
    """

    types: ClassVar[dict[str, str]]

    @abstractmethod
    def run(self, statement: str) -> None:
        """Run a statement."""

    @abstractmethod
    def insert(self, name: str, kinds: Sequence[str], rows: list[Sequence[Any]]) -> None:
        """Insert some rows."""

    def put(
        self, name: str, names: Sequence[str], kinds: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> int:
        """Create a table with rows, and return how many there are."""
        columns = ", ".join(
            f"{quoted(column)} {self.types[kind]}"
            for column, kind in zip(names, kinds, strict=True)
        )
        self.run(f"CREATE TABLE {quoted(name)} ({columns})")
        count, left = 0, iter(rows)
        while batch := list(islice(left, BATCH)):
            self.insert(name, kinds, batch)
            count += len(batch)
        return count


class Sqlite(Database):
    """A SQLite file. Dates and times are texts, as is usual there."""

    types: ClassVar = {
        "integer": "INTEGER", "number": "REAL", "boolean": "BOOLEAN", "date": "DATE",
        "time": "DATETIME", "text": "TEXT",
    }  # fmt: skip

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @contextmanager
    def writing(self) -> Iterator[Self]:
        """Mark a new file as ours, and write everything at once."""
        self.run(f"PRAGMA application_id = {OURS}")
        self.run("PRAGMA journal_mode = OFF")  # the file has no name yet
        self.run("BEGIN")
        yield self
        self.run("COMMIT")

    def run(self, statement: str) -> None:
        self._db.execute(statement)

    def insert(self, name: str, kinds: Sequence[str], rows: list[Sequence[Any]]) -> None:
        marks = ", ".join("?" * len(kinds))
        self._db.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", rows)  # noqa: S608 - quoted


class Duck(Database):
    """A DuckDB database."""

    types: ClassVar = {
        "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE",
        "time": "TIMESTAMP", "text": "VARCHAR",
    }  # fmt: skip

    def __init__(self, db: DuckDBPyConnection) -> None:
        self._db = db

    def run(self, statement: str) -> None:
        self._db.execute(statement)

    def insert(self, name: str, kinds: Sequence[str], rows: list[Sequence[Any]]) -> None:
        marks = ", ".join(map(self._mark, kinds))
        columns = list(map(list, zip(*rows, strict=True)))
        self._db.execute(f"INSERT INTO {quoted(name)} SELECT {marks}", columns)

    def sign(self) -> None:
        """Mark a new database as ours: its files all begin alike."""
        self.run(f"COMMENT ON TABLE {quoted(TABLES)} IS '{OUR_COMMENT}'")

    @staticmethod
    def is_ours(path: Path) -> bool:
        """Return whether a file is a database that was signed."""
        import duckdb  # noqa: PLC0415 - an extra

        try:
            with duckdb.connect(str(path), read_only=True) as db:
                return db.execute(SIGNED, [TABLES, OUR_COMMENT]).fetchone() is not None
        except duckdb.Error:
            return False

    def _mark(self, kind: str) -> str:
        """Return how a column is taken from a list; a year 10000 is no reason to fail."""
        if kind in {"date", "time"}:
            return f"TRY_CAST(unnest(?::VARCHAR[]) AS {self.types[kind]})"
        return f"unnest(?::{self.types[kind]}[])"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def as_texts(statement: str, chosen: Sequence[bool]) -> str:
    """Return a SELECT with the columns that are chosen as texts."""
    places = [f"c{number}" for number in range(len(chosen))]
    shown = ", ".join(
        f"CAST({place} AS VARCHAR)" if text else place
        for place, text in zip(places, chosen, strict=True)
    )
    inner = statement.rstrip("; \n")
    return f"SELECT {shown} FROM ({inner}\n) AS answer({', '.join(places)})"  # noqa: S608 - ours
