"""Opens the database of a crawl, to write or to read while another process writes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

BUSY = 30.0  # seconds to wait for another program that locks a file


def connected(
    path: Path, *, write: bool, shared: bool = False, patience: float = BUSY
) -> sqlite3.Connection:
    """Open a database; read one on a read-only disk as it is.

    Args:
        path: The file.
        write: False to read while another process writes.
        shared: Several machines use the file: a write-ahead log would need shared memory.
        patience: Seconds to wait for another program that locks the file.
    """
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


def _is_filled(path: Path, suffix: str) -> bool:
    beside = path.with_name(path.name + suffix)
    return beside.exists() and beside.stat().st_size > 0


def _opened(name: str, *, write: bool, patience: float, log: str = "") -> sqlite3.Connection:
    # A crawl may be created in one thread and run in another.
    db = sqlite3.connect(
        name, timeout=patience, isolation_level=None, check_same_thread=False, uri=not write
    )
    db.row_factory = sqlite3.Row
    try:
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
