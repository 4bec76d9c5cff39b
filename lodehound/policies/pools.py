"""Pools of waiting links. Each gives out its next link whose host is awake.

Links wait in one heap or list per host, and hosts that sleep are set aside until
they wake: pushing and popping takes O(log n) steps, however many hosts sleep.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Collection, Iterator
from typing import Any

from lodehound.core.asleep import Sleepers
from lodehound.core.link import Link
from lodehound.learn.fenwick import FenwickSampler

Entry = tuple[Any, int, Link]  # key, number, link: the number parts equal keys


class _Ordered:
    """The link of the smallest key first; among equal keys the oldest."""

    def __init__(self) -> None:
        self._by_host: dict[str, list[Entry]] = {}
        self._heads: list[tuple[Any, int, str]] = []  # the first of each host awake, maybe stale
        self._sleepers = Sleepers()
        self._count = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Link]:
        for entries in self._by_host.values():
            for _, _, link in entries:
                yield link

    def _push(self, link: Link, key: Any) -> None:
        self._count += 1
        self._size += 1
        entry = (key, self._count, link)
        host = link.host
        entries = self._by_host.get(host)
        if entries is None:
            entries = self._by_host[host] = []
            self._sleepers.added(host)
        heapq.heappush(entries, entry)
        if entries[0] is entry:
            heapq.heappush(self._heads, (key, self._count, host))

    def pop(self, asleep: Collection[str]) -> Link | None:
        """Take out the first link whose host is awake, if there is one."""
        for host in self._sleepers.update(asleep, self._by_host):
            if host not in self._sleepers.asleep:
                self._push_head(host, self._by_host[host])
        while self._heads:
            _, number, host = heapq.heappop(self._heads)
            entries = self._by_host.get(host)
            if not entries or entries[0][1] != number:
                continue  # stale: that link has gone, or a better one came before it
            if host not in self._sleepers.asleep:  # else it is back when it wakes
                return self._take(host, entries)
        return None

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
            self._push_head(host, entries)
        else:
            del self._by_host[host]
            self._sleepers.removed(host)
        return link

    def _push_head(self, host: str, entries: list[Entry]) -> None:
        key, number, _ = entries[0]
        heapq.heappush(self._heads, (key, number, host))


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
        self._sleepers = Sleepers()
        self._sampler = FenwickSampler()  # one for every link whose host is awake
        self._holders: list[str] = []  # the hosts by their numbers there, gone ones included
        self._numbers: dict[str, int] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Link]:
        for links in self._by_host.values():
            yield from links

    def push(self, link: Link) -> None:
        host = link.host
        self._size += 1
        links = self._by_host.get(host)
        if links is None:
            self._by_host[host] = [link]
            self._sleepers.added(host)
            self._enter(host, 1)
            return
        links.append(link)
        if host not in self._sleepers.asleep:
            self._sampler.add(self._numbers[host], 1)

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
        self._sampler.add(self._numbers[host], -1)
        if not links:
            del self._by_host[host], self._numbers[host]
            self._sleepers.removed(host)
        return link

    def awake(self, asleep: Collection[str]) -> int:
        """Count the links whose host is awake."""
        for host in self._sleepers.update(asleep, self._by_host):
            count = len(self._by_host[host])
            sleeps = host in self._sleepers.asleep
            self._sampler.add(self._numbers[host], -count if sleeps else count)
        return self._sampler.total

    def _draw_host(self, asleep: Collection[str]) -> str | None:
        """Draw a host with the weight of its awake links."""
        total = self.awake(asleep)
        if total == 0:
            return None
        if len(self._by_host) == 1:
            return next(iter(self._by_host))
        return self._holders[self._sampler.holder(self._rng.randrange(total))]

    def _enter(self, host: str, weight: int) -> None:
        """Give a host a number; those of hosts that have gone are cleared away now and then."""
        if len(self._holders) > 2 * len(self._by_host) + 16:
            self._sampler, self._holders, self._numbers = FenwickSampler(), [], {}
            for other, links in self._by_host.items():
                if other != host:
                    self._enter(other, 0 if other in self._sleepers.asleep else len(links))
        self._numbers[host] = self._sampler.append(weight)
        self._holders.append(host)
