"""Links that the parts of a divided crawl send each other, through their journals.

A part writes links on hosts of other parts with the answer that brought them. The others read them
there, and write down how far they have come with the links that they take: so each link arrives
once, whichever process is killed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from lodehound.core.link import Link
from lodehound.stores.database.connect import connected
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.packed import pack_links, unpack_links
from lodehound.stores.log.journal import Journal

MOST = 100  # rows that are read at a time for each part
PATIENCE = (
    0.5  # seconds to wait for a lock: its holder may be frozen, and there will be another time
)

NEW_SENT = "INSERT INTO sent_links (part, links) VALUES (?, ?)"
NEW_TAKEN = "INSERT OR REPLACE INTO taken_links VALUES (?, ?)"
TAKEN = "SELECT part, last FROM taken_links"
LAST_SENT = "SELECT part, max(id) FROM sent_links GROUP BY part"
SENT = "SELECT id, part, links FROM sent_links WHERE part = ? AND id > ? ORDER BY id LIMIT ?"


def pack_sent(links: Sequence[Link]) -> bytes:
    """Return links as bytes, each with its page and depth."""
    return pack_links(links, "", -1)


def unpack_sent(packed: bytes) -> tuple[Link, ...]:
    return unpack_links(packed, "", -1)


class Sent(NamedTuple):
    """A record of links that a part has sent to another."""

    id: int
    part: int  # that asks their hosts
    links: tuple[Link, ...]


def read_sent(path: Path, after: Mapping[int, int]) -> list[Sent]:
    """Return what another crawl has sent to some parts, those of each part in order.

    Args:
        path: The database of the other crawl; it need not be there yet.
        after: The parts, and the last record that each has taken.
    """
    wanted = [(SENT, (part, last, MOST)) for part, last in after.items()]
    rows = _rows(path, "sent_links", *wanted)
    return [Sent(row["id"], row["part"], unpack_sent(row["links"])) for row in rows]


class ExchangeRecord:
    """What a part of a divided crawl has sent to the others and taken from them.

    Args:
        database: Of the part.
        journal: Of the part.
    """

    def __init__(self, database: CrawlDatabase, journal: Journal) -> None:
        self._database = database
        self._journal = journal

    def append_sent_links(self, part: int, links: Sequence[Link]) -> int:
        """Record links for another part of the crawl; committed with the next answer.

        Returns:
            The number of the record.
        """
        with self._database.writing() as db:
            return db.execute(NEW_SENT, (part, pack_sent(links))).lastrowid or 0

    def append_taken_links(self, part: int, last: int, links: Sequence[Link]) -> None:
        """Record links that another part has sent, up to a record of its, and commit."""
        self._journal.offered(f"part {part + 1}", links)
        with self._database.committing() as db:
            db.execute(NEW_TAKEN, (part, last))

    def sent_urls(self) -> set[str]:
        """Return the URLs that were sent to other parts."""
        rows = self._database.rows("SELECT links FROM sent_links")
        return {link.url for row in rows for link in unpack_sent(row["links"])}

    def last_sent(self) -> dict[int, int]:
        """Return the last record that was sent to each part."""
        return dict(map(tuple, self._database.rows(LAST_SENT)))

    def taken(self) -> dict[int, int]:
        """Return the last record that was taken of each part."""
        return dict(map(tuple, self._database.rows(TAKEN)))


def _rows(path: Path, table: str, *statements: tuple[str, tuple[object, ...]]) -> list[sqlite3.Row]:
    """Read another crawl's database; [] if it cannot be read now.

    It may not be set up yet. Its writer may be frozen within a commit: only the next writer can
    undo that. If it is damaged, that is for its own part to say.
    """
    if not path.is_file():
        return []
    try:
        with closing(connected(path, write=False, patience=PATIENCE)) as db:
            there = db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
            return [row for one in statements for row in db.execute(*one)] if there else []
    except sqlite3.Error:
        return []
