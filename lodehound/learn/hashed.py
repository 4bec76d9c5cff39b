"""Learners over rows of hashed features: each row's value is the sum of its features' weights."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lodehound.learn.link_features import BITS, Rows

Floats = NDArray[np.float32]

SMALL = 1e-8


class Weights:
    """Weights learned by AdaGrad (Duchi et al. 2011): rare features keep large steps.

    Args:
        rate: Size of the first step of each weight.
    """

    def __init__(self, *, rate: float) -> None:
        self.rate = rate
        self.weights: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self._squares: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self.intercept = 0.0
        self._square = 0.0

    def sums(self, rows: Rows) -> Floats:
        """Return the sum of the weights of every row."""
        found: Floats = self.weights[rows].sum(axis=1)
        return found + np.float32(self.intercept)

    def step(self, row: Rows, gradient: float) -> None:
        """Go one step against the gradient, the same for all features of a row."""
        used = row[row > 0]
        self._squares[used] += gradient * gradient
        self.weights[used] -= self.rate * gradient / np.sqrt(self._squares[used] + SMALL)
        self._square += gradient * gradient
        self.intercept -= self.rate * gradient / math.sqrt(self._square + SMALL)


class Logistic(Weights):
    """Online logistic regression: the probability that a link is of one kind."""

    def probabilities(self, rows: Rows) -> Floats:
        return 1 / (1 + np.exp(-np.clip(self.sums(rows), -30, 30)))

    def learn(self, row: Rows, *, yes: bool) -> None:
        self.step(row, float(self.probabilities(row[None])[0]) - yes)


class Regression(Weights):
    """Online linear regression under squared error."""

    def learn(self, row: Rows, value: float) -> None:
        self.step(row, float(self.sums(row[None])[0]) - value)


class Posterior:
    """Bayesian linear regression with a diagonal posterior, one observation at a time."""

    def __init__(self, *, spread: float, noise: float, floor: float = 0.0) -> None:
        self.spread = spread
        self.noise = noise
        self.floor = floor
        self.weights: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self.variances: Floats = np.full(1 << BITS, spread, dtype=np.float32)
        self.weights[0] = self.variances[0] = 0
        self.intercept = 0.0
        self._variance = 1.0

    def sums(self, rows: Rows) -> Floats:
        found: Floats = self.weights[rows].sum(axis=1)
        return found + np.float32(self.intercept)

    def uncertainty(self, rows: Rows) -> Floats:
        found: Floats = np.sqrt(self.variances[rows].sum(axis=1) / self.spread / rows.shape[1])
        return found

    def learn(self, row: Rows, value: float) -> None:
        used = np.unique(row[row > 0])
        variances = self.variances[used]
        error = value - float(self.weights[used].sum()) - self.intercept
        total = float(variances.sum()) + self._variance + self.noise
        gain = variances / total
        self.weights[used] += gain * error
        self.variances[used] = np.maximum(variances * (1 - gain), self.floor)
        own = self._variance / total
        self.intercept += own * error
        self._variance *= 1 - own
