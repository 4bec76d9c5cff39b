"""Takes a crawl directory over from a process that holds its locks and does not move.

Only whoever has the right to crawl there may do this: the holder of a newer lease. The database is
copied and the copy takes its name, so what the other process still writes goes to a file that
nobody sees.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lodehound.stores.crawl_dir import DATABASE, JOURNAL
from lodehound.stores.crawl_dir.errors import write_error
from lodehound.stores.crawl_dir.lock import NAME as LOCK
from lodehound.stores.crawl_dir.output import replaced


def seize(folder: Path) -> None:
    """Copy the database of a crawl, and leave the old one and its lock to their holder."""
    path = folder / DATABASE
    try:
        with replaced(path) as copy:
            place = f"{path.resolve().as_uri()}?mode=ro"
            old, new = sqlite3.connect(place, uri=True), sqlite3.connect(copy)
            with closing(old), closing(new):
                old.backup(new)
            for name in JOURNAL - {DATABASE}:
                (folder / name).unlink(missing_ok=True)
        (folder / LOCK).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise write_error(folder, error) from error
