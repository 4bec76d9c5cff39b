"""Opens the database of a crawl, to write or to read while another process writes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

BUSY = 30.0  # seconds to wait for another program that locks the file


def connected(path: Path, *, write: bool, shared: bool = False) -> sqlite3.Connection:
    """Open a database; read one on a read-only disk as it is.

    Args:
        path: The file.
        write: False to read while another process writes.
        shared: Several machines use the file: a write-ahead log would need shared memory.
    """
    if write:
        return _opened(str(path), write=True, log="TRUNCATE" if shared else "WAL")
    place = path.resolve().as_uri()
    try:
        return _opened(f"{place}?mode=ro", write=False)
    except sqlite3.OperationalError:
        # Readers of a database with a write-ahead log create a file next to it. If they cannot,
        # and the log is empty, no process can be writing, and the file alone is complete.
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        return _opened(f"{place}?mode=ro&immutable=1", write=False)


def _opened(name: str, *, write: bool, log: str = "") -> sqlite3.Connection:
    # A crawl may be created in one thread and run in another.
    db = sqlite3.connect(
        name, timeout=BUSY, isolation_level=None, check_same_thread=False, uri=not write
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
