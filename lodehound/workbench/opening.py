"""Opens the browser without showing a secret to the other users of the machine."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import webbrowser
from pathlib import Path

from lodehound.workbench.access import page_to


class LinkPage:
    """A page that leads to a link, in a file that only its user can read.

    Everybody sees the command line of a browser, so a link has no place there.
    """

    def __init__(self) -> None:
        self._path: Path | None = None

    def open(self, link: str) -> None:
        """Write the page and open it in the browser of the user.

        Raises:
            OSError: No file can be written.
        """
        self._path = _file()
        self._path.write_text(page_to(link), encoding="utf-8")
        # Browsers in a terminal return when they are left, and the server has to answer them.
        threading.Thread(target=webbrowser.open, args=[self._path.as_uri()], daemon=True).start()

    def remove(self) -> None:
        """Remove the file: the link was used, or leads nowhere any more."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            self._path = None


def _file() -> Path:
    """Make an empty file that only the user can read.

    It is made in the home folder: browsers in a sandbox (snap) read no other temporary files.
    """
    begin, end = "lodehound-", ".html"
    try:
        number, name = tempfile.mkstemp(end, begin, os.path.expanduser("~"))  # noqa: PTH111
    except OSError:
        number, name = tempfile.mkstemp(end, begin)
    os.close(number)
    return Path(name)
