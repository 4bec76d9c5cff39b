"""A request to stop a crawl: a file in its directory, which only those make who may write there.

No process is asked by its number. The lock names one, but whoever made the directory may have
written any number there.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from lodehound.core.errors import ConfigError, reason_of
from lodehound.stores.files.inside import NO_FOLLOW
from lodehound.stores.files.layout import STOP


def ask_to_stop(folder: Path) -> None:
    """Ask the process that crawls in a folder to stop in order.

    Raises:
        ConfigError: Nothing can be written there.
    """
    try:
        os.close(os.open(folder / STOP, os.O_CREAT | os.O_WRONLY | NO_FOLLOW, 0o644))
    except OSError as error:
        raise ConfigError(
            f"The crawl cannot be stopped from here ({reason_of(error)}): stop it where it runs."
        ) from error


def is_asked_to_stop(folder: Path) -> bool:
    """Return whether somebody has asked; a link, a pipe or a folder of that name is no request."""
    with contextlib.suppress(OSError):
        return stat.S_ISREG((folder / STOP).lstat().st_mode)
    return False


def forget_request(folder: Path) -> None:
    """Remove a request that was for an earlier process, or was fulfilled.

    Raises:
        OSError: It cannot be removed.
    """
    if is_asked_to_stop(folder):
        (folder / STOP).unlink(missing_ok=True)
