"""Learners over rows of hashed features: the value of a row is the sum of its features' weights.

Feature 0 means "does not apply"; its weight is always 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lodehound.learn.link_features import BITS, FEATURES, Rows

Floats = NDArray[np.float32]

SIZE = 1 << BITS
SMALL = 1e-8
STEEP = 30.0  # log odds beyond which a probability counts as certain


def sums(weights: Floats, rows: Rows) -> Floats:
    """Return the sum of every row's weights.

    Columns are added one by one: this is fast, and the order does not depend on the number of
    rows. (numpy would sum a single row pairwise, so it is duplicated.)
    """
    some = rows[[0, 0], :FEATURES] if len(rows) == 1 else rows[:, :FEATURES]
    found: Floats = weights.take(np.ascontiguousarray(some.T)).sum(axis=0)
    return found[: len(rows)]


def _features(row: Rows) -> Rows:
    """Return the distinct features of a row that apply."""
    some = row[:FEATURES]
    return np.unique(some[some > 0])


class Logistic:
    """Online logistic regression with AdaGrad (Duchi et al. 2011): rare features keep large steps.

    Args:
        rate: Size of the first step of each weight.
        intercept: Log odds of a row without known features.
    """

    def __init__(self, *, rate: float = 0.2, intercept: float = 0.0) -> None:
        self.rate = rate
        self.intercept = intercept
        self.weights: Floats = np.zeros(SIZE, dtype=np.float32)
        self._squares: Floats = np.zeros(SIZE, dtype=np.float32)
        self._square = 0.0

    def probabilities(self, rows: Rows) -> Floats:
        """Return the probability of yes for every row."""
        odds = sums(self.weights, rows) + np.float32(self.intercept)
        found: Floats = 1 / (1 + np.exp(-np.clip(odds, -STEEP, STEEP)))
        return found

    def learn(self, row: Rows, *, yes: bool) -> None:
        """Take one step; the gradient is the same for all features of a row."""
        gradient = float(self.probabilities(row[None])[0]) - yes
        used = _features(row)
        self._squares[used] += gradient * gradient
        self.weights[used] -= self.rate * gradient / np.sqrt(self._squares[used] + SMALL)
        self._square += gradient * gradient
        self.intercept -= self.rate * gradient / math.sqrt(self._square + SMALL)


class Posterior:
    """Bayesian linear regression with a mean and a variance for every weight.

    An observation is distributed over the weights by their variances (a Kalman
    filter with a diagonal covariance): frequent features move little, new ones move
    much, and the sum of the variances of a row measures its uncertainty.

    Args:
        spread: Prior variance of a weight.
        noise: Variance of an observation.
    """

    def __init__(self, *, spread: float = 0.05, noise: float = 0.1) -> None:
        self.spread = spread
        self.noise = noise
        self.weights: Floats = np.zeros(SIZE, dtype=np.float32)
        self._variances: Floats = np.full(SIZE, spread, dtype=np.float32)
        self._variances[0] = 0
        self.intercept = 0.0
        self._variance = 1.0

    def predict(self, rows: Rows) -> Floats:
        """Return the expected value of every row."""
        found: Floats = sums(self.weights, rows) + np.float32(self.intercept)
        return found

    def novelty(self, rows: Rows) -> Floats:
        """Return the uncertainty of every row, relative to its prior: from 1 down to 0."""
        known = sums(self._variances, rows) / np.float32(self.spread * min(rows.shape[1], FEATURES))
        found: Floats = np.sqrt(known)
        return found

    def instructive(self, rows: Rows) -> Floats:
        """Return how much an observation of each row would reduce the uncertainty of the others.

        The uncertainty of a row counts as often as other rows share its features.
        """
        some = rows[:, :FEATURES]
        _, places, counts = np.unique(some, return_inverse=True, return_counts=True)
        shared = (counts - 1)[places].reshape(some.shape)
        found: Floats = (self._variances[some] * shared).sum(axis=1)
        return found

    def learn(self, row: Rows, value: float, *, again: bool = False) -> None:
        """Learn from one observation; ``again`` marks a better value for an earlier one."""
        used = _features(row)
        variances = self._variances[used]
        error = value - float(self.weights[used].sum()) - self.intercept
        total = float(variances.sum()) + self._variance + self.noise
        gains = variances / np.float32(total)
        self.weights[used] += gains * np.float32(error)
        gain = self._variance / total
        self.intercept += gain * error
        if not again:
            self._variances[used] = variances * (1 - gains)
            self._variance *= 1 - gain
