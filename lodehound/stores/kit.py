"""The SQLite replicas of the SB kit: url, http_response, headers, body, content_length."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from lodehound.core.errors import ConfigError, SiteError, reason_of
from lodehound.stores.files.inside import BESIDE, refuse_links
from lodehound.stores.records import Damage, Record

COLUMNS = {"url", "http_response", "headers", "body"}
LENGTH = "content_length"


def read_kit(path: Path, damage: Damage) -> Iterator[Record]:
    """Read every table with the columns of the kit, in row order.

    Columns that SQLite would compute are not read: the file may be somebody else's.
    """
    try:
        refuse_links(path.parent, [path.name + end for end in BESIDE], write=False)
    except ConfigError as error:
        raise SiteError(str(error)) from error
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        database.text_factory = lambda text: text.decode("utf-8", "replace")
        tables = _tables(database, path)
        if not tables:
            raise SiteError(
                f"{str(path)!r} has no table with the columns {', '.join(sorted(COLUMNS))}: "
                f"it is not a replica of the SB kit."
            )
        for table, columns in tables.items():
            quoted, wanted = table.replace('"', '""'), ", ".join(columns)
            try:
                rows = database.execute(f'SELECT {wanted} FROM "{quoted}" ORDER BY rowid')  # noqa: S608 - quoted
                names = [column[0] for column in rows.description]
                for row in rows:
                    yield _record(dict(zip(names, row, strict=True)))
            except sqlite3.DatabaseError as error:
                damage.add(path, f"table {table} is damaged ({error}); the rows before it are used")


def _tables(database: sqlite3.Connection, path: Path) -> dict[str, list[str]]:
    """Return the tables of a kit, and which of their columns are read."""
    try:
        names = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
    except sqlite3.DatabaseError as error:
        raise SiteError(f"{str(path)!r} cannot be read: {reason_of(error)}.") from error
    kept = {}
    for name in names:
        info = database.execute("SELECT name FROM pragma_table_info(?)", (name,))  # none computed
        stored = {column for (column,) in info}
        if stored >= COLUMNS:
            kept[name] = sorted(stored & {*COLUMNS, LENGTH})
    return kept


def _record(row: dict[str, Any]) -> Record:
    headers = _headers(row["headers"])
    body = row["body"] or b""
    body = body if isinstance(body, bytes) else str(body).encode()
    return Record(
        url=str(row["url"]),
        status=_number(row["http_response"], most=999),
        content_type=headers.get("content-type", ""),
        body=body,
        size=_number(row.get(LENGTH)) or len(body),
        head_size=len(str(row["headers"] or "")),
        location=headers.get("location", ""),
        link_header=headers.get("link", ""),
    )


def _headers(text: object) -> dict[str, str]:
    """Read the kit's headers: the text of a dict of byte strings to lists of byte strings."""
    try:
        parsed = ast.literal_eval(str(text))
        return {_text(name).lower(): _text(value) for name, value in parsed.items()}
    except (ValueError, SyntaxError, AttributeError, RecursionError, MemoryError):
        return {}


def _text(value: object) -> str:
    while isinstance(value, list | tuple):
        value = value[0] if value else ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _number(value: object, most: int = 1 << 60) -> int:
    """Read a number; return 0 if it is invalid, negative or absurd."""
    try:
        number = int(str(value))
    except ValueError:
        return 0
    return number if 0 <= number <= most else 0
