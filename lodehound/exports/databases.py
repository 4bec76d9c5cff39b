"""SQLite and DuckDB: the rows of the tables that were found, a table each, and what they are.

The table `finds` has the columns of the other exports; `tables` says which table is which.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lodehound.exports.columns import COLUMNS
from lodehound.exports.notes import Notes
from lodehound.extras import extra
from lodehound.inspect.records import Values, clean
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.errors import WriteError
from lodehound.stores.texts import whole_text
from lodehound.tables.names import FINDS, TABLES, NamedTable, named_tables
from lodehound.tables.rows import Loaded, RefusedError, TableReader

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH = 10_000  # rows that are inserted at a time
OURS = int.from_bytes(b"Lode", "big")  # application_id of a SQLite file
LISTED = {
    "name": "text", "find": "integer", "title": "text", "sheet": "text", "rows": "integer",
    "columns": "integer", "loaded": "integer", "note": "text", "file": "text", "url": "text",
}  # fmt: skip
KINDS = {"list": "text", "json": "text"}  # of the catalogue


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

    def _mark(self, kind: str) -> str:
        """Return how a column is taken from a list; a year 10000 is no reason to fail."""
        if kind in {"date", "time"}:
            return f"TRY_CAST(unnest(?::VARCHAR[]) AS {self.types[kind]})"
        return f"unnest(?::{self.types[kind]}[])"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def write_sqlite(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write a SQLite file."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute(f"PRAGMA application_id = {OURS}")
            db.execute("PRAGMA journal_mode = OFF")  # the file has no name yet
            db.execute("BEGIN")
            _write(source, Sqlite(db), notes)
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise WriteError(str(error), error) from error


def write_duckdb(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write a DuckDB file."""
    with extra("sql"):
        import duckdb  # noqa: PLC0415 - an extra

    try:
        with duckdb.connect(str(path)) as db:
            _write(source, Duck(db), notes)
    except duckdb.Error as error:
        raise WriteError(clean(error, 300)) from error


def _write(source: Catalogue, database: Database, notes: Notes) -> None:
    entries = list(source.entries())
    notes.written += len(entries)
    tables = list(named_tables(source))
    for loaded in fill(database, source, tables, lambda _: True):
        notes.tables += loaded.rows is not None
        if loaded.note:
            notes.said.append(said(loaded))


def said(loaded: Loaded) -> str:
    """Return in one line what was left out of a table."""
    return f"{loaded.table.name} ({loaded.table.entry.find.final_url}): {loaded.note}"


def fill(
    database: Database,
    source: Catalogue,
    tables: Sequence[NamedTable],
    wanted: Callable[[NamedTable], bool],
) -> Iterator[Loaded]:
    """Write the finds, the rows of the tables that are wanted, and the list of all tables.

    Yield what became of each table that is wanted.
    """
    names = [column.name for column in COLUMNS]
    kinds = [KINDS.get(column.type, column.type) for column in COLUMNS]
    database.put(FINDS, names, kinds, _finds(source))
    known: dict[str, Loaded] = {}

    def put(table: NamedTable, values: Values) -> int:
        if not values.names:
            raise RefusedError("it has no columns")
        return database.put(table.name, values.names, values.kinds, values.rows)

    with TableReader() as reader:
        chosen = (table for table in tables if wanted(table))
        for loaded in reader.load(chosen, lambda one: source.path_of(one.entry.find), put):
            known[loaded.table.name] = loaded
            yield loaded
    rows = (_listed(table, known.get(table.name)) for table in tables)
    database.put(TABLES, list(LISTED), list(LISTED.values()), rows)


def _finds(source: Catalogue) -> Iterator[list[Any]]:
    for entry in source.entries():
        yield [_plain(column.type, column.value(entry)) for column in COLUMNS]


def _plain(kind: str, value: Any) -> Any:
    if value is None or kind not in KINDS:
        return (value or None) if kind == "time" else value
    return whole_text(json.dumps(value, ensure_ascii=False))


def _listed(table: NamedTable, loaded: Loaded | None) -> list[Any]:
    find = table.entry.find
    return [
        table.name, find.number, whole_text(table.title), whole_text(table.sheet), table.rows,
        table.columns, loaded.rows if loaded else None, loaded.note if loaded else None,
        find.file, whole_text(find.final_url),
    ]  # fmt: skip
