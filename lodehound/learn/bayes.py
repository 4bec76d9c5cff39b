"""Naive Bayes over binary columns, learned one example at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class BinaryNaiveBayes:
    """Two classes, binary columns, of which few are present.

    log odds = logit P(1) + sum over present columns j of (logit P(1 | j) - logit P(1)),
    which is Bayes' rule under independence. P(1 | j) is drawn towards P(1) as by
    ``weight`` examples. Add-one smoothing of P(j | 1) instead would take a column
    that was never seen for a sign of the rarer class, and a crawler would run after
    whatever it does not know. Absent columns say nothing: a URL lacks nearly all.

    >>> bayes = BinaryNaiveBayes(4)
    >>> bayes.scores([[0], [1], []])
    [0.0, 0.0, 0.0]
    >>> bayes.learn([0], True)
    >>> [round(score, 3) for score in bayes.scores([[0], [1], []])]
    [1.609, 0.693, 0.693]

    Args:
        width: Columns.
        weight: Examples that the prior counts for.
    """

    def __init__(self, width: int, *, weight: float = 1.0) -> None:
        self.weight = weight
        self.examples = [0, 0]
        self._counts: NDArray[np.float64] = np.zeros((2, width))

    def learn(self, columns: Sequence[int], label: bool) -> None:
        self.examples[label] += 1
        self._counts[int(label), columns] += 1

    def scores(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """Return the log odds of every row; 0 while nothing is known."""
        if not rows:
            return []
        prior = (self.examples[1] + 1) / (sum(self.examples) + 2)
        base = math.log(prior / (1 - prior))
        flat = np.array([column for row in rows for column in row], dtype=np.intp)
        owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        yes = self._counts[1, flat] + self.weight * prior
        no = self._counts[0, flat] + self.weight * (1 - prior)
        shifts = np.log(yes / no) - base
        found: list[float] = (base + np.bincount(owners, shifts, len(rows))).tolist()
        return found
