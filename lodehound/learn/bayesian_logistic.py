"""Bayesian logistic regression over a few numbers, trained one example at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

LEAST_NOISE = 0.1  # p * (1 - p) of an observation counts as no less: certainty comes slowly


class BayesianLogistic:
    """A logistic regression that keeps the covariance of its weights.

    Args:
        weights: The first weights.
        prior_variance: Prior variance of a weight.
    """

    def __init__(self, weights: Doubles, *, prior_variance: float) -> None:
        # In double precision: the covariance shrinks with every lesson of a long crawl.
        self._weights = weights.astype(np.float64)
        self._covariance: Doubles = prior_variance * np.eye(len(weights))

    def odds(self, numbers: Floats) -> Floats:
        """Return the log odds of examples, or of one."""
        # Not a matrix product, whose rounding depends on the number of rows.
        found: Floats = (numbers * self._weights).sum(axis=-1).astype(np.float32)
        return found

    def learn(self, numbers: Floats, probability: float, *, label: bool) -> None:
        """Learn the label of an example that had this probability."""
        noise = max(probability * (1 - probability), LEAST_NOISE)
        gain = (self._covariance * numbers).sum(axis=1)
        self._covariance -= np.outer(gain, gain) / (1 / noise + (numbers * gain).sum())
        self._weights += (self._covariance * numbers).sum(axis=1) * (label - probability)
