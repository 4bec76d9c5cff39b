"""When a policy estimates what is left to find: often at first, then less and less often."""

from __future__ import annotations

from lodehound.core.lanes import Lanes
from lodehound.core.messages import YieldEstimate

FIRST = 10  # requests before the first estimate, and the fewest between two


class RegularEstimates:
    """Asks the lanes and the policy of a crawl now and then what is left.

    An estimate reads all waiting links, so it is made less often as their number grows.

    Args:
        lanes: Make the estimates.
    """

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._next = FIRST

    def after(self, requests: int) -> YieldEstimate | None:
        """Return a new estimate; None if none is due, or if the policy makes none.

        Args:
            requests: Requests made so far.
        """
        if requests < self._next:
            return None
        self._next = requests + max(FIRST, requests // 50)
        return self._lanes.remaining_yield()

    def wait(self, requests: int) -> None:
        """Make no estimate before so many requests were made."""
        self._next = requests
