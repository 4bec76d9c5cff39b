"""Measures the time of a policy (Anthelion paper, Figure 9)."""

from __future__ import annotations

import time
from collections.abc import Collection

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy


class Timed(Policy):
    """Wraps a policy and measures the time it spends choosing and learning.

    Args:
        inner: The policy.
    """

    def __init__(self, inner: Policy) -> None:
        self.inner = inner
        # The crawl checks what the inner policy declares.
        self.needs_truth = inner.needs_truth  # type: ignore[misc]
        self.uses_head = inner.uses_head  # type: ignore[misc]
        self.choices = 0
        self.choosing = 0.0  # seconds
        self.learning = 0.0

    def choose(self, asleep: Collection[str]) -> Choice | None:
        begun = time.perf_counter()
        choice = self.inner.choose(asleep)
        self.choosing += time.perf_counter() - begun
        self.choices += choice is not None
        return choice

    def learn(self, outcome: Outcome) -> None:
        begun = time.perf_counter()
        self.inner.learn(outcome)
        self.learning += time.perf_counter() - begun

    def per_choice(self, seconds: float) -> float:
        """Return milliseconds per choice."""
        return 1000 * seconds / max(self.choices, 1)
