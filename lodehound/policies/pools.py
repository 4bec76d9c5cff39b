"""Pools of waiting links. Each gives out its next link whose host is awake.

Links wait in one heap or list per host, and hosts that sleep are set aside until
they wake: pushing and popping takes O(log n) steps, however many hosts sleep.

``pop`` is ``peek`` and ``take``. ``take`` can also remove a link that is not the next one;
resumed crawls need this. From then on, the pool keeps a set of the URLs that wait, and
entries that are not in the set are skipped when they come up.
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
        self._waiting: set[str] | None = None  # URLs; None: all entries wait
        self._count = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Link]:
        for entries in self._by_host.values():
            for _, _, link in entries:
                if self._waiting is None or link.url in self._waiting:
                    yield link

    def _push(self, link: Link, key: Any) -> None:
        self._count += 1
        self._size += 1
        if self._waiting is not None:
            self._waiting.add(link.url)
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
        link = self.peek(asleep)
        if link is not None:
            self.take(link)
        return link

    def peek(self, asleep: Collection[str]) -> Link | None:
        """Return the first link whose host is awake, if there is one."""
        for host in self._sleepers.update(asleep, self._by_host):
            if host not in self._sleepers.asleep:
                self._push_head(host, self._by_host[host])
        while self._heads:
            _, number, host = self._heads[0]
            entries = self._by_host.get(host)
            # Else it is stale: that link has gone, or a better one came before it.
            if entries and entries[0][1] == number and host not in self._sleepers.asleep:
                return entries[0][2]
            heapq.heappop(self._heads)  # a sleeping host is back when it wakes
        return None

    def take(self, link: Link) -> bool:
        """Remove a link; return whether it was in the pool."""
        host = link.host
        entries = self._by_host.get(host)
        if entries is None:
            return False
        first = entries[0][2].url == link.url
        if not first and self._waiting is None:
            self._waiting = {other.url for other in self}
        if self._waiting is not None:
            if link.url not in self._waiting:
                return False
            self._waiting.remove(link.url)
        self._size -= 1
        if first:
            self._remove_first(host, entries)
        return True

    def _remove_first(self, host: str, entries: list[Entry]) -> None:
        heapq.heappop(entries)
        while entries and self._waiting is not None and entries[0][2].url not in self._waiting:
            heapq.heappop(entries)
        if entries:
            self._push_head(host, entries)
        else:
            del self._by_host[host]
            self._sleepers.removed(host)

    def drain(self) -> list[Link]:
        """Take out everything, in order."""
        links = []
        while (link := self.pop(())) is not None:
            links.append(link)
        return links

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


class RandomList:
    """Links in no order, to draw from at random."""

    __slots__ = ("_links", "_waiting")

    def __init__(self) -> None:
        self._links: list[Link] = []
        self._waiting: set[str] | None = None  # URLs; None: all entries wait

    def __len__(self) -> int:
        return len(self._links if self._waiting is None else self._waiting)

    def __iter__(self) -> Iterator[Link]:
        waiting = self._waiting
        return (link for link in self._links if waiting is None or link.url in waiting)

    def push(self, link: Link) -> None:
        self._links.append(link)
        if self._waiting is not None:
            self._waiting.add(link.url)

    def draw(self, rng: random.Random) -> Link:
        """Return one of the links at random; there must be one."""
        links = self._links
        while True:
            place = rng.randrange(len(links))
            links[place], links[-1] = links[-1], links[place]
            if self._waiting is None or links[-1].url in self._waiting:
                return links[-1]
            links.pop()

    def take(self, link: Link) -> bool:
        """Remove a link; return whether it was in the pool."""
        last = self._links[-1].url == link.url
        if not last and self._waiting is None:
            self._waiting = {other.url for other in self._links}
        if self._waiting is not None:
            if link.url not in self._waiting:
                return False
            self._waiting.remove(link.url)
        if last:
            self._links.pop()
        elif self._waiting is not None and 2 * len(self._waiting) < len(self._links):
            self._links = list(self)
        return True


class Bag:
    """Any link, each with the same probability.

    Args:
        rng: Where the draws come from.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._by_host: dict[str, RandomList] = {}
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
            links = self._by_host[host] = RandomList()
            self._sleepers.added(host)
            self._enter(host, 1)
        elif host not in self._sleepers.asleep:
            self._sampler.add(self._numbers[host], 1)
        links.push(link)

    def pop(self, asleep: Collection[str]) -> Link | None:
        """Take out a random link whose host is awake, if there is one."""
        link = self.peek(asleep)
        if link is not None:
            self.take(link)
        return link

    def peek(self, asleep: Collection[str]) -> Link | None:
        """Draw a random link whose host is awake, if there is one."""
        host = self._draw_host(asleep)
        return None if host is None else self._by_host[host].draw(self._rng)

    def take(self, link: Link) -> bool:
        """Remove a link; return whether it was in the pool."""
        host = link.host
        links = self._by_host.get(host)
        if links is None or not links.take(link):
            return False
        self._size -= 1
        if host not in self._sleepers.asleep:
            self._sampler.add(self._numbers[host], -1)
        if not links:
            del self._by_host[host], self._numbers[host]
            self._sleepers.removed(host)
        return True

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
