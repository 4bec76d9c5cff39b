"""An index of the finds of one crawl: search over words, filters, order.

It is a temporary SQLite file outside of the crawl directory, and grows with the crawl: an update
reads what was answered and inspected since the last one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lodehound.core.urls import host_of
from lodehound.reports.clean import clean, type_name
from lodehound.reports.site_map import section_of
from lodehound.stores.catalogue.crawl_rounds import GONE, rounds_of
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.titles import Titles

SCHEMA = """
    CREATE TABLE finds (
        number INTEGER PRIMARY KEY, title TEXT, url TEXT, host TEXT, section TEXT,
        type TEXT, content TEXT, size INTEGER, tables INTEGER, rows INTEGER, statistics INTEGER,
        found_on TEXT, page_title TEXT, fetched_at TEXT, file TEXT, last_modified TEXT);
    CREATE TABLE news (round INTEGER, change TEXT, url TEXT, PRIMARY KEY (round, change, url))
        WITHOUT ROWID;
    CREATE INDEX by_url ON finds (url);
    CREATE INDEX by_type ON finds (type);
    CREATE INDEX by_host ON finds (host);
    CREATE INDEX by_section ON finds (section);
    CREATE INDEX by_content ON finds (content);
    CREATE INDEX by_title ON finds (title COLLATE NOCASE);
    CREATE INDEX by_size ON finds (size);
    CREATE INDEX by_rows ON finds (rows);
    CREATE VIRTUAL TABLE words USING fts5(
        title, url, anchor, page_title, columns,
        tokenize="unicode61 remove_diacritics 2", prefix='2 3');
    """
NEW = f"INSERT OR REPLACE INTO finds VALUES ({', '.join('?' * 16)})"  # noqa: S608 - marks only
NEW_WORDS = """
    INSERT OR REPLACE INTO words (rowid, title, url, anchor, page_title, columns)
    VALUES (?, ?, ?, ?, ?, ?)"""
SEEN = """
    UPDATE finds SET title = ?, content = ?, tables = ?, rows = ?, statistics = ?
    WHERE number = ?"""
# Older versions of finds that an answer replaced; what a round found new or changed, and lost.
REPLACED = """
    SELECT versions.number FROM versions JOIN answers ON answers.number = replaced_by
    WHERE seq > ?"""
NEWS = """
    SELECT change, url FROM contents JOIN answers USING (number)
    WHERE number >= ? AND number < ? AND seq > ? AND found AND change IN ('new', 'changed')"""
LOST = f"SELECT 'gone', url FROM ({GONE}) WHERE seq > ?"  # noqa: S608 - our own names
LAST = 1 << 62  # after the last request
ORDERS = {
    "": "number DESC",
    "first": "number",
    "title": "title COLLATE NOCASE, number",
    "size": "size DESC, number",
    "rows": "rows DESC, number",
    "statistics": "statistics DESC, number",
}
ROWID_ORDERS = {"number DESC": "rowid DESC", "number": "rowid"}
WORDS = "SELECT rowid FROM words WHERE words MATCH ?"
FACETS = ("type", "host", "section", "content")
MOST_VALUES = 200  # of one filter
GROWTH = 1.25  # of the finds, until titles are made anew
LONG = 1000  # characters of a text


@dataclass(frozen=True, slots=True)
class FindQuery:
    """What a reader looks for.

    Attributes:
        words: Words, or beginnings of words, that must all occur.
        type: The common name of a type.
        host: A host.
        section: A section of the site: host and first folders.
        content: One of `schema.CONTENTS`.
        rows: Least number of rows.
        statistics: "yes" or "no": whether a table looks like statistics.
        news: A round and what happened in it: "2-new", "3-changed".
        order: One of `ORDERS`.
    """

    words: str = ""
    type: str = ""
    host: str = ""
    section: str = ""
    content: str = ""
    rows: int = 0
    statistics: str = ""
    news: str = ""
    order: str = ""


@dataclass(frozen=True, slots=True)
class IndexedFind:
    """One row of the list of finds."""

    number: int
    title: str
    url: str
    host: str
    section: str
    type: str
    content: str
    size: int
    tables: int | None
    rows: int | None
    statistics: int | None
    found_on: str
    page_title: str
    fetched_at: str
    file: str


COLUMNS = tuple(IndexedFind.__dataclass_fields__)


class FindsIndex:
    """The index of one crawl. Updates come from one thread at a time, questions from any.

    Args:
        file: A new file outside of the crawl directory.
        folder: The crawl directory.
    """

    def __init__(self, file: Path, folder: Path) -> None:
        self._file = file
        self._folder = folder
        self._seq = self._row = self._news = 0
        self._facets: dict[str, list[tuple[str, int]]] | None = None
        self._titles: Titles | None = None
        self._titled = 0  # finds when titles were made
        self._lock = threading.Lock()
        with self._writing() as db:
            db.executescript(SCHEMA)

    @property
    def titles(self) -> Titles | None:
        """The titles of finds, for those who read the catalogue."""
        return self._titles

    def update(self) -> None:
        """Take up what is new."""
        with (
            self._lock,
            self._writing() as db,
            Catalogue(self._folder, titles=self._titles) as catalogue,
        ):
            self._take(db, catalogue)
        self._facets = None

    def _take(self, db: sqlite3.Connection, catalogue: Catalogue) -> None:
        (last_seq,) = next(catalogue.rows("SELECT coalesce(max(seq), 0) FROM answers"))
        (last_row,) = next(catalogue.rows("SELECT coalesce(max(rowid), 0) FROM inspections"))
        (count,) = next(catalogue.rows("SELECT count(*) FROM finds"))
        if self._titles is not None and count > GROWTH * self._titled:
            self._titles = None
            with Catalogue(self._folder) as anew:
                db.executemany(SEEN, map(_seen, anew.answered_since(0)))
                self._titles, self._titled = anew.titles, count
        self._take_rounds(db, catalogue)
        new = set()
        if catalogue.only_catalogues and last_seq > self._seq:  # an update lists all of them anew
            db.execute("DELETE FROM finds")
            db.execute("DELETE FROM words")
            self._seq = 0
        for entry in catalogue.answered_since(self._seq):
            new.add(entry.find.number)
            db.execute(NEW, _row(entry))
            db.execute(NEW_WORDS, _words(entry))
        for entry in catalogue.inspected_since(self._row):
            if entry.find.number not in new:  # what a file contains is known after its answer
                db.execute(SEEN, _seen(entry))
                db.execute(NEW_WORDS, _words(entry))
        self._seq, self._row = last_seq, last_row
        if self._titles is None and count:
            self._titles, self._titled = catalogue.titles, count

    def _take_rounds(self, db: sqlite3.Connection, catalogue: Catalogue) -> None:
        """Take up what later rounds found new, changed or gone; drop what they replaced."""
        for (number,) in catalogue.rows(REPLACED, self._seq):
            db.execute("DELETE FROM finds WHERE number = ?", (number,))
            db.execute("DELETE FROM words WHERE rowid = ?", (number,))
        if len(rounds := rounds_of(catalogue.rows)) < 2:
            return
        for mine in rounds:
            end = mine.next_first or LAST
            for statement in (NEWS, LOST):
                for change, url in catalogue.rows(statement, mine.first, end, self._news):
                    row = (mine.number, change, _whole(url))
                    db.execute("INSERT OR IGNORE INTO news VALUES (?, ?, ?)", row)
        (self._news,) = next(catalogue.rows("SELECT coalesce(max(seq), 0) FROM answers"))

    # --- questions ----------------------------------------------------------------------------

    def find(self, query: FindQuery, *, first: int = 0, most: int = -1) -> Iterator[IndexedFind]:
        """Yield the finds that fit."""
        order, match = ORDERS.get(query.order, ORDERS[""]), match_of(query.words)
        where, values = _conditions(query)
        if match and order in ROWID_ORDERS and len(values) == 1:
            # The index of words knows this order: it need not name every find that fits.
            where = f"WHERE number IN ({WORDS} ORDER BY {ROWID_ORDERS[order]} LIMIT ? OFFSET ?)"
            values, most, first = [match, most, first], -1, 0
        names = ", ".join(COLUMNS)
        statement = f"SELECT {names} FROM finds {where} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608 - our own names
        with self._reading() as db:
            for row in db.execute(statement, (*values, most, first)):
                yield IndexedFind(*row)

    def count(self, query: FindQuery) -> int:
        where, values = _conditions(query)
        with self._reading() as db:
            (count,) = db.execute(f"SELECT count(*) FROM finds {where}", values).fetchone()  # noqa: S608 - our own names
        return int(count)

    def news(self) -> list[tuple[str, str]]:
        """Return the changes of all rounds, as they are asked for and in words."""
        statement = "SELECT round, change, count(*) FROM news GROUP BY round, change ORDER BY 1, 2"
        with self._reading() as db:
            rows = db.execute(statement).fetchall()
        return [(f"{number}-{change}", f"round {number}: {change} ({count:,})")
                for number, change, count in rows]  # fmt: skip

    def facets(self) -> dict[str, list[tuple[str, int]]]:
        """Return the values of the filters with the number of finds, the most frequent first."""
        if self._facets is not None:
            return self._facets
        found = {}
        with self._reading() as db:
            for name in FACETS:
                statement = f"""SELECT {name}, count(*) FROM finds GROUP BY {name}
                    ORDER BY 2 DESC, 1 LIMIT {MOST_VALUES}"""  # noqa: S608 - our own names
                found[name] = [(value, count) for value, count in db.execute(statement)]
        self._facets = found
        return found

    def close(self) -> None:
        for end in ("", "-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._file)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = OFF")
            with db:
                yield db

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._file)) as db:
            yield db


def _row(entry: CatalogueEntry) -> tuple[Any, ...]:
    find, read = entry.find, entry.read
    url = _whole(find.final_url)
    return (
        find.number, clean(entry.title, 300), url, host_of(url), section_of(url),
        type_name(find.mime or entry.type), entry.content, find.size, *_figures(read),
        _whole(find.found_on), clean(find.page_title, 300), find.fetched_at, _whole(find.file),
        _whole(find.last_modified),
    )  # fmt: skip


def _figures(read: Any) -> tuple[int | None, int | None, int | None]:
    return (read.tables, read.rows, read.statistics) if read else (None, None, None)


def _seen(entry: CatalogueEntry) -> tuple[Any, ...]:
    return (clean(entry.title, 300), entry.content, *_figures(entry.read), entry.find.number)


def _words(entry: CatalogueEntry) -> tuple[Any, ...]:
    find = entry.find
    texts = (entry.title, unquote(find.final_url), find.anchor, find.page_title, *entry.header[:50])
    title, url, anchor, page, *columns = (_whole(text)[:LONG] for text in texts)
    return find.number, title, url, anchor, page, " ".join(columns)


def _whole(text: str) -> str:
    """Return a text that SQLite takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _conditions(query: FindQuery) -> tuple[str, list[Any]]:
    parts, values = [], list[Any]()
    for name in FACETS:
        if value := getattr(query, name):
            parts.append(f"{name} = ?")
            values.append(_whole(value))
    if query.rows > 0:
        parts.append("rows >= ?")
        values.append(query.rows)
    if query.statistics:
        parts.append("coalesce(statistics, 0) > 0" if query.statistics == "yes"
                     else "coalesce(statistics, 0) = 0")  # fmt: skip
    if query.news:
        number, _, change = query.news.partition("-")
        parts.append("url IN (SELECT url FROM news WHERE round = ? AND change = ?)")
        values += [number, change]
    if match := match_of(query.words):
        parts.append(f"number IN ({WORDS})")
        values.append(match)
    return ("WHERE " + " AND ".join(parts) if parts else ""), values


def match_of(words: str) -> str:
    r"""Return a question for FTS5: every word, or a word that begins with it.

    >>> match_of('wages "2024" OR')
    '"wages"* "2024"* "OR"*'
    """
    kept = "".join(sign if sign.isalnum() else " " for sign in _whole(words)[:200])
    return " ".join(f'"{word}"*' for word in kept.split()[:12])
