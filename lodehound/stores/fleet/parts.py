"""What the parts of a divided crawl tell each other: who waits, and which links are under way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

SENT = """
    INSERT INTO exchange VALUES (?, ?, ?, 0)
    ON CONFLICT DO UPDATE SET sent = max(sent, excluded.sent)"""
TAKEN = """
    INSERT INTO exchange VALUES (?, ?, 0, ?)
    ON CONFLICT DO UPDATE SET taken = max(taken, excluded.taken)"""
# A part that has ended goes on when links have come; one that has spent its budget does not.
WAKE = """
    UPDATE sites SET state = 'waiting', reason = '', detail = ''
    WHERE listed AND reason IN ('exhausted', 'unreachable', 'nothing reachable')
        AND state IN ('ended', 'failed')
        AND number IN (SELECT target + 1 FROM exchange WHERE sent > taken)"""
OPEN = """
    UPDATE teams SET open = 1 WHERE worker IS NULL AND NOT open
        AND number IN (SELECT team FROM sites WHERE listed AND state = 'waiting')"""
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


def publish(
    db: sqlite3.Connection, part: int, sent: Mapping[int, int], taken: Mapping[int, int]
) -> None:
    """Say how many links a part has sent and taken; wake parts that have ended before that.

    Args:
        db: The database of the fleet, in a transaction.
        part: The part.
        sent: Its last record for each other part.
        taken: The last record that it has taken of each other part.
    """
    db.executemany(SENT, ((part, target, last) for target, last in sent.items()))
    db.executemany(TAKEN, ((source, part, last) for source, last in taken.items()))
    wake(db)


def wake(db: sqlite3.Connection) -> None:
    """Let parts go on that have ended, and for which links have come since."""
    if db.execute(WAKE).rowcount:
        db.execute(OPEN)
