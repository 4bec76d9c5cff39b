"""What the baselines of further rounds have in common: new links at once, known URLs by rank."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from lodehound.core.file_endings import FILE_ENDINGS
from lodehound.core.history import KnownUrl
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy, ResumablePolicy
from lodehound.core.urls import extension_of
from lodehound.policies.pools import Fifo, Heap


class Revisiting(ResumablePolicy):
    """New files at once; known URLs, the smallest rank first, in turn with other new links.

    New links go in the order of discovery; those that end like files are taken for files. A first
    round knows nothing, so it is breadth first but for the files.
    """

    def __init__(self) -> None:
        self._files = Fifo()
        self._new = Fifo()
        self._known = Heap()
        self._turn = True  # of a known URL

    @abstractmethod
    def rank(self, known: KnownUrl, time: float) -> Any:
        """Return what a known URL is ordered by in a round at this time."""

    def begin_round(self, known: Sequence[KnownUrl], time: float) -> Policy:
        for one in known:
            if one.visits:
                self._known.push(one.link, self.rank(one, time))
            else:
                self._offer(one.link)
        return self

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._files.peek(asleep)
        if link is not None:
            return Choice(link, why="new file")
        for known in (self._turn, not self._turn):
            link = (self._known if known else self._new).peek(asleep)
            if link is not None:
                new = "new link" if link.kind else "start URL"
                return Choice(link, why="revisit" if known else new)
        return None

    def take(self, choice: Choice) -> None:
        if not self._files.take(choice.link):
            self._turn = not self._known.take(choice.link)
            if self._turn:
                self._new.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._offer(link)

    def _offer(self, link: Link) -> None:
        like_file = extension_of(link.url).removeprefix(".") in FILE_ENDINGS
        (self._files if like_file else self._new).push(link)


def stage(known: KnownUrl) -> int:
    """Return 0 for a page, 1 for a find, 2 for what is neither."""
    if known.found:
        return 1
    return 0 if known.ok and "html" in known.mime else 2
