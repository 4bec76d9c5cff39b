"""The crawls that the workbench shows: directories, found again on every look."""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from lodehound.core.errors import LodehoundError
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.facts import CrawlFacts
from lodehound.stores.crawl_dir.folders import crawl_folders
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.locks.lock import holder
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.repair.damage import naming_damage
from lodehound.text.shell import quoted

MOST = 500  # crawls
EVERY = 2.0  # seconds between two looks for new directories
NOT_IN_NAME = re.compile(r"[^a-z0-9]+")

Stamp = tuple[int, ...]


class WatchedCrawl:
    """One crawl directory.

    Args:
        folder: The crawl directory.
        place: The folder that is watched, if it is another.

    Attributes:
        id: Its name in URLs: the same whenever and from wherever the workbench is started.
        name: Its path in the folder that is watched, or the name of its own.
    """

    def __init__(self, folder: Path, place: Path | None = None) -> None:
        self.folder = folder.resolve()
        self.name = self.folder.name
        if place is not None and place.resolve() != self.folder:
            self.name = self.folder.relative_to(place.resolve()).as_posix()
        digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:6]
        slug = NOT_IN_NAME.sub("-", self.folder.name.lower()).strip("-")[:40]
        self.id = f"{slug}-{digest}" if slug else digest

    def stamp(self) -> Stamp:
        """Return numbers that change whenever the crawl writes."""
        return (*_stat(self.folder / DATABASE), *_stat(self.folder / f"{DATABASE}-wal"))

    @property
    def crawling(self) -> str:
        """The process that crawls here, in words; "" if none does."""
        return holder(self.folder)

    def flaw(self) -> str:
        """Return why the crawl cannot be read; "" if it can. Nothing is migrated here."""
        try:
            with (
                naming_damage(self.folder),
                CrawlDatabase(self.folder, write=False, as_it_is=True) as database,
            ):
                meta = CrawlFacts(database).meta()
        except LodehoundError as error:
            return str(error)
        if not meta:
            return "It has not begun yet."
        if meta.get("format") != str(FORMAT):
            return (
                f"It was written by lodehound {meta.get('version')} in another format: "
                f"bring it up to date with 'lodehound status {quoted(self.folder)}'."
            )
        return ""

    @contextmanager
    def opened(self) -> Iterator[tuple[CrawlDir, CrawlReader]]:
        """Open the crawl to read."""
        with CrawlDir.open(self.folder, write=False) as directory, CrawlReader(self.folder) as look:
            yield directory, look


class Crawls:
    """All crawls in some places.

    Args:
        places: Crawl directories, and folders that contain some.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        self.places = tuple(places)
        self._known: dict[Path, WatchedCrawl] = {}
        self._looked_at = -EVERY
        self._lock = threading.Lock()

    def all(self) -> list[WatchedCrawl]:
        """Return the crawls, in the order of their places and names."""
        with self._lock:
            if time.monotonic() - self._looked_at >= EVERY:
                found = {folder: place for place in self.places for folder in crawl_folders(place)}
                self._known = {
                    folder: self._known.get(folder) or WatchedCrawl(folder, place)
                    for folder, place in islice(found.items(), MOST)
                }
                self._looked_at = time.monotonic()
            return list(self._known.values())

    def one(self, name: str) -> WatchedCrawl | None:
        return next((crawl for crawl in self.all() if crawl.id == name), None)

    def look_again(self) -> None:
        """Find what was made a moment ago."""
        with self._lock:
            self._looked_at = -EVERY


def _stat(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
