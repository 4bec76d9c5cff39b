"""Shares the budget of a fleet between its sites while it runs."""

from __future__ import annotations

from lodehound.learn.shares import SharedBudget, SiteStanding
from lodehound.stores.fleet import SPENT, FleetStore

LEAST = 10  # requests that are granted at a time
STEPS = 20  # grants to each site, if all got the same


class FleetBudget:
    """Looks at how the sites stand, and grants requests.

    Args:
        store: The fleet.
        total: Requests to all sites together, those of earlier runs included.
    """

    def __init__(self, store: FleetStore, total: int) -> None:
        self.store = store
        sites = store.totals().sites
        # Grants are made every two seconds: a part of a large crawl must not wait for the next.
        portion = max(LEAST, total // (STEPS * max(sites, 1)))
        self._budget = SharedBudget(total, sites, portion=portion)
        self._spent = False

    def look(self) -> None:
        """Grant what the sites should get now; end them once the budget is spent."""
        if self._spent:
            return
        standing = {
            site.number: SiteStanding(
                site.requests,
                site.finds,
                active=site.state in {"running", "waiting"} and not site.idle,
                granted=site.granted,
            )
            for site in self.store.sites()
        }
        if granted := self._budget.grants(standing):
            self.store.grant(granted)
        elif any(one.active for one in standing.values()) and self._budget.is_spent(standing):
            self._spent = True
            self.store.keep(SPENT, "1")
