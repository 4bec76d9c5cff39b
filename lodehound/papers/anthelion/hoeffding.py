"""A Hoeffding tree over binary columns (Domingos and Hulten 2000; defaults of MOA).

A leaf becomes a test of one column if its information gain exceeds that of the
second best by more than eps = sqrt(R^2 ln(1/delta) / 2n).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

Columns = Collection[int]


@dataclass(slots=True)
class _Leaf:
    """The examples of a leaf: counts by class, in total and by present column."""

    totals: list[int] = field(default_factory=lambda: [0, 0])
    present: dict[int, list[int]] = field(default_factory=dict)
    right: list[int] = field(default_factory=lambda: [0, 0])  # by majority, by naive Bayes
    depth: int = 0
    looked_at: int = 0  # number of examples at the last attempt to split

    @property
    def examples(self) -> int:
        return self.totals[0] + self.totals[1]


@dataclass(slots=True)
class _Test:
    column: int
    absent: _Leaf | _Test
    present: _Leaf | _Test


class HoeffdingTree:
    """A tree for two classes; leaves use majority or naive Bayes, whichever was right more often.

    Args:
        grace: Examples between two attempts to split a leaf.
        delta: Probability of a wrong split.
        tie: Split anyway if eps is below this.
        max_depth: Maximum number of tests above a leaf.
        max_columns: Maximum number of columns that a leaf counts.
    """

    def __init__(
        self,
        *,
        grace: int = 200,
        delta: float = 1e-7,
        tie: float = 0.05,
        max_depth: int = 40,
        max_columns: int = 10_000,
    ) -> None:
        self.grace = grace
        self.delta = delta
        self.tie = tie
        self.max_depth = max_depth
        self.max_columns = max_columns
        self.splits = 0
        self._root: _Leaf | _Test = _Leaf()

    def learn(self, columns: Sequence[int], label: bool) -> None:
        held = frozenset(columns)
        leaf, above = self._find(held)
        if leaf.examples:
            leaf.right[0] += (leaf.totals[1] > leaf.totals[0]) == label
            leaf.right[1] += (_bayes(leaf, held) > 0) == label
        leaf.totals[label] += 1
        for column in held:
            counts = leaf.present.get(column)
            if counts is None and len(leaf.present) < self.max_columns:
                counts = leaf.present[column] = [0, 0]
            if counts is not None:
                counts[label] += 1
        if leaf.examples - leaf.looked_at >= self.grace:
            leaf.looked_at = leaf.examples
            self._think(leaf, above, held)

    def scores(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """Return the log odds of every row; 0 before the first example."""
        return [self._score(frozenset(row)) for row in rows]

    def _score(self, held: frozenset[int]) -> float:
        leaf, _ = self._find(held)
        if leaf.right[1] > leaf.right[0]:
            return _bayes(leaf, held)
        return math.log((leaf.totals[1] + 1) / (leaf.totals[0] + 1))

    def _find(self, held: Columns) -> tuple[_Leaf, _Test | None]:
        node, above = self._root, None
        while isinstance(node, _Test):
            above, node = node, node.present if node.column in held else node.absent
        return node, above

    def _think(self, leaf: _Leaf, above: _Test | None, held: Columns) -> None:
        """Split a leaf if one column is clearly the best."""
        if 0 in leaf.totals or leaf.depth >= self.max_depth:
            return
        gains = sorted(((gain(leaf.totals, c), -j) for j, c in leaf.present.items()), reverse=True)
        if not gains:
            return
        best, column = gains[0][0], -gains[0][1]
        second = max(gains[1][0], 0.0) if len(gains) > 1 else 0.0  # not splitting has gain 0
        eps = math.sqrt(math.log(1 / self.delta) / (2 * leaf.examples))
        if best <= 0 or (best - second <= eps and eps >= self.tie):
            return
        here = leaf.present[column]
        split = _Test(
            column,
            absent=_Leaf(
                [leaf.totals[0] - here[0], leaf.totals[1] - here[1]], depth=leaf.depth + 1
            ),
            present=_Leaf(list(here), depth=leaf.depth + 1),
        )
        for child in (split.absent, split.present):
            if isinstance(child, _Leaf):
                child.looked_at = child.examples
        self.splits += 1
        if above is None:
            self._root = split
        elif above.column in held:
            above.present = split
        else:
            above.absent = split


def gain(totals: Sequence[int], present: Sequence[int]) -> float:
    """Return the information gain of a column in bits.

    >>> gain([4, 4], [0, 4]), round(gain([4, 4], [1, 3]), 4), gain([4, 4], [2, 2])
    (1.0, 0.1887, 0.0)
    """
    absent = [totals[0] - present[0], totals[1] - present[1]]
    whole = sum(totals)
    parts = sum(sum(part) / whole * _entropy(part) for part in (present, absent))
    return _entropy(totals) - parts


def _entropy(counts: Sequence[int]) -> float:
    whole = sum(counts)
    return -sum(c / whole * math.log2(c / whole) for c in counts if c)


def _bayes(leaf: _Leaf, held: Columns) -> float:
    """Return the log odds by naive Bayes over the columns that are present."""
    no, yes = leaf.totals
    odds = math.log((yes + 1) / (no + 1))
    scale = math.log((no + 2) / (yes + 2))
    for column in held:
        counts = leaf.present.get(column)
        if counts is not None:
            odds += math.log((counts[1] + 1) / (counts[0] + 1)) + scale
    return odds
