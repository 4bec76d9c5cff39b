"""The console that commands print to."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

import rich.console
from rich.segment import Segment

from lodehound.text.shell import visible


class Console(rich.console.Console):
    """Raises an error when the reader of the output is gone, as a file does.

    Rich exits at once instead, even in the middle of an event loop. It also leaves in a text
    what a terminal obeys; this does not.
    """

    def render(
        self,
        renderable: rich.console.RenderableType,
        options: rich.console.ConsoleOptions | None = None,
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
