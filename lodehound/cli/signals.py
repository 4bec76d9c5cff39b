"""Cleans up unfinished files when a signal ends the program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def tidy_end() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the body of the with-statement like an exception."""
    # Ignored signals stay ignored (nohup), and handlers of the caller are not replaced.
    caught = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: Any) -> None:
        for other in caught:
            signal.signal(other, signal.SIG_IGN)  # a second signal must not stop the clean-up
        raise SystemExit(128 + number)  # the exit code that shells use

    try:
        for number in caught:
            signal.signal(number, end)
    except ValueError:
        caught = []  # not the main thread: signals are handled elsewhere
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)
