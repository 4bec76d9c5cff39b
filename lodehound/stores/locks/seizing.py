"""Takes a crawl directory over from a process that holds its locks and does not move.

Only whoever has the right to crawl there may do this: the holder of a newer lease. The database is
copied and the copy takes its name, so what the other process still writes goes to a file that
nobody sees.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from lodehound.stores.errors import write_error
from lodehound.stores.files.inside import check_inside
from lodehound.stores.files.layout import DATABASE, JOURNAL, LOCK
from lodehound.stores.files.replacing import replaced

PATIENCE = 5.0  # seconds for which a commit that is under way may lock the database


def seize(folder: Path) -> None:
    """Copy the database of a crawl, and leave the old one and its lock to their holder."""
    check_inside(folder, write=True)
    path = folder / DATABASE
    try:
        with replaced(path) as copy:
            if not _backed_up(path, copy):
                _copy_as_it_is(path, copy)
            for name in JOURNAL - {DATABASE}:
                (folder / name).unlink(missing_ok=True)
        (folder / LOCK).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise write_error(folder, error) from error


def _backed_up(path: Path, copy: Path) -> bool:
    """Copy a database as SQLite does; return False if its holder was stopped within a commit."""
    place = f"{path.resolve().as_uri()}?mode=ro"
    old = sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None)
    with closing(old), closing(sqlite3.connect(copy)) as new:
        try:
            old.execute("BEGIN")
            old.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            return False
        old.backup(new)
    return True


def _copy_as_it_is(path: Path, copy: Path) -> None:
    """Copy a database whose commit is half done, and its rollback journal; undo the commit."""
    before = None
    while before != (before := [_state(one) for one in (path, _journal_of(path))]):
        shutil.copyfile(path, copy)
        if _journal_of(path).exists():
            shutil.copyfile(_journal_of(path), _journal_of(copy))
    with closing(sqlite3.connect(copy)) as new:
        new.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    _journal_of(copy).unlink(missing_ok=True)


def _journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _state(path: Path) -> tuple[int, int]:
    """Return what changes when a file is written: its size and time."""
    if not path.exists():
        return 0, 0
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns
