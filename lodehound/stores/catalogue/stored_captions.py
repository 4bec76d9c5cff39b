"""What pages say about links: kept for finds, and for links that are not asked for yet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from lodehound.core.caption import Caption
from lodehound.stores.database.connect import storable_row
from lodehound.stores.texts import json_texts

# The page that says most about a link counts, and of equals the first; a page that is read again
# replaces what it said before.
NEW_CAPTION = """
    INSERT INTO captions (url, page, rank, anchor, names, about) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (url) DO UPDATE SET page = excluded.page, rank = excluded.rank,
        anchor = excluded.anchor, names = excluded.names, about = excluded.about
    WHERE excluded.rank > rank OR excluded.page = page"""
DROP_CAPTION = "DELETE FROM captions WHERE url = ?"


def write_captions(db: sqlite3.Connection, page: str, captions: Mapping[str, Caption]) -> None:
    """Keep what a page says about links.

    Args:
        db: The database.
        page: URL of the page.
        captions: By the URLs of the links.
    """
    rows = (
        (url, page, one.rank, one.anchor, json.dumps(one.names, ensure_ascii=False), one.about)
        for url, one in captions.items()
    )
    db.executemany(NEW_CAPTION, map(storable_row, rows))


def names_of(packed: str | None) -> tuple[str, ...]:
    """Return the names that a page gives to a find; () if none are stored, or they are damaged."""
    return json_texts(packed) if packed and packed != "[]" else ()
