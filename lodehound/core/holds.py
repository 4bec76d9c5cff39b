"""The reasons for which a crawl asks for nothing more, for now or for good."""

from __future__ import annotations

# The user wants the crawl to stop: what is on its way is received.
HALT = "the user"
# Links may be offered from elsewhere: the crawl goes on, and does not end.
EXPECTING = "links from elsewhere"


class Holds(dict[str, int]):
    """Reasons, and how many requests each of them allows nevertheless.

    Attributes:
        limit: Requests that all reasons allow; None if there is no limit.
    """

    limit: int | None = None

    def add(self, reason: str, after: int) -> None:
        """Hold the crawl for a reason once so many requests are made, or change the number."""
        self[reason] = after
        self._settle()

    def remove(self, reason: str) -> None:
        """Hold it no longer for this reason."""
        self.pop(reason, None)
        self._settle()

    def _settle(self) -> None:
        limits = (after for reason, after in self.items() if reason != EXPECTING)
        self.limit = min(limits, default=None)
