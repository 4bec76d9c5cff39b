"""The waiting links in columns, with a row of features and a score each.

Links are stored in blocks of one host. A block knows its best score, so the best of a million
links is the best of eight thousand blocks, and a sleeping host costs one look per block. The
places of links that left are used again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.policies.lodehound.features import COLUMNS, Floats, Ints, Rows

BLOCK = 128
NOWHERE = -np.inf
SLICE = 32  # blocks that are gone through at a time


class Frontier:
    """Links that wait, each known by its place."""

    def __init__(self) -> None:
        self._rows: NDArray[np.int32] = np.zeros((BLOCK, COLUMNS), dtype=np.int32)
        self._scores: Floats = np.full(BLOCK, NOWHERE, dtype=np.float32)
        self._best: Floats = np.full(1, NOWHERE, dtype=np.float32)  # of every block
        self._changed: set[int] = set()  # blocks that may have another best score now
        self._host_of_block: NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self._blocks = 0
        self._hosts: dict[str, int] = {}
        self._free: defaultdict[int, list[int]] = defaultdict(list)  # places to fill, by host
        # A smaller tuple than Link: there may be millions.
        self._links: list[tuple[str, str, str, str, str, int] | None] = []
        self._paths: dict[str, str] = {}  # each tag path once, for the links that share it
        self._place_of: dict[str, int] = {}
        self._turn = 0

    def __len__(self) -> int:
        return len(self._place_of)

    def add(self, links: Sequence[Link], rows: Rows) -> Ints:
        """Let links wait, without a score yet; return their places."""
        places = np.array([self._settle(link) for link in links], dtype=np.int64)
        self._rows[places] = rows
        return places

    def add_one(self, link: Link, row: Rows) -> int:
        """Let a link wait, without a score yet; return its place."""
        place = self._settle(link)
        self._rows[place] = row
        return place

    def _settle(self, link: Link) -> int:
        host = self._hosts.setdefault(link.host, len(self._hosts))
        free = self._free[host]
        if not free:
            self._open_block(host)
        url, source, path, anchor, _, kind, depth, _ = link
        path = self._paths.setdefault(path, path)
        place = self._place_of[url] = free.pop()
        self._links[place] = url, source, path, anchor, kind, depth
        return place

    def _open_block(self, host: int) -> None:
        block = self._blocks
        self._blocks += 1
        if block == len(self._best):
            self._grow()
        self._host_of_block[block] = host
        self._links.extend([None] * BLOCK)
        first = block * BLOCK
        self._free[host].extend(range(first + BLOCK - 1, first - 1, -1))

    def _grow(self) -> None:
        more = len(self._best)
        self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
        self._scores = np.concatenate((self._scores, np.full_like(self._scores, NOWHERE)))
        self._best = np.concatenate((self._best, np.full(more, NOWHERE, dtype=np.float32)))
        self._host_of_block = np.concatenate((self._host_of_block, np.zeros(more, dtype=np.int32)))

    def place_of(self, url: str) -> int | None:
        return self._place_of.get(url)

    def find(self, links: Iterable[Link]) -> tuple[list[Link], Ints]:
        """Return those of the links that wait, and their places."""
        places = self._place_of
        waiting = [link for link in links if link.url in places]
        return waiting, np.array([places[link.url] for link in waiting], dtype=np.int64)

    def rows(self, places: Ints | int) -> Rows:
        """Return the features of waiting links, or of one."""
        found: Rows = self._rows.take(places, axis=0).astype(np.intp)
        return found

    def change(self, places: Ints, rows: Rows) -> None:
        """Replace the features of waiting links."""
        self._rows[places] = rows

    def score(self, places: Ints | int, scores: Floats) -> None:
        """Give waiting links, or one of them, their scores."""
        self._scores[places] = scores
        if isinstance(places, int):
            self._changed.add(places // BLOCK)
        else:
            self._changed.update((places // BLOCK).tolist())

    def best(self, asleep: Collection[str]) -> int | None:
        """Return the place of the best link whose host is awake."""
        best = self._awake(asleep)
        if not len(best):
            return None
        block = int(best.argmax())
        if best[block] == NOWHERE:
            return None
        first = block * BLOCK
        return first + int(self._scores[first : first + BLOCK].argmax())

    def _awake(self, asleep: Collection[str]) -> Floats:
        """Return the best score of every block, NOWHERE for those of sleeping hosts."""
        for block in self._changed:
            self._best[block] = self._scores[block * BLOCK : (block + 1) * BLOCK].max()
        self._changed.clear()
        best = self._best[: self._blocks]
        sleeping = [self._hosts[host] for host in asleep if host in self._hosts]
        if not sleeping:
            return best
        hidden = np.isin(self._host_of_block[: self._blocks], sleeping)
        found: Floats = np.where(hidden, np.float32(NOWHERE), best)
        return found

    def score_at(self, place: int) -> float:
        return float(self._scores[place])

    def scores(self, places: Ints) -> Floats:
        return self._scores[places]

    def beside(self, place: int) -> Ints:
        """Return the places of the links in the same block."""
        return self._waiting(place // BLOCK, 1)

    def some(self, blocks: int) -> Ints:
        """Return the places of the links in the next few blocks, turn by turn."""
        if blocks >= self._blocks:
            return self.places()
        first, last = self._turn, self._turn + blocks
        self._turn = 0 if last >= self._blocks else last
        return self._waiting(first, blocks)

    def restart(self) -> None:
        """Let ``some`` begin with the first block again."""
        self._turn = 0

    def draw(
        self, size: int, draws: np.random.Generator, asleep: Collection[str]
    ) -> tuple[Ints, float]:
        """Draw about so many links, spread over all that are awake.

        Returns:
            Their places, and the probability of drawing just these: the places are divided
            into equal parts, and one of the parts is drawn.
        """
        parts = -(-self._blocks * BLOCK // size)
        places = np.arange(draws.integers(parts), self._blocks * BLOCK, parts)
        awake = self._awake(asleep)[places // BLOCK] > NOWHERE
        return places[awake & (self._scores[places] > NOWHERE)], 1 / parts

    def slices(self) -> Iterator[Ints]:
        """Go through the places of all waiting links, some at a time."""
        for first in range(0, self._blocks, SLICE):
            yield self._waiting(first, SLICE)

    def places(self) -> Ints:
        """Return the places of all waiting links."""
        return self._waiting(0, self._blocks)

    def _waiting(self, block: int, count: int) -> Ints:
        """Return the places of the links in so many blocks."""
        first, last = block * BLOCK, (block + count) * BLOCK
        return first + np.flatnonzero(self._scores[first:last] > NOWHERE)

    def link_at(self, place: int) -> Link:
        kept = self._links[place]
        if kept is None:
            raise KeyError(place)
        url, source, path, anchor, kind, depth = kept
        return Link(url, source, path, anchor, "", kind, depth)

    def take(self, place: int) -> Link:
        """Take a link out."""
        link = self.link_at(place)
        self._links[place] = None
        del self._place_of[link.url]
        self._scores[place] = NOWHERE
        self._changed.add(place // BLOCK)
        self._free[self._hosts[link.host]].append(place)
        return link
