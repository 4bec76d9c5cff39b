"""Politeness of crawls in one process that ask the same hosts: together they ask as one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from lodehound.drivers.live.politeness import Politeness

POLL = 0.25  # seconds between two looks at a host that another crawl is asking


class SharedPoliteness(Politeness):
    """Makes a host rest after requests of other crawls, too.

    Every crawl has its own clock, so each is told by its own.

    Args:
        team: The politeness of every running crawl that may ask the same hosts.
        options: Those of ``Politeness``.
    """

    def __init__(self, team: list[SharedPoliteness], **options: Any) -> None:
        super().__init__(**options)
        self.clock: Callable[[], float] = time.monotonic  # that of its crawl, once it runs
        self._team = team
        self._elsewhere: Counter[str] = Counter()  # requests of others in flight, by host
        self._mine: Counter[str] = Counter()  # its own

    def join(self, clock: Callable[[], float]) -> None:
        """Learn which hosts the others have asked; from now on all know of each other's requests.

        Args:
            clock: That of the crawl.
        """
        self.clock = clock
        for other in self._team:
            other.introduce(self)
        self._team.append(self)

    def introduce(self, newcomer: SharedPoliteness) -> None:
        """Notify a newcomer of the requests so far."""
        now = self.clock()
        for name, state in self._hosts.items():
            if state.ready_at > now or self._mine[name]:
                newcomer.take_over(name, state.ready_at - now, self._mine[name])

    def take_over(self, name: str, rest: float, in_flight: int) -> None:
        """Begin the delay of a host that another crawl has asked."""
        now, host = self.clock(), self.host(name)
        host.ready_at = max(host.ready_at, now + rest)
        host.in_flight += in_flight
        self._elsewhere[name] += in_flight
        self._settle(name, host, now)

    def leave(self) -> None:
        """Take leave of the others: the crawl has ended, and what was in flight is given up."""
        for name in self._mine.elements():
            for other in self._others():
                other.came_back_elsewhere(name, {"failed": False})
        if self in self._team:
            self._team.remove(self)

    def sent(self, name: str, now: float) -> None:
        super().sent(name, now)
        self._mine[name] += 1
        for other in self._others():
            # The slowest crawl sets the pace of a host: it would never get its turn otherwise.
            other.at_least(name, self.host(name).delay)
            other.sent_elsewhere(name)

    def sending(self, name: str, now: float) -> None:
        super().sending(name, now)
        for other in self._others():
            Politeness.sending(other, name, other.clock())

    def came_back(self, name: str, now: float, **facts: Any) -> None:
        super().came_back(name, now, **facts)
        self._mine[name] -= 1
        for other in self._others():
            other.came_back_elsewhere(name, facts)

    def rest_api(self, name: str, now: float, **facts: Any) -> None:
        super().rest_api(name, now, **facts)
        for other in self._others():
            Politeness.rest_api(other, name, other.clock(), **facts)

    def sent_elsewhere(self, name: str) -> None:
        self._elsewhere[name] += 1
        super().sent(name, self.clock())

    def came_back_elsewhere(self, name: str, facts: dict[str, Any]) -> None:
        """Take note of another crawl's answer, if its request was seen."""
        if not self._elsewhere[name]:
            return
        self._elsewhere[name] -= 1
        super().came_back(name, self.clock(), **{**facts, "asked_at": None})

    def allows(self, name: str, now: float, *, held: bool = False) -> bool:
        if held and name in self._elsewhere:
            return not self._elsewhere[name] and self.host(name).ready_at <= now
        return super().allows(name, now, held=held)

    def next_waking(self, now: float) -> float | None:
        waking = super().next_waking(now)
        if not self._elsewhere.total():
            return waking
        soon = self.clock() + POLL
        return soon if waking is None else min(waking, soon)

    def _others(self) -> list[SharedPoliteness]:
        return [other for other in self._team if other is not self]
