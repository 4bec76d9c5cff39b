"""The catalogue for those who read it: each find with what is in its file, one at a time.

Reading needs no lock: it works while a crawl is running, and shows what was committed when
it began.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from lodehound.core.urls import host_of
from lodehound.stores.catalogue.crawl_rounds import GONE, STATES, CrawlRound, round_named, rounds_of
from lodehound.stores.catalogue.datasets import DATASET, ONLY_CATALOGUES, dataset_finds, formats_of
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.catalogue.listings import (
    FileDescription,
    ListedDataset,
    describe_file,
    read_datasets,
)
from lodehound.stores.catalogue.titles import FACTS, MOST_TITLE, WITH_CAPTIONS, FindFacts, Titles
from lodehound.stores.catalogue.totals import Summary, summary_of
from lodehound.stores.catalogue.wanted import ALL, Wanted
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.schema import CONTENT
from lodehound.stores.files.file_names import name_of
from lodehound.stores.files.layout import FILES
from lodehound.stores.repair.damage import blame_damage, naming_damage
from lodehound.stores.texts import one_line

FIND = tuple(field.name for field in dataclasses.fields(FindRow))
SEEN = tuple(field.name for field in dataclasses.fields(Inspected))
ABOUT = "coalesce(captions.about, '')"
# What a target says of a find beyond its label stands with the answer that brought it.
PLACES = [f"answers.{name}" if name == "details" else f"finds.{name}" for name in FIND]
COLUMNS = ", ".join([*PLACES, *(f"seen.{name}" for name in SEEN), FACTS, ABOUT, CONTENT])
JOINED = f"""
    SELECT {COLUMNS}, %s FROM finds
    LEFT JOIN inspections AS seen ON seen.file = finds.file {WITH_CAPTIONS}
    LEFT JOIN answers ON answers.number = finds.number"""  # noqa: S608 - our own names
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
# Finds that were new or changed in the requests from one number up to another.
NEWS = """
    SELECT answers.url FROM answers JOIN contents USING (number)
    WHERE change = ? AND found AND number >= ? AND number < ?"""
# Finds that share one file: each has a name of its own.
SHARING = """
    SELECT file, final_url, mime FROM finds
    WHERE file <> '' AND file IN (SELECT file FROM finds GROUP BY file HAVING count(*) > 1)"""
NAMED = len(FindFacts._fields)
TRUNCATED, DETAILS = FIND.index("truncated"), FIND.index("details")


def ending_of(file: str) -> str:
    """Return the ending of a file's name, without its point and in lower case."""
    stem, _, ending = file.rpartition("/")[2].rpartition(".")
    return ending.lower() if stem else ""


@dataclass(frozen=True)
class CatalogueEntry:
    """A find, and what is in its file.

    Attributes:
        find: Its line in the catalogue.
        seen: What is in the file; None of a file that nobody has looked into, or that is cut.
        title: The title of the find.
        content: What the file contains: one of `schema.CONTENTS`.
        listed: What an API says about the file, if one lists it.
        first_seen: When it was first found.
        last_seen: When it was last there.
        gone_at: When it was last seen to be gone; "" if it is there.
        about: What a page says about the file; "" if nothing is stored.
    """

    find: FindRow
    seen: Inspected | None
    title: str
    content: str
    listed: FileDescription | None = None
    first_seen: str = ""
    last_seen: str = ""
    gone_at: str = ""
    about: str = ""

    @property
    def kind(self) -> str:
        """What the file is by its content: csv, xlsx, pdf...; "" when that is not known."""
        return self.seen.kind if self.seen else ""

    @property
    def type(self) -> str:
        """What the file is; if it could not be read, what its name says."""
        known = (self.read.kind if self.read else "") or self.ending or self.kind
        return known or next(iter(self.formats), "")

    @property
    def formats(self) -> list[str]:
        """The formats of the files of a dataset; [] of a find that was fetched."""
        return formats_of(self.listed.dataset) if self.listed and not self.find.file else []

    @property
    def rows(self) -> int:
        return self.seen.rows if self.seen else 0

    @property
    def read(self) -> Inspected | None:
        """The contents of the file, or None if it was not inspected or could not be read."""
        return None if self.content == "unreadable" else self.seen

    @property
    def ending(self) -> str:
        """The ending of its name, without the point and in lower case."""
        return ending_of(self.name)

    @cached_property
    def name(self) -> str:
        """The name of the file, or the end of its address when there is no file.

        A file that is stored for another URL, with the same content, does not give its name.
        """
        return name_of(self.find.file, self.find.final_url, self.find.mime)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of the largest table."""
        names = _json(self.seen.header) if self.seen else None
        return tuple(map(str, names)) if isinstance(names, list) else ()

    @cached_property
    def inspection(self) -> dict[str, Any]:
        """Everything that is known of the file's content, as `lodehound.inspect` wrote it."""
        known = _json(self.seen.inspection) if self.seen else None
        return known if isinstance(known, dict) else {}


class Catalogue(CrawlDatabase):
    """The finds of one crawl directory, to read. Close it when done.

    Args:
        folder: The crawl directory.
        wanted: Which finds; all of them unless told.
        titles: The titles, if they are known from an earlier look: to count anew which texts
            repeat takes a pass over all finds.

    Attributes:
        folder: The crawl directory.
        wanted: Which finds.
        config: The crawl's config.
        version: The version of the program that began it.
        created_at: When that was, in UTC.
        ended: Why the crawl last ended; "" while it runs, or when it was killed.
    """

    def __init__(self, folder: Path, wanted: Wanted = ALL, *, titles: Titles | None = None) -> None:
        self._known_titles = titles
        self.wanted = wanted
        self._resolved = folder.resolve()
        self._folders: dict[str, str | None] = {}
        meta = _checked(folder)
        config = _json(meta["config"])
        self.config: dict[str, Any] = config if isinstance(config, dict) else {}
        self.version, self.created_at = meta["version"], meta["created_at"]
        self.ended = meta.get("ended", "")
        with naming_damage(folder), ExitStack() as undo:
            super().__init__(folder, write=False)
            undo.callback(self.close)
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

    def entries(self) -> Iterator[CatalogueEntry]:
        """Yield the finds, in the order they were asked for."""
        return self._entries("ORDER BY finds.number", datasets=0)

    def entry(self, number: int) -> CatalogueEntry:
        """Return the find of a request."""
        return next(self.with_number(number))

    def with_number(self, number: int) -> Iterator[CatalogueEntry]:
        """Yield the find of a request, unless a later version has replaced it."""
        if number > DATASET:
            return self._datasets(number=number)
        return self._entries("WHERE finds.number = ?", number)

    def last_event(self) -> tuple[int, int]:
        """Return the place of the last answer in the journal, and that of the last inspection."""
        return (
            self.value("SELECT coalesce(max(seq), 0) FROM answers"),
            self.value("SELECT coalesce(max(rowid), 0) FROM inspections"),
        )

    def answered_since(self, seq: int) -> Iterator[CatalogueEntry]:
        """Yield the finds whose answer came after an event of the journal, as they came."""
        return self._entries("WHERE answers.seq > ? ORDER BY answers.seq", seq, datasets=seq)

    def inspected_since(self, row: int) -> Iterator[CatalogueEntry]:
        """Yield the finds whose file was inspected after another: by the row of the inspection."""
        return self._entries("WHERE seen.rowid > ? ORDER BY seen.rowid", row)

    def datasets(self) -> Iterator[ListedDataset]:
        """Yield what APIs list, fetched or not, regardless of the filter."""
        return read_datasets(self.rows)

    def by_file(self) -> Iterator[list[CatalogueEntry]]:
        """Yield the finds in groups that share one file; those without a file are left out."""
        entries = self._entries("WHERE finds.file <> '' ORDER BY finds.file, finds.number")
        for _, group in itertools.groupby(entries, key=lambda entry: entry.find.file):
            yield list(group)

    def types(self) -> set[str]:
        """Return the types of the finds: formats, endings of file names, and MIME types."""
        kinds = {kind for (kind,) in self.rows("SELECT DISTINCT kind FROM inspections")}
        names = list(self.rows("SELECT DISTINCT file, mime FROM finds"))
        names += [(name_of(*row), row[2]) for row in self.rows(SHARING)]
        pairs = [(ending_of(name), mime.lower()) for name, mime in names]
        kinds.update(form for entry in self._datasets() for form in entry.formats)
        return (kinds | {text for pair in pairs for text in pair}) - {""}

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

    @cached_property
    def titles(self) -> Titles:
        return self._known_titles or Titles(self.rows)

    @property
    def round(self) -> CrawlRound:
        """The round that the filter asks for; the last one unless told."""
        return round_named(self._rounds, self.wanted.round)

    @cached_property
    def _rounds(self) -> list[CrawlRound]:
        return rounds_of(self.rows)

    @cached_property
    def _news(self) -> set[str]:
        """The URLs that changed in the wanted way."""
        mine = self.round
        within = (mine.first, mine.next_first or 1 << 62)
        urls: set[str] = set()
        for name in self.wanted.changes:
            asked = (GONE,) if name == "gone" else (NEWS, name)
            urls.update(row[0] for row in self.rows(*asked, *within))
        return urls

    @property
    def only_catalogues(self) -> bool:
        """Whether the crawl only catalogued what APIs list: then datasets are its finds."""
        return bool(next(self.rows(f"SELECT {ONLY_CATALOGUES}"))[0])

    def _datasets(self, after: int = 0, number: int = 0) -> Iterator[CatalogueEntry]:
        for _, find, listed in dataset_finds(self.rows, after, number):
            title = one_line(listed.dataset.title or find.final_url, MOST_TITLE)
            moment = _to_seconds(find.fetched_at)
            yield CatalogueEntry(find, None, title, "not-inspected", listed, moment, moment)

    def _entries(
        self, order: str, *values: object, datasets: int | None = None
    ) -> Iterator[CatalogueEntry]:
        joined = JOINED % (TIMES if len(self._rounds) > 1 else ONE_TIME)
        found = map(self._entry, self.rows(f"{joined} {order}", *values))
        more = self._datasets(datasets) if datasets is not None else iter(())
        entries = filter(self.wanted.takes, itertools.chain(found, more))
        if not self.wanted.changes:
            return entries
        return (entry for entry in entries if entry.find.final_url in self._news)

    def _entry(self, row: tuple[Any, ...]) -> CatalogueEntry:
        values = list(row)
        values[TRUNCATED] = bool(values[TRUNCATED])
        values[DETAILS] = values[DETAILS] or ""
        *values, about, content, first, last, gone = values
        find = FindRow(*values[: len(FIND)])
        seen = Inspected(*values[len(FIND) : -NAMED]) if values[len(FIND)] is not None else None
        title = self.titles.title(FindFacts(*values[-NAMED:]))
        listed = describe_file(self.rows, find.url) if self._has_listings else None
        first, last, gone = map(_to_seconds, (first, last, gone))
        return CatalogueEntry(find, seen, title, content, listed, first, last, gone, about)

    @cached_property
    def _has_listings(self) -> bool:
        return bool(list(self.rows("SELECT 1 FROM listed LIMIT 1")))


def _checked(folder: Path) -> dict[str, str]:
    """Return the config of a crawl; refuse a folder without one, or of a format we cannot read."""
    with CrawlDir.open(folder, write=False) as directory:
        return directory.facts.meta()


def _to_seconds(moment: str) -> str:
    """Return a time as the catalogue has it, without fractions of a second."""
    if "." not in moment:
        return moment
    try:
        return datetime.fromisoformat(moment).isoformat(timespec="seconds")
    except ValueError:
        return moment


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
