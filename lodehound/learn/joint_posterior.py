"""The posterior of a Bayesian linear model, whose observations are sums of weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
Doubles = NDArray[np.float64]


class JointPosterior:
    """How the first observations of a linear model tie its weights to each other.

    A Kalman filter that keeps every covariance is exact, but one matrix of all weights is too
    large. It is kept in terms of observations instead, as in a Gaussian process: with X for the
    observations, D for the prior variances and K = X D X' + noise, the covariance of the weights
    is D - D X' G' G X D, where G' G is the inverse of K. Every observation adds a row to G.

    Args:
        most: Observations that can be added.
        longest: Weights in one observation, at most.
        noise: Variance of an observation.
    """

    def __init__(self, most: int, *, longest: int, noise: float) -> None:
        self._noise = noise
        self._count = 0
        self._sums: Places = np.zeros((most, longest), dtype=np.int32)
        self._factor: Doubles = np.zeros((most, most))

    @property
    def is_full(self) -> bool:
        return self._count == len(self._sums)

    def add(self, places: Places, prior: Doubles) -> tuple[Doubles, float]:
        """Add an observation; return its covariance with every weight, and its variance.

        Args:
            places: Which weights it sums, without 0.
            prior: Variance of every weight before all observations.
        """
        count = self._count
        sums = self._sums[:count]
        own = np.zeros_like(prior)
        own[places] = prior[places]
        known, shares = self._solved(own[sums].sum(axis=1))
        variance = float(own.sum() + self._noise - (known * known).sum())
        self._sums[count, : len(places)] = places
        self._factor[count, :count] = -shares
        self._factor[count, count] = 1.0
        self._factor[count] /= np.sqrt(variance)
        self._count += 1
        return own - _spread(sums, shares, prior), variance

    def changes(self, differences: Doubles, prior: Doubles) -> Doubles:
        """Return how every weight changes if the observations are found to differ.

        Args:
            differences: What each observation is higher by, in the order in which they were added.
            prior: Variance of every weight before all observations.
        """
        _, shares = self._solved(differences)
        return _spread(self._sums[: self._count], shares, prior)

    def _solved(self, values: Doubles) -> tuple[Doubles, Doubles]:
        """Return G v and G' G v for a value v of every observation."""
        factor = self._factor[: self._count, : self._count]
        # Not matrix products, whose rounding depends on the machine.
        known = (factor * values).sum(axis=1)
        return known, (factor * known[:, None]).sum(axis=0)


def _spread(sums: Places, shares: Doubles, prior: Doubles) -> Doubles:
    """Return what weights get if each sum gives its share to all of its weights."""
    found: Doubles = np.bincount(sums.ravel(), np.repeat(shares, sums.shape[1]), len(prior)) * prior
    found[0] = 0.0  # the padding of short sums
    return found
