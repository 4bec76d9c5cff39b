"""A policy of your own, in a file of your own: ``lodehound race --policy nearest:Shallow ...``."""

from __future__ import annotations

from collections.abc import Collection

from lodehound import Choice, Outcome, ResumablePolicy
from lodehound.policies.pools import Heap


class Shallow(ResumablePolicy):
    """Shallow pages first; among equals, the shortest URL."""

    def __init__(self) -> None:
        self._heap = Heap()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._heap.peek(asleep)
        return None if link is None else Choice(link, why=f"depth {link.depth}")

    def take(self, choice: Choice) -> None:
        self._heap.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._heap.push(link, (link.depth, len(link.url)))
