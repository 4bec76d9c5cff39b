"""The requests that Scrapy's engine has taken from us and is not done with.

A request is over when the engine has nothing more to do with it: downloaded or
failed, the spider's callback or errback run, the requests that came of it handed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.asyncio import CallLaterResult, call_later

from lodehound.scrapy.order import Flight

if TYPE_CHECKING:
    from scrapy.core.engine import ExecutionEngine, _Slot
    from scrapy.crawler import Crawler

PATIENCE = 0.5  # seconds that we wait for a callback to end, to choose knowing what it brings


class Traffic:
    """Knows what is on its way, with the downloader or with the spider.

    Args:
        crawler: Whose engine it is.
        clock: Seconds, from any beginning.
        call: Calls a function after so many seconds.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        clock: Callable[[], float] = monotonic,
        call: Callable[[float, Callable[[], None]], CallLaterResult] = call_later,
    ) -> None:
        self._crawler = crawler
        self._clock = clock
        self._call = call
        self._flights: dict[Request, Flight] = {}
        self._alarm: CallLaterResult | None = None

    def __len__(self) -> int:
        return len(self._flights)

    def __iter__(self) -> Iterator[Flight]:
        return iter(self._flights.values())

    def add(self, flight: Flight) -> None:
        """Take in what the engine is about to take."""
        self._flights[flight.request] = flight

    def of(self, response: Response) -> Flight | None:
        """Return the flight that a response answers."""
        return self._flights.get(response.request) if response.request is not None else None

    def arrived(self, flight: Flight) -> None:
        """Take in that a response is on its way to the spider."""
        flight.arrived = self._clock()

    def take_ended(self) -> list[Flight]:
        """Take out what is over."""
        in_progress = self._in_progress
        over = [request for request in self._flights if request not in in_progress]
        return [self._flights.pop(request) for request in over]

    def take_continued(self) -> Flight | None:
        """Take out what a downloader middleware continues with the request handed in just now.

        The engine hands such a request in on the spot, so the one it replaces is
        neither with the downloader any more nor with the spider, and yet not over.
        """
        in_progress, downloading = self._in_progress, self._engine.downloader.active
        slot = self._engine.scraper.slot
        scraping = slot.active if slot is not None else set()
        for request in self._flights:
            if request in in_progress and request not in downloading and request not in scraping:
                return self._flights.pop(request)
        return None

    # --- waiting for callbacks ------------------------------------------------------------------

    def busy_slots(self) -> list[str]:
        """Return the slots of the downloader that are full.

        A page counts until its callback has ended (within our patience), because a
        choice made before its links are known is a worse one: on the generated site
        of 600 pages it took 370 requests in place of 315 to find 90 % of the files.
        """
        downloader = self._engine.downloader
        long_ago = self._clock() - PATIENCE
        taken = Counter(
            downloader.get_slot_key(flight.request)
            for flight in self
            if flight.arrived is None or flight.arrived > long_ago
        )
        return [
            key
            for key, slot in downloader.slots.items()
            if 0 < slot.concurrency <= max(taken[key], len(slot.active))
        ]

    @property
    def stalled(self) -> bool:
        """Whether nothing happens but callbacks that do not come to their end.

        What they have asked for so far must not wait: they may wait for what it brings.
        """
        long_ago = self._clock() - PATIENCE
        return not self._engine.downloader.active and all(
            flight.arrived is not None and flight.arrived <= long_ago for flight in self
        )

    def wake_later(self) -> None:
        """See to it that the engine asks again, should a callback take longer than our patience."""
        if self._alarm is None and any(flight.arrived is not None for flight in self):
            self._alarm = self._call(PATIENCE, self._wake)

    def close(self) -> None:
        """Call nobody any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _wake(self) -> None:
        self._alarm = None
        if self._slot is not None and self._slot.closing is None:
            self._slot.nextcall.schedule()

    # --- the engine -----------------------------------------------------------------------------

    @property
    def _engine(self) -> ExecutionEngine:
        return self._crawler.engine

    @property
    def _slot(self) -> _Slot | None:
        return self._engine._slot  # noqa: SLF001 - nothing public says which requests are over

    @property
    def _in_progress(self) -> set[Request]:
        return self._slot.inprogress if self._slot is not None else set()
