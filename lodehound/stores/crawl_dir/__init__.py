"""A crawl directory: everything a crawl has seen, decided and found, safe at any moment.

::

    DIR/crawl.sqlite   the journal and the catalogue of finds
    DIR/files/         the finds themselves
    DIR/versions/      older versions of them, if they are kept
    DIR/metadata.json  descriptions of the tables for Datasette
    DIR/lock           names the process that is crawling
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir.datasette import write_metadata
from lodehound.stores.database.schema import FORMAT, MIGRATIONS
from lodehound.stores.errors import (
    DamagedCrawlError,
    DiskFullError,
    OccupiedError,
    WriteError,
    output_error,
    refuse_url,
    write_error,
)
from lodehound.stores.files.file_store import FileStore
from lodehound.stores.files.inside import check_inside
from lodehound.stores.files.layout import DATABASE, FILES, FLEET, JOURNAL, METADATA, OURS
from lodehound.stores.locks.lock import Lock, holder
from lodehound.stores.log.journal import Journal
from lodehound.stores.repair.damage import blame_damage, naming_damage, refuse_damaged
from lodehound.text.shell import quoted

Reach = Literal["public", "private"]
REACH = "first addresses of "  # a start host: what its name led to


class CrawlDir:
    """One crawl on disk. Create it with ``create`` or ``open``, and close it in the end.

    Attributes:
        path: The folder.
        config: The crawl's config, as JSON.
        version: The version of the program that began it.
        created_at: When that was, in UTC.
        journal: What happened, and the catalogue.
        named: Options of its config that the user has named again: see lodehound.assembly.trust.
    """

    def __init__(self, path: Path, journal: Journal, *, lock: Lock | None) -> None:
        meta = journal.meta()
        self.path = path
        self.config = meta["config"]
        self.version = meta["version"]
        self.created_at = meta["created_at"]
        self.journal = journal
        self.named: frozenset[tuple[str, str]] = frozenset()
        self._lock = lock
        if lock is not None:
            journal.guard = lock.check
            versions = journal.kept_versions(), journal.replaced_versions()
            self.files.tidy(*versions, unused=journal.unused_files())

    @classmethod
    def create(cls, path: Path, *, config: str, version: str) -> Self:
        """Create a crawl directory in a folder that is empty or does not exist.

        A crawl without any successful answer, for example of a dead host, is replaced.
        """
        refuse_url(path)
        check_inside(path, write=True)
        _refuse_occupied(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            return cls._made(path, config=config, version=version)
        except (OSError, WriteError, DiskFullError) as error:
            raise output_error(path, error) from error

    @classmethod
    def _made(cls, path: Path, *, config: str, version: str) -> Self:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        meta = {"format": str(FORMAT), "version": version, "created_at": now, "config": config}
        with ExitStack() as undo:
            lock = Lock(path)
            undo.callback(lock.release)
            _refuse_occupied(path)  # again: another process may have been faster
            _clear(path)
            journal = Journal(path / DATABASE)
            undo.callback(journal.close)
            journal.set_up(meta)
            write_metadata(path)
            made = cls(path, journal, lock=lock)
            undo.pop_all()
        return made

    @classmethod
    def open(cls, path: Path, *, write: bool = True) -> Self:
        """Open a crawl directory: to continue the crawl, or (``write=False``) to look on.

        One of an older format is brought up to date either way.

        Raises:
            DamagedCrawlError: It is damaged, as far as is noticed before its rows are read.
        """
        if not (path / DATABASE).is_file():
            raise no_crawl(path)
        check_inside(path, write=write)
        with naming_damage(path), ExitStack() as undo:
            lock = Lock(path) if write else None
            if lock is not None:
                undo.callback(lock.release)
            journal = Journal(path / DATABASE, write=write)
            undo.callback(journal.close)
            if _is_older(path, journal):
                if not write:
                    undo.close()
                    cls.open(path).close()
                    return cls.open(path, write=False)
                refuse_damaged(path)
                _bring_up(path, journal)
            elif write:
                refuse_damaged(path)
            opened = cls(path, journal, lock=lock)
            undo.pop_all()
        return opened

    @cached_property
    def files(self) -> FileStore:
        """The stored files. A reader does not need to know which names are taken."""
        finds = self.journal.finds()
        taken = ((find.file, find.final_url, find.sha256) for find in finds)
        guard = self._lock.check if self._lock is not None else None
        return FileStore(self.path / FILES, taken=taken, guard=guard)

    @property
    def state(self) -> str:
        """Return whether a process is crawling here, in words."""
        crawling = holder(self.path)
        return f"running, {crawling}" if crawling else "not running"

    def keep_config(self, config: str) -> None:
        """Keep the config that the crawl has from now on."""
        self.journal.change_meta("config", config)
        self.config = config

    @property
    def ended(self) -> str:
        """Why the crawl last ended; "" while it runs, or if it was killed."""
        return self.journal.meta().get("ended", "")

    def keep_end(self, reason: str) -> None:
        """Store why the crawl ended; "" if it continues."""
        self.journal.keep_end(reason)

    def first_addresses(self) -> dict[str, Reach]:
        """Return what the names of start hosts led to at first, as far as it was kept."""
        kept = self.journal.meta().items()
        found = {key.removeprefix(REACH): value for key, value in kept if key.startswith(REACH)}
        return {name: "public" if value == "public" else "private" for name, value in found.items()}

    def keep_first_address(self, name: str, reach: Reach) -> None:
        """Store what the name of a start host leads to at first."""
        self.journal.change_meta(REACH + name, reach)

    def close(self) -> None:
        """Commit everything and release the lock."""
        try:
            self.journal.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        blame_damage(self.path, error)


def no_crawl(path: Path) -> ConfigError:
    """Return the error for a path that is no crawl directory, with the way out."""
    refuse_url(path)
    if path.exists() and not path.is_dir():
        return ConfigError(f"There is no crawl in {str(path)!r}: it is a file, give a folder.")
    if (path / FLEET).is_file():
        place = quoted(path)
        return ConfigError(
            f"{str(path)!r} is a fleet of crawls: use 'lodehound fleet resume {place}', "
            f"'lodehound fleet status {place}' and the like, or name one of its sites."
        )
    if path.is_dir() and _names_in(path) - OURS:
        return ConfigError(f"There is no crawl in {str(path)!r}: it contains no {DATABASE}.")
    place = quoted(path)
    return ConfigError(
        f"There is no crawl in {str(path)!r}: start one with 'lodehound crawl URL --out {place}'."
    )


def _names_in(path: Path) -> set[str]:
    return {entry.name for entry in path.iterdir()}


def _refuse_occupied(path: Path) -> None:
    """Refuse a folder with a crawl or other files, except a crawl that never reached anything."""
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: choose a folder.")
    names = _names_in(path)
    strange = names - OURS or (FILES in names and any((path / FILES).iterdir()))
    if not strange and DATABASE not in names:
        return
    if DATABASE in names:
        meta, is_vain = _looked_at(path)
        if is_vain:
            return
        if meta.get("ended") == "exhausted":
            raise ConfigError(f"{str(path)!r} is a crawl that has ended: choose another folder.")
        if meta:
            raise OccupiedError(path, f"lodehound resume {quoted(path)}")
    if strange:
        raise ConfigError(f"{str(path)!r} is not empty: choose a new or empty folder.")


def _looked_at(path: Path) -> tuple[dict[str, str], bool]:
    """Return the metadata of a crawl, and whether it followed nothing."""
    with naming_damage(path), closing(Journal(path / DATABASE, write=False)) as journal:
        meta = journal.meta()
        if meta.get("format") != str(FORMAT):
            return meta, False
        summary = journal.summary()
        is_vain = not summary.reached or meta.get("ended") == "left out"
        return meta, is_vain and not summary.finds


def _clear(path: Path) -> None:
    """Remove the journal of a crawl that never reached anything; there are no files."""
    try:
        for name in JOURNAL:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error


def _is_older(path: Path, journal: Journal) -> bool:
    """Return whether a crawl directory is of an older format; refuse one we cannot read."""
    meta = journal.meta()
    if not meta and (path / METADATA).exists():
        raise DamagedCrawlError(path, "the table meta is missing or empty")
    if not meta:
        raise no_crawl(path)
    found, version = int(meta["format"]), meta["version"]
    about = f"{str(path)!r} was started by lodehound {version} in format {found}"
    if found > FORMAT:
        raise ConfigError(
            f"{about}, newer than this version's {FORMAT}: "
            f"update lodehound (pip install --upgrade lodehound)."
        )
    if any(step not in MIGRATIONS for step in range(found, FORMAT)):
        raise ConfigError(
            f"{about}, which this version no longer reads: "
            f"continue it with that version (pip install lodehound=={version})."
        )
    return found < FORMAT


def _bring_up(path: Path, journal: Journal) -> None:
    for step in range(int(journal.meta()["format"]), FORMAT):
        journal.migrate(MIGRATIONS[step], step + 1)
    write_metadata(path)


__all__ = ["CrawlDir", "Reach", "no_crawl"]
