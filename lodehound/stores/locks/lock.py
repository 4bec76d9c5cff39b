"""Allows one writer per crawl directory: an operating system lock that ends with its process."""

from __future__ import annotations

import contextlib
import os
import platform
import stat
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.errors import MovedError, write_error
from lodehound.stores.files.inside import NO_FOLLOW, refuse_links
from lodehound.stores.files.layout import LOCK
from lodehound.stores.locks.stopping import forget_request

MOST_TEXT = 300  # bytes of the file that are read
TRIES, PAUSE = 50, 0.02  # seconds; whoever checks a lock holds it for a moment

if sys.platform == "win32":
    import msvcrt

    # Others cannot read a locked byte, so the lock is far behind the text.
    LOCKED_BYTE = 1 << 20

    def _seize(descriptor: int) -> None:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    _check = _seize

else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _check(descriptor: int) -> None:
        # Shared: two processes that check at the same time do not take each other for the holder.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


# The errors if another process holds the lock.
TAKEN = (BlockingIOError, PermissionError)


class Lock:
    """Held from its construction until ``release``, or until the process ends.

    The file names the process that holds it. It is never removed: otherwise a process with
    the old file and one with a new file could both hold "the" lock.

    Args:
        folder: The directory.
        then: What to do when it can be written, unless that is ``lodehound resume``.

    Raises:
        ConfigError: Another process holds it; the message names it.
    """

    def __init__(self, folder: Path, then: str = "") -> None:
        refuse_links(folder, [LOCK])
        try:
            self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o644)
        except OSError as error:
            raise write_error(folder, error, then) from error
        self._held = True
        self._folder = folder
        self._path = folder.absolute() / LOCK  # the process may change its working folder
        try:
            self._take(folder, then)
        except BaseException:
            os.close(self._file)
            raise

    def release(self) -> None:
        if self._held:
            self._held = False
            with contextlib.suppress(OSError):
                forget_request(self._path.parent)  # it was made while this process was here
            os.ftruncate(self._file, 0)
            os.close(self._file)

    def check(self) -> None:
        """Raise an error if the folder or its lock was moved or removed by someone else.

        What is written under the old name afterwards would be lost, or mixed with the files of
        another process.
        """
        try:
            here = os.path.samestat(self._path.stat(), os.fstat(self._file))
        except OSError:
            here = False
        if not here:
            raise MovedError(self._folder)

    def _take(self, folder: Path, then: str) -> None:
        try:
            self._seize()
        except TAKEN as error:
            holder = _read(self._file)
            raise ConfigError(
                f"{str(folder)!r} is being crawled by {holder}: wait for it or stop it first."
            ) from error
        except OSError as error:
            raise ConfigError(
                f"{str(folder)!r} cannot be locked ({error}): choose a folder on a local disk."
            ) from error
        try:
            forget_request(folder)
            self._sign()
        except OSError as error:
            raise write_error(folder, error, then) from error

    def _seize(self) -> None:
        for _ in range(TRIES):
            with contextlib.suppress(*TAKEN):
                return _seize(self._file)
            time.sleep(PAUSE)  # another process may only be checking whether it is free
        return _seize(self._file)

    def _sign(self) -> None:
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        text = f"process {os.getpid()} on {platform.node() or 'this machine'} since {since}\n"
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, text.encode("utf-8", "replace"))


def holder(folder: Path) -> str:
    """Return the process that is crawling in a folder, or ""."""
    descriptor = _opened(folder / LOCK)
    if descriptor is None:
        return ""
    try:
        _check(descriptor)  # only for a moment: closing the descriptor releases it
    except TAKEN:
        return _read(descriptor)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return ""


def _opened(path: Path) -> int | None:
    with contextlib.suppress(OSError):
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
    for mode in (os.O_RDWR, os.O_RDONLY):  # other users may only read
        with contextlib.suppress(OSError):
            return os.open(path, mode | NO_FOLLOW)
    return None


def _read(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, MOST_TEXT).decode("utf-8", "replace")
    return " ".join(text.split()) or "another process"
