"""The folder for the temporary files of a browser: its profiles are there.

A process that is killed cannot remove it; the next browser that starts does. The folder is in use
as long as a process holds the lock in it, which ends with the process.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

from lodehound.drivers.environment import with_variable

try:
    import fcntl
except ImportError:  # Windows: what is left there stays
    fcntl = None  # type: ignore[assignment]

PREFIX = "lodehound-browser-"
LOCK = "lock"
SOCKETS = "sockets"  # a link to the folder in which the browser has its sockets
BROWSER = ".Chrom"  # in the name of that: org.chromium.Chromium.x, com.google.Chrome.x
SHORT = Path("/tmp")  # noqa: S108 - the browser makes a folder of its own there
MAX_PLACE = 45  # characters: a socket's path has at most 107, and the browser adds up to 60
NEW = 3600.0  # seconds in which a folder without a lock may be one that is just being made


class BrowserFolder:
    """A folder that is removed with its contents when it is closed."""

    def __init__(self) -> None:
        remove_stale()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        if fcntl is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX)

    def as_temporary(self) -> contextlib.AbstractContextManager[None]:
        """Have programs that are started now keep their temporary files in it.

        Their own programs inherit that, unless they are given another environment.
        """
        tempfile.gettempdir()  # ours stays where it is
        return with_variable("TMPDIR", str(self.path))

    def note_sockets(self) -> None:
        """Note where the browser that was started has its sockets.

        They need shorter paths than this folder may have. A browser that is killed leaves them,
        and its profile, which names their place, may be gone by then.
        """
        for socket in self.path.glob("*/SingletonSocket"):
            with contextlib.suppress(OSError):
                (self.path / SOCKETS).symlink_to(socket.readlink().parent)

    def close(self) -> None:
        _remove(self.path)
        os.close(self._lock)


def place_of_sockets() -> Path:
    """Return where a browser makes the folder of its sockets, which need short paths."""
    usual = Path(tempfile.gettempdir())
    return SHORT if len(str(usual)) > MAX_PLACE and os.access(SHORT, os.W_OK) else usual


def remove_stale() -> None:
    """Remove the folders of our own whose process has ended."""
    if fcntl is None:
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                _remove_unless_used(path, status.st_mtime)


def _remove_unless_used(path: Path, changed: float) -> None:
    try:
        lock = os.open(path / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        if time.time() - changed > NEW:
            _remove(path)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while a process uses it
        _remove(path)
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    """Remove a folder, and that of the browser's sockets beside it."""
    with contextlib.suppress(OSError):
        sockets = (folder / SOCKETS).readlink()
        if sockets.parent in {folder.parent, SHORT} and BROWSER in sockets.name:
            shutil.rmtree(sockets, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
