"""Which rows of a table are looked at: the first ones, and some from all over it.

Tables are often sorted by year or by region: their first rows do not say what they cover.
"""

from __future__ import annotations

import math
import random
from typing import Generic, TypeVar

Item = TypeVar("Item")

STEPS = 5  # places of a table


def places(rows: int, wanted: int, steps: int = STEPS) -> list[tuple[int, int]]:
    """Return where to read, and how many rows there, to get a number of rows from all over.

    >>> places(1000, 10)
    [(0, 2), (249, 2), (499, 2), (748, 2), (998, 2)]
    >>> places(8, 10)
    [(0, 10)]
    >>> places(1000, 10, 1)
    [(0, 10)]
    """
    if rows <= wanted or steps == 1:
        return [(0, wanted)]
    most = max(1, wanted // steps)
    return [((rows - most) * step // (steps - 1), most) for step in range(steps)]


class RowSample(Generic[Item]):
    """The first items of a stream, and as many of the others, all of them equally likely.

    Li, "Reservoir-Sampling Algorithms of Time Complexity O(n(1 + log(N/n)))" (1994), algorithm L:
    most items are only counted.

    >>> sample = RowSample[int](2)
    >>> for number in range(1000):
    ...     sample.add(number)
    >>> sample.first, len(sample.others), sample.others[-1], sample.count
    ([0, 1], 3, 999, 1000)
    """

    def __init__(self, size: int, *, others: bool = True) -> None:
        self.first: list[Item] = []
        self.count = 0
        self._size = max(1, size)
        self._others: list[Item] = []
        self._last: Item | None = None
        self._dice = random.Random(0)
        self._weight = 1.0
        self._next = 0
        self._samples = others

    @property
    def others(self) -> list[Item]:
        """Return some of the items after the first ones; the last item comes last."""
        return self._others if self._last is None else [*self._others, self._last]

    def add(self, item: Item) -> None:
        """Take in the next item."""
        self.count += 1
        if self.count <= self._size or (self._samples and self.count > self._next):
            self._keep(item)
        elif self._samples:
            self._last = item

    def _keep(self, item: Item) -> None:
        if self.count <= self._size:
            self.first.append(item)
        elif len(self._others) < self._size:
            self._others.append(item)
            if len(self._others) == self._size:
                self._skip()
        else:
            self._others[self._dice.randrange(self._size)] = item
            self._skip()

    def _skip(self) -> None:
        self._weight *= math.exp(math.log(self._dice.random() or 1e-300) / self._size)
        leap = math.log(self._dice.random() or 1e-300) / math.log1p(-min(self._weight, 1 - 1e-12))
        self._next = self.count + int(leap)  # up to here, items are only counted
