"""How often a URL changes, estimated from visits at irregular times.

A visit only shows whether there was a change since the one before, not how many there were.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from lodehound.core.history import PastVisit

STEPS = 60  # of a bisection: more than a double can tell apart
LEAST, MOST = 1e-9, 1e3  # changes a day


def intervals(visits: Sequence[PastVisit]) -> list[tuple[float, bool]]:
    """Return the days between successful visits, and whether there was a change in between.

    >>> changes = enumerate(["new", "failed", "same", "changed"], 1)
    >>> intervals([PastVisit(day, change) for day, change in changes])
    [(2, False), (1, True)]
    """
    seen = [visit for visit in visits if visit.change != "failed"]
    return [
        (after.time - before.time, after.change != "same")
        for before, after in pairwise(seen)
        if after.time > before.time
    ]


def likeliest_rate(seen: Iterable[tuple[float, float, float]]) -> float:
    """Solve for the rate at which what was seen is likeliest.

    The solution of sum of t / (exp(r t) - 1) over the visits with a change = sum of t over those
    without one (Cho and Garcia-Molina 2003, Sec. 5.2).

    Args:
        seen: Days, and the number of visits after so many days with and without a change.

    >>> round(likeliest_rate([(1.0, 3, 1)]), 4)  # 1 - exp(-r) = 3 / 4
    1.3863
    """
    rows = list(seen)
    unchanged = sum(days * without for days, _, without in rows)
    low, high = LEAST, MOST
    for _ in range(STEPS):
        rate = math.sqrt(low * high)
        changed = sum(n * days / math.expm1(min(rate * days, 700)) for days, n, _ in rows if n)
        if changed > unchanged:
            low = rate
        else:
            high = rate
    return math.sqrt(low * high)


def change_rate(visits: Sequence[PastVisit], *, prior: float = 0.5) -> float:
    """Return the likeliest number of changes a day.

    Args:
        visits: The oldest first.
        prior: Visits with and without a change to begin with, each after a usual interval.
    """
    return _rate(tuple(intervals(visits)), prior)


@lru_cache(maxsize=65536)  # most URLs of a site share a few histories
def _rate(seen: tuple[tuple[float, bool], ...], prior: float) -> float:
    usual = sum(days for days, _ in seen) / len(seen) if seen else 1.0
    rows = [(days, float(changed), float(not changed)) for days, changed in seen]
    return likeliest_rate([(usual, prior, prior), *rows])
