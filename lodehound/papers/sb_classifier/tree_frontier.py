"""The tree frontier of TRES: waiting links in the leaves of a regression tree.

The tree grows with experience: a leaf of experiences (x, r) is split where this reduces the
variance of r most. Splits are found by prefix sums over sorted columns, so that a leaf of
n experiences costs O(n log n), not O(n^2) as in the released code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Item = TypeVar("Item")


@dataclass(slots=True)
class Leaf(Generic[Item]):
    """Experiences and waiting items in one part of the feature space."""

    depth: int = 0
    rows: list[Floats] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    items: list[tuple[Floats, Item]] = field(default_factory=list)
    next_look: int = 0  # number of experiences at the next attempt to split
    feature: int = -1  # feature of a leaf that was split
    cut: float = 0.0
    below: Leaf[Item] | None = None
    above: Leaf[Item] | None = None

    def to_end(self, place: int) -> Item:
        """Move an item to the end, where it is removed fastest, and return it."""
        self.items[place], self.items[-1] = self.items[-1], self.items[place]
        return self.items[-1][1]


class TreeFrontier(Generic[Item]):
    """A binary regression tree whose leaves also contain waiting items.

    Args:
        min_samples: Minimum number of experiences to split a leaf.
        min_share: Minimum share of them on each side.
        depth: Maximum number of splits above a leaf.
    """

    def __init__(self, *, min_samples: int = 10, min_share: float = 0.0, depth: int = 18) -> None:
        self.min_samples = min_samples
        self.min_share = min_share
        self.depth = depth
        self._root: Leaf[Item] = Leaf(next_look=min_samples)
        self._waiting: dict[int, Leaf[Item]] = {}  # leaves with items, by identity
        self.leaves = 1

    def push(self, row: Floats, item: Item) -> None:
        leaf = self._leaf(row)
        leaf.items.append((row, item))
        self._waiting[id(leaf)] = leaf

    def waiting(self) -> Iterator[Leaf[Item]]:
        """Return the leaves with items, in the order in which they were filled."""
        return iter(list(self._waiting.values()))

    def remove(self, row: Floats, is_it: Callable[[Item], bool]) -> None:
        """Remove an item that was pushed with this row; search its leaf from the end."""
        leaf = self._leaf(row)
        places = range(len(leaf.items) - 1, -1, -1)
        leaf.to_end(next(place for place in places if is_it(leaf.items[place][1])))
        leaf.items.pop()
        if not leaf.items:
            del self._waiting[id(leaf)]

    def learn(self, row: Floats, reward: float) -> None:
        """Add an experience; split its leaf if that reduces the variance."""
        leaf = self._leaf(row)
        leaf.rows.append(row)
        leaf.rewards.append(reward)
        if len(leaf.rows) < leaf.next_look or leaf.depth >= self.depth:
            return
        # Trying again after 10 % more experiences limits the cost of a leaf that cannot be split.
        leaf.next_look = len(leaf.rows) + max(self.min_samples, len(leaf.rows) // 10)
        found = best_split(np.array(leaf.rows), np.array(leaf.rewards), self.min_share)
        if found is not None:
            self._split(leaf, *found)

    def _leaf(self, row: Floats) -> Leaf[Item]:
        leaf = self._root
        while leaf.below is not None and leaf.above is not None:
            leaf = leaf.below if row[leaf.feature] <= leaf.cut else leaf.above
        return leaf

    def _split(self, leaf: Leaf[Item], feature: int, cut: float) -> None:
        sides: list[Leaf[Item]] = [Leaf(depth=leaf.depth + 1) for _ in range(2)]
        for row, reward in zip(leaf.rows, leaf.rewards, strict=True):
            side = sides[int(row[feature] > cut)]
            side.rows.append(row)
            side.rewards.append(reward)
        for row, item in leaf.items:
            sides[int(row[feature] > cut)].items.append((row, item))
        for side in sides:
            side.next_look = max(self.min_samples, len(side.rows) + 1)
            if side.items:
                self._waiting[id(side)] = side
        self._waiting.pop(id(leaf), None)
        leaf.rows, leaf.rewards, leaf.items = [], [], []
        leaf.feature, leaf.cut, (leaf.below, leaf.above) = feature, cut, sides
        self.leaves += 1


def best_split(rows: Floats, rewards: Floats, min_share: float = 0.0) -> tuple[int, float] | None:
    """Return the feature and the value that separate rewards best, or None.

    >>> best_split(np.array([[0.0, 5.0], [1.0, 5.0], [1.0, 5.0]]), np.array([0.0, 1.0, 1.0]))
    (0, 0.0)
    """
    count = len(rewards)
    total, square = rewards.sum(), float(rewards.var() * count)
    best, found = 1e-12 + 0.0, None
    least = max(1, int(np.ceil(min_share * count)))
    sizes = np.arange(1, count)
    for feature in range(rows.shape[1]):
        order = np.argsort(rows[:, feature], kind="stable")
        values = rows[order, feature]
        places = np.flatnonzero(values[1:] > values[:-1])  # a cut is between two values
        places = places[(sizes[places] >= least) & (count - sizes[places] >= least)]
        if not len(places):
            continue
        left = np.cumsum(rewards[order])[places]
        few = sizes[places]
        # The sum of squares between the two sides is the reduction of variance.
        gains = left**2 / few + (total - left) ** 2 / (count - few) - total**2 / count
        top = int(np.argmax(gains))
        if square > 0 and gains[top] > best:
            best, found = float(gains[top]), (feature, float(values[places[top]]))
    return found
