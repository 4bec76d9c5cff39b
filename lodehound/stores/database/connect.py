"""Opens the database of a crawl, to write or to read while another process writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from lodehound.stores.database.own_tables import refuse_computed
from lodehound.stores.files.inside import BESIDE, refuse_links

BUSY = 30.0  # seconds to wait for another program that locks a file
BYTES = frozenset({"learned", "links"})  # columns of bytes


def connected(
    path: Path,
    *,
    write: bool,
    shared: bool = False,
    patience: float = BUSY,
    schema: tuple[str, ...] = (),
) -> sqlite3.Connection:
    """Open a database; read one on a read-only disk as it is.

    One that computes what is in our tables (views, triggers) counts as damaged.

    Args:
        path: The file.
        write: False to read while another process writes.
        shared: Several machines use the file: a write-ahead log would need shared memory.
        patience: Seconds to wait for another program that locks the file.
        schema: The statements that make its tables: those of a crawl, unless given.
    """
    opened = _connected(path, write=write, shared=shared, patience=patience)
    try:
        refuse_computed(opened, schema)
    except BaseException:
        opened.close()
        raise
    return opened


def _connected(path: Path, *, write: bool, shared: bool, patience: float) -> sqlite3.Connection:
    refuse_links(path.parent, [path.name + end for end in ("", *BESIDE)], write=write)
    if write:
        log = "TRUNCATE" if shared else "WAL"
        return _opened(str(path), write=True, patience=patience, log=log)
    place = path.resolve().as_uri()
    try:
        return _opened(f"{place}?mode=ro", write=False, patience=patience)
    except sqlite3.OperationalError:
        if _is_filled(path, "-journal"):
            # Half of a commit may be in the file. Whoever may write undoes it, unless the process
            # that made it lives: then this raises.
            with closing(_opened(f"{place}?mode=rw", write=False, patience=patience)):
                return _opened(f"{place}?mode=ro", write=False, patience=patience)
        # Readers of a database with a write-ahead log create a file next to it. If they cannot,
        # and the log is empty, no process can be writing, and the file alone is complete.
        if _is_filled(path, "-wal"):
            raise
        return _opened(f"{place}?mode=ro&immutable=1", write=False, patience=patience)


def plain(value: Any) -> Any:
    """Return a text that was stored as bytes, because it has lone surrogates; or the value."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def storable(value: object) -> object:
    """Return a value that SQLite accepts: a text with lone surrogates becomes bytes."""
    if not isinstance(value, str) or value.isascii():
        return value
    packed = value.encode("utf-8", "surrogatepass")
    return value if packed.decode("utf-8", "ignore") == value else packed


def storable_row(values: Iterable[object]) -> list[object]:
    """Return a row that SQLite accepts."""
    row = list(values)
    for at, value in enumerate(row):
        if isinstance(value, str) and not value.isascii():
            row[at] = storable(value)
    return row


def _row(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> sqlite3.Row:
    """Make a row of which every text is a text."""
    if bytes in map(type, values):
        names = [column[0] for column in cursor.description]
        values = tuple(
            value if name in BYTES else plain(value)
            for name, value in zip(names, values, strict=True)
        )
    return sqlite3.Row(cursor, values)


def _is_filled(path: Path, suffix: str) -> bool:
    beside = path.with_name(path.name + suffix)
    return beside.exists() and beside.stat().st_size > 0


def _opened(name: str, *, write: bool, patience: float, log: str = "") -> sqlite3.Connection:
    # A crawl may be created in one thread and run in another.
    db = sqlite3.connect(
        name, timeout=patience, isolation_level=None, check_same_thread=False, uri=not write
    )
    db.row_factory = _row
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        if write:
            # Committed work survives the process. A power failure may lose the last answers, but
            # never the file: this way, not every answer waits for the disk.
            db.execute(f"PRAGMA journal_mode = {log}")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = OFF")
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def copied(database: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy of a database in a temporary file of SQLite's, which may be written."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    copy.row_factory = database.row_factory
    database.backup(copy)
    return copy
