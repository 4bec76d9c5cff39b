"""Pools of waiting links. Each gives out its next link whose host is awake.

Links wait in one heap or list per host, so that a sleeping host costs one look
and not one per link. Pushing and popping is O(log n), or O(1) for a Bag.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Collection
from typing import Any

from lodehound.core.link import Link

Entry = tuple[Any, int, Link]  # key, number, link: the number parts equal keys


class _Ordered:
    """The link of the smallest key first; among equal keys the oldest."""

    def __init__(self) -> None:
        self._by_host: dict[str, list[Entry]] = {}
        self._heads: list[tuple[Any, int, str]] = []  # at least each host's first, maybe stale
        self._count = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def _push(self, link: Link, key: Any) -> None:
        self._count += 1
        self._size += 1
        entry = (key, self._count, link)
        host = link.host
        entries = self._by_host.setdefault(host, [])
        heapq.heappush(entries, entry)
        if entries[0] is entry:
            heapq.heappush(self._heads, (key, self._count, host))

    def pop(self, asleep: Collection[str]) -> Link | None:
        """Take out the first link whose host is awake, if there is one."""
        skipped = {}  # by host: a head may stand there more than once
        link = None
        while self._heads and link is None:
            head = heapq.heappop(self._heads)
            entries = self._by_host.get(head[2])
            if not entries or entries[0][1] != head[1]:
                continue  # stale: that link has gone, or a better one came before it
            if head[2] in asleep:
                skipped[head[2]] = head
            else:
                link = self._take(head[2], entries)
        for head in skipped.values():
            heapq.heappush(self._heads, head)
        return link

    def drain(self) -> list[Link]:
        """Take out everything, in order."""
        links = []
        while (link := self.pop(())) is not None:
            links.append(link)
        return links

    def _take(self, host: str, entries: list[Entry]) -> Link:
        self._size -= 1
        link = heapq.heappop(entries)[2]
        if entries:
            key, number, _ = entries[0]
            heapq.heappush(self._heads, (key, number, host))
        else:
            del self._by_host[host]
        return link


class Heap(_Ordered):
    """The link of the smallest key first; among equal keys the oldest."""

    def push(self, link: Link, key: Any) -> None:
        self._push(link, key)


class Fifo(_Ordered):
    """The oldest link first."""

    def push(self, link: Link) -> None:
        self._push(link, 0)


class Lifo(_Ordered):
    """The newest link first."""

    def push(self, link: Link) -> None:
        self._push(link, -self._count)


class Bag:
    """Any link, each with the same probability.

    Args:
        rng: Where the draws come from.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_host: dict[str, list[Link]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, link: Link) -> None:
        self._by_host.setdefault(link.host, []).append(link)
        self._size += 1

    def pop(self, asleep: Collection[str]) -> Link | None:
        """Take out a random link whose host is awake, if there is one."""
        host = self._draw_host(asleep)
        if host is None:
            return None
        links = self._by_host[host]
        index = self._rng.randrange(len(links))
        links[index], links[-1] = links[-1], links[index]
        link = links.pop()
        self._size -= 1
        if not links:
            del self._by_host[host]
        return link

    def awake(self, asleep: Collection[str]) -> int:
        """Count the links whose host is awake."""
        if not asleep:
            return self._size
        return self._size - sum(len(self._by_host.get(host, ())) for host in asleep)

    def _draw_host(self, asleep: Collection[str]) -> str | None:
        """Draw a host with the weight of its awake links."""
        total = self.awake(asleep)
        if total == 0:
            return None
        if len(self._by_host) == 1:
            return next(iter(self._by_host))
        ticket = self._rng.randrange(total)
        for host, links in self._by_host.items():
            if host in asleep:
                continue
            ticket -= len(links)
            if ticket < 0:
                return host
        return None
