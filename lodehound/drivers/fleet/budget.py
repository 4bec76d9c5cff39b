"""Shares the budget of a fleet between its sites while it runs."""

from __future__ import annotations

from lodehound.learn.shares import SharedBudget, SiteStanding
from lodehound.stores.fleet import SPENT, FleetStore


class FleetBudget:
    """Looks at how the sites stand, and grants requests.

    Args:
        store: The fleet.
        total: Requests to all sites together, those of earlier runs included.
    """

    def __init__(self, store: FleetStore, total: int) -> None:
        self.store = store
        self._budget = SharedBudget(total, store.totals().sites)
        self._spent = False

    def look(self) -> None:
        """Grant what the sites should get now; end them once the budget is spent."""
        if self._spent:
            return
        standing = {
            site.number: SiteStanding(
                site.requests, site.finds, active=site.state in {"running", "waiting"}
            )
            for site in self.store.sites()
        }
        if granted := self._budget.grants(standing):
            self.store.grant(granted)
        elif self._budget.is_spent(standing):
            self._spent = True
            self.store.keep(SPENT, "1")
