"""Numbers for each feature, kept densely: of all possible features a crawl meets a few thousand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Features = NDArray[np.intp]
Places = NDArray[np.int32]

FIRST = 256  # rows of a new table


class FeatureTable:
    """A row of numbers for every feature that was written; all others share the prior.

    Many crawls may run in one process, so a table takes memory for what was learned only.

    Args:
        size: Number of possible features.
        prior: The row of a feature of which nothing is known.

    >>> table = FeatureTable(10, [0.0, 0.05])
    >>> at = table.places([7])
    >>> table.rows[at] += 1
    >>> table.take(np.array([7, 8])).tolist() == [[1.0, np.float32(1.05)], [0.0, np.float32(0.05)]]
    True
    """

    def __init__(self, size: int, prior: Sequence[float]) -> None:
        self.rows: Floats = np.zeros((FIRST, len(prior)), dtype=np.float32)
        self.rows[0] = prior
        self._used = 1
        self._places: Places = np.zeros(size, dtype=np.int32)  # of features; 0 is the prior

    def take(self, features: Features) -> Floats:
        """Return the numbers of features, as the last axis."""
        found: Floats = self.rows.take(self._places.take(features), axis=0)
        return found

    def places(self, features: Sequence[int] | Features) -> Places:
        """Return where the rows of features are, to write to; those that are missing are added.

        Then ``rows`` may be another array: look it up afterwards.
        """
        found: Places = self._places.take(features)
        if np.count_nonzero(found) == len(found):
            return found
        for feature in features:
            if not self._places[feature]:
                self._places[feature] = self._added()
        again: Places = self._places.take(features)
        return again

    def _added(self) -> int:
        if self._used == len(self.rows):
            self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))
        self.rows[self._used] = self.rows[0]
        self._used += 1
        return self._used - 1
