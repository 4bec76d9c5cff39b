"""OMNISCIENT (SB paper, Sec. 4.3): knows every target and fetches nothing else."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.core.truth import Truth
from lodehound.policies.pools import Fifo


class Omniscient(Policy):
    """The targets one by one: the bound no crawler can pass.

    Args:
        truth: The answers of the recorded site.
    """

    needs_truth = True
    drops = "every link it is given: it knows the targets already"

    def __init__(self, *, truth: Truth) -> None:
        self.truth = truth
        self._targets = Fifo()
        for url in truth.targets():
            self._targets.push(Link(url))

    def choose(self, asleep: Collection[str]) -> Choice | None:
        link = self._targets.pop(asleep)
        return None if link is None else Choice(link, why="known target")

    def learn(self, outcome: Outcome) -> None:
        """Learn nothing: there is nothing left to know."""
