"""Naive Bayes over binary columns, learned one example at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class NaiveBayes:
    """Two classes, binary columns, add-one smoothing; absent columns count as well.

    log odds = log P(1)/P(0) + sum over columns j of log P(x_j | 1)/P(x_j | 0).
    The part of the absent columns is the same for every example but for the
    columns that are present, so a score costs one look per present column.

    Args:
        width: Columns.
    """

    def __init__(self, width: int) -> None:
        self.examples = [0, 0]
        self._counts: NDArray[np.float64] = np.zeros((2, width))
        self._weights: NDArray[np.float64] = np.zeros(width)
        self._bias = 0.0
        self._stale = False

    def learn(self, columns: Sequence[int], label: bool) -> None:
        self.examples[label] += 1
        self._counts[int(label), columns] += 1
        self._stale = True

    def scores(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """Return the log odds of every row; 0 while nothing is known."""
        if self._stale:
            self._refresh()
        weights, bias = self._weights, self._bias
        return [bias + float(weights[list(row)].sum()) for row in rows]

    def _refresh(self) -> None:
        totals = np.array(self.examples, dtype=np.float64)[:, None]
        present = np.log(self._counts + 1)
        absent = np.log(totals - self._counts + 1)
        odds = present - absent
        self._weights = odds[1] - odds[0]
        sums = absent.sum(axis=1) - absent.shape[1] * np.log(totals[:, 0] + 2)
        prior = np.log(totals[:, 0] + 1)
        self._bias = float(sums[1] - sums[0] + prior[1] - prior[0])
        self._stale = False
