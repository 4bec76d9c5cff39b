"""Keeps the entries of the catalogue up to date.

They are made of finds, inspections and listings, in the transaction that changes these. A title
depends on the titles of others, so all titles are made anew now and then, and when the crawl is
closed.
"""

from __future__ import annotations

from collections.abc import Iterator

from lodehound.stores.catalogue.datasets import DATASET, LOOSE, dataset_finds
from lodehound.stores.catalogue.entry import (
    COLUMNS,
    JOINS,
    CatalogueEntry,
    dataset_entry,
    entry_of,
)
from lodehound.stores.catalogue.listings import ONLY_CATALOGUES
from lodehound.stores.catalogue.titles import FACTS, MOST_TITLE, WITH_CAPTIONS, FindFacts, Titles
from lodehound.stores.database.connect import storable_row
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.texts import one_line

GROWTH = 2  # of the finds, until all titles are made anew

FINDS = f"SELECT {COLUMNS}, {FACTS} FROM finds {JOINS}"  # noqa: S608 - our own names
NEW = f"INSERT OR REPLACE INTO entries VALUES ({', '.join('?' * 12)})"  # noqa: S608 - marks only
TITLES = f"""
    SELECT finds.number, entries.title, {FACTS} FROM entries JOIN finds USING (number)
    LEFT JOIN answers USING (number) {WITH_CAPTIONS}"""  # noqa: S608 - our own names
NAMED = len(FindFacts._fields)
MISSING = "SELECT number FROM finds WHERE number NOT IN (SELECT number FROM entries)"
STRANGE = f"""
    SELECT number FROM entries
    WHERE number < {DATASET} AND number NOT IN (SELECT number FROM finds)"""  # noqa: S608 - as above
LISTED_AT = f"""
    SELECT {DATASET} + id FROM datasets WHERE number IN (SELECT number FROM answers WHERE url = ?1)
    UNION ALL SELECT {LOOSE} + id FROM listed
    WHERE dataset IS NULL AND number IN (SELECT number FROM answers WHERE url = ?1)"""  # noqa: S608 - as above
LAST_ANSWER = "SELECT coalesce(max(seq), 0) FROM answers"


class EntryTable:
    """The entries of a catalogue, to write.

    Args:
        database: Where they are.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database
        self._titles: Titles | None = None
        self._titled = 0  # finds and inspections that the titles know
        self._changed = 0  # and those that came since
        self._is_captioned = False

    def add(self, number: int) -> None:
        """Make the entry of a find."""
        for entry in self._entries("WHERE finds.number = ?", number):
            self._write(entry)
        self._changed += 1
        self._refresh_if_due()

    def inspected(self, file: str) -> None:
        """Make the entries of a file anew: it was looked into."""
        for entry in self._entries("WHERE finds.file = ?", file):
            self._write(entry)
        self._changed += 1

    def captioned(self) -> None:
        """Make the titles anew in the end: what a page says may give another one."""
        self._is_captioned = True

    def drop(self, number: int) -> None:
        """Remove an entry."""
        with self._database.writing() as db:
            db.execute("DELETE FROM entries WHERE number = ?", (number,))

    def drop_listed(self, url: str) -> None:
        """Remove the datasets that an earlier answer from a URL listed."""
        for (number,) in list(self._database.rows(LISTED_AT, url)):
            self.drop(number)

    def add_listed(self) -> None:
        """Make entries of the datasets that the last answer lists, if datasets are the finds."""
        if self._database.value(f"SELECT {ONLY_CATALOGUES}"):
            self._add_datasets(self._database.value(LAST_ANSWER) - 1)

    def complete(self) -> None:
        """Make what is missing: all of a crawl of an older version, or one that was repaired."""
        for statement in (STRANGE, MISSING):
            for (number,) in list(self._database.rows(statement)):
                (self.drop if statement is STRANGE else self.add)(number)
        if self._database.value(f"SELECT {ONLY_CATALOGUES}"):
            known = f"SELECT 1 FROM entries WHERE number > {DATASET} LIMIT 1"  # noqa: S608 - a number
            if self._database.one(known) is None:
                self._add_datasets(0)

    def refresh(self) -> None:
        """Make all titles anew, if finds came since they were made."""
        if not (self._changed or self._is_captioned):
            return
        self._is_captioned = False
        rows = self._database.rows
        self._titles, self._titled, self._changed = Titles(rows), self._known(), 0
        stale: list[list[object]] = []
        for number, before, *facts in rows(TITLES):
            if (title := self._titles.title(FindFacts(*facts))) != before:
                stale.append(storable_row((title, number)))
        if stale:
            with self._database.writing() as db:
                db.executemany("UPDATE entries SET title = ? WHERE number = ?", stale)

    def _refresh_if_due(self) -> None:
        if self._titled + self._changed > GROWTH * max(self._titled, 4):
            self.refresh()

    def _known(self) -> int:
        count = "SELECT (SELECT count(*) FROM finds) + (SELECT count(*) FROM inspections)"
        return int(self._database.value(count))

    def _entries(self, where: str, *values: object) -> Iterator[CatalogueEntry]:
        if self._titles is None:
            self._titles, self._titled = Titles(self._database.rows), self._known()
        for row in list(self._database.rows(f"{FINDS} {where}", *values)):
            facts = FindFacts(*row[-NAMED:])
            yield entry_of(row[:-NAMED], self._titles.title(facts), None)

    def _add_datasets(self, after: int) -> None:
        for _, find, listed in list(dataset_finds(self._database.rows, after)):
            title = one_line(listed.dataset.title or find.final_url, MOST_TITLE)
            self._write(dataset_entry(find, listed, title))

    def _write(self, entry: CatalogueEntry) -> None:
        find, read = entry.find, entry.read
        formats = {entry.kind, entry.ending, find.mime.lower(), *entry.formats} - {""}
        row = (
            find.number, entry.title, entry.name, entry.host, entry.section, entry.type,
            "\n".join(["", *sorted(formats), ""]), entry.content, find.size,
            *((read.tables, read.rows, read.statistics) if read else (None, None, None)),
        )  # fmt: skip
        with self._database.writing() as db:
            db.execute(NEW, storable_row(row))
