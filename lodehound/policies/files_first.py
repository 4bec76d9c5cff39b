"""Breadth first, links that end like files before all others: what two lines of Scrapy do."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.urls import extension_of
from lodehound.policies.pools import Fifo
from lodehound.read.extensions import NOT_PAGES


class FilesFirst(ResumablePolicy):
    """Breadth first, except that URLs with the ending of a file (.pdf, .csv, .zip) come first."""

    def __init__(self) -> None:
        self._files = Fifo()
        self._others = Fifo()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._files.peek(asleep)
        if link is not None:
            return Choice(link, why=f"ends like a file, {extension_of(link.url)}")
        link = self._others.peek(asleep)
        return None if link is None else Choice(link, why=f"first come, depth {link.depth}")

    def take(self, choice: Choice) -> None:
        self._pool(choice.link).take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            self._pool(link).push(link)

    def _pool(self, link: Link) -> Fifo:
        return self._files if extension_of(link.url) in NOT_PAGES else self._others
