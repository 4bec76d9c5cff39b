"""The catalogue for those who read it: each find with what is in its file, one at a time.

Reading needs no lock: it works while a crawl is running, and shows what was committed when
it began.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from lodehound.core.urls import host_of
from lodehound.stores.catalogue.crawl_rounds import STATES, CrawlRound, round_named, rounds_of
from lodehound.stores.catalogue.dataset_changes import GONE, count_changes
from lodehound.stores.catalogue.datasets import DATASET, dataset_finds, dataset_news
from lodehound.stores.catalogue.entry import COLUMNS, JOINS, CatalogueEntry, dataset_entry, entry_of
from lodehound.stores.catalogue.entry_table import EntryTable
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.catalogue.listings import (
    ONLY_CATALOGUES,
    ListedDataset,
    describe_file,
    read_datasets,
)
from lodehound.stores.catalogue.titles import MOST_TITLE
from lodehound.stores.catalogue.totals import Summary, summary_of
from lodehound.stores.catalogue.wanted import ALL, CHANGES, LAST, Wanted, order_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.files.layout import FILES
from lodehound.stores.repair.damage import blame_damage, naming_damage
from lodehound.stores.texts import json_of, one_line

LISTED = f"""
    SELECT entries.title, entries.number, {COLUMNS}, %s
    FROM entries LEFT JOIN finds ON finds.number = entries.number {JOINS}"""  # noqa: S608 - our own names
COUNT = """
    SELECT count(*) FROM entries LEFT JOIN finds ON finds.number = entries.number"""
FITTING = """
    SELECT entries.number FROM entries LEFT JOIN finds ON finds.number = entries.number"""
# When each find was first and last there, and whether it is gone, if there are several rounds.
TIMES = f"""
    coalesce((SELECT min(older.fetched_at) FROM versions AS older
        WHERE older.final_url = finds.final_url), finds.fetched_at),
    coalesce((SELECT max(fetched_at) FROM (
        SELECT fetched_at FROM ({STATES}) WHERE there AND url = finds.final_url UNION ALL
        SELECT fetched_at FROM answers AS same WHERE status = 304 AND url = finds.final_url
            AND (SELECT there FROM ({STATES}) AS before WHERE before.url = same.url
                AND before.seq < same.seq ORDER BY before.seq DESC LIMIT 1))), finds.fetched_at),
    coalesce((SELECT CASE WHEN there THEN '' ELSE last.fetched_at END FROM ({STATES}) AS last
        WHERE last.url = finds.final_url ORDER BY last.seq DESC LIMIT 1), '')"""  # noqa: S608 - our own names
ONE_TIME = "finds.fetched_at, finds.fetched_at, ''"
FACETS = ("type", "host", "section", "content")
MOST_VALUES = 200  # of one filter
TIMED = 3  # columns of TIMES


@dataclass(frozen=True, slots=True)
class Facets:
    """What finds may be filtered by.

    Attributes:
        values: By the name of a filter, its values with their numbers of finds, most first.
        changes: The number of finds that rounds found new, changed and gone, by round and change.
    """

    values: dict[str, list[tuple[str, int]]]
    changes: dict[tuple[int, str], int]


class Catalogue(CrawlDatabase):
    """The finds of one crawl directory, to read. Close it when done.

    Args:
        folder: The crawl directory.
        wanted: Which finds; all of them unless told.

    Attributes:
        folder: The crawl directory.
        wanted: Which finds.
        config: The crawl's config.
        version: The version of the program that began it.
        created_at: When that was, in UTC.
        ended: Why the crawl last ended; "" while it runs, or when it was killed.
    """

    def __init__(self, folder: Path, wanted: Wanted = ALL) -> None:
        self.wanted = wanted
        self._resolved = folder.resolve()
        self._folders: dict[str, str | None] = {}
        meta = _checked(folder)
        config = json_of(meta["config"])
        self.config: dict[str, Any] = config if isinstance(config, dict) else {}
        self.version, self.created_at = meta["version"], meta["created_at"]
        self.ended = meta.get("ended", "")
        with naming_damage(folder), ExitStack() as undo:
            super().__init__(folder, write=False)
            undo.callback(self.close)
            if self.is_copy:
                table = EntryTable(self)
                table.complete()
                table.refresh()
                self.flush()
            # One state of the crawl for everything that is read: it is that of the first look.
            self._db.execute("BEGIN")
            self.one("SELECT 1 FROM finds LIMIT 1")
            undo.pop_all()

    @property
    def start_urls(self) -> tuple[str, ...]:
        urls = self.config.get("urls")
        return tuple(map(str, urls)) if isinstance(urls, list | tuple) else ()

    @property
    def host(self) -> str:
        """The host the crawl began at; "" when that is not known."""
        return host_of(self.start_urls[0]) if self.start_urls else ""

    def summary(self) -> Summary:
        """Return the costs and results of the whole crawl, regardless of the filter."""
        return summary_of(self.rows)

    def entries(
        self, order: str = "", *, reverse: bool = False, first: int = 0, most: int | None = None
    ) -> Iterator[CatalogueEntry]:
        """Yield the finds, in the order they were asked for or in another one.

        Args:
            order: One of `ORDERS`.
            reverse: Reverse it.
            first: Leave out so many.
            most: Yield so many at most.
        """
        ending = f"ORDER BY {order_of(order, reverse=reverse)}"
        if self.wanted.gone and self.only_catalogues:
            there = filter(self.wanted.is_like, self._entries(self.wanted, ending))
            gone = sorted(self._gone(), key=GONE_ORDERS.get(order, _number), reverse=reverse)
            chosen = itertools.chain(there, gone)
            return itertools.islice(chosen, first, None if most is None else first + most)
        if self.wanted.numbers is not None and not order:
            return itertools.islice(self._numbered(), first, None if most is None else first + most)
        if not self.wanted.like:
            limit = -1 if most is None else most
            return self._entries(self.wanted, f"{ending} LIMIT ? OFFSET ?", limit, first)
        like = (one for one in self._entries(self.wanted, ending) if self.wanted.is_like(one))
        return itertools.islice(like, first, None if most is None else first + most)

    def _numbered(self) -> Iterator[CatalogueEntry]:
        """Yield the finds that are wanted by their numbers, in that order."""
        where, values = self._conditions(self.wanted)
        fitting = {number for (number,) in self.rows(f"{FITTING} {where}", *values)}
        for number in filter(fitting.__contains__, self.wanted.numbers or ()):
            yield from self.with_number(number)

    def count(self) -> int:
        """Return the number of finds."""
        if self.wanted.like or (self.wanted.gone and self.only_catalogues):
            return sum(1 for _ in self.entries())
        where, values = self._conditions(self.wanted)
        return int(self.value(f"{COUNT} {where}", *values))

    def entry(self, number: int) -> CatalogueEntry:
        """Return the find of a request.

        Raises:
            StopIteration: There is none.
        """
        return next(self.with_number(number))

    def with_number(self, number: int) -> Iterator[CatalogueEntry]:
        """Yield the find of a request, unless a later version has replaced it."""
        if number > GONE:
            return self._gone(number)
        return self._entries(ALL, "WHERE entries.number = ?", number)

    def last_event(self) -> tuple[int, int]:
        """Return the place of the last answer in the journal, and that of the last inspection."""
        return (
            self.value("SELECT coalesce(max(seq), 0) FROM answers"),
            self.value("SELECT coalesce(max(rowid), 0) FROM inspections"),
        )

    def answered_since(self, seq: int) -> Iterator[CatalogueEntry]:
        """Yield the finds whose answer came after an event of the journal, as they came."""
        yield from self._entries(ALL, "WHERE answers.seq > ? ORDER BY answers.seq", seq)
        for _, find, _ in dataset_finds(self.rows, seq):
            yield from self.with_number(find.number)

    def inspected_since(self, row: int) -> Iterator[CatalogueEntry]:
        """Yield the finds whose file was inspected after another: by the row of the inspection."""
        return self._entries(ALL, "WHERE seen.rowid > ? ORDER BY seen.rowid", row)

    def facets(self) -> Facets:
        """Return what finds may be filtered by, regardless of the filter."""
        values = {}
        for name in FACETS:
            statement = f"""SELECT {name}, count(*) FROM entries GROUP BY {name}
                ORDER BY 2 DESC, 1 LIMIT {MOST_VALUES}"""  # noqa: S608 - our own names
            values[name] = [(value, count) for value, count in self.rows(statement)]
        changes: dict[tuple[int, str], int] = {}
        for mine in self._rounds if len(self._rounds) > 1 else ():
            for name in CHANGES:
                where, given = Wanted(**{name: True}).conditions(mine)  # type: ignore[arg-type]
                count = int(self.value(f"{COUNT} {where}", *given))
                listed = count_changes(self.rows, mine.first, mine.next_first or LAST)
                if count := count + listed.get(name, 0):
                    changes[mine.number, name] = count
        return Facets(values, changes)

    def datasets(self) -> Iterator[ListedDataset]:
        """Yield what APIs list, fetched or not, regardless of the filter."""
        return read_datasets(self.rows)

    def by_file(self) -> Iterator[list[CatalogueEntry]]:
        """Yield the finds in groups that share one file; those without a file are left out."""
        entries = (one for one in self.entries("path") if one.find.file)
        for _, group in itertools.groupby(entries, key=lambda entry: entry.find.file):
            yield list(group)

    def types(self) -> set[str]:
        """Return the types of the finds: formats, endings of file names, and MIME types."""
        formats = self.rows("SELECT DISTINCT formats FROM entries")
        return {name for (text,) in formats for name in str(text).split("\n")} - {""}

    def files(self) -> Iterator[str]:
        """Yield the names of the finds' files, each once, those that are gone included."""
        if self.wanted is not ALL:
            yield from (group[0].find.file for group in self.by_file())
            return
        for (name,) in self.rows("SELECT DISTINCT file FROM finds WHERE file <> '' ORDER BY file"):
            yield name

    def path_of(self, find: FindRow) -> Path | None:
        """Return where a find's file is; None when it is no longer there."""
        place = self.place_of(find.file)
        return None if place is None else Path(place)

    def place_of(self, file: str) -> str | None:
        """Return where a file of a find is, as text: a path for each of very many takes long.

        The database may have come from somebody else: no name in it leads out of its folder.
        """
        above, _, name = file.rpartition("/")
        folder = self._folder(above) if name not in {"", ".", ".."} else None
        if folder is None:
            return None
        place = os.path.join(folder, name)  # noqa: PTH118 - a Path takes six times as long
        try:
            return place if stat.S_ISREG(os.lstat(place).st_mode) else None
        except (OSError, ValueError):  # gone, or a name that no disk can have
            return None

    def _folder(self, above: str) -> str | None:
        """Return a folder below `files/` by its path; None for any other. Many files share one."""
        if above not in self._folders:
            parts = PurePosixPath(above).parts
            folder = self._resolved.joinpath(*parts)
            try:
                inside = folder.resolve().is_relative_to((self._resolved / FILES).resolve())
            except (OSError, ValueError):
                inside = False
            good = inside and parts[:1] == (FILES,) and ".." not in parts
            self._folders[above] = str(folder) if good else None
        return self._folders[above]

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        blame_damage(self.folder, error)

    @property
    def round(self) -> CrawlRound:
        """The round that the filter asks for; the last one unless told."""
        return round_named(self._rounds, self.wanted.round)

    @cached_property
    def _rounds(self) -> list[CrawlRound]:
        return rounds_of(self.rows)

    @property
    def only_catalogues(self) -> bool:
        """Whether the crawl only catalogued what APIs list: then datasets are its finds."""
        return bool(next(self.rows(f"SELECT {ONLY_CATALOGUES}"))[0])

    def _conditions(self, wanted: Wanted) -> tuple[str, list[object]]:
        if not wanted.changes:
            return wanted.conditions(None)
        news = dataset_news(self.rows, *self._within)
        numbers = [find.number for change, find, _ in news if change in wanted.changes]
        return wanted.conditions(self.round, numbers)

    @property
    def _within(self) -> tuple[int, int]:
        """The requests of the round that the filter asks for."""
        return self.round.first, self.round.next_first or LAST

    def _gone(self, number: int = 0) -> Iterator[CatalogueEntry]:
        """Yield the datasets that were gone in the wanted round; or one of any round."""
        kind = self.wanted.type.strip().lower().removeprefix(".")
        within = (0, LAST) if number else self._within
        for change, find, listed in dataset_news(self.rows, *within, number):
            if change == "gone":
                title = one_line(listed.dataset.title or find.final_url, MOST_TITLE)
                entry = dataset_entry(find, listed, title, is_gone=True)
                if number or (self.wanted.is_like(entry) and (not kind or kind in entry.formats)):
                    yield entry

    def _entries(self, wanted: Wanted, ending: str, *more: object) -> Iterator[CatalogueEntry]:
        where, values = self._conditions(wanted)
        listed = LISTED % (TIMES if len(self._rounds) > 1 else ONE_TIME)
        return map(self._entry, self.rows(f"{listed} {where} {ending}", *values, *more))

    def _entry(self, row: Any) -> CatalogueEntry:
        title, number, *values = row
        if number > DATASET:
            _, find, listed = next(dataset_finds(self.rows, 0, number))
            return dataset_entry(find, listed, title)
        about = describe_file(self.rows, values[1]) if self._has_listings else None
        return entry_of(values[:-TIMED], title, about, tuple(values[-TIMED:]))

    @cached_property
    def _has_listings(self) -> bool:
        return bool(list(self.rows("SELECT 1 FROM listed LIMIT 1")))


def _number(entry: CatalogueEntry) -> int:
    return entry.find.number


# Of datasets that are gone, which are in no table of entries.
GONE_ORDERS: dict[str, Callable[[CatalogueEntry], Any]] = {
    "title": lambda entry: entry.title.casefold(),
    "url": lambda entry: entry.find.final_url,
    "size": lambda entry: -entry.find.size,
}


def _checked(folder: Path) -> dict[str, str]:
    """Return the config of a crawl; refuse a folder without one, or of a format we cannot read."""
    with CrawlDir.open(folder, write=False) as directory:
        return directory.facts.meta()


__all__ = ["Catalogue", "CatalogueEntry", "Facets"]
