"""Reads every sound row of a damaged database: first as SQLite does, then page by page."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lodehound.stores.database.migrations import MIGRATIONS
from lodehound.stores.database.own_tables import refuse_computed
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.repair.database_pages import rows_of_pages
from lodehound.stores.repair.row_checks import problem_of, tables

MAGIC = b"SQLite format 3\x00"
# What identifies a row; a second one with the same key is an old copy.
KEYS = {"asks": "seq", "waits": "seq", "offers": "seq", "answers": "seq", "finds": "number",
        "runs": "first", "meta": "key", "inspections": "file"}  # fmt: skip
Row = dict[str, Any]


@dataclass
class Salvaged:
    """The sound rows of a database.

    Attributes:
        tables: By table and key.
        damaged: Rows that were there and could not be read, by table.
        unreachable: Tables that SQLite could not read to their end.
    """

    tables: dict[str, dict[Any, Row]] = field(default_factory=dict)
    damaged: Counter[str] = field(default_factory=Counter)
    unreachable: list[str] = field(default_factory=list)

    def add(self, table: str, row: Row) -> bool:
        """Keep a row if it is sound; return whether it is."""
        if problem_of(table, row):
            return False
        self.tables[table].setdefault(row[key_of(table)], row)
        return True


def key_of(table: str) -> str:
    """Return the column that identifies the rows of a table: the first, unless named."""
    return KEYS.get(table) or tables()[table][0].name


def salvage(database: Path, scratch: Path) -> Salvaged:
    """Read all sound rows of a database without changing it.

    Args:
        database: The file; a write-ahead log may stand next to it.
        scratch: An empty folder for copies.
    """
    copy = scratch / database.name
    for ending in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{database}{ending}", f"{copy}{ending}")
    _mend_header(copy)
    saved = Salvaged({table: {} for table in tables()})
    try:
        with closing(_opened(copy)) as db:
            refuse_computed(db)  # the rows of such a database are read from its pages
            _migrate(db)
            for table in tables():
                _read_table(db, table, saved)
    except (sqlite3.Error, UnicodeDecodeError):  # messages quote what is damaged
        saved.unreachable = list(tables())
    if saved.unreachable:
        _read_pages(copy.read_bytes(), saved)
    return saved


def _mend_header(copy: Path) -> None:
    """Write the beginning that every database has, so that a damaged one can be opened."""
    with copy.open("r+b") as file:
        if file.read(len(MAGIC)) != MAGIC:
            file.seek(0)
            file.write(MAGIC)


def _opened(copy: Path) -> sqlite3.Connection:
    db = sqlite3.connect(copy, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        # The log is merged into the file, as far as it is sound.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except BaseException:
        db.close()
        raise
    return db


def _migrate(db: sqlite3.Connection) -> None:
    """Bring an older format up to date, in the copy."""
    found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    if found is None or not str(found[0]).isdecimal():
        return
    if int(found[0]) not in MIGRATIONS:  # the current one, or a number that is damaged itself
        return
    for step in range(int(found[0]), FORMAT):
        MIGRATIONS[step](db)


def _read_table(db: sqlite3.Connection, table: str, saved: Salvaged) -> None:
    """Read a table from its beginning and, if it cannot be read to its end, from there."""
    for order in ("ASC", "DESC"):
        try:
            for row in _rows(db, table, order):
                if not saved.add(table, row):
                    saved.damaged[table] += 1
        except (sqlite3.Error, UnicodeDecodeError):
            if table not in saved.unreachable:
                saved.unreachable.append(table)
        else:
            return


def _rows(db: sqlite3.Connection, table: str, order: str) -> Iterator[Row]:
    names = [column.name for column in tables()[table]]
    # A text that is no UTF-8 is damaged; as bytes it is judged with its row.
    db.text_factory = _text
    statement = f"SELECT {', '.join(names)} FROM {table} NOT INDEXED ORDER BY rowid {order}"  # noqa: S608 - our own names
    for row in db.execute(statement):
        yield dict(zip(names, row, strict=True))


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _read_pages(data: bytes, saved: Salvaged) -> None:
    """Add the rows that SQLite did not reach."""
    for number, values in rows_of_pages(data):
        fitting = [
            (table, row)
            for table in saved.unreachable
            if (row := _as_row(table, number, values)) and not problem_of(table, row)
        ]
        if len(fitting) == 1:  # else nobody knows which table it belongs to
            saved.add(*fitting[0])


def _as_row(table: str, number: int, values: Iterable[Any]) -> Row | None:
    """Return values as a row of a table, if it has as many columns."""
    columns = tables()[table]
    values = list(values)
    if len(values) != len(columns):
        return None
    row = {column.name: value for column, value in zip(columns, values, strict=True)}
    # SQLite stores NULL where the row number stands, and an integer where a number is whole.
    if values[0] is None and columns[0].types == {"integer"}:
        row[columns[0].name] = number
    return row
