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


class DiskFullError(LodehoundError):
    """There is no room for more of the crawl. What was committed is safe."""

    def __init__(self, folder: Path, cause: Exception) -> None:
        super().__init__(
            f"There is no room left to write in {str(folder)!r} ({cause}): "
            f"make room, then continue the crawl with 'lodehound resume {folder}'."
        )


def write_error(folder: Path, cause: OSError | sqlite3.Error) -> LodehoundError:
    """Return what to tell of a failed write to a crawl directory."""
    if isinstance(cause, OSError):
        full = cause.errno in FULL
    else:
        full = getattr(cause, "sqlite_errorcode", 0) in SQLITE_FULL
    if full:
        return DiskFullError(folder, cause)
    return SiteError(
        f"{str(folder)!r} cannot be written ({cause}): "
        f"put that right, then continue the crawl with 'lodehound resume {folder}'."
    )


def unreadable(folder: Path, error: Exception) -> SiteError:
    """Return what to tell of a database that cannot be read."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return SiteError(
            f"The journal in {str(folder)!r} cannot be opened ({error}): see who may read it."
        )
    return SiteError(f"The journal in {str(folder)!r} cannot be read ({error}): it is damaged.")
