"""What a link is worth: two estimates of the same thing, blended by how wrong each has been."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lodehound.learn.hashed import SIZE, Posterior
from lodehound.learn.link_features import CLUSTERS, GROUPS, PATTERN, SOURCE_PATTERNS, Rows

Floats = NDArray[np.float32]

LEVELS = [*SOURCE_PATTERNS, *GROUPS, *CLUSTERS, PATTERN]
SIGHTINGS = [list(columns) for columns in zip(SOURCE_PATTERNS, GROUPS, CLUSTERS, strict=True)]
LEAST_ERROR = 1e-5
LEAST_SHARE = 0.1  # of either estimate in the blend: none is ever wrong about everything
# Weight of the newest error in the running one. A drought, when the estimate that says nothing
# is right, must not outlast the memory of what each said while files came.
MEMORY = 0.005
SLOW = 0.01  # weight of the newest value in the running scale


class GroupMeans:
    """Mean value of each group, shrunk to its parents', and theirs to the site's.

    A group is a pair of (tag path cluster, URL pattern); its parents are the
    two alone. A group never visited has the mean of its parents. Within a
    group, the links on pages of one URL pattern are a source-page pattern of their own.

    Args:
        shrink: Visits that the parents' mean counts for.
        first: Value of one visit that never was: the mean before anything was seen.
        decay: Share of a group's past that each of its visits wipes out.
    """

    def __init__(self, *, shrink: float = 2.0, first: float = 0.5, decay: float = 0.0) -> None:
        self.shrink = shrink
        self.first = first
        self.decay = decay
        self.visits = 0.0
        self._counts: Floats = np.zeros(SIZE, dtype=np.float32)
        self._sums: Floats = np.zeros(SIZE, dtype=np.float32)
        self._sum = 0.0

    @property
    def mean(self) -> float:
        """Mean value of a visit on this site."""
        return (self._sum + self.first) / (self.visits + 1)

    def predict(self, rows: Rows) -> Floats:
        """Return the expected value of every row."""
        site = np.float32(self.mean)
        pattern = self._mean(rows[:, PATTERN], site)
        found = self._sighting(rows[:, SIGHTINGS[0]], pattern)
        for columns in SIGHTINGS[1:]:
            more = np.flatnonzero(rows[:, columns[0]])
            if len(more):
                other = self._sighting(rows[more[:, None], columns], pattern[more])
                found[more] = np.maximum(found[more], other)
        return found

    def _sighting(self, rows: Rows, pattern: Floats) -> Floats:
        """Return the means of source-page patterns, shrunk to their groups and parents.

        A source-page pattern that is its whole group is not shrunk to itself.
        """
        source_patterns, groups, clusters = rows.T
        above = (self._mean(clusters, np.float32(self.mean)) + pattern) * np.float32(0.5)
        whole = self._counts[source_patterns] == self._counts[groups]
        return self._mean(source_patterns, np.where(whole, above, self._mean(groups, above)))

    def _mean(self, features: Rows, above: Floats | np.float32) -> Floats:
        k = np.float32(self.shrink)
        found: Floats = (self._sums[features] + k * above) / (self._counts[features] + k)
        return found

    def visit(self, row: Rows, times: int = 1) -> None:
        """Count a visit; until its value comes it stands as 0."""
        if self.decay and times > 0:
            self._counts[row[LEVELS]] *= 1 - self.decay
            self._sums[row[LEVELS]] *= 1 - self.decay
            self.visits *= 1 - self.decay
            self._sum *= 1 - self.decay
        # What is taken back may have decayed since: never more than there is.
        self._counts[row[LEVELS]] = np.maximum(self._counts[row[LEVELS]] + times, 0)
        self.visits = max(self.visits + times, 0)

    def learn(self, row: Rows, value: float) -> None:
        """Credit the value of a visit that was counted before."""
        self._sums[row[LEVELS]] += value
        self._sum += value

    def of(self, feature: int) -> tuple[int, float]:
        """Return the visits of one group and their mean value."""
        visits = float(self._counts[feature])
        return round(visits), float(self._sums[feature]) / max(visits, 1.0)


class LinkValue:
    """Group means and a linear model, blended by their running squared errors.

    Args:
        shrink: Of the group means.
        decay: Of the group means: the best of a group go first, so what it brought long ago
            says little of the rest.
        groups: Use the group means.
        linear: Use the linear model.
    """

    def __init__(
        self,
        *,
        shrink: float = 2.0,
        decay: float = 0.01,
        groups: bool = True,
        linear: bool = True,
    ) -> None:
        self.groups = groups
        self.linear = linear
        self.means = GroupMeans(shrink=shrink, decay=decay)
        self.model = Posterior()
        self.scale = 0.5  # running mean of the values: what optimism is measured in
        self._errors = (1.0, 1.0)

    @property
    def share(self) -> float:
        """Weight of the linear model in the blend."""
        if not self.groups or not self.linear:
            return float(self.linear)
        first, second = (1 / max(error, LEAST_ERROR) for error in self._errors)
        return min(max(second / (first + second), LEAST_SHARE), 1 - LEAST_SHARE)

    def predict(self, rows: Rows) -> Floats:
        """Return the expected value of every row; never below 0."""
        share = self.share
        if share == 0:
            return self.means.predict(rows)
        linear: Floats = np.maximum(self.model.predict(rows), 0)
        if share == 1:
            return linear
        found: Floats = linear * np.float32(share) + self.means.predict(rows) * np.float32(
            1 - share
        )
        return found

    def novelty(self, rows: Rows) -> Floats:
        return self.model.novelty(rows)

    def visit(self, row: Rows) -> None:
        self.means.visit(row)

    def forget_visit(self, row: Rows) -> None:
        self.means.visit(row, -1)

    def learn(self, row: Rows, value: float) -> None:
        """Credit the value of a visit that was counted before."""
        rows = row[None]
        guesses = float(self.means.predict(rows)[0]), float(self.model.predict(rows)[0])
        first, second = (
            error + MEMORY * ((value - guess) ** 2 - error)
            for error, guess in zip(self._errors, guesses, strict=True)
        )
        self._errors = first, second
        self.means.learn(row, value)
        self.model.learn(row, value)
        self.scale += SLOW * (value - self.scale)

    def amend(self, row: Rows, value: float) -> None:
        """Learn what a visit of the past is worth by now.

        Only the linear model does: corrected means draw a crawl to lists and away from files.
        """
        self.model.learn(row, value, again=True)
