"""Means of groups, from general to particular."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lodehound.learn.feature_table import Features, FeatureTable, Floats, Places

Doubles = NDArray[np.float64]


class GroupMeans:
    """Mean amounts per visit of a group: each mean is shrunk to the mean one level up.

    A visit belongs to some groups; each of them has two parents, one that all of them share and
    one of its own, and the parents of all are everything that was ever visited. So the levels of a
    visit are the shared parent, the other parents, and the groups in the same order. Each level is
    a feature; a group that does not apply is feature 0, with feature 0 as its parent.

    Args:
        table: One of its parts is for the means: the sum of each amount, then the number of visits.
        part: Which.
        shrink: Number of visits that the mean one level up counts for.
        decay: Share of the past that each visit removes.
        first: The amounts of a visit that is added to all others and never decays.
    """

    def __init__(
        self,
        table: FeatureTable,
        part: int,
        *,
        shrink: float,
        decay: float,
        first: Sequence[float],
    ) -> None:
        self._table = table
        self._part = part
        self._amounts = len(first)
        self._shrink = shrink
        self._half = shrink / 2
        self._keep = np.float32(1 - decay)
        self._first: Doubles = np.array([*first, 1.0])
        self.total: Doubles = np.zeros(len(first) + 1)  # of all visits
        table.parts[part][table.add([0]), : len(first)] = -np.inf  # never the best group
        self._set_mean()

    def _set_mean(self) -> None:
        """Set what the mean of all visits adds to the sums one level down."""
        *sums, count = self.total + self._first
        self._above: Floats = (self._shrink * np.array(sums) / count).astype(np.float32)
        self._above_each: list[float] = self._above.tolist()

    def _at(self, levels: Features) -> tuple[Places, Floats]:
        """Return where levels are in the table, and the part of it for the means, to write to."""
        at = self._table.add(levels)
        return at, self._table.parts[self._part]

    def predict(self, places: Places) -> list[Floats]:
        """Return each amount that is expected of visits: that of the best group.

        Args:
            places: Of their levels in the table, level by level.
        """
        rows = self._table.parts[self._part].take(places, axis=0)
        if rows.ndim == 2:
            return self._predict_one(rows.tolist())
        sums, counts = rows[..., : self._amounts], rows[..., self._amounts :] + self._shrink
        groups = 1 + len(places) // 2  # the first of them
        parents = (sums[:groups] + self._above) / counts[:groups]
        # Half of the two parents' sum is their mean.
        above = self._half * (parents[1:] + parents[0])
        means = (sums[groups:] + above) / counts[groups:]
        best = means[0] if len(means) == 1 else np.maximum.reduce(means)
        return [best[:, amount] for amount in range(self._amounts)]

    def _predict_one(self, rows: list[list[float]]) -> list[Any]:
        """Do the same for one visit: scalars are faster than arrays."""
        found, shrink, half = [], self._shrink, self._half
        shared, groups = rows[0], 1 + len(rows) // 2
        pairs = [*zip(rows[1:groups], rows[groups:], strict=True)]
        for amount, above in enumerate(self._above_each):
            parent = (shared[amount] + above) / (shared[-1] + shrink)
            means = []
            for own, group in pairs:
                both = parent + (own[amount] + above) / (own[-1] + shrink)
                means.append((group[amount] + half * both) / (group[-1] + shrink))
            found.append(max(means))
        return found

    def visit(self, levels: Features) -> None:
        """Count a visit that has begun; until its amounts are known they count as 0."""
        at, part = self._at(levels)
        part[at] *= self._keep
        part[at, self._amounts] += 1
        self.total *= self._keep
        self.total[self._amounts] += 1
        self._set_mean()

    def forget_visit(self, levels: Features) -> None:
        """Take back a visit."""
        at, part = self._at(levels)
        # The visit may have decayed since.
        part[at, self._amounts] = np.maximum(part[at, self._amounts] - 1, 0)
        self.total[self._amounts] = max(self.total[self._amounts] - 1, 0)
        self._set_mean()

    def learn(self, levels: Features, amounts: Sequence[float]) -> None:
        """Add amounts to a visit that was counted before."""
        at, part = self._at(levels)
        part[at, : self._amounts] += np.array(amounts, dtype=np.float32)
        self.total[: self._amounts] += amounts
        self._set_mean()
