"""FTRL-proximal: logistic regression that learns online, with a rate of its own per column.

McMahan et al. 2013, Algorithm 1. The LDCOC paper (Sec. 3.3) writes one learning
rate for all columns; this is the per-coordinate form of the source it cites.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]
Floats = NDArray[np.float64]


class Ftrl:
    """Logistic regression over binary vectors, given as the columns that are 1, each once.

    Weights are not kept: they follow from two sums per column, and are zero
    where the gradients have not added up to more than ``l1``.

    Args:
        columns: How many there are.
        alpha: Learning rate.
        beta: Smooths the rate of columns rarely seen.
        l1: Columns that matter less than this weigh nothing.
        l2: Draws weights towards zero.
    """

    def __init__(
        self,
        columns: int,
        *,
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.1,
        l2: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.l1 = l1
        self.l2 = l2
        self._z: Floats = np.zeros(columns)
        self._n: Floats = np.zeros(columns)

    def weights(self, columns: Columns) -> Floats:
        """Return the weights of these columns."""
        z = self._z[columns]
        pull = np.maximum(np.abs(z) - self.l1, 0.0)
        rate = (self.beta + np.sqrt(self._n[columns])) / self.alpha + self.l2
        return -np.copysign(pull, z) / rate

    def predict(self, columns: Columns) -> float:
        """Return the probability of the label being true."""
        return sigmoid(float(self.weights(columns).sum()))

    def learn(self, columns: Columns, label: bool, weight: float = 1.0) -> None:
        """Learn from one vector; ``weight`` is how many of its like it stands for."""
        weights = self.weights(columns)
        gradient = weight * (sigmoid(float(weights.sum())) - label)
        n = self._n[columns]
        after = n + gradient * gradient
        self._z[columns] += gradient - (np.sqrt(after) - np.sqrt(n)) / self.alpha * weights
        self._n[columns] = after

    @property
    def used(self) -> int:
        """How many columns weigh anything."""
        return int((np.abs(self._z) > self.l1).sum())


def sigmoid(odds: float) -> float:
    """Return the probability that log odds stand for.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if odds < -700:
        return 0.0
    return 1 / (1 + math.exp(-odds))
