"""What a link is worth: two estimates of the same thing, blended by how wrong each has been."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lodehound.learn.hashed import Posterior, Regression
from lodehound.learn.link_features import BITS, CLUSTER, GROUP, PATTERN, Rows

Floats = NDArray[np.float32]

LEAST_ERROR = 0.02
MEMORY = 0.02  # weight of the newest error in the running one


class GroupMeans:
    """Mean value of each group, shrunk to its parents', and theirs to the site's.

    A group is a pair of (tag path cluster, URL pattern); its parents are the
    two alone. A group never visited has the mean of its parents.

    Args:
        shrink: Visits that the parents' mean counts for.
    """

    def __init__(self, *, shrink: float = 2.0) -> None:
        self.shrink = shrink
        self._visits: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self._sums: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self.visits = 0
        self._sum = 0.0

    @property
    def mean(self) -> float:
        """Mean value over the site, with one visit of value 0.5 added to begin with."""
        return (self._sum + 0.5) / (self.visits + 1)

    def predict(self, rows: Rows) -> Floats:
        site = np.float32(self.mean)
        above = (self._mean(rows[:, CLUSTER], site) + self._mean(rows[:, PATTERN], site)) / 2
        return self._mean(rows[:, GROUP], above)

    def _mean(self, features: Rows, above: Floats | np.float32) -> Floats:
        k = np.float32(self.shrink)
        found: Floats = (self._sums[features] + k * above) / (self._visits[features] + k)
        return found

    def visit(self, row: Rows) -> None:
        """Count a visit; until its value comes it stands as 0."""
        self._visits[row[[GROUP, CLUSTER, PATTERN]]] += 1
        self.visits += 1

    def learn(self, row: Rows, value: float) -> None:
        """Credit the value of a visit that was counted before."""
        self._sums[row[[GROUP, CLUSTER, PATTERN]]] += value
        self._sum += value

    def visits_of(self, feature: int) -> float:
        return float(self._visits[feature])

    def mean_of(self, feature: int) -> float:
        return float(self._sums[feature] / max(self._visits[feature], 1))


class LinkValue:
    """The blend, and how much is not known yet."""

    def __init__(self, *, shrink: float, rate: float, groups: bool, linear: bool, model: str='sgd', noise: float=0.1, err: str='abs', memory: float=0.02, floor: float=0) -> None:
        self.err=err; self.memory=memory; self.model=model
        self.groups = groups
        self.linear = linear
        self.means = GroupMeans(shrink=shrink)
        self.regression = Regression(rate=rate) if model=='sgd' else Posterior(spread=rate,noise=noise,floor=floor)
        self._rarity: Floats = np.ones(1 << BITS, dtype=np.float32)  # 1 / sqrt(1 + visits)
        self._seen: Floats = np.zeros(1 << BITS, dtype=np.float32)
        self._errors = [1.0, 1.0]
        self.scale = 0.5

    def predict(self, rows: Rows) -> Floats:
        share = self.share
        if share == 0:
            return self.means.predict(rows)
        linear = np.maximum(self.regression.sums(rows), 0)
        return linear if share == 1 else (1 - share) * self.means.predict(rows) + share * linear

    @property
    def share(self) -> float:
        """Weight of the linear estimate."""
        if not self.groups or not self.linear:
            return float(self.linear)
        if self.err=='sq':
            first, second = (1 / max(error, 1e-5)**2 for error in self._errors)
            return second / (first + second)
        first, second = (1 / max(error, LEAST_ERROR) ** 2 for error in self._errors)
        return second / (first + second)

    def novelty(self, rows: Rows) -> Floats:
        if self.model=='kal': return self.regression.uncertainty(rows)
        """Return how new a link's features are: 1 when none was seen, towards 0."""
        used = rows > 0
        found: Floats = (self._rarity[rows] * used).sum(axis=1) / used.sum(axis=1)
        return found

    def visit(self, row: Rows) -> None:
        self.means.visit(row)
        used = row[row > 0]
        self._seen[used] += 1
        self._rarity[used] = 1 / np.sqrt(1 + self._seen[used])

    def learn(self, row: Rows, value: float) -> None:
        rows = row[None]
        guesses = self.means.predict(rows)[0], self.regression.sums(rows)[0]
        self._errors = [
            (1 - self.memory) * error + self.memory * (abs(value - float(guess)) if self.err=='abs' else (value-float(guess))**2)
            for error, guess in zip(self._errors, guesses, strict=True)
        ]
        self.means.learn(row, value)
        self.regression.learn(row, value)
        self.scale += (value - self.scale) * 0.01
