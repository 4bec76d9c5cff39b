"""Naive Bayes over binary columns, trained one example at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class BinaryNaiveBayes:
    """Naive Bayes for two classes and sparse binary columns.

    log odds = logit P(1) + sum over present columns j of (logit P(1 | j) - logit P(1)),
    which is Bayes' rule under independence. P(1 | j) is shrunk towards P(1) by
    ``weight`` examples. With add-one smoothing of P(j | 1), an unknown column would be
    evidence for the rarer class, and a crawler would prefer URLs with unknown columns.
    Absent columns are ignored: a URL lacks nearly all of them.

    >>> bayes = BinaryNaiveBayes(4)
    >>> bayes.scores([[0], [1], []])
    [0.0, 0.0, 0.0]
    >>> bayes.learn([0], True)
    >>> [round(score, 3) for score in bayes.scores([[0], [1], []])]
    [1.609, 0.693, 0.693]

    Args:
        width: Number of columns.
        weight: Weight of the prior, in examples.
    """

    def __init__(self, width: int, *, weight: float = 1.0) -> None:
        self.weight = weight
        self.examples = [0, 0]
        self._counts: NDArray[np.float64] = np.zeros((2, width))

    def learn(self, columns: Sequence[int], label: bool) -> None:
        self.examples[label] += 1
        self._counts[int(label), columns] += 1

    def scores(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """Return the log odds of every row; 0 before the first example."""
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
