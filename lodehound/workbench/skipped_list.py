"""The skipped URLs of one crawl in a temporary SQLite file, so that pages show a few at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from lodehound.reports.skipped import Skipped

SCHEMA = """
    CREATE TABLE IF NOT EXISTS skipped (url TEXT, reason TEXT, detail TEXT, found_on TEXT);
    CREATE INDEX IF NOT EXISTS by_reason ON skipped (reason);
    """
NEW = "INSERT INTO skipped VALUES (?, ?, ?, ?)"


class SkippedList:
    """The list as it was last counted.

    Args:
        file: A new file outside of the crawl directory.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(SCHEMA)

    def replace(self, rows: Iterable[Skipped]) -> None:
        """Replace the list, so that readers see the old one or the new one."""
        with closing(sqlite3.connect(self._file)) as db, db:
            db.execute("PRAGMA synchronous = OFF")
            db.execute("DELETE FROM skipped")
            texts = (
                tuple(
                    text.encode("utf-8", "replace").decode()
                    for text in (row.url, row.reason, row.detail, row.found_on)
                )
                for row in rows
            )
            db.executemany(NEW, texts)

    def rows(self, reason: str = "", *, first: int = 0, most: int = -1) -> Iterator[Skipped]:
        """Yield URLs that were skipped for a reason, or for any."""
        where, values = ("WHERE reason = ?", (reason,)) if reason else ("", ())
        statement = f"SELECT * FROM skipped {where} ORDER BY rowid LIMIT ? OFFSET ?"  # noqa: S608 - our own words
        with closing(sqlite3.connect(self._file)) as db:
            for row in db.execute(statement, (*values, most, first)):
                yield Skipped(*row)
