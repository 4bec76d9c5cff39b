"""Checks that the tables of a database are plain tables.

SQLite runs what a schema holds: a view that is named like a table of ours may never end, a trigger
changes rows that we write. A database may come from somebody else, so none of that is accepted.
Views and tables under other names are never read: those of Datasette, or of its user.
"""

from __future__ import annotations

import functools
import re
import sqlite3

from lodehound.stores.database.schema import SCHEMA

TABLE = re.compile(r"""\s*CREATE\s+TABLE\s+["'`\[]?(\w+)""", re.IGNORECASE)
# What makes SQLite compute when rows are read or written: an index has one pair of brackets.
COMPUTED_TABLE = re.compile(r"\bCHECK\b", re.IGNORECASE)
COMPUTED_INDEX = re.compile(r"\(.*\(", re.DOTALL)
OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
COLUMNS = "SELECT name, hidden FROM pragma_table_xinfo(?)"


def refuse_computed(db: sqlite3.Connection, schema: tuple[str, ...] = ()) -> None:
    """Refuse a database in which SQLite would run anything but our own statements.

    Args:
        db: The database.
        schema: The statements that make its tables: those of a crawl, unless given.

    Raises:
        sqlite3.DatabaseError: It has a trigger, or a table of ours is a view or the like.
    """
    ours = _names(schema)
    for kind, name, table, statement in db.execute(OBJECTS).fetchall():
        if kind == "trigger":
            _refuse(f"the trigger {name!r} is not of a crawl")
        if str(table).lower() in ours:
            _refuse_odd(db, kind, name, str(statement or ""))


def _refuse_odd(db: sqlite3.Connection, kind: str, name: str, statement: str) -> None:
    """Refuse what stands for a table of ours, or computes what is in it."""
    if kind == "index":
        if COMPUTED_INDEX.search(statement):
            _refuse(f"the index {name!r} is not of a crawl")
        return
    if kind != "table" or TABLE.match(statement) is None:
        _refuse(f"{name!r} is not a plain table")
    hidden = [column for column, hidden in db.execute(COLUMNS, (name,)) if hidden]
    if hidden or COMPUTED_TABLE.search(statement):
        _refuse(f"the table {name!r} computes values")


def _refuse(what: str) -> None:
    error = sqlite3.DatabaseError(what)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    raise error


@functools.cache
def _names(schema: tuple[str, ...]) -> frozenset[str]:
    schema = schema or SCHEMA
    return frozenset(match[1].lower() for match in map(TABLE.match, schema) if match)
