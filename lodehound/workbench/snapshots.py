"""Figures that take long to count: pages show the last ones, and they are counted anew beside it.

A page never waits for a pass over a large journal. What was counted is kept until the crawl has
changed, and is not counted again before a multiple of the time that it took: the crawl that runs
beside the workbench keeps its processor.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from typing import Any

from lodehound.core.errors import LodehoundError

SHARE = 25  # times as long as it took until it is counted again
PATIENCE = 0.08  # seconds that a page waits for new figures; some pages show three
THREADS = ("quick", "slow")
NICE = 10  # the priority of counting, where threads have their own

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Counted:
    """Figures and their state.

    Attributes:
        value: What was counted; None before the first time.
        error: Why it cannot be counted.
        busy: Whether it is being counted.
        age: Seconds since it was counted.
    """

    value: Any = None
    error: str = ""
    busy: bool = False
    age: float = 0.0


@dataclass(slots=True)
class _Entry:
    value: Any = None
    error: str = ""
    stamp: Hashable = None
    made_at: float = 0.0
    took: float = 0.0
    task: Future[None] | None = None


class Snapshots:
    """Counts in a few threads, so that what takes a moment need not wait for what takes long."""

    def __init__(self) -> None:
        self._entries: dict[Hashable, _Entry] = {}
        self._lock = threading.Lock()
        self._pools = {name: ThreadPoolExecutor(1, name, initializer=_be_nice) for name in THREADS}

    def get(
        self,
        key: Hashable,
        stamp: Hashable,
        make: Callable[[], Any],
        *,
        thread: str = "quick",
        sparing: bool = True,
        patience: float = PATIENCE,
    ) -> Counted:
        """Return the last figures, and have them counted if they are no longer true.

        Args:
            key: What is counted.
            stamp: The state of the crawl: figures are counted once for each.
            make: Counts; called in another thread.
            thread: One of `THREADS`.
            sparing: Leave the processor to a crawl that runs: do not count too often.
            patience: Seconds to wait for new figures, if the last ones took less.
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._begin(entry, stamp, make, thread=thread, sparing=sparing)
            task, soon = entry.task, entry.took < patience
        if soon and task is not None:
            with contextlib.suppress(TooLate):
                task.result(patience)
        with self._lock:
            age = time.monotonic() - entry.made_at if entry.made_at else 0.0
            return Counted(entry.value, entry.error, entry.task is not None, age)

    def made(self) -> tuple[float, ...]:
        """Return when each of the figures was counted: a page shows older ones until then."""
        with self._lock:
            return tuple(entry.made_at for entry in self._entries.values())

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _begin(
        self, entry: _Entry, stamp: Hashable, make: Callable[[], Any], *, thread: str, sparing: bool
    ) -> None:
        if entry.task is not None or (entry.made_at and entry.stamp == stamp):
            return
        rest = SHARE * entry.took if sparing else 0.0
        if entry.made_at and time.monotonic() - entry.made_at < rest:
            return
        entry.task = self._pools[thread].submit(self._make, entry, stamp, make)

    def _make(self, entry: _Entry, stamp: Hashable, make: Callable[[], Any]) -> None:
        begun, value, error = time.monotonic(), entry.value, ""
        try:
            value = make()
        except LodehoundError as failure:
            error = str(failure)
        except Exception as failure:
            logger.exception("figures could not be counted")
            error = f"It could not be counted ({type(failure).__name__}: {failure})."
        with self._lock:
            entry.value, entry.error, entry.stamp = value, error, stamp
            entry.made_at = time.monotonic()
            entry.took, entry.task = entry.made_at - begun, None


def _be_nice() -> None:
    """Lower the priority of this thread below the crawl's: on Linux, each thread has its own."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
