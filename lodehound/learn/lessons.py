"""What several crawls have learned, taken together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from lodehound.core.policy import Lessons


def mean_of(lessons: Iterable[Lessons], *, least: int = 1) -> Lessons:
    """Return the mean weights of several crawls.

    Args:
        lessons: Of each crawl.
        least: Crawls that must have learned a feature.

    >>> mean_of([{"7": [1.0, 0.0], "8": [2.0, 2.0]}, {"7": [3.0, 1.0]}], least=2)
    {'7': [2.0, 0.5]}
    """
    rows: defaultdict[str, list[Sequence[float]]] = defaultdict(list)
    for learned in lessons:
        for feature, weights in learned.items():
            rows[feature].append(weights)
    return {
        feature: [sum(column) / len(some) for column in zip(*some, strict=True)]
        for feature, some in rows.items()
        if len(some) >= least
    }
