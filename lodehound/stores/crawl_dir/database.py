"""Opens the database of a crawl: to write, or to look on beside whoever writes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

BUSY = 30.0  # seconds to wait for somebody who looks at the file with a tool that locks it


def connected(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a database; one on a disk that cannot be written is read as it lies there."""
    if write:
        return _opened(str(path), write=True)
    place = path.resolve().as_uri()
    try:
        return _opened(f"{place}?mode=ro", write=False)
    except sqlite3.OperationalError:
        # Readers of a database with a log make a file beside it. Where they may not, and where
        # nothing is in the log, nobody can be writing, and the file alone says everything.
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        return _opened(f"{place}?mode=ro&immutable=1", write=False)


def _opened(name: str, *, write: bool) -> sqlite3.Connection:
    # A crawl may be made in one thread and driven in another.
    db = sqlite3.connect(
        name, timeout=BUSY, isolation_level=None, check_same_thread=False, uri=not write
    )
    db.row_factory = sqlite3.Row
    try:
        if write:
            # Committed work survives the process. A power cut may take the last answers,
            # never the file: the price of not waiting for the disk at every answer.
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = OFF")
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except BaseException:
        db.close()
        raise
    return db
