"""What pages brought of late, and what those that wait will bring (docs/lodehound-policy.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lodehound.core.messages import YieldEstimate
from lodehound.learn.link_features import Rows
from lodehound.learn.link_value import GroupMeans

Floats = NDArray[np.float32]

DECAY = 0.02  # what is called "of late" goes back about fifty visits
SLOW_DECAY = 0.01
MOST_OFFSPRING = 0.9
SIGMAS = 1.645  # nine chances in ten


class YieldEstimator:
    """Files and new pages to a visit, of late.

    Args:
        shrink: Visits that the mean of its parents counts for in a group's.
    """

    def __init__(self, *, shrink: float = 2.0) -> None:
        self._recent = GroupMeans(shrink=shrink, first=0.0, decay=DECAY)
        self._offspring = 1.0  # new pages that a page shows
        self._yield = 1.0  # files that a page brings
        self._batch = 1.0  # files to a page that has any: they come together

    def expected(self, rows: Rows) -> Floats:
        """Return the files expected on every page."""
        return self._recent.predict(rows)

    def visit(self, row: Rows, times: int = 1) -> None:
        """Count a visit; until its files are known it stands as 0."""
        self._recent.visit(row, times)

    def learn(self, row: Rows, files: float, pages: float) -> None:
        """Take in what a visit that was counted brought."""
        self._recent.learn(row, files)
        self._yield += SLOW_DECAY * (files - self._yield)
        self._offspring += DECAY * (pages - self._offspring)
        if files:
            self._batch += DECAY * (files - self._batch)

    def estimate(self, waiting: Iterable[tuple[Rows, Floats]]) -> YieldEstimate:
        """Sum what every waiting link is expected to bring.

        The best pages go first, so what waits brings less than what came of
        late: that bounds every expectation. The upper end takes each page for
        as good as the latest, and adds what lies behind it: a page shows b new
        ones of late, so each stands for 1 / (1 - b) (the total progeny of a
        branching process).

        Args:
            waiting: Rows of waiting links, and how likely each is a file.
        """
        left, most = 0.0, 0.0
        for rows, file in waiting:
            expected = np.minimum(self._recent.predict(rows), np.float32(self._yield))
            left += float((file + (1 - file) * expected).sum())
            most += float((file + (1 - file) * np.float32(self._yield)).sum())
        most /= 1 - min(self._offspring, MOST_OFFSPRING)
        spread = [SIGMAS * math.sqrt(self._batch * mean) for mean in (left, most)]
        return YieldEstimate(left, max(left - spread[0], 0.0), most + spread[1])
