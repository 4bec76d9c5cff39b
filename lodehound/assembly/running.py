"""A crawl while it runs: what others see of it, and how they stop it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Protocol

from lodehound.assembly.ending import Ending, Tally
from lodehound.core.crawl import Crawl
from lodehound.core.messages import Step, Stop
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.log.events import EstimateRow


class RunningCrawl(Protocol):
    """What others may look at while a crawl runs."""

    crawl: Crawl
    clock: Callable[[], float]  # seconds since the round began, earlier sessions included
    tally: Tally

    @property
    def stop(self) -> Stop | None:
        """Why nothing more is asked for."""

    @property
    def in_flight(self) -> int:
        """Requests without an answer."""

    @property
    def waiting(self) -> int:
        """Chosen requests that wait for robots.txt or for the delay of their host."""

    @property
    def obstacle(self) -> str:
        """The host that the crawl waits for, in words; "" if none is slow or fails."""

    @property
    def last_find(self) -> FindRow | None:
        """The find of the last step, if it was one."""

    @property
    def estimates(self) -> list[EstimateRow]:
        """What the policy expected still to find, in the order of the requests."""


class Watcher:
    """Sees a crawl while it runs. This one ignores everything."""

    def began(self, running: RunningCrawl) -> None:
        """Take note of the crawl before its first request."""

    def stepped(self, running: RunningCrawl, step: Step) -> None:
        """Take note of one request and its result."""

    def waits(self, running: RunningCrawl) -> None:
        """Take note that no request can be made now."""

    def ended(self, running: RunningCrawl, ending: Ending) -> None:
        """Take note of the end."""


class StopRequest:
    """Asks a crawl to stop, from a signal handler or another thread.

    It may come before the crawl runs; the crawl then stops as soon as it does.
    """

    def __init__(self) -> None:
        self.made = False
        self._halt: Callable[[], object] | None = None

    def make(self) -> None:
        """Ask for nothing more; what is in flight is still received, unless this is repeated."""
        self.made = True
        if (halt := self._halt) is not None:
            with contextlib.suppress(RuntimeError):  # the loop of the crawl has just ended
                halt()

    def attach(self, halt: Callable[[], object] | None) -> None:
        """Connect the request with a crawl; None when the crawl has ended.

        Args:
            halt: Called at every request to stop, from any thread and in the middle of anything.
        """
        self._halt = halt
        if self.made and halt is not None:
            halt()
