"""Shares the budget of a fleet between its sites while it runs."""

from __future__ import annotations

import time

from lodehound.learn.shares import SharedBudget, SiteStanding
from lodehound.stores.fleet import SPENT, FleetStore

LEAST = 10  # requests that are granted at a time
STEPS = 20  # grants to each site, if all got the same
RENEW = 0.1  # seconds between two looks at the sites, and between two of a worker at its grants
SHARE = 0.1  # of the time that looking may take: with very many sites a look is slow
# Looks that a grant lasts: half of it lasts from the look of a worker that tells the requests, over
# the one that grants more, to the next one of the worker.
LASTS = 10


def pause_after(seconds: float) -> float:
    """Return how long to wait after a look that took so long.

    >>> pause_after(0.002), pause_after(0.2)
    (0.1, 2.0)
    """
    return max(RENEW, seconds / SHARE)


class FleetBudget:
    """Looks at how the sites stand, and grants requests.

    Args:
        store: The fleet.
        total: Requests to all sites together, those of earlier runs included.
    """

    def __init__(self, store: FleetStore, total: int) -> None:
        self.store = store
        sites = store.totals().sites
        portion = max(LEAST, total // (STEPS * max(sites, 1)))
        self._budget = SharedBudget(total, sites, portion=portion)
        self._spent = False

    def look(self) -> float:
        """Grant what the sites should get now; end them once the budget is spent.

        Returns:
            Seconds until the next look.
        """
        if self._spent:
            return RENEW
        begun = time.monotonic()
        standing = {
            site.number: SiteStanding(
                # One that workers died over has perhaps made all that it was granted.
                max(site.requests, site.granted or 0) if site.lost else site.requests,
                site.finds,
                active=site.active,
                granted=site.granted,
            )
            for site in self.store.standings()
        }
        if granted := self._budget.grants(standing, begun):
            self.store.grant(granted)
        elif any(one.active for one in standing.values()) and self._budget.is_spent(standing):
            self._spent = True
            self.store.keep(SPENT, "1")
        pause = pause_after(time.monotonic() - begun)
        self._budget.ahead = LASTS * pause
        return pause
