"""Checks the database of a fleet: the types of its columns and their values."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from lodehound.stores.files.inside import refuse_links, refuse_links_below
from lodehound.stores.files.layout import LOCK
from lodehound.stores.fleet.schema import SCHEMA
from lodehound.stores.repair.row_checks import wrong_types

SITES = "sites"
# Names are those of folders; the numbers of a site only grow.
WRONG_SITES = """
    SELECT number FROM sites
    WHERE name GLOB '*[^A-Za-z0-9._-]*' OR name NOT GLOB '[A-Za-z0-9]*'
        OR state NOT IN ('waiting', 'running', 'ended', 'failed')
        OR min(requests, finds, bytes, drought, links, rounds, strikes, per_minute) < 0
        OR team NOT IN (SELECT number FROM teams)
        OR 'blob' IN (typeof(name), typeof(start), typeof(options), typeof(reason),
            typeof(detail), typeof(obstacle))
    LIMIT 1"""
WRONG_META = """
    SELECT key FROM meta
    WHERE typeof(value) = 'blob' OR (key = 'requests' AND value GLOB '*[^0-9]*') LIMIT 1"""


def check_inside(folder: Path) -> None:
    """Refuse a fleet directory with names that lead elsewhere."""
    refuse_links(folder, (LOCK,), (SITES,), write=False)
    refuse_links_below(folder / SITES, deep=False)


def problem_of_list(db: sqlite3.Connection) -> str:
    """Return what is wrong with a fleet's database; "" if it is sound, or has no tables yet."""
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone():
        return ""
    try:
        return next(_problems(db), "")
    except sqlite3.OperationalError as error:
        if "no such" not in str(error):  # a table or a column; else it may be locked
            raise
        return str(error)


def _problems(db: sqlite3.Connection) -> Iterator[str]:
    yield from wrong_types(db, SCHEMA)
    for (number,) in db.execute(WRONG_SITES):
        yield f"table sites: site {number} cannot be read"
    for (key,) in db.execute(WRONG_META):
        yield f"table meta: {key!r} cannot be read"
