"""A live crawl without its network: what to ask for next, and what to make of what came.

The crawl decides the order. The session adds politeness (robots.txt, delays, back-off,
retries) and journals each answer after the crawl has learned from it. It knows no sockets:
the event loop asks ``next_task`` and reports to ``receive``.
"""

from __future__ import annotations

from collections.abc import Callable

from lodehound.assembly.ending import Tally
from lodehound.core.crawl import Crawl
from lodehound.core.holds import HALT
from lodehound.core.lives import Event, Life, State
from lodehound.core.messages import Stop
from lodehound.core.urls import host_of
from lodehound.drivers.live.admission import Admission
from lodehound.drivers.live.choosing import BUSY, Choosing
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.receiving import Receiving
from lodehound.drivers.live.recorded import ReplicaReplies
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendering import Rendering
from lodehound.drivers.live.responses import Responses
from lodehound.drivers.live.robots_book import RobotsBook
from lodehound.shortcuts.sitemap import Sitemaps
from lodehound.stores.catalogue.find_rows import FindRow

PAUSE = 0.5  # seconds between two looks at whether a paused crawl may go on
SLOW = 2.0  # seconds after which a request without an answer is slow


class Session:
    """Runs one crawl, request by request.

    Args:
        crawl: Decides.
        recorder: Writes down.
        politeness: When a host may be asked.
        robots: What may be asked.
        clock: Seconds since the round began, those of earlier sessions included.
        concurrency: Requests in flight, over all hosts.
        retries: Further tries of a request that failed.
        sitemaps: Which are offered when the robots.txt of a host has come.
        replica: Answers what it holds; such requests need no delays.
        responses: The WARC files that the crawl writes.
        rendering: Which pages are rendered; none unless given.
    """

    def __init__(
        self,
        crawl: Crawl,
        *,
        recorder: Recorder,
        politeness: Politeness,
        robots: RobotsBook,
        clock: Callable[[], float],
        concurrency: int = 8,
        retries: int = 2,
        sitemaps: Sitemaps = "none",
        replica: ReplicaReplies | None = None,
        responses: Responses | None = None,
        rendering: Rendering | None = None,
    ) -> None:
        self.crawl = crawl
        self.recorder = recorder
        self.politeness = politeness
        self.clock = clock
        self.concurrency = concurrency
        self.replica = replica
        self.responses = responses or Responses()
        self.rendering = rendering or Rendering(crawl, recorder)
        self.tally = Tally()
        self.estimates = recorder.estimates
        self.on_change: Callable[[], None] = lambda: None  # something may be asked for that waited
        self._lives = crawl.lives
        self._looked = 0.0  # when next_task was last called
        self._admission = Admission(
            crawl,
            politeness=politeness,
            robots=robots,
            resources=self.rendering.resources,
            tally=self.tally,
            sitemaps=sitemaps,
        )
        self.rendering.resources.reserve = lambda: self._admission.admit_waiting(clock())
        self.choosing = Choosing(crawl, self._admission, recorder, self.rendering)
        self.receiving = Receiving(
            crawl, self.choosing, responses=self.responses, retries=retries, clock=clock
        )
        self.receive, self.conclude = self.receiving.receive, self.receiving.conclude

    # --- how it stands --------------------------------------------------------------------------

    def halt(self) -> None:
        """Ask for nothing more: the user wants the crawl to stop."""
        self.crawl.hold(HALT)

    @property
    def halted(self) -> bool:
        """Whether the user wants no new requests."""
        return HALT in self.crawl.holds

    @property
    def stop(self) -> Stop | None:
        """Why nothing more is asked for."""
        return self.choosing.stop

    @property
    def finished(self) -> bool:
        """Whether nothing more will be asked and nothing is on its way."""
        if HALT in self.crawl.holds:
            return not self._lives.by_state[State.SENT]  # pages in the browser are given up
        return self.choosing.stop is not None and not self.in_flight

    @property
    def asks_no_more(self) -> bool:
        """Whether nothing more is asked for, not even what was chosen already.

        What waits then is asked for when the crawl is resumed with more.
        """
        crawl = self.crawl
        spent = crawl.budget.spent(bytes=crawl.bytes, seconds=self.clock())
        return self.halted or spent is not None

    @property
    def waiting(self) -> int:
        """How many chosen requests wait for their host."""
        waiting = self._lives.take(State.BUDGET, State.RULES, State.HOST)
        return sum(life.kind == "page" for life in waiting)

    @property
    def obstacle(self) -> str:
        """What the crawl waits for, in words: a host that is slow or fails, or the browser."""
        now, lives = self.clock(), self._lives
        slow = [life for life in lives.take(State.SENT) if now - life.asked_at >= SLOW]
        if slow:
            life = min(slow, key=lambda life: life.asked_at)
            return f"{host_of(life.url)} has not answered for {now - life.asked_at:.0f} s"
        failed = [life for life in lives.take(State.ROBOTS, State.HOST) if life.tries > 1]
        if failed:
            life = min(failed, key=lambda life: life.ready_at)
            left = max(life.ready_at - now, 0.0)
            return f"{host_of(life.url)} failed to answer; try {life.tries} in {left:.0f} s"
        return self.rendering.under_way

    @property
    def last_find(self) -> FindRow | None:
        """The find of the last step, if it was one."""
        return self.recorder.last_find

    @property
    def in_flight(self) -> int:
        """Requests without an answer, and pages that are rendered or wait for it."""
        return self._lives.count(State.SENT, State.BROWSER, State.RENDERED)

    @property
    def idle(self) -> bool:
        """Whether nothing will be asked for unless links come from elsewhere."""
        busy = self.crawl.is_held or self._lives.count(*BUSY) or not self.choosing.is_done
        return not busy and self.politeness.only_given_up(self.clock())

    def resend(self) -> None:
        """Ask again for what had no answer when the crawl was last stopped."""
        for life in self._lives.take(State.CHOSEN):
            if life.choice is not None:
                self._admission.admit_page(life, life.choice.link, self.clock())

    # --- asking ---------------------------------------------------------------------------------

    def next_task(self) -> Life | None:
        """Return the next request to make now, or None."""
        now = self._looked = self.clock()
        self.choosing.needs_turn = False
        overspent = self.crawl.budget.spent(bytes=self.crawl.bytes, seconds=now)
        if overspent or HALT in self.crawl.holds:
            self.choosing.stop = self.choosing.stop or overspent
            self._admission.give_up_waiting()
            self.rendering.end(self.conclude)
            return None
        if len(self._lives.by_state[State.SENT]) >= self.concurrency:
            return None
        if (life := self.choosing.next(now)) is not None:
            self._send(life, now)
        return life

    def _send(self, life: Life, now: float) -> None:
        self._lives.move(life, Event.SEND)
        life.asked_at = now
        life.recorded = self.replica is not None and self.replica.holds(life.url)
        if life.kind == "robots":
            self.tally.side_requests += 1
        elif life.kind != "page":
            self.rendering.resources.sent(life)
        if life.recorded:
            self.politeness.hold(life.host)
        else:
            self.politeness.sent(life.host, now)

    def next_waking(self) -> float | None:
        """Return when asking again makes sense, if it is a matter of time."""
        # Not a later time: what became due since the last look would be slept through.
        now = self._looked
        if self.choosing.needs_turn:
            return now
        # One that could go already waits for its host, whose waking is among the others.
        waiting = self._lives.take(State.ROBOTS, State.HOST)
        times = [life.ready_at for life in waiting if life.ready_at > now]
        if (waking := self.politeness.next_waking(now)) is not None:
            times.append(waking)
        end = self.crawl.budget.seconds
        if end is not None and end > now:
            times.append(end)  # a host may sleep longer than the crawl has time
        if self.crawl.holds.limit is not None and self.crawl.is_held:
            times.append(now + PAUSE)
        return min(times, default=None)

    def woke(self) -> None:
        """Take note that time has passed, or that something changed: look for work again."""
        self.choosing.is_done = False
        self.on_change()

    def give_up(self, life: Life) -> None:
        """Wait no longer for a request; it is made again when the crawl is resumed."""
        if life.state is State.SENT:
            self._lives.move(life, Event.SET_ASIDE if life.kind == "page" else Event.REFUSE)
