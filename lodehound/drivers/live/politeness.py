"""When a host may be asked again. Pure: the time is always given.

One request per host at a time while there is a delay; the delay grows when the
host says it is too much (429, 503) and shrinks back when it is well again.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

from lodehound.core.asleep import Asleep

MAX_BACKOFF = 300.0  # seconds a failing host is left alone at most, unless it asks for more
MAX_DOUBLINGS = 64  # of the first pause; beyond 1,023, the number would be too large
PATIENCE = 300.0  # seconds that an API may ask for before the crawl ends without it
MAX_RETRY_AFTER = 3600.0  # seconds; a longer Retry-After is cut to this


@dataclass(slots=True)
class HostState:
    """What is known of one host."""

    delay: float
    in_flight: int = 0
    ready_at: float = 0.0
    rested_at: float = 0.0  # when its last rest after a failure is over
    strikes: int = 0  # failures in a row; those of requests under way together are one
    failures: int = 0  # URLs in a row that failed, counted likewise
    requests: int = 0


class Politeness:
    """Keeps hosts asleep for as long as politeness asks.

    Args:
        delay: Seconds between two requests to one host.
        max_in_flight: Requests in flight per host; 1 unless the delay is 0.
        jitter: Share of the delay that may be added, so that crawls do not beat in time.
        backoff: Seconds a host is left alone after its first failure; doubles with each.
        suspend_after: URLs that fail in a row after which a host is given up.
        seed: Seed of the jitter.
    """

    def __init__(
        self,
        *,
        delay: float = 1.0,
        max_in_flight: int = 1,
        jitter: float = 0.1,
        backoff: float = 5.0,
        suspend_after: int = 10,
        seed: int = 0,
    ) -> None:
        self.delay = delay
        self.max_in_flight = max_in_flight if delay == 0 else 1
        self.jitter = jitter
        self.backoff = backoff
        self.suspend_after = suspend_after
        self._rng = random.Random(seed)
        self._hosts: dict[str, HostState] = {}
        self.closed: set[str] = set()  # asleep until something comes back from them
        self._asleep = Asleep()
        self._wakings: list[tuple[float, str]] = []

    def host(self, name: str) -> HostState:
        if (host := self._hosts.get(name)) is None:
            host = self._hosts[name] = HostState(self.delay)
        return host

    def at_least(self, name: str, delay: float) -> None:
        """Raise a host's delay: its Crawl-delay."""
        host = self.host(name)
        host.delay = max(host.delay, delay)

    def asleep(self, now: float) -> Asleep:
        """Return the hosts that must not be asked now."""
        if self._wakings and self._wakings[0][0] <= now:
            self._wake(now)
        return self._asleep

    def _wake(self, now: float) -> None:
        while self._wakings and self._wakings[0][0] <= now:
            _, name = heapq.heappop(self._wakings)
            self._settle(name, self._hosts[name], now)

    def allows(self, name: str, now: float, *, held: bool = False) -> bool:
        """Return whether a host may be asked now; ``held``: also if it is held for this request."""
        return held or name not in self.asleep(now)

    def next_waking(self, now: float) -> float | None:
        """Return when the next host wakes, or None when none sleeps by the clock."""
        self._wake(now)
        return self._wakings[0][0] if self._wakings else None

    def sent(self, name: str, now: float) -> None:
        """Take note of a request that goes out."""
        host = self.host(name)
        host.in_flight += 1
        host.requests += 1
        pause = host.delay * (1 + self.jitter * self._rng.random())
        host.ready_at = max(host.ready_at, now + pause)
        self._settle(name, host, now)

    def sending(self, name: str, now: float) -> None:
        """Take note that a request noted before is written only now: the delay begins here."""
        host = self.host(name)
        if host.delay:
            host.ready_at = max(host.ready_at, now + host.delay)
            self._settle(name, host, now)

    def came_back(
        self,
        name: str,
        now: float,
        *,
        failed: bool,
        retry_after: float = 0.0,
        asked_at: float | None = None,
        again: bool = False,
    ) -> None:
        """Take note of an answer, or of none; a failed one makes the host rest.

        Args:
            name: The host.
            now: The time.
            failed: Whether the host could not answer.
            retry_after: Seconds it asks us to wait.
            asked_at: When the request went out; one that was under way when another
                failed says nothing new.
            again: Whether the same URL had failed before.
        """
        host = self.host(name)
        host.in_flight -= 1
        if failed:
            if asked_at is None or asked_at >= host.rested_at or not host.strikes:
                host.strikes += 1
                host.failures += not again
                host.rested_at = now + self._rest(host.strikes)
            host.rested_at = max(host.rested_at, now + min(retry_after, MAX_RETRY_AFTER))
            host.ready_at = max(host.ready_at, host.rested_at)
        else:
            host.strikes = host.failures = 0
            self.closed.discard(name)
        self._settle(name, host, now)

    def retry_at(self, name: str, now: float, tries: int) -> float:
        """Return when a URL of a host or an API that failed may be asked for again.

        Args:
            name: The host or the API.
            now: The time.
            tries: How often the URL was asked for.
        """
        return max(self.host(name).ready_at, now + self._rest(tries))

    def _rest(self, failures: int) -> float:
        """Return the seconds to wait after so many failures in a row."""
        return min(self.backoff * 2.0 ** min(failures - 1, MAX_DOUBLINGS), MAX_BACKOFF)

    def rest_api(self, name: str, now: float, *, failed: bool, seconds: float = 0.0) -> None:
        """Take note of an answer of an API: only the API rests if it says that it is too much.

        Args:
            name: The API, as ``lodehound.core.listing.api_of`` writes it.
            now: The time.
            failed: Whether it asks for a rest.
            seconds: How long at least.
        """
        api = self.host(name)
        api.strikes = api.strikes + 1 if failed else 0
        if failed:
            api.ready_at = max(api.ready_at, now + max(seconds, self._rest(api.strikes)))
            self._settle(name, api, now)

    def long_rest(self, name: str, now: float) -> str:
        """Return that an API rests for longer than it is waited for; "" if it does not."""
        shortcut = name.partition(" ")[2]
        left = self.host(name).ready_at - now if shortcut else 0.0
        return f"the API {shortcut}, for {left / 60:,.0f} min" if left > PATIENCE else ""

    def only_given_up(self, now: float) -> bool:
        """Return whether all that sleeps now is not waited for."""
        asleep = self.asleep(now)
        return all(name in self.closed or self.long_rest(name, now) for name in asleep)

    def suspended(self, name: str) -> bool:
        """Return whether a host has failed so often that it is given up."""
        host = self._hosts.get(name)
        return host is not None and host.failures >= self.suspend_after

    def close(self, name: str) -> None:
        """Suspend a host, without an end: it does not answer."""
        self.closed.add(name)
        self._asleep.add(name)

    def reopen(self, name: str, now: float) -> None:
        if name in self.closed:
            self.closed.discard(name)
            self._settle(name, self.host(name), now)

    def hold(self, name: str) -> None:
        """Keep a host asleep until it is released."""
        self._asleep.add(name)
        self.host(name).in_flight += self.max_in_flight

    def release(self, name: str, now: float) -> None:
        host = self.host(name)
        host.in_flight -= self.max_in_flight
        self._settle(name, host, now)

    def _settle(self, name: str, host: HostState, now: float) -> None:
        if host.ready_at > now:
            self._asleep.add(name)
            heapq.heappush(self._wakings, (host.ready_at, name))
        elif host.in_flight >= self.max_in_flight or name in self.closed:
            self._asleep.add(name)
        else:
            self._asleep.discard(name)
