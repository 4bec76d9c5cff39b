"""Signals that end a program: what is half made is removed first."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def tidy_end() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the body of the with-statement as an exception would."""
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
