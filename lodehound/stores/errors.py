"""Tells apart the ways in which a disk or a database fails."""

from __future__ import annotations

import errno
import re
import sqlite3
from pathlib import Path

from lodehound.core.errors import ConfigError, LodehoundError, SiteError
from lodehound.text.shell import quoted

# No space on the disk, in the quota, or below the limit of a file's size.
FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
# SQLite reports FULL for the disk only; for quotas and limits it reports a failed write.
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
SQLITE_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}

URL = re.compile(r"[a-z][a-z0-9+.-]+:[/\\]", re.IGNORECASE)  # a Path has lost the second slash


class WriteError(SiteError):
    """A write failed; `cause` is the original error."""

    def __init__(self, message: str, cause: Exception | None = None) -> None:
        super().__init__(message)
        self.cause = cause


class MovedError(WriteError):
    """A crawl directory, or its lock, was moved or removed during a crawl."""

    def __init__(
        self, folder: Path, what: str = ", or the file 'lock' in it,", command: str = "resume"
    ) -> None:
        super().__init__(
            f"{str(folder)!r}{what} was moved or removed during the crawl, "
            f"which has stopped: continue it with 'lodehound {command}' and the folder's new name."
        )


class OccupiedError(ConfigError):
    """A new crawl was to begin in the folder of another one."""

    def __init__(self, folder: Path, command: str) -> None:
        super().__init__(
            f"{str(folder)!r} is a crawl already: continue it with '{command}', "
            f"or choose another folder."
        )


class DamagedCrawlError(SiteError):
    """A crawl directory is damaged; ``lodehound repair`` saves what is sound.

    Args:
        folder: The crawl directory.
        what: What is damaged.
    """

    def __init__(self, folder: Path, what: object) -> None:
        super().__init__(
            f"The crawl in {str(folder)!r} is damaged ({what}): "
            f"save all that is sound with 'lodehound repair {quoted(folder)}'."
        )


class DiskFullError(LodehoundError):
    """There is no space left for the crawl. Everything committed is safe."""

    exit_code = 5

    def __init__(self, folder: Path, cause: Exception, then: str = "") -> None:
        then = then or _resume(folder)
        super().__init__(
            f"There is no space left in {str(folder)!r} ({cause}): free some space, then {then}."
        )
        self.cause = cause


def _is_full(cause: Exception) -> bool:
    if isinstance(cause, OSError):
        return cause.errno in FULL
    return getattr(cause, "sqlite_errorcode", 0) in SQLITE_FULL


def write_error(folder: Path, cause: OSError | sqlite3.Error, then: str = "") -> LodehoundError:
    """Return the error for a failed write to a crawl directory.

    Args:
        folder: The directory.
        cause: What happened.
        then: What to do when the cause is gone, unless that is ``lodehound resume``.
    """
    then = then or _resume(folder)
    if _is_full(cause):
        return DiskFullError(folder, cause, then)
    if _code(cause) in DAMAGED:
        return DamagedCrawlError(folder, cause)
    return WriteError(f"{str(folder)!r} cannot be written ({cause}): fix this, then {then}.", cause)


def _resume(folder: Path) -> str:
    return f"continue the crawl with 'lodehound resume {quoted(folder)}'"


def as_typed(place: Path | str) -> str:
    """Return a URL that was taken for a path, and has lost a slash by that."""
    return re.sub(r":/(?!/)", "://", str(place), count=1)


def refuse_url(place: Path | str) -> None:
    """Refuse a URL in the place of a file or a folder."""
    if URL.match(str(place)):
        raise ConfigError(
            f"{as_typed(place)!r} is a URL: name a file or a folder. "
            "Only the crawls of 'lodehound fleet' can be in an object store."
        )


def output_error(output: Path | str, error: Exception) -> LodehoundError:
    """Return the error for a failed write to anything but a crawl directory.

    Args:
        output: What could not be written.
        error: An OSError, or the error that `write_error` made of one.
    """
    known = error.cause if isinstance(error, WriteError | DiskFullError) else None
    cause = known or error
    if _is_full(cause):
        return DiskFullError(Path(output), cause, "try again, or choose another place")
    return WriteError(f"{str(output)!r} cannot be written ({cause}): choose another place.", cause)


def unreadable(folder: Path, error: Exception) -> SiteError:
    """Return the error for a database that cannot be read."""
    if _code(error) in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return SiteError(
            f"The journal in {str(folder)!r} cannot be opened ({error}): check its permissions."
        )
    if _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR}:
        return SiteError(f"The journal in {str(folder)!r} cannot be read now ({error}): try again.")
    return DamagedCrawlError(folder, error)


def _code(error: Exception) -> int:
    """Return the primary code of an error of SQLite; 0 for others."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
