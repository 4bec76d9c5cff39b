"""Divides one budget of requests over many sites by what their next requests are expected to bring.

A bandit over sites: the yield of each is the rate of its recent finds, drawn from a Gamma
distribution (Thompson sampling) so that a site of which little is known gets its chance. The past
is forgotten, because what a site brings falls as it is emptied. A site gets what it can use until
the next grant, by its pace. It makes no requests and knows no clock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

FIRST_FINDS, FIRST_REQUESTS = 1.0, 5.0  # what is assumed of a site before anything is known
SMOOTH = 1.0  # seconds over which the pace of a site is measured


@dataclass(frozen=True, slots=True)
class SiteStanding:
    """What a site has used and brought so far, and whether it can use more."""

    requests: int
    finds: int
    active: bool
    granted: int | None = None  # what it may use in all, if it may have given some back


@dataclass(slots=True)
class _Yield:
    requests: int = 0  # as last told
    finds: int = 0
    weight: float = 0.0  # of the requests that are remembered
    found: float = 0.0
    granted: int = 0
    pace: float = 0.0  # requests per second, when it had some to make


class SharedBudget:
    """Grants requests to sites, a few at a time.

    Half of a grant is left when the next one is made, and that half lasts for as long as it takes
    until the site hears of the next: nobody waits whose next requests are worth making.

    Args:
        total: Requests to all sites together.
        sites: How many sites there are.
        floor: Requests that every site gets first, unless there are too many sites.
        portion: Fewest requests that are granted at a time.
        ahead: Seconds that a grant should last.
        memory: Weight that a request keeps after each later one.
        near: Sites whose drawn yield is at least this share of the best get a portion, too:
            several sites are asked at the same time.
        seed: Of the draws.
    """

    def __init__(
        self,
        total: int,
        sites: int,
        *,
        floor: int = 20,
        portion: int = 10,
        ahead: float = 0.0,
        memory: float = 0.97,
        near: float = 0.7,
        seed: int = 0,
    ) -> None:
        self.total = total
        self.floor = max(1, min(floor, total // (2 * max(sites, 1))))
        self.portion = portion
        self.ahead = ahead
        self.memory = memory
        self.near = near
        self._rng = random.Random(seed)
        self._yields: dict[int, _Yield] = {}
        self._noted_at = 0.0

    def grants(self, standing: Mapping[int, SiteStanding], now: float = 0.0) -> dict[int, int]:
        """Return the sites that may make more requests, and how many in all.

        Args:
            standing: Every site that is known, by its number.
            now: Seconds, by any clock; always 0 where time does not count.
        """
        since, self._noted_at = now - self._noted_at, now
        for site, stands in standing.items():
            self._note(self._yields.setdefault(site, _Yield()), stands, since)
        left = self.total - self._committed(standing)
        granted = {}
        for site in self._worthy(standing):
            mine = self._yields[site]
            floored = mine.granted >= self.floor
            wanted = mine.granted + self._portion(mine) if floored else self.floor
            more = min(wanted - mine.granted, left)
            if more <= 0:
                break
            mine.granted += more
            left -= more
            granted[site] = mine.granted
        return granted

    def is_spent(self, standing: Mapping[int, SiteStanding]) -> bool:
        """Return whether all requests are made, or nobody can make more."""
        waiting = [site for site, now in standing.items() if now.active]
        if not waiting:
            return True
        used_up = all(standing[site].requests >= self._yields[site].granted for site in waiting)
        return used_up and self._committed(standing) >= self.total

    def _committed(self, standing: Mapping[int, SiteStanding]) -> int:
        """Return the requests that were made or may be made."""
        return sum(
            max(now.requests, self._yields[site].granted) if now.active else now.requests
            for site, now in standing.items()
        )

    def _worthy(self, standing: Mapping[int, SiteStanding]) -> list[int]:
        """Return the sites that should get more now, the best first."""
        active = [site for site, now in standing.items() if now.active]
        new = [site for site in active if self._yields[site].granted < self.floor]
        if new:
            return new
        drawn = {site: self._drawn(self._yields[site]) for site in active}
        best = max(drawn.values(), default=0.0)
        # Half a portion ahead, so that nobody waits for the next one.
        hungry = [
            site
            for site in active
            if (mine := self._yields[site]).granted - mine.requests <= self._portion(mine) // 2
        ]
        worthy = [site for site in hungry if drawn[site] >= self.near * best]
        return sorted(worthy, key=lambda site: -drawn[site])

    def _portion(self, mine: _Yield) -> int:
        """Return how many requests to grant: what a site makes until it hears of more."""
        return max(self.portion, math.ceil(mine.pace * self.ahead))

    def _note(self, mine: _Yield, now: SiteStanding, since: float) -> None:
        made = max(now.requests - mine.requests, 0)
        if since > 0:
            new = min(since / SMOOTH, 1.0)
            pace = (1 - new) * mine.pace + new * made / since
            # One that had no more to make is faster than that.
            mine.pace = pace if now.requests < mine.granted else max(pace, mine.pace, made / since)
        faded = self.memory**made
        fresh = (1 - faded) / (1 - self.memory)  # the weight of these requests
        each = fresh / made if made else 1.0  # that of a find; some come later than their requests
        mine.weight = mine.weight * faded + fresh
        mine.found = mine.found * faded + each * max(now.finds - mine.finds, 0)
        mine.requests, mine.finds = now.requests, now.finds
        granted = mine.granted if now.granted is None else now.granted
        mine.granted = max(granted, now.requests)

    def _drawn(self, mine: _Yield) -> float:
        return self._rng.gammavariate(mine.found + FIRST_FINDS, 1 / (mine.weight + FIRST_REQUESTS))
