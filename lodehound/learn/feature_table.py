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
    """Rows of numbers for every feature that was written; all others share the priors.

    Many crawls may run in one process, so a table takes memory for what was learned only.

    Args:
        size: Number of possible features.
        priors: The rows of a feature of which nothing is known, one for each part of the table.

    >>> table = FeatureTable(10, [0.0, 0.05], [0.0])
    >>> at = table.add([7])
    >>> table.parts[0][at] += 1
    >>> table.take(np.array([7, 8])).tolist() == [[1.0, np.float32(1.05)], [0.0, np.float32(0.05)]]
    True
    """

    def __init__(self, size: int, *priors: Sequence[float]) -> None:
        self.parts: list[Floats] = [np.zeros((FIRST, len(prior)), np.float32) for prior in priors]
        for part, prior in zip(self.parts, priors, strict=True):
            part[:] = prior
        self._used = 1
        self._places: Places = np.zeros(size, dtype=np.int32)  # of features; 0 is the prior

    def find(self, features: Features) -> Places:
        """Return where the rows of features are, to read them."""
        found: Places = self._places.take(features)
        return found

    def take(self, features: Features) -> Floats:
        """Return the numbers of features in the first part, as the last axis."""
        found: Floats = self.parts[0].take(self.find(features), axis=0)
        return found

    def add(self, features: Sequence[int] | Features) -> Places:
        """Return where the rows of features are, to write to; those that are missing are added.

        Then ``parts`` may be other arrays: look them up afterwards.
        """
        found: Places = self._places.take(features)
        if np.count_nonzero(found) == len(found):
            return found
        for feature in features:
            if not self._places[feature]:
                if self._used == len(self.parts[0]):
                    self._grow()
                self._places[feature] = self._used
                self._used += 1
        again: Places = self._places.take(features)
        return again

    def _grow(self) -> None:
        for number, part in enumerate(self.parts):
            more = np.broadcast_to(part[0], part.shape)
            self.parts[number] = np.concatenate((part, more))
