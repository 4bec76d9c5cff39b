"""Signals: they stop a crawl in order, and end other commands without leaving half a file."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lodehound.assembly.running import StopRequest

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def tidy_end() -> Iterator[None]:
    """Raise an exception in the body of the with-statement at SIGTERM or SIGHUP."""
    # What is ignored stays so (nohup), and what the caller catches is the caller's.
    caught = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: Any) -> None:
        for other in caught:
            signal.signal(other, signal.SIG_IGN)  # a second one must not stop the tidying up
        raise SystemExit(128 + number)  # as shells say it

    try:
        for number in caught:
            signal.signal(number, end)
    except ValueError:
        caught = []  # not the main thread: signals go elsewhere
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def stopping() -> Iterator[StopRequest]:
    """Catch Ctrl-C and SIGTERM: the first finishes what is in flight, the second stops now.

    The command enters this before anything is made: an exception raised in the middle of an
    import, or a cancelled task, might be lost.
    """
    from lodehound.assembly.ending import Exit
    from lodehound.assembly.running import StopRequest

    stop = StopRequest()
    before = {}

    def came(*_: object) -> None:
        if stop.made:
            os._exit(Exit.STOPPED)  # every answer so far is committed: nothing is lost
        stop.make()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError):  # not the main thread: signals go elsewhere
            before[number] = signal.signal(number, came)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
