"""SQLite and DuckDB: the rows of the tables that were found, a table each, and what they are.

The table `finds` has the columns of the other exports; `tables` says which table is which.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from lodehound.exports.columns import COLUMNS
from lodehound.exports.notes import Notes
from lodehound.extras import extra
from lodehound.inspect.records import Values, clean
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.errors import WriteError
from lodehound.stores.texts import whole_text
from lodehound.tables.databases import Database, Duck, Sqlite
from lodehound.tables.names import FINDS, TABLES, NamedTable, named_tables
from lodehound.tables.rows import Loaded, RefusedTableError, TableReader

LISTED = {
    "name": "text", "find": "integer", "title": "text", "sheet": "text", "rows": "integer",
    "columns": "integer", "loaded": "integer", "note": "text", "file": "text", "url": "text",
}  # fmt: skip
KINDS = {"list": "text", "json": "text"}  # of the catalogue


def write_sqlite(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write a SQLite file."""
    try:
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as db,
            Sqlite(db).writing() as database,
        ):
            _write(source, database, notes)
    except sqlite3.Error as error:
        raise WriteError(str(error), error) from error


def write_duckdb(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write a DuckDB file."""
    with extra("sql"):
        import duckdb  # noqa: PLC0415 - an extra

    try:
        with duckdb.connect(str(path)) as db:
            database = Duck(db)
            _write(source, database, notes)
            database.sign()
    except duckdb.Error as error:
        raise WriteError(clean(error, 300)) from error


def is_our_duckdb(path: Path) -> bool:
    """Return whether a DuckDB file is an earlier export; True of an empty or a missing one."""
    return not path.exists() or not path.stat().st_size or Duck.is_ours(path)


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
    *,
    with_finds: bool = True,
) -> Iterator[Loaded]:
    """Write the finds, the rows of the tables that are wanted, and the list of all tables.

    Yield what became of each table that is wanted.
    """
    names = [column.name for column in COLUMNS]
    kinds = [KINDS.get(column.type, column.type) for column in COLUMNS]
    database.put(FINDS, names, kinds, _finds(source) if with_finds else ())
    known: dict[str, Loaded] = {}

    def put(table: NamedTable, values: Values) -> int:
        if not values.names:
            raise RefusedTableError("it has no columns")
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
