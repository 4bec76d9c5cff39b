"""Asks the crawl for requests until one may be sent, or none is left to choose."""

from __future__ import annotations

from collections.abc import Callable, Collection

from lodehound.core.crawl import Crawl
from lodehound.core.holds import EXPECTING
from lodehound.core.lives import Life, State
from lodehound.core.messages import WAIT, Ask, Stop
from lodehound.core.urls import host_of, origin_of
from lodehound.drivers.live.admission import Admission
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendering import Rendering

# The states of requests that will be made or are under way.
BUSY = (State.BUDGET, State.RULES, State.ROBOTS, State.HOST, State.SENT, State.BROWSER,
        State.RENDERED)  # fmt: skip
CHOICES = 50  # at most, in one turn of the event loop


class Choosing:
    """Asks the crawl for choices, and sees whether anything is left.

    Args:
        crawl: Chooses.
        admission: Lets what is chosen wait.
        recorder: Writes down.
        rendering: Loads pages that an earlier run left unrendered; they come first.

    Attributes:
        stop: Why nothing more is chosen.
        is_done: The crawl has nothing to ask for until something changes.
        needs_turn: ``next`` returned None only to let the event loop run.
        accept_failures: Takes the failures of a host that wait for another answer of it.
    """

    accept_failures: Callable[[str], None]

    def __init__(
        self, crawl: Crawl, admission: Admission, recorder: Recorder, rendering: Rendering
    ) -> None:
        self.crawl = crawl
        self.lives = crawl.lives
        self.admission = admission
        self.politeness = admission.politeness
        self.recorder = recorder
        self.rendering = rendering
        self.stop: Stop | None = None
        self.is_done = self.needs_turn = False

    def next(self, now: float) -> Life | None:
        """Return the next request that may be made now, or None."""
        if self.crawl.lanes.is_learning:
            self.crawl.lanes.learn_slice()
            self.needs_turn = True
            return None
        if self.lives.by_state[State.BUDGET]:
            self.admission.admit_waiting(now)
        has_earlier = self.rendering.load_next()  # else the crawl may think that nothing is left
        life, choices = self.admission.next_ready(now), 0
        while not (life or self.stop or self.is_done or has_earlier):
            if choices == CHOICES:  # Ctrl-C, replies and the budget of time have their turn
                self.needs_turn = True
                break
            self._choose(now)
            choices += 1
            life = self.admission.next_ready(now)
        if life is None and self.is_done and self._only_given_up_hosts_left(now):
            self._probe_given_up_hosts(now)
            return self.next(now)
        return life

    def _choose(self, now: float) -> None:
        """Ask the crawl for its next request; it is queued, set aside, or answered unsent."""
        asleep = self.politeness.asleep(now)
        ask = self.crawl.next(asleep, now)
        if isinstance(ask, Stop):
            self._end(ask)
        elif ask is WAIT:
            self.is_done = True
            if not self.crawl.is_held_back(now):
                self.recorder.waited(asleep)  # the policy was asked, and may have changed by that
        else:
            self._admit(ask, asleep, now)

    def _admit(self, ask: Ask, asleep: Collection[str], now: float) -> None:
        """Write down what the crawl has chosen; it waits, or is answered unsent."""
        life = self.lives.rows[ask.number]
        if life.choice is not None:
            self.recorder.asked(ask, life.choice, asleep)
            self.admission.admit_page(life, life.choice.link, now)

    def _only_given_up_hosts_left(self, now: float) -> bool:
        """Return whether all that could still be asked for lies on hosts without an answer."""
        expects = EXPECTING in self.crawl.holds
        if expects or self.crawl.is_held or self.stop or self.lives.count(*BUSY):
            return False
        if self.lives.by_state[State.HELD] and (self.crawl.stopped or self.crawl.spent(now)):
            return True
        return self.politeness.only_given_up(now)

    def _probe_given_up_hosts(self, now: float) -> None:
        """Believe the last failures; see whether anything waits on hosts that were given up.

        The one request that shows it is set aside, unless it goes to another scheme
        of the host, which may well answer.
        """
        self.is_done = False
        for host in {life.host: life for life in self.lives.by_state[State.HELD].values()}:
            self.accept_failures(host)
        ask, aside = self.crawl.next((), now), self.lives.aside
        if isinstance(ask, Stop):
            self._end(ask)
            return
        if isinstance(ask, Ask):
            host = host_of(ask.url)
            without_rules = self.admission.robots.given_up(origin_of(ask.url))
            if not without_rules and not self.politeness.suspended(host):
                self.politeness.reopen(host, now)
            self._admit(ask, (), now)
        if (ask is WAIT or self.lives.aside > aside) and self._only_given_up_hosts_left(now):
            self._end(Stop("exhausted"))

    def _end(self, stop: Stop) -> None:
        """Stop; what was set aside is asked for when the crawl is resumed."""
        if stop.reason == "exhausted" and self.lives.aside:
            stop = Stop("unreachable", f"no answer from {self.admission.tally.silent_hosts}")
        self.stop = stop
