"""The console that commands print to."""

from __future__ import annotations

import errno
import os

import rich.console


class Console(rich.console.Console):
    """Raises an error when the reader of the output is gone, as a file does.

    Rich exits at once instead, even in the middle of an event loop.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
