"""FTRL-proximal as the LDCOC paper prints it (Equation 1), solved number by number.

Nothing is simplified: all gradients and all earlier weights are kept, and the sum that Equation 1
minimises is searched for its least value in every column.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WIDE, STEPS = 1000.0, 200  # where weights are searched, and how often the part is made smaller


class Ftrl:
    """Logistic regression whose weights solve Equation 1 anew in every round."""

    def __init__(self, columns: int, l1: float) -> None:
        self.l1 = l1
        self.weights: Floats = np.zeros(columns)
        self._gradients = list[Floats]()
        self._earlier = list[Floats]()

    def learn(self, row: Floats, label: bool, importance: float) -> None:
        """One round of Algorithm 1; ``importance`` is 1, or 1/epsilon."""
        chance = 1 / (1 + math.exp(-float(row @ self.weights)))
        self._gradients.append(importance * (chance - label) * row)
        self._earlier.append(self.weights)
        self.weights = np.array([self._least(column) for column in range(len(row))])

    def _least(self, column: int) -> float:
        """Return the w with the least sum, which is convex: what is beyond a third is cut off."""
        low, high = -WIDE, WIDE
        for _ in range(STEPS):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            if self._sum(one, column) <= self._sum(other, column):
                high = other
            else:
                low = one
        return (low + high) / 2

    def _sum(self, w: float, column: int) -> float:
        rounds = np.arange(1, len(self._gradients) + 1)
        sigma = np.sqrt(rounds) - np.sqrt(rounds - 1)  # sums to the square root of t
        gradients = sum(float(gradient[column]) for gradient in self._gradients)
        distances = np.array([w - earlier[column] for earlier in self._earlier]) ** 2
        return float(w * gradients + sigma @ distances / 2 + self.l1 * abs(w))
