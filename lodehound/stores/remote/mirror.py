"""Keeps a database, and the files that it names, in an object store while it is written."""

from __future__ import annotations

import json
import os
import platform
import re
import threading
import zlib
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from pathlib import Path

from lodehound.stores.database.connect import connected
from lodehound.stores.files.inside import is_inside
from lodehound.stores.files.layout import FILES
from lodehound.stores.fleet.rows import LeaseLostError
from lodehound.stores.remote.objects import ObjectFolder, ObjectStoreError, patiently
from lodehound.stores.remote.pages import LogReader, Pages, apply, write_image
from lodehound.stores.zipped import TooLongError

EPOCHS, JOURNAL = "epochs", "journal"
EPOCH = re.compile(r"\d{8}")
OBJECT = re.compile(r"(\d{8})-(\d{8})\.(snapshot|pages)")
PATIENCE = 60.0  # seconds for which a failing store is tried again
LEAST = 4 * 2**20  # bytes of segments before a further snapshot
NEW_FILES = """
    SELECT file FROM finds JOIN answers USING (number) WHERE answers.seq > ?"""
BOMB = "unpacks to more than it says"
LAST = "SELECT max(seq) FROM answers"
IS_CRAWL = "SELECT 1 FROM sqlite_schema WHERE name = 'finds'"


class Mirror:
    """One database in an object store. ``claim`` it, ``restore`` it, then ``push`` what changes.

    Args:
        objects: Where it is in the store.
        database: Where it is on this machine.
    """

    def __init__(self, objects: ObjectFolder, database: Path) -> None:
        self.objects = objects
        self.database = database
        self.epoch = 0
        self.lost = False  # somebody else has claimed a later epoch
        self._number = 0  # of the next object
        self._log = LogReader(database)
        self._lock = threading.Lock()  # for what waits
        self._pages = Pages()  # waits
        self._snapshot: bytes | None = None  # waits, and comes first
        self._image: bytes | None = None  # what ``save`` has pushed
        self._since = self._size = 0  # bytes of segments since the last snapshot, and its own
        self._seq = 0  # the answer up to which files are in the store

    def claim(self) -> None:
        """Become the holder; whoever was it before is fenced."""
        text = json.dumps({"process": os.getpid(), "machine": platform.node()}).encode()
        created = False
        while not created:
            names = self._epochs()
            self.epoch = int(names[-1]) + 1 if names else 1
            created = self.objects.create(f"{EPOCHS}/{self.epoch:08}", text)

    def check(self) -> None:
        """Return if this is still the holder.

        Raises:
            LeaseLostError: It is not.
        """
        self.lost = self.lost or self._epochs()[-1:] != [f"{self.epoch:08}"]
        if self.lost:
            raise LeaseLostError(f"Another process has taken over {self.objects.url}.")

    def _epochs(self) -> list[str]:
        return list(filter(EPOCH.fullmatch, self.objects.names(EPOCHS)))

    def restore(self) -> bool:
        """Make the database what it is in the store; return False if it is not there."""
        return restore(self.objects, self.database)

    # --- what changes -------------------------------------------------------------------------

    def begin(self) -> None:
        """Take a first snapshot; call ``committed`` after every commit from now on."""
        self._log.read()
        self._take_snapshot()

    def committed(self) -> None:
        """Take note of what the last commit has written. Nothing else may be writing."""
        with self._lock:
            written = self._log.read()
            self._pages.add(written)
            self._since += written.length
        if self._since > max(LEAST, self._size):
            self._take_snapshot()

    def _take_snapshot(self) -> None:
        with closing(connected(self.database, write=False)) as db:
            image = db.serialize()
        with self._lock:
            self._snapshot, self._pages = image, Pages()
            self._since, self._size = 0, len(image)

    @property
    def waits(self) -> bool:
        """Whether there is something to push."""
        return self._snapshot is not None or bool(self._pages.size)

    def push(self) -> None:
        """Write what waits to the store: files first, then the rows that name them.

        Raises:
            LeaseLostError: Another process has claimed it; nothing was written.
            ObjectStoreError: It cannot be written.
        """
        patiently(self.check, seconds=PATIENCE)
        with self._lock:
            snapshot, pages = self._snapshot, self._pages
            self._snapshot, self._pages = None, Pages()
        self._push_files()
        if snapshot is not None:
            self._put(zlib.compress(snapshot, 1), "snapshot")
            self._delete_older()
        if pages.size:
            self._put(pages.packed(), "pages")

    def finish(self) -> None:
        """Push what waits, and replace all segments by a snapshot. The database is closed."""
        if self.waits or self._number > 1:
            self._take_snapshot()
            self.push()

    def save(self) -> None:
        """Push a snapshot, if the database has changed. Others may write it meanwhile."""
        self._take_snapshot()
        if self._snapshot != self._image:
            self._image = self._snapshot
            self.push()

    def _put(self, data: bytes, kind: str) -> None:
        name = f"{JOURNAL}/{self.epoch:08}-{self._number:08}.{kind}"
        patiently(partial(self.objects.put, name, data), seconds=PATIENCE)
        self._number += 1

    def _delete_older(self) -> None:
        last = f"{self.epoch:08}-{self._number - 1:08}"
        self.objects.delete(f"{JOURNAL}/{one}" for one in self.objects.names(JOURNAL) if one < last)

    # --- files --------------------------------------------------------------------------------

    def _push_files(self) -> None:
        """Upload the files of finds since the last time."""
        with closing(connected(self.database, write=False)) as db:
            if not db.execute(IS_CRAWL).fetchone():
                return
            [(last,)] = db.execute(LAST)
            files = [file for (file,) in db.execute(NEW_FILES, (self._seq,))]
        for file in dict.fromkeys(filter(_is_ours, files)):
            path = self.database.parent / file
            if path.is_file():
                patiently(partial(self.objects.put_file, file, path), seconds=PATIENCE)
        self._seq = last or 0

    def fetch(self, files: Iterable[str]) -> None:
        """Download files that were uploaded before."""
        for file in filter(_is_ours, files):
            if (data := self.objects.get(file)) is not None:
                path = self.database.parent / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


def _is_ours(file: str) -> bool:
    """Return whether a file is one of a crawl: a catalogue in the store may be a stranger's."""
    return is_inside(file, FILES)


def restore(objects: ObjectFolder, database: Path) -> bool:
    """Make a database of its last snapshot and the segments since.

    Args:
        objects: Where it is in the store.
        database: The file; it is replaced.

    Returns:
        False if there is nothing in the store.
    """
    before: list[str] | None = None
    while (names := [name for name in objects.names(JOURNAL) if OBJECT.fullmatch(name)]) != before:
        before = names  # its holder may replace them meanwhile
        for number in reversed(range(len(names))):
            if names[number].endswith(".snapshot") and _restored(objects, names[number:], database):
                return True
    return False


def _restored(objects: ObjectFolder, names: list[str], database: Path) -> bool:
    """Try a snapshot and what follows it.

    A file system other than an object store may show the beginning of a file whose writer was
    killed: it counts as absent.
    """
    packed = objects.get(f"{JOURNAL}/{names[0]}")
    database.parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    try:
        write_image(packed or b"", database)
    except TooLongError as error:
        raise ObjectStoreError(f"{objects.shown} holds no database: {names[0]} {BOMB}.") from error
    except zlib.error:
        return False
    epoch, first = names[0][:8], int(names[0][9:17])
    for number, name in enumerate(names[1:], start=first + 1):
        if not name.startswith(f"{epoch}-{number:08}"):
            break
        if (segment := objects.get(f"{JOURNAL}/{name}")) is None:
            return False
        try:
            apply(segment, database)
        except zlib.error:
            break
    return True
