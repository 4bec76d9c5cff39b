"""RANDOM (SB paper, Sec. 4.3): any link of the frontier."""

from __future__ import annotations

import random
from collections.abc import Collection

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.policies.pools import Bag


class Random(ResumablePolicy):
    """Uniformly random over all waiting links.

    Args:
        seed: Seed of the draws.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed
        self._links = Bag(random.Random(seed))

    def pick(self, asleep: Collection[str]) -> Choice | None:
        awake = self._links.awake(asleep)
        link = self._links.peek(asleep)
        if link is None:
            return None
        return Choice(link, probability=1 / awake, why=f"one of {awake} at random")

    def take(self, choice: Choice) -> None:
        self._links.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._links.push(link)
