"""Checks the rows of a crawl's database: their types and values."""

from __future__ import annotations

import functools
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from lodehound.stores.database.connect import plain
from lodehound.stores.database.packed import unpack_links, unpack_sleep
from lodehound.stores.database.schema import SCHEMA
from lodehound.text.counts import counted

TYPES = {
    "INTEGER": {"integer"},
    "REAL": {"real", "integer"},
    "TEXT": {"text", "blob"},  # a text with lone surrogates is stored as bytes
    "BLOB": {"blob"},
}
# The names of SQLite's types, by those of the values in Python.
STORED = {int: "integer", float: "real", str: "text", bytes: "blob", type(None): "null"}
LARGEST = 1e300  # number
MOST = 2**53  # whole number: sums of larger ones overflow
LONGEST = 1e12  # seconds of a crawl
SHA256 = re.compile(r"([0-9a-f]{64})?")
FLAGS = {"cut", "sent", "found", "truncated"}
NOT_NEGATIVE = {
    "size",
    "bytes",
    "tries",
    "depth",
    "new_links",
    "tables",
    "rows",
    "columns",
    "pages",
    "seq",
    "first",
}


class TableColumn(NamedTuple):
    """A column of a table, as declared."""

    name: str
    types: frozenset[str]  # what it may hold, in SQLite's words


@functools.cache
def tables(schema: tuple[str, ...] = SCHEMA) -> dict[str, tuple[TableColumn, ...]]:
    """Return the columns of all tables that a schema makes: that of crawls, unless given."""
    with sqlite3.connect(":memory:") as db:
        for statement in schema:
            db.execute(statement)
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")
        ]
        made = {name: columns_of(db, name) for name in names}
    db.close()
    return made


def columns_of(db: sqlite3.Connection, table: str) -> tuple[TableColumn, ...]:
    """Return the columns of a table."""
    columns = []
    for _, name, kind, needed, _, key in db.execute(f"PRAGMA table_info({table})"):
        empty = set() if needed or (key and kind == "INTEGER") else {"null"}
        columns.append(TableColumn(name, frozenset(TYPES[kind] | empty)))
    return tuple(columns)


def problem_of(table: str, row: Mapping[str, Any]) -> str:
    """Return what is wrong with a row; "" if it is sound."""
    for column in tables()[table]:
        if STORED[type(row[column.name])] not in column.types:
            return f"{column.name} is of the wrong type"
    try:
        for name, value in row.items():
            _CHECKS.get((table, name), _any)(plain(value) if name != "links" else value)
            if _is_out_of_range(name, value):
                return f"{name} is {value}"
    except Exception as error:
        return f"{name} cannot be read ({error})"
    return ""


def _is_out_of_range(name: str, value: Any) -> bool:
    if not isinstance(value, int | float):
        return False
    if name in FLAGS:
        return value not in {0, 1}
    if name == "at":
        return not 0 <= value <= LONGEST
    is_negative = name in NOT_NEGATIVE and value < 0
    is_negative |= name == "number" and value < 1
    return is_negative or not abs(value) <= (MOST if isinstance(value, int) else LARGEST)


def wrong_types(db: sqlite3.Connection, schema: tuple[str, ...] = SCHEMA) -> Iterator[str]:
    """Yield the columns that hold values of other types than declared, or too large ones.

    Rows are not read: SQLite counts.
    """
    for table, columns in tables(schema).items():
        checks = [f"sum({_wrong(column)})" for column in columns]
        counts = db.execute(f"SELECT {', '.join(checks)} FROM {table}").fetchone()  # noqa: S608 - our own names
        for column, count in zip(columns, counts, strict=True):
            if count:
                rows = counted(count, "row")
                yield f"table {table}: {column.name} is of the wrong type in {rows}"


def _wrong(column: TableColumn) -> str:
    """Return a condition for values that a column cannot hold."""
    other = f"typeof({column.name}) NOT IN {_listed(column.types)}"
    if "integer" not in column.types:
        return other
    most = LARGEST if "real" in column.types else MOST
    least, most = (0, LONGEST) if column.name == "at" else (-most, most)
    return f"({other} OR {column.name} NOT BETWEEN {least!r} AND {most!r})"


def _listed(types: frozenset[str]) -> str:
    return "(" + ", ".join(f"'{name}'" for name in sorted(types)) + ")"


# --- what the columns hold -------------------------------------------------------------------


def _any(_: object) -> None:
    pass


def _method(value: str) -> None:
    if value not in {"GET", "HEAD"}:
        raise ValueError(f"{value!r} is no method")


def _links(value: bytes | None) -> None:
    for link in unpack_links(value or b"", "", 0):
        if not (all(isinstance(text, str) for text in link[:6]) and isinstance(link.depth, int)):
            raise ValueError("a link is no link")


def _sleep(value: str | None) -> None:
    if value == "":
        raise ValueError("no hosts")
    sleep = unpack_sleep(value)
    if not all(isinstance(host, str) for host in sleep.fell | sleep.woke):
        raise ValueError("a host is no text")


def _status(value: int) -> None:
    if not 0 <= value <= 999:
        raise ValueError(f"{value} is no status")


def _sha256(value: str) -> None:
    if not SHA256.fullmatch(value):
        raise ValueError("no SHA-256")


def _moment(value: str) -> None:
    datetime.fromisoformat(value)


def _url(value: str) -> None:
    place = urlsplit(value)
    _ = place.port  # raises if it is no number
    if not value.startswith(("http://", "https://")) or not place.hostname:
        raise ValueError(f"{value[:40]!r} is no web address")


def _file(value: str) -> None:
    parts = value.split("/")
    if parts[0] != "files" or len(parts) < 3 or ".." in parts:
        raise ValueError(f"{value[:40]!r} is no file of this folder")


def _json_of(kind: type) -> Callable[[str | None], None]:
    def check(value: str | None) -> None:
        if value and not isinstance(json.loads(value), kind):
            raise ValueError("other JSON than expected")

    return check


def _words(value: str) -> None:
    words = json.loads(value)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("no list of words")


_CHECKS: dict[tuple[str, str], Callable[[Any], None]] = {
    ("asks", "method"): _method,
    ("asks", "asleep"): _sleep,
    ("waits", "asleep"): _sleep,
    ("offers", "links"): _links,
    ("answers", "links"): _links,
    ("answers", "status"): _status,
    ("answers", "details"): _json_of(object),
    ("asks", "asked_at"): _moment,
    ("asks", "url"): _url,
    ("answers", "url"): _url,
    ("finds", "url"): _url,
    ("finds", "final_url"): _url,
    ("finds", "file"): _file,
    ("finds", "sha256"): _sha256,
    ("versions", "sha256"): _sha256,
    ("datasets", "keywords"): _words,
    ("captions", "url"): _url,
    ("captions", "names"): _words,
    ("inspections", "header"): _json_of(list),
    ("inspections", "inspection"): _json_of(dict),
}
