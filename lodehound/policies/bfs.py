"""BFS (SB paper, Sec. 4.3): the frontier is a queue."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.policies.pools import Fifo


class Bfs(ResumablePolicy):
    """Breadth first: the link that has waited longest."""

    def __init__(self) -> None:
        self._links = Fifo()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._links.peek(asleep)
        return None if link is None else Choice(link, why=f"first come, depth {link.depth}")

    def take(self, choice: Choice) -> None:
        self._links.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._links.push(link)
