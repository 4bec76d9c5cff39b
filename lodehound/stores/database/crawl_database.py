"""Runs statements in the database of a crawl: to read, or to write in transactions."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, Self

from lodehound.core.errors import LodehoundError, SiteError
from lodehound.stores.database.connect import connected, copied, storable
from lodehound.stores.database.migrations import MIGRATIONS
from lodehound.stores.database.schema import FORMAT, SCHEMA
from lodehound.stores.errors import MovedError, unreadable, write_error
from lodehound.stores.files.layout import DATABASE

META = "SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'"
FORMAT_OF = "SELECT value FROM meta WHERE key = 'format'"


class CrawlDatabase:
    """The database of a crawl directory, also while another process writes to it.

    For one thread at a time. A failed write closes it for writing: a gap would make everything
    after it useless. Everything committed before is safe.

    Args:
        folder: The crawl directory.
        write: Whether it is written; it is created then, if it is missing.
        as_it_is: Read one of an older format as it is; otherwise a copy is read, brought up to
            date.

    Attributes:
        fence: Called before every write; raises to stop it.
        guard: Like fence, and nothing more is written then.
        on_commit: Called after every commit.
        is_copy: Whether this is such a copy.
    """

    def __init__(self, folder: Path, *, write: bool, as_it_is: bool = False) -> None:
        self.folder = folder
        self.fence: Callable[[], None] | None = None
        self.guard: Callable[[], None] | None = None
        self.on_commit: Callable[[], None] | None = None
        self._failure: LodehoundError | None = None
        self._open = True
        self._writing = False
        try:
            self._db = connected(folder.resolve() / DATABASE, write=write)
            self.is_copy = not (write or as_it_is) and self._is_older()
            if self.is_copy:
                self._copy()
        except sqlite3.Error as error:
            raise (write_error if write else unreadable)(folder, error) from error

    def _is_older(self) -> bool:
        found = self._db.execute(FORMAT_OF).fetchone() if self._has_meta() else None
        return found is not None and found[0] in map(str, MIGRATIONS)

    def _has_meta(self) -> bool:
        return self._db.execute(META).fetchone() is not None

    def _copy(self) -> None:
        """Read a copy of the current format in a temporary file from now on."""
        with closing(self._db):
            copy = copied(self._db)
        found = int(copy.execute(FORMAT_OF).fetchone()[0])
        for step in range(found, FORMAT):
            MIGRATIONS[step](copy)
        copy.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))
        self._db = copy

    # --- reading ------------------------------------------------------------------------------

    def rows(self, statement: str, *values: object) -> Iterator[Any]:
        """Yield rows."""
        try:
            for row in self._db.execute(statement, list(map(storable, values))):  # noqa: UP028 - "from" would close it twice
                yield row
        except sqlite3.Error as error:
            raise unreadable(self.folder, error) from error

    def one(self, statement: str, *values: object) -> Any:
        """Return the first row, or None."""
        return next(self.rows(statement, *values), None)

    def value(self, statement: str, *values: object) -> Any:
        """Return the first value of the first row."""
        return next(self.rows(statement, *values))[0]

    @property
    def connection(self) -> sqlite3.Connection:
        """Return the connection, to read what needs more than `rows`."""
        return self._db

    # --- writing ------------------------------------------------------------------------------

    def set_up(self, meta: Mapping[str, str]) -> None:
        """Make the tables of a new crawl and write its metadata, both or neither."""
        with self.committing() as db:
            for statement in SCHEMA:
                db.execute(statement)
            db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            began_at = meta.get("created_at", "")
            db.execute("INSERT INTO rounds VALUES (1, 1, 0, 0.0, ?, '')", (began_at,))

    def migrate(self, change: Callable[[sqlite3.Connection], None], to: int) -> None:
        """Migrate the file to another format in one transaction."""
        with self.committing() as db:
            change(db)
            db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(to),))

    def share(self) -> None:
        """Keep the file so that it works on a network file system: without a write-ahead log.

        A rollback must not remove a file by its name, which may be another holder's by then.
        """
        self._db.execute("PRAGMA journal_mode = TRUNCATE")

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a context: the connection within a transaction, which stays open afterwards."""
        is_part = self._writing  # of a larger write
        return contextlib.nullcontext(self._db) if is_part else self._write()

    @contextlib.contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        if self._failure is not None:
            raise self._failure
        if self.fence is not None:
            self.fence()
        self._writing = True
        try:
            if self.guard is not None:
                self.guard()
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            if self.on_commit is not None and not self._db.in_transaction:
                self.on_commit()
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.rollback()
            if isinstance(error, sqlite3.Error):
                self._failure = write_error(self.folder, error)
                raise self._failure from error
            if isinstance(error, MovedError):
                self._failure = error
                raise
            self._failure = SiteError(f"The journal in {str(self.folder)!r} failed: {error!r}.")
            raise
        finally:
            self._writing = False

    @contextlib.contextmanager
    def committing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, and commit everything written so far."""
        with self.writing() as db:
            yield db
            db.execute("COMMIT")

    def flush(self) -> None:
        """Commit everything written so far."""
        with self.committing():
            pass

    def close(self) -> None:
        """Commit everything written, unless a write has failed, and close the file."""
        try:
            if self._open and self._db.in_transaction:
                self.flush()
        finally:
            self._open = False
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
