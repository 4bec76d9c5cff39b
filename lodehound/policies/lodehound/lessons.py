"""What a crawl has learned that holds elsewhere, too: weights of endings, words and places.

Groups of links, patterns of URLs and directories belong to one site; endings, the words of a link
and its place on the page do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from lodehound.core.errors import ConfigError
from lodehound.core.policy import Lessons
from lodehound.policies.lodehound.features import (
    ANCHOR,
    ENDING,
    MASK,
    PATH,
    QUERY,
    SEGMENT,
    SOURCE_FIND,
    Rows,
)
from lodehound.policies.lodehound.model import FIND, VALUE, LinkModel

COLUMNS = np.r_[ENDING, PATH, QUERY, SEGMENT, ANCHOR, SOURCE_FIND]
WEIGHTS = [FIND, VALUE]


class LearnedWeights:
    """The weights of a model that other crawls can use, and that it takes from them.

    Args:
        model: The model.
    """

    def __init__(self, model: LinkModel) -> None:
        self._model = model
        self._learned: set[int] = set()

    def note(self, row: Rows) -> None:
        """Take note that a link with these features was learned from."""
        self._learned.update(row[COLUMNS].tolist())

    def lessons(self) -> Lessons:
        """Return the weights of the features that were learned from."""
        features = sorted(self._learned - {0})
        found = self._model.table.take(np.array(features, dtype=np.intp))[:, WEIGHTS]
        return {str(feature): row for feature, row in zip(features, found.tolist(), strict=True)}

    def begin(self, prior: Lessons) -> None:
        """Begin with the weights of earlier crawls."""
        if not prior:
            return
        features = [int(feature) for feature in prior]
        if not 0 < min(features) <= max(features) <= MASK:
            raise ConfigError("The prior was made by another version: make it again.")
        at = self._model.table.add(features)
        self._model.weights[at[:, None], WEIGHTS] = np.array(list(prior.values()), dtype=np.float32)

    def mix(self, others: Sequence[Lessons]) -> None:
        """Take the mean of what this crawl and others have learned, feature by feature."""
        self.begin(mean_of([self.lessons(), *others]))


def mean_of(lessons: Iterable[Lessons], *, least: int = 1, unknown: int = 0) -> Lessons:
    """Return the mean weights of several crawls.

    Args:
        lessons: Of each crawl.
        least: Crawls that must have learned a feature.
        unknown: Crawls of weight 0 that are added.

    >>> mean_of([{"7": [1.0, 0.0], "8": [2.0, 2.0]}, {"7": [3.0, 1.0]}], least=2)
    {'7': [2.0, 0.5]}
    """
    rows: defaultdict[str, list[Sequence[float]]] = defaultdict(list)
    for learned in lessons:
        for feature, weights in learned.items():
            rows[feature].append(weights)
    return {
        feature: [sum(column) / (len(some) + unknown) for column in zip(*some, strict=True)]
        for feature, some in rows.items()
        if len(some) >= least
    }
