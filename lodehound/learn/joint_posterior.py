"""The posterior of a Bayesian linear model, whose observations are sums of weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
Doubles = NDArray[np.float64]


class JointPosterior:
    """How some observations of a linear model tie its weights to each other.

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
        # The weights in observations have numbers here; 0 fills up short observations.
        self._numbers: dict[int, int] = {0: 0}
        self._places: Places = np.zeros(most * longest + 1, dtype=np.int32)
        self._prior: Doubles = np.zeros(most * longest + 1)
        self._sums: Places = np.zeros((most, longest), dtype=np.int32)
        self._factor: Doubles = np.zeros((most, most))

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        return self._count == len(self._sums)

    def add(self, places: Places, variances: NDArray[np.floating]) -> tuple[Places, Doubles, float]:
        """Add an observation.

        Args:
            places: Which weights it sums, without 0.
            variances: Of these weights now.

        Returns:
            The weights in all observations, the covariance of each with this observation, and the
            variance of this observation.
        """
        count, numbers = self._count, self._numbers
        first = len(numbers)
        at = np.array([numbers.setdefault(place, len(numbers)) for place in places.tolist()])
        new = at >= first
        self._places[at[new]] = places[new]
        self._prior[at[new]] = variances[new]
        own = np.zeros(len(numbers))
        own[at] = self._prior[at]
        known, shares = self._solved(own[self._sums[:count]].sum(axis=1))
        variance = float(own.sum() + self._noise - (known * known).sum())
        covariances = own - self._spread(shares)
        self._sums[count, : len(at)] = at
        self._factor[count, :count] = -shares
        self._factor[count, count] = 1.0
        self._factor[count] /= np.sqrt(variance)
        self._count += 1
        return self._places[: len(numbers)], covariances, variance

    def changes(self, number: int, difference: float) -> tuple[Places, Doubles]:
        """Return how the weights in all observations change if one of these was higher.

        Args:
            number: Of the observation, in the order in which they were added.
            difference: What it was higher by.
        """
        _, shares = self._solved(difference * (np.arange(self._count) == number))
        return self._places[: len(self._numbers)], self._spread(shares)

    def _solved(self, values: Doubles) -> tuple[Doubles, Doubles]:
        """Return G v and G' G v for a value v of every observation."""
        factor = self._factor[: self._count, : self._count]
        # Not matrix products, whose rounding depends on the machine.
        known = (factor * values).sum(axis=1)
        return known, (factor * known[:, None]).sum(axis=0)

    def _spread(self, shares: Doubles) -> Doubles:
        """Return what weights get if each observation gives its share to all of its weights."""
        sums, size = self._sums[: self._count], len(self._numbers)
        given = np.bincount(sums.ravel(), np.repeat(shares, sums.shape[1]), size)
        found: Doubles = given * self._prior[:size]
        return found
