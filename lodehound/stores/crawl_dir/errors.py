"""A disk that has no room, told apart from a disk that cannot be written at all."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from lodehound.core.errors import LodehoundError, SiteError

# No room on the disk, in the quota, or under the limit of a file's size.
FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
# SQLite says FULL of the disk only; of quotas and limits it says that a write failed.
SQLITE_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}


class WriteError(SiteError):
    """Something could not be written, for the reason that `cause` says."""

    def __init__(self, message: str, cause: Exception | None = None) -> None:
        super().__init__(message)
        self.cause = cause


class DiskFullError(LodehoundError):
    """There is no room for more of the crawl. What was committed is safe."""

    exit_code = 5

    def __init__(self, folder: Path, cause: Exception, then: str = "") -> None:
        then = then or f"continue the crawl with 'lodehound resume {folder}'"
        super().__init__(
            f"There is no room left to write in {str(folder)!r} ({cause}): make room, then {then}."
        )
        self.cause = cause


def _is_full(cause: Exception) -> bool:
    if isinstance(cause, OSError):
        return cause.errno in FULL
    return getattr(cause, "sqlite_errorcode", 0) in SQLITE_FULL


def write_error(folder: Path, cause: OSError | sqlite3.Error) -> LodehoundError:
    """Return what to tell of a failed write to a crawl directory."""
    if _is_full(cause):
        return DiskFullError(folder, cause)
    return WriteError(
        f"{str(folder)!r} cannot be written ({cause}): "
        f"put that right, then continue the crawl with 'lodehound resume {folder}'.",
        cause,
    )


def output_error(output: Path | str, error: Exception) -> LodehoundError:
    """Return what to tell of a failed write to anything that is no crawl directory.

    Args:
        output: What could not be written.
        error: Why: an OSError, or what `write_error` made of one.
    """
    known = error.cause if isinstance(error, WriteError | DiskFullError) else None
    cause = known or error
    if _is_full(cause):
        return DiskFullError(Path(output), cause, "do it again, or choose another place")
    return WriteError(f"{str(output)!r} cannot be written ({cause}): choose another place.", cause)


def unreadable(folder: Path, error: Exception) -> SiteError:
    """Return what to tell of a database that cannot be read."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return SiteError(
            f"The journal in {str(folder)!r} cannot be opened ({error}): see who may read it."
        )
    return SiteError(f"The journal in {str(folder)!r} cannot be read ({error}): it is damaged.")
