"""A crawl directory: everything a crawl has seen, decided and found, safe at any instant.

::

    DIR/crawl.sqlite   the journal and the catalogue of finds
    DIR/files/         the finds themselves
    DIR/metadata.json  what Datasette shows beside the tables
    DIR/lock           says which process is crawling
"""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Self

from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir.datasette import write_metadata
from lodehound.stores.crawl_dir.errors import DiskFullError, write_error
from lodehound.stores.crawl_dir.events import (
    Answered,
    Asked,
    FindRow,
    Inspected,
    Offered,
    Summary,
    Waited,
)
from lodehound.stores.crawl_dir.files import FileStore
from lodehound.stores.crawl_dir.journal import Journal
from lodehound.stores.crawl_dir.lock import NAME as LOCK
from lodehound.stores.crawl_dir.lock import Lock, holder
from lodehound.stores.crawl_dir.restore import restore
from lodehound.stores.crawl_dir.schema import FORMAT, MIGRATIONS

DATABASE = "crawl.sqlite"
FILES = "files"
# What a process that was killed while it made a crawl directory may have left in it.
OURS = {LOCK, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal", FILES}


class CrawlDir:
    """One crawl on disk. Make it with ``create`` or ``open``; close it when done.

    Attributes:
        path: The folder.
        config: What the crawl was told, as JSON.
        version: The version of the program that began it.
        created_at: When that was, in UTC.
        journal: What happened, and the catalogue.
    """

    def __init__(self, path: Path, journal: Journal, *, lock: Lock | None) -> None:
        meta = journal.meta()
        self.path = path
        self.config = meta["config"]
        self.version = meta["version"]
        self.created_at = meta["created_at"]
        self.journal = journal
        self._lock = lock
        if lock is not None:
            self.files.tidy()

    @classmethod
    def create(cls, path: Path, *, config: str, version: str) -> Self:
        """Make a crawl directory in a folder that is empty or not there yet."""
        _refuse_occupied(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(path, error) from error
        now = datetime.now(UTC).isoformat(timespec="seconds")
        meta = {"format": str(FORMAT), "version": version, "created_at": now, "config": config}
        with ExitStack() as undo:
            lock = Lock(path)
            undo.callback(lock.release)
            _refuse_occupied(path)  # again: somebody may have been quicker
            journal = Journal(path / DATABASE)
            undo.callback(journal.close)
            journal.set_up(meta)
            write_metadata(path)
            made = cls(path, journal, lock=lock)
            undo.pop_all()
        return made

    @classmethod
    def open(cls, path: Path, *, write: bool = True) -> Self:
        """Open a crawl directory: to continue the crawl, or (``write=False``) to look on."""
        if not (path / DATABASE).is_file():
            raise _no_crawl(path)
        with ExitStack() as undo:
            lock = Lock(path) if write else None
            if lock is not None:
                undo.callback(lock.release)
            journal = Journal(path / DATABASE, write=write)
            undo.callback(journal.close)
            _bring_up(path, journal, write=write)
            opened = cls(path, journal, lock=lock)
            undo.pop_all()
        return opened

    @cached_property
    def files(self) -> FileStore:
        """The finds. Who only looks on does not need to know which names are taken."""
        finds = self.journal.finds()
        taken = ((find.file, find.final_url, find.sha256) for find in finds)
        return FileStore(self.path / FILES, taken=taken)

    @property
    def state(self) -> str:
        """Say in words whether somebody is crawling here."""
        crawling = holder(self.path)
        return f"running, {crawling}" if crawling else "not running"

    def keep_config(self, config: str) -> None:
        """Keep what the crawl is told from now on."""
        self.journal.change_meta("config", config)
        self.config = config

    @property
    def ended(self) -> str:
        """Why the crawl last ended; "" while it runs, or when it was killed."""
        return self.journal.meta().get("ended", "")

    def keep_end(self, reason: str) -> None:
        """Keep why the crawl ended; "" when it goes on."""
        self.journal.change_meta("ended", reason)

    def close(self) -> None:
        """Commit what is noted and let others in."""
        try:
            self.journal.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _no_crawl(path: Path) -> ConfigError:
    return ConfigError(
        f"There is no crawl in {str(path)!r}: begin one with 'lodehound crawl URL --out {path}'."
    )


def _refuse_occupied(path: Path) -> None:
    """Refuse a folder that holds a crawl, or anything but a crawl that was never begun."""
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: choose a folder.")
    names = {entry.name for entry in path.iterdir()}
    strange = names - OURS or (FILES in names and any((path / FILES).iterdir()))
    if not strange and DATABASE not in names:
        return
    if DATABASE in names:
        journal = Journal(path / DATABASE, write=False)
        meta = journal.meta()
        journal.close()
        if meta:
            raise ConfigError(
                f"{str(path)!r} is a crawl already: continue it with 'lodehound resume {path}', "
                f"or choose another folder."
            )
    if strange:
        raise ConfigError(f"{str(path)!r} is not empty: choose a new or an empty folder.")


def _bring_up(path: Path, journal: Journal, *, write: bool) -> None:
    """Bring a crawl directory of an older format up to ours, or refuse it with the way out."""
    meta = journal.meta()
    if not meta:
        raise _no_crawl(path)
    found, version = int(meta["format"]), meta["version"]
    about = f"{str(path)!r} was begun by lodehound {version} in format {found}"
    if found > FORMAT:
        raise ConfigError(
            f"{about}, newer than this version's {FORMAT}: "
            f"bring lodehound up to date (pip install --upgrade lodehound)."
        )
    if any(step not in MIGRATIONS for step in range(found, FORMAT)):
        raise ConfigError(
            f"{about}, which this version no longer reads: "
            f"continue it with that one (pip install lodehound=={version})."
        )
    if found < FORMAT and not write:
        raise ConfigError(f"{about}: bring it up to date with 'lodehound resume {path}' first.")
    for step in range(found, FORMAT):
        journal.migrate(MIGRATIONS[step], step + 1)
    if found < FORMAT:
        write_metadata(path)


__all__ = [
    "Answered",
    "Asked",
    "CrawlDir",
    "DiskFullError",
    "FileStore",
    "FindRow",
    "Inspected",
    "Journal",
    "Offered",
    "Summary",
    "Waited",
    "restore",
]
