"""A policy that tells what it was told."""

from __future__ import annotations

from lodehound.core.messages import Outcome
from lodehound.core.urls import path_of
from lodehound.policies.bfs import Bfs


class Diary(Bfs):
    """Breadth first; its insights are all its outcomes."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        if outcome.choice is not None:
            found = "find" if outcome.verdict.found else "no find"
            link = outcome.choice.link
            self._lines.append(f"{path_of(link.url)} {outcome.status} {found} {link.tag_path}")

    def insights(self) -> list[str]:
        return self._lines
