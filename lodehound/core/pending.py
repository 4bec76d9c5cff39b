"""Requests of a crawl that have no answer yet, and redirects that wait to be followed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from lodehound.core.link import Link
from lodehound.core.messages import Ask, Choice
from lodehound.core.urls import host_of


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that has no answer yet."""

    choice: Choice
    hops: int = 0
    ask: Ask | None = None
    links: tuple[Link, ...] = ()  # of pages that sent us on (meta refresh): kept for the outcome
    again: tuple[Link, ...] = ()


class Redirects:
    """Redirects that wait to be followed, the oldest first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[PendingRequest, str]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[PendingRequest]:
        return (pending for pending, _ in self._waiting)

    def add(self, pending: PendingRequest, url: str) -> None:
        """Let a redirect to a URL wait."""
        self._waiting.append((pending, url))

    def take_awake(self, asleep: Collection[str]) -> tuple[PendingRequest, str] | None:
        """Remove the oldest redirect to a host that is awake."""
        return self._take(lambda url: host_of(url) not in asleep)

    def take_to(self, url: str) -> tuple[PendingRequest, str] | None:
        """Remove the redirect to a URL."""
        return self._take(lambda other: other == url)

    def _take(self, fits: Callable[[str], bool]) -> tuple[PendingRequest, str] | None:
        for index, (_, url) in enumerate(self._waiting):
            if fits(url):
                return self._waiting.pop(index)
        return None
