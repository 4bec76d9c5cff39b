"""An estimate of what is left: the sum of what everything that waits is expected to bring."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# Weights of the newest page in running means.
FAST = 0.02
SLOW = 0.01
MOST_OFFSPRING = 0.9
SIGMAS = 1.645  # of a 90 % interval


class YieldEstimator:
    """Recent means of the finds and the new pages that pages show."""

    def __init__(self) -> None:
        self._offspring = 1.0  # new pages per page
        self._yield = 1.0  # finds per page
        self._batch = 1.0  # finds per page that has any: they come together

    def learn(self, finds: float, pages: float) -> None:
        """Learn what a page has brought."""
        self._yield += SLOW * (finds - self._yield)
        self._offspring += FAST * (pages - self._offspring)
        if finds:
            self._batch += FAST * (finds - self._batch)

    def estimate(self, waiting: Iterable[tuple[Floats, Floats]]) -> tuple[float, float, float]:
        """Return what is left, and the ends of its interval.

        The best pages go first, so a waiting page brings no more than recent pages did. The
        upper end takes each page for as good as those, and adds what lies behind it: if a page
        shows b new ones, it stands for 1 / (1 - b) (the total progeny of a branching process).

        Args:
            waiting: Probabilities to be a find, and the finds expected on each if it is a page.
        """
        left, most = 0.0, 0.0
        recent = np.float32(self._yield)
        for find, finds in waiting:
            left += float((find + (1 - find) * np.minimum(finds, recent)).sum())
            most += float((find + (1 - find) * recent).sum())
        most /= 1 - min(self._offspring, MOST_OFFSPRING)
        spread = [SIGMAS * math.sqrt(self._batch * mean) for mean in (left, most)]
        return left, max(left - spread[0], 0.0), most + spread[1]
