"""What the parts of a divided crawl tell each other: who waits, and which links are under way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from lodehound.stores.fleet.rows import Progress

SENT = """
    INSERT INTO exchange VALUES (?, ?, ?, 0)
    ON CONFLICT DO UPDATE SET sent = max(sent, excluded.sent)"""
TAKEN = """
    INSERT INTO exchange VALUES (?, ?, 0, ?)
    ON CONFLICT DO UPDATE SET taken = max(taken, excluded.taken)"""
# A part that has ended goes on when links have come; one that has spent its budget does not.
WAKE = """
    UPDATE sites SET state = 'waiting', reason = '', detail = ''
    WHERE listed AND reason IN ('exhausted', 'left out', 'unreachable', 'nothing reachable')
        AND state IN ('ended', 'failed')
        AND number IN (SELECT target + 1 FROM exchange WHERE sent > taken)"""
OPEN = """
    UPDATE teams SET open = 1 WHERE worker IS NULL AND NOT open
        AND number IN (SELECT team FROM sites WHERE listed AND state = 'waiting')"""
SENT_TO = """
    SELECT source, target, sent FROM exchange
    WHERE sent > taken AND target IN (SELECT value FROM json_each(?))"""
BUSY = """
    SELECT 1 FROM sites WHERE listed AND (state = 'waiting' OR (state = 'running' AND NOT idle))
    UNION ALL SELECT 1 FROM exchange JOIN sites ON number = target + 1
        WHERE listed AND sent > taken AND state IN ('waiting', 'running')
        AND source + 1 NOT IN (SELECT number FROM sites WHERE state = 'failed')
    LIMIT 1"""


def name_of_part(part: int) -> str:
    """Return the name of the site that is a part of a divided crawl.

    >>> name_of_part(0)
    'part-1'
    """
    return f"part-{part + 1}"


def publish(db: sqlite3.Connection, progress: Mapping[int, Progress]) -> None:
    """Store what parts have sent and taken since; wake parts that have ended before that.

    Args:
        db: The database of the fleet, in a transaction.
        progress: How the sites of a worker stand.
    """
    parts = [(site - 1, now) for site, now in progress.items()]
    sent = [(part, to, last) for part, now in parts for to, last in now.sent.items()]
    took = [(source, part, last) for part, now in parts for source, last in now.taken.items()]
    if sent or took:
        db.executemany(SENT, sent)
        db.executemany(TAKEN, took)
        wake(db)


def wake(db: sqlite3.Connection) -> None:
    """Make parts wait again that have ended, and for which links have come since."""
    if db.execute(WAKE).rowcount:
        db.execute(OPEN)
