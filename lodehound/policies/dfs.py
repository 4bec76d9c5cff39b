"""DFS (SB paper, Sec. 4.3): the frontier is a stack."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.policies.pools import Lifo


class Dfs(ResumablePolicy):
    """Depth first: the link that came last."""

    def __init__(self) -> None:
        self._links = Lifo()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._links.peek(asleep)
        return None if link is None else Choice(link, why=f"last come, depth {link.depth}")

    def take(self, choice: Choice) -> None:
        self._links.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._links.push(link)
