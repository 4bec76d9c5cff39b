"""Places with scores, in blocks of one owner each.

A block knows its best score, so the best of a million places is the best of eight thousand blocks,
and a sleeping owner costs one look per block. Places that became free are used again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

BLOCK = 128
NOWHERE = -np.inf  # the score of a free place
SLICE = 32  # blocks that are gone through at a time


class Blocks:
    """Places in use have a score; the best one is found without looking at all of them."""

    def __init__(self) -> None:
        self._scores: Floats = np.full(BLOCK, NOWHERE, dtype=np.float32)
        self._best: Floats = np.full(1, NOWHERE, dtype=np.float32)  # of every block
        self._changed: set[int] = set()  # blocks that may have another best score now
        self._owner_of: NDArray[np.int32] = np.zeros(1, dtype=np.int32)  # by block
        self._blocks = 0
        self._owners: dict[str, int] = {}
        self._free: defaultdict[int, list[int]] = defaultdict(list)  # places, by owner
        self._turn = 0

    @property
    def capacity(self) -> int:
        """Number of places that there is room for."""
        return len(self._scores)

    def occupy(self, owner: str) -> int:
        """Return a free place; it is in use when it gets its score."""
        number = self._owners.setdefault(owner, len(self._owners))
        free = self._free[number]
        if not free:
            self._open_block(number)
        return free.pop()

    def _open_block(self, owner: int) -> None:
        block = self._blocks
        self._blocks += 1
        if block == len(self._best):
            self._scores = np.concatenate((self._scores, np.full_like(self._scores, NOWHERE)))
            self._best = np.concatenate((self._best, np.full_like(self._best, NOWHERE)))
            self._owner_of = np.concatenate((self._owner_of, np.zeros_like(self._owner_of)))
        self._owner_of[block] = owner
        self._free[owner].extend(range((block + 1) * BLOCK - 1, block * BLOCK - 1, -1))

    def free(self, place: int) -> None:
        """Make a place free again."""
        self.score(place, NOWHERE)
        self._free[int(self._owner_of[place // BLOCK])].append(place)

    def score(self, places: Ints | int, scores: Floats | float) -> None:
        """Give places, or one of them, their scores."""
        self._scores[places] = scores
        if isinstance(places, int):
            self._changed.add(places // BLOCK)
        else:
            self._changed.update((places // BLOCK).tolist())

    def best(self, asleep: Collection[str]) -> int | None:
        """Return the best place whose owner is awake."""
        best = self._awake(asleep)
        if not len(best):
            return None
        block = int(best.argmax())
        if best[block] == NOWHERE:
            return None
        first = block * BLOCK
        return first + int(self._scores[first : first + BLOCK].argmax())

    def _awake(self, asleep: Collection[str]) -> Floats:
        """Return the best score of every block, NOWHERE for those of sleeping owners."""
        for block in self._changed:
            self._best[block] = self._scores[block * BLOCK : (block + 1) * BLOCK].max()
        self._changed.clear()
        best = self._best[: self._blocks]
        sleeping = [self._owners[owner] for owner in asleep if owner in self._owners]
        if not sleeping:
            return best
        hidden = np.isin(self._owner_of[: self._blocks], sleeping)
        found: Floats = np.where(hidden, np.float32(NOWHERE), best)
        return found

    def score_at(self, place: int) -> float:
        return float(self._scores[place])

    def scores(self, places: Ints) -> Floats:
        return self._scores[places]

    def block_of(self, place: int) -> Ints:
        """Return the places in the same block."""
        return self._in_use(place // BLOCK, 1)

    def next_blocks(self, count: int) -> Ints:
        """Return the places in the next few blocks, turn by turn."""
        first, last = self._turn, self._turn + count
        self._turn = 0 if last >= self._blocks else last
        return self._in_use(first, count)

    def restart(self) -> None:
        """Make ``next_blocks`` begin with the first block again."""
        self._turn = 0

    def draw(
        self, size: int, draws: np.random.Generator, asleep: Collection[str]
    ) -> tuple[Ints, float]:
        """Draw one of equal parts of all places.

        Args:
            size: Places in a part, about; many may be free.
            draws: Draws the part.
            asleep: Owners whose places are left out.

        Returns:
            The places of the part that are in use, and the probability of drawing it.
        """
        parts = -(-self._blocks * BLOCK // size)
        places = np.arange(draws.integers(parts), self._blocks * BLOCK, parts)
        awake = self._awake(asleep)[places // BLOCK] > NOWHERE
        return places[awake & (self._scores[places] > NOWHERE)], 1 / parts

    def slices(self) -> Iterator[Ints]:
        """Go through all places, some at a time."""
        for first in range(0, self._blocks, SLICE):
            yield self._in_use(first, SLICE)

    def places(self) -> Ints:
        """Return all places."""
        return self._in_use(0, self._blocks)

    def _in_use(self, block: int, count: int) -> Ints:
        """Return the places in so many blocks."""
        first, last = block * BLOCK, (block + count) * BLOCK
        return first + np.flatnonzero(self._scores[first:last] > NOWHERE)
