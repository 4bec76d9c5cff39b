"""REVISIT-RATE: known URLs by their estimated rate of change.

The rate is the maximum likelihood estimate for irregular visits (Cho and
Garcia-Molina 2003, Sec. 5.2), the order that of the optimal schedule for equal
importance (Azar et al. 2018): the next to be visited has the largest
(1 - exp(-x) (1 + x)) / rate, where x is the rate times the days since the last
visit.
"""

from __future__ import annotations

import math

from lodehound.core.history import KnownUrl
from lodehound.learn.change_rate import change_rate
from lodehound.policies.revisiting import Revisiting, stage


class RevisitRate(Revisiting):
    """In further rounds known URLs by their estimated rate of change.

    Args:
        begin: Visits with a change, and visits without one, that every URL begins with, so that
            none is taken for one that never changes.
    """

    def __init__(self, *, begin: float = 0.5) -> None:
        super().__init__()
        self.begin = begin

    def rank(self, known: KnownUrl, time: float) -> tuple[float, int, float]:
        last = known.visits[-1].time
        rate = change_rate(known.visits, prior=self.begin)
        expected = rate * max(time - last, 1e-9)
        index = (1 - math.exp(-expected) * (1 + expected)) / rate
        return -index, stage(known), last
