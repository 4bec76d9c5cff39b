"""FTRL-proximal: online logistic regression (LDCOC paper, Sec. 3.3).

The paper has one learning rate for all columns (``OneRateFtrl``). The source it cites, McMahan et
al. 2013, Algorithm 1, has one per column (``Ftrl``).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]
Floats = NDArray[np.float64]


class Ftrl:
    """Logistic regression over binary vectors, given as the distinct columns that are 1.

    Weights are not stored: they are computed from two sums per column, and are zero
    unless the sum of the gradients exceeds ``l1``.

    Args:
        columns: Number of columns.
        alpha: Learning rate.
        beta: Smooths the learning rate of rare columns.
        l1: L1 penalty: columns with less evidence than this have weight zero.
        l2: L2 penalty: shrinks weights towards zero.
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
        """Return the probability that the label is true."""
        return sigmoid(float(self.weights(columns).sum()))

    def learn(self, columns: Columns, label: bool, weight: float = 1.0) -> None:
        """Learn from one vector; ``weight`` is the number of examples it represents."""
        weights = self.weights(columns)
        gradient = weight * (sigmoid(float(weights.sum())) - label)
        n = self._n[columns]
        after = n + gradient * gradient
        self._z[columns] += gradient - (np.sqrt(after) - np.sqrt(n)) / self.alpha * weights
        self._n[columns] = after

    @property
    def used(self) -> int:
        """Number of columns with a non-zero weight."""
        return int((np.abs(self._z) > self.l1).sum())


class OneRateFtrl:
    """Equation 1 of the LDCOC paper, over binary vectors given as the columns that are 1.

    w = argmin(w . sum of gradients + 1/2 sum of sigma_s |w - w_s|^2 + l1 |w|), where
    sigma_1 + ... + sigma_t = sqrt(t). In every column it is
    -sign(z) max(|z| - l1, 0) / sqrt(t), with z = sum of (gradient_s - sigma_s w_s). A round in
    which a column is 0 leaves its weight as it was, so only the others are computed.

    Args:
        columns: Number of columns.
        l1: L1 penalty, the paper's lambda 1.
    """

    def __init__(self, columns: int, *, l1: float = 0.1) -> None:
        self.l1 = l1
        self._weights: Floats = np.zeros(columns)
        self._z: Floats = np.zeros(columns)  # of columns whose weight is 0: else it grows with t
        self._rounds = 0

    def weights(self, columns: Columns) -> Floats:
        """Return the weights of these columns."""
        return self._weights[columns]

    def predict(self, columns: Columns) -> float:
        """Return the probability that the label is true."""
        return sigmoid(float(self._weights[columns].sum()))

    def learn(self, columns: Columns, label: bool, weight: float = 1.0) -> None:
        """Learn from one vector; ``weight`` is the number of examples it represents."""
        weights = self._weights[columns]
        gradient = weight * (sigmoid(float(weights.sum())) - label)
        before, self._rounds = math.sqrt(self._rounds), self._rounds + 1
        after = math.sqrt(self._rounds)
        grown = -np.sign(weights) * (np.abs(weights) * before + self.l1)
        z = np.where(weights != 0, grown, self._z[columns])
        z += gradient - (after - before) * weights
        self._z[columns] = z
        self._weights[columns] = -np.sign(z) * np.maximum(np.abs(z) - self.l1, 0.0) / after

    @property
    def used(self) -> int:
        """Number of columns with a non-zero weight."""
        return int((self._weights != 0).sum())


def sigmoid(odds: float) -> float:
    """Return the probability for log odds.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if odds < -700:
        return 0.0
    return 1 / (1 + math.exp(-odds))
