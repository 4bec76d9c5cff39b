"""The words of finds, in a full-text index of SQLite (FTS5)."""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lodehound.stores.database.crawl_database import CrawlDatabase

COLUMNS = ("title", "context", "name", "columns", "content")
# Words are folded before they come here: the index only splits them at blanks.
SCHEMA = (
    f"CREATE VIRTUAL TABLE search USING fts5({', '.join(COLUMNS)}, "
    "tokenize = \"unicode61 remove_diacritics 0\", prefix = '4 6')"
)
ADD = f"INSERT OR REPLACE INTO search (rowid, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
# How far the finds of a crawl are indexed: the last answer and the last inspection. Another
# number in front is another way to make words: such an index is made anew.
FORMAT, STATE = "2", "search"
STATEMENT = "SELECT sql FROM sqlite_schema WHERE name = 'search'"

SHADOWS = ("data", "idx", "content", "docsize", "config")  # tables that FTS5 makes for itself

Words = tuple[int, Sequence[str]]


class DamagedIndexError(Exception):
    """The index cannot be read: it is made anew from the catalogue."""


class SearchIndex:
    """An index: that of a crawl, or one in memory.

    Args:
        db: Its database.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @classmethod
    def in_memory(cls, rows: Iterable[Words]) -> SearchIndex:
        """Return an index of these finds: for each its number, and the words of every column."""
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.execute(SCHEMA)
        made = cls(db)
        made.add(rows)
        return made

    def add(self, rows: Iterable[Words]) -> None:
        """Add finds, or replace them."""
        self._db.executemany(ADD, ((number, *texts) for number, texts in rows))

    def count(self) -> int:
        ((count,),) = self._rows("SELECT count(*) FROM search_docsize")
        return int(count)

    def matches(
        self, words: Iterable[str], beginnings: Iterable[str], weights: Sequence[float]
    ) -> dict[int, float]:
        """Return the finds with any of the words, each with its BM25 score: more is better.

        Args:
            words: Folded words.
            beginnings: Beginnings of words.
            weights: Of the columns.
        """
        weighed = ", ".join(str(float(weight)) for weight in weights)
        rows = self._rows(
            f"SELECT rowid, -bm25(search, {weighed}) FROM search WHERE search MATCH ?",  # noqa: S608 - numbers only
            _any_of(words, beginnings),
        )
        return {number: score for number, score in rows if math.isfinite(score)}

    def count_of(self, words: Iterable[str], beginnings: Iterable[str]) -> int:
        """Return how many finds have any of the words, which is found out faster than which."""
        asked = "SELECT count(*) FROM search WHERE search MATCH ?"
        ((count,),) = self._rows(asked, _any_of(words, beginnings))
        return int(count)

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in self._db.execute(statement, values)]
        except sqlite3.DatabaseError as error:
            raise DamagedIndexError(str(error)) from error


def _any_of(words: Iterable[str], beginnings: Iterable[str]) -> str:
    return " OR ".join([*(f'"{word}"' for word in words), *(f'"{word}"*' for word in beginnings)])


class StoredIndex:
    """The index in the database of a crawl, and how far it goes.

    Args:
        database: The database.

    Attributes:
        seq: The last answer whose find is in it.
        row: The last inspection that is in it.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database
        self.seq, self.row = self._state()

    def _state(self) -> tuple[int, int]:
        known = self._database.one("SELECT value FROM meta WHERE key = ?", STATE)
        form, *places = str(known[0]).split() if known else [""]
        if form != FORMAT or len(places) != 2 or not all(map(str.isdigit, places)):
            return 0, 0
        # A stranger's database may hold another table of that name.
        made = self._database.one(STATEMENT)
        return (int(places[0]), int(places[1])) if made and made[0] == SCHEMA else (0, 0)

    @contextlib.contextmanager
    def adding(self, seq: int, row: int) -> Iterator[SearchIndex]:
        """Yield the index, to which finds are added up to an answer and an inspection."""
        with self._database.committing() as db:
            if not (self.seq or self.row):
                _remove(db)
                db.execute(SCHEMA)
            yield SearchIndex(db)
            state: tuple[Any, ...] = (STATE, f"{FORMAT} {seq} {row}")
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", state)
        self.seq, self.row = seq, row

    def forget(self) -> None:
        """Count the index as missing: it is made anew with the next finds."""
        self.seq = self.row = 0

    def index(self) -> SearchIndex | None:
        """Return the index to read; None if there is none."""
        return SearchIndex(self._database.connection) if self.seq or self.row else None


def _remove(db: sqlite3.Connection) -> None:
    """Remove the index, whatever it is."""
    try:
        db.execute("DROP TABLE IF EXISTS search")
    except sqlite3.DatabaseError:  # a damaged one can be removed only by its entry in the schema
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DELETE FROM sqlite_schema WHERE name = 'search'")
        db.execute("PRAGMA writable_schema = RESET")
    for shadow in SHADOWS:
        db.execute(f"DROP TABLE IF EXISTS search_{shadow}")
