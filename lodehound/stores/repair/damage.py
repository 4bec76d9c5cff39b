"""Recognises a damaged crawl directory.

Nothing is checked while all goes well: rows are read as they are. An error that reading them
causes, of whatever kind, leads here. If the directory is damaged, the damage is the error;
otherwise the error stands.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lodehound.core.errors import ContractError
from lodehound.stores.database.connect import connected
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.errors import DamagedCrawlError
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.repair.row_checks import problem_of, tables, wrong_types

NEEDED = ("format", "version", "created_at", "config")  # in the table meta
# Tables whose rows stand in for requests; messages name the request.
NUMBERED = {"asks", "answers", "finds"}

TWICE = """
    SELECT url FROM asks
    GROUP BY url, method, (SELECT max(first) FROM rounds WHERE first <= asks.number)
    HAVING count(*) > 1 LIMIT 1"""

UNANSWERED = """
    SELECT number FROM contents WHERE number NOT IN (SELECT number FROM answers) LIMIT 1"""

MISSING = """
    SELECT number FROM answers
    WHERE found AND number NOT IN (SELECT number FROM finds UNION SELECT number FROM versions)
    LIMIT 1"""

# Events on the wrong side of where a round begins, by its first request and the event before.
APART = """
    SELECT 1 FROM asks WHERE (number < :first) = (seq > :seq)
    UNION SELECT 1 FROM answers WHERE (number < :first) = (seq > :seq) LIMIT 1"""


@contextmanager
def naming_damage(folder: Path) -> Iterator[None]:
    """Raise DamagedCrawlError for an error that damage to the crawl directory explains."""
    try:
        yield
    except Exception as error:
        blame_damage(folder, error)
        raise


def blame_damage(folder: Path, error: BaseException | None) -> None:
    """Raise DamagedCrawlError if the crawl directory is damaged and an error may come from that.

    Errors with an exit code were made for the user, and those of the system name their file.
    """
    is_ours = hasattr(error, "exit_code") and not isinstance(error, ContractError)
    if isinstance(error, Exception) and not is_ours and not isinstance(error, OSError):
        refuse_damaged(folder, thorough=True, cause=error)


def refuse_damaged(folder: Path, *, thorough: bool = False, cause: Exception | None = None) -> None:
    """Refuse a damaged crawl directory.

    Args:
        folder: The crawl directory.
        thorough: Read every row; otherwise only what SQLite can check by itself.
        cause: The error that made us look.
    """
    if (what := next(problems(folder, thorough=thorough), None)) is not None:
        raise DamagedCrawlError(folder, what) from cause


def problems(folder: Path, *, thorough: bool) -> Iterator[str]:
    """Yield what is damaged in the database of a crawl, as far as it can be told."""
    try:
        with closing(connected(folder / DATABASE, write=False)) as db:
            check = "integrity_check" if thorough else "quick_check"
            for (said,) in db.execute(f"PRAGMA {check}(10)"):
                if said != "ok":
                    yield said.splitlines()[-1]
            yield from _wrong_meta(db)
            if not _is_current(db):
                return
            yield from wrong_types(db)
            if thorough:
                yield from _wrong_rows(db)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # messages quote what is damaged
        yield str(error)


def _wrong_meta(db: sqlite3.Connection) -> Iterator[str]:
    meta = dict(map(tuple, db.execute("SELECT key, value FROM meta")))
    for name in NEEDED:
        if not isinstance(meta.get(name), str):
            yield f"table meta: there is no {name}"
            return
    if not meta["format"].isdecimal():
        yield f"table meta: format is {meta['format']!r}"
    try:
        config = json.loads(meta["config"])
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        yield "table meta: the config cannot be read"


def _is_current(db: sqlite3.Connection) -> bool:
    """Return whether the tables are those of the current format."""
    found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    return found is not None and found[0] == str(FORMAT)


def _wrong_rows(db: sqlite3.Connection) -> Iterator[str]:
    for table in tables():
        for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - our own names
            if said := problem_of(table, dict(row)):
                name = f"request {row['number']}" if table in NUMBERED else f"row {row[0]}"
                yield f"table {table}, {name}: {said}"
    yield from _out_of_order(db)
    yield from _wrong_rounds(db)


def _out_of_order(db: sqlite3.Connection) -> Iterator[str]:
    lost = "SELECT number FROM answers LEFT JOIN asks USING (number) WHERE asks.seq IS NULL"
    for (number,) in db.execute(f"{lost} OR asks.seq >= answers.seq LIMIT 1"):
        yield f"table answers: request {number} was answered before it was made"
    for (number,) in db.execute(UNANSWERED):
        yield f"table contents: request {number} has no answer"
    for (number,) in db.execute(MISSING):
        yield f"table finds: the find of request {number} is missing"
    for (url,) in db.execute(TWICE):
        yield f"table asks: {url} was requested twice in one round"


def _wrong_rounds(db: sqlite3.Connection) -> Iterator[str]:
    rounds = [tuple(row) for row in db.execute("SELECT number, first, seq FROM rounds ORDER BY 1")]
    (last,) = db.execute("SELECT coalesce(max(CAST(number AS INTEGER)), 0) FROM asks").fetchone()
    if not all(isinstance(value, int) for row in rounds for value in row):
        return  # a value of another type is reported as such
    firsts = [first for _, first, _ in rounds]
    if [number for number, _, _ in rounds] != list(range(1, len(rounds) + 1)):
        yield "table rounds: a round is missing"
    elif firsts != sorted({1, *firsts}) or firsts[-1] > last + 1:
        yield "table rounds: the first requests of the rounds are out of order"
    for number, first, seq in rounds:
        if db.execute(APART, {"first": first, "seq": seq}).fetchone():
            yield f"table rounds: round {number} begins at another event than its first request"
