"""How the databases of older formats are brought up to ours, one format at a time."""

from __future__ import annotations

import sqlite3


def from_1(db: sqlite3.Connection) -> None:
    """Tell lists of sleeping hosts from changes of them; make room for details.

    Format 1 wrote all sleeping hosts with every ask and wait, and nothing when none slept.
    """
    for table in ("asks", "waits"):
        db.execute(
            f"UPDATE {table} SET asleep = '{{\"all\":' || coalesce(asleep, '[]') || '}}'"  # noqa: S608 - our own names
        )
    db.execute("ALTER TABLE answers ADD COLUMN details TEXT")
