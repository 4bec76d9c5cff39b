"""Writes the catalogue of a crawl: its finds, their older versions, and what is in their files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple, fields
from operator import itemgetter

from lodehound.core.caption import Caption
from lodehound.core.listing import Listing
from lodehound.core.messages import Change
from lodehound.stores.catalogue.datasets import COUNT_AFTER, dataset_finds
from lodehound.stores.catalogue.entry_table import EntryTable
from lodehound.stores.catalogue.find_rows import FindRow, Inspected, find_of, inspected_of
from lodehound.stores.catalogue.listings import write_listing
from lodehound.stores.catalogue.stored_captions import DROP_CAPTION, write_captions
from lodehound.stores.database.connect import storable, storable_row
from lodehound.stores.database.crawl_database import CrawlDatabase

# The details of a find are in its answer.
FIND = tuple(field.name for field in fields(FindRow) if field.name != "details")
INSPECTION = tuple(field.name for field in fields(Inspected))
NEW_FIND = f"INSERT INTO finds ({', '.join(FIND)}) VALUES ({', '.join('?' * len(FIND))})"  # noqa: S608 - our own names
NEW_INSPECTION = f"""
    INSERT OR REPLACE INTO inspections ({", ".join(INSPECTION)})
    VALUES ({", ".join("?" * len(INSPECTION))})"""  # noqa: S608 - our own names
# A new version of a find: the one before leaves the catalogue.
OLD_VERSION = f"""
    INSERT INTO versions (number, replaced_by, kept, {", ".join(FIND[1:])})
    SELECT number, ?, ?, {", ".join(FIND[1:])} FROM finds WHERE number = ?"""  # noqa: S608 - our own names
# How a find compares with its last version, of which a repair found the file lost.
CHANGE_SINCE_LOST = """
    SELECT iif(sha256 = ? AND size = ?, 'same', 'changed') FROM versions
    WHERE final_url = ? ORDER BY number DESC LIMIT 1"""
FINDS = """
    SELECT finds.*, answers.details FROM finds LEFT JOIN answers USING (number) ORDER BY number"""
FIND_AT = """
    SELECT finds.*, answers.details FROM finds LEFT JOIN answers USING (number)
    WHERE final_url = ? ORDER BY number DESC LIMIT 1"""
FINDS_AFTER = """
    SELECT finds.*, answers.details, answers.seq FROM answers JOIN finds USING (number)
    WHERE answers.seq > ? ORDER BY answers.seq LIMIT ?"""
# Inspections of earlier versions lack this key. Text cannot contain it: its quotes are escaped.
NOT_INSPECTED = """
    SELECT DISTINCT file, mime FROM finds
    WHERE NOT truncated AND file <> '' AND file NOT IN (
        SELECT file FROM inspections WHERE instr(inspection, '"profile":'))"""
# If the find that replaced it is lost, the file may be that of the find.
UNUSED_FILES = """
    SELECT DISTINCT file FROM versions
    WHERE file <> '' AND file NOT IN (SELECT file FROM finds) AND file NOT IN (
        SELECT file FROM versions
        WHERE replaced_by NOT IN (SELECT number FROM finds UNION ALL SELECT number FROM versions))
    """


class FindStore:
    """The catalogue of a crawl directory. What it writes is committed with the next answer.

    Args:
        database: Where it is.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database
        self._rows = database.rows
        self.entries = EntryTable(database)

    def __iter__(self) -> Iterator[FindRow]:
        """Yield the finds, in the order of the requests."""
        yield from map(find_of, self._rows(FINDS))
        yield from (find for _, find, _ in dataset_finds(self._rows))

    def after(self, seq: int, most: int) -> list[tuple[int, FindRow]]:
        """Return the next finds in the order of their answers, each with its place in it."""
        rows = self._rows(FINDS_AFTER, seq, most)
        found = [(row["seq"], find_of(row)) for row in rows]
        end = found[-1][0] if len(found) == most else math.inf
        # An answer lists many: there is no limit.
        found += [(at, find) for at, find, _ in dataset_finds(self._rows, seq) if at <= end]
        return sorted(found, key=itemgetter(0))

    def at(self, url: str) -> FindRow | None:
        """Return the find of a final URL, in its newest version."""
        return next(map(find_of, self._rows(FIND_AT, url)), None)

    def datasets_since(self, seq: int) -> int:
        """Return how many datasets a crawl that only catalogues has found after an event."""
        return int(self._database.value(COUNT_AFTER, seq, 0))

    def has_listings(self) -> bool:
        """Return whether an API has listed anything."""
        statement = "SELECT EXISTS (SELECT 1 FROM datasets UNION ALL SELECT 1 FROM listed)"
        return bool(self._database.value(statement))

    # --- files --------------------------------------------------------------------------------

    def inspections(self) -> Iterator[Inspected]:
        """Yield the contents of the files."""
        yield from map(inspected_of, self._rows("SELECT * FROM inspections ORDER BY rowid"))

    def not_inspected(self) -> list[tuple[str, str]]:
        """Return the files, with their types, that this version has not inspected yet."""
        return [(row[0], row[1]) for row in self._rows(NOT_INSPECTED)]

    def users_of(self, file: str) -> int:
        """Return how many finds share a file."""
        return int(self._database.value("SELECT count(*) FROM finds WHERE file = ?", file))

    def kept_versions(self) -> set[str]:
        """Return the files of older versions that are kept."""
        return {row[0] for row in self._rows("SELECT kept FROM versions WHERE kept <> ''")}

    def replaced_versions(self) -> set[str]:
        """Return the hashes of older versions that are not kept."""
        return {row[0] for row in self._rows("SELECT sha256 FROM versions WHERE kept = ''")}

    def unused_files(self) -> list[str]:
        """Return the files of older versions that no find has any more."""
        return [row[0] for row in self._rows(UNUSED_FILES)]

    # --- writing ------------------------------------------------------------------------------

    def change_since_lost(self, find: FindRow) -> Change | None:
        """Compare a find with its version that a repair found lost; None if there is none."""
        found = self._database.one(CHANGE_SINCE_LOST, find.sha256, find.size, find.final_url)
        return found[0] if found else None

    def add(self, find: FindRow, *, replaces: FindRow | None = None, kept: str = "") -> None:
        """Add a find.

        Args:
            find: The find; its file must already be on disk.
            replaces: The version of it that was in the catalogue before.
            kept: Where the file of that version is kept; "" if it is not.
        """
        with self._database.writing() as db:
            if replaces is not None:
                db.execute(OLD_VERSION, (find.number, storable(kept), replaces.number))
                db.execute("DELETE FROM finds WHERE number = ?", (replaces.number,))
                self.entries.drop(replaces.number)
                if not self.users_of(replaces.file):
                    self._move_inspection(replaces.file, kept)
            db.execute(NEW_FIND, storable_row(astuple(find))[: len(FIND)])
            self.entries.add(find.number)

    def _move_inspection(self, file: str, kept: str) -> None:
        """Move the inspection of a file to the name it is kept under, or delete it."""
        with self._database.writing() as db:
            if kept:
                moved = "UPDATE OR REPLACE inspections SET file = ? WHERE file = ?"
                db.execute(moved, (storable(kept), storable(file)))
            db.execute("DELETE FROM inspections WHERE file = ?", (storable(file),))

    def inspected(self, seen: Inspected) -> None:
        """Keep what is in a file."""
        with self._database.writing() as db:
            db.execute(NEW_INSPECTION, storable_row(astuple(seen)))
            self.entries.inspected(seen.file)

    def captioned(self, page: str, captions: Mapping[str, Caption]) -> None:
        """Keep what a page says about links, by their URLs."""
        with self._database.writing() as db:
            write_captions(db, page, captions)
            self.entries.captioned()

    def drop_caption(self, url: str) -> None:
        """Remove what pages say about a URL that is no find."""
        with self._database.writing() as db:
            db.execute(DROP_CAPTION, (url,))

    def listed(self, number: int, url: str, listing: Listing) -> None:
        """Keep what the answer to a request lists, in place of what an earlier answer listed."""
        with self._database.writing() as db:
            self.entries.drop_listed(url)
            write_listing(db, number, url, listing)
            self.entries.add_listed()
