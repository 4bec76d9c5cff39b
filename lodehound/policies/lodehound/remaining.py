"""An estimate of the finds that are left (docs/lodehound-policy.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lodehound.core.messages import YieldEstimate
from lodehound.policies.lodehound.features import Rows
from lodehound.policies.lodehound.model import GroupMeans

Floats = NDArray[np.float32]

# Weights of the newest page in running means.
FAST = 0.02
SLOW = 0.01
MOST_OFFSPRING = 0.9
SIGMAS = 1.645  # of a 90 % interval


class YieldEstimator:
    """Recent means of the finds and the new pages that pages show.

    Args:
        shrink: Of the means of groups.
    """

    def __init__(self, *, shrink: float) -> None:
        self.means = GroupMeans(shrink=shrink, decay=FAST)  # finds per page
        self._offspring = 1.0  # new pages per page
        self._yield = 1.0  # finds per page
        self._batch = 1.0  # finds per page that has any: they come together

    def learn(self, row: Rows, finds: float, pages: float) -> None:
        """Learn what a page whose visit was counted has brought."""
        self.means.learn(row, finds)
        self._yield += SLOW * (finds - self._yield)
        self._offspring += FAST * (pages - self._offspring)
        if finds:
            self._batch += FAST * (finds - self._batch)

    def estimate(self, waiting: Iterable[tuple[Rows, Floats]]) -> YieldEstimate:
        """Sum what every waiting link is expected to bring.

        The best pages go first, so a waiting page brings no more than recent pages did. The
        upper end takes each page for as good as those, and adds what lies behind it: if a page
        shows b new ones, it stands for 1 / (1 - b) (the total progeny of a branching process).

        Args:
            waiting: Rows of waiting links, and the probability of each to be a find.
        """
        left, most = 0.0, 0.0
        for rows, find in waiting:
            expected = np.minimum(self.means.predict(rows), np.float32(self._yield))
            left += float((find + (1 - find) * expected).sum())
            most += float((find + (1 - find) * np.float32(self._yield)).sum())
        most /= 1 - min(self._offspring, MOST_OFFSPRING)
        spread = [SIGMAS * math.sqrt(self._batch * mean) for mean in (left, most)]
        return YieldEstimate(left, max(left - spread[0], 0.0), most + spread[1])
