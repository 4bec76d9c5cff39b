"""How much news visits bring, by kind of URL and by what is known of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PAGE, FIND, OTHER = 0, 1, 2  # what a known URL is
CLASSES = 3
FIRST_RATE = (0.05, 0.02, 0.01)  # by class: news per visit that is assumed at first
FIRST_VISITS = 10.0  # number of visits that this assumption counts for
FEEDS = frozenset({".xml", ".rss", ".atom"})  # endings of files that change when the site does
FEED_RATE, FEED_VISITS = 0.3, 5.0  # the same assumption for files with these endings
SHRINK = 2.0  # visits that the mean of its kind counts for in a URL's own, and so on upwards
CYCLES = 10  # of the fit of all factors
WEIGHT = 1.0  # news that the first value of a factor counts for


class Factors:
    """How many times more news than expected the visits of each level of each feature brought.

    A multiplicative model, as insurers use it: what is expected of a visit is multiplied by one
    factor for each of its features. The factors are fitted together, in turn until they agree
    (iterative proportional fitting), and each is shrunk to a first value.

    Args:
        first: Of every feature, the first values of its levels.
    """

    def __init__(self, *first: Floats) -> None:
        self.first = first
        self.shape = tuple(len(levels) for levels in first)
        self.values = [np.tile(levels, (CLASSES, 1)) for levels in first]
        self.seen = np.zeros((CLASSES, *self.shape))
        self.expected = np.zeros((CLASSES, *self.shape))

    def add(self, classes: Ints, levels: tuple[Ints, ...], news: Floats, expected: Floats) -> None:
        np.add.at(self.seen, (classes, *levels), news)
        np.add.at(self.expected, (classes, *levels), expected)

    def fit(self) -> None:
        for _ in range(CYCLES):
            for axis, first in enumerate(self.first):
                others = self.expected * self._product(without=axis)
                away = tuple(one + 1 for one in range(len(self.shape)) if one != axis)
                seen, expected = self.seen.sum(axis=away), others.sum(axis=away)
                self.values[axis] = (WEIGHT * first + seen) / (WEIGHT + expected)

    def of(self, classes: Ints, levels: tuple[Ints, ...]) -> Floats:
        found: Floats = np.ones(len(classes))
        for values, level in zip(self.values, levels, strict=True):
            found = found * values[classes, level]
        return found

    def _product(self, without: int) -> Floats:
        found: Floats = np.ones((CLASSES, *[1] * len(self.shape)))
        for axis, values in enumerate(self.values):
            if axis != without:
                shape = [1] * len(self.shape)
                shape[axis] = -1
                found = found * values.reshape(CLASSES, *shape)
        return found


class NewsMeans:
    """Mean news per day of each kind of URL.

    The mean of a kind is shrunk to that of its ending, and this to the mean of its class.

    Args:
        ending: Number of the class and ending of each kind.
        class_: Class of each ending.
        feed: Whether each ending is one of ``FEEDS``.
        gap: Usual days between visits.
    """

    def __init__(self, ending: Ints, class_: Ints, feed: Bools, gap: float) -> None:
        self._ending, self._class = ending, class_
        self._shrink = SHRINK * gap
        self._first_news = FIRST_VISITS * np.array(FIRST_RATE)
        self._first_days = FIRST_VISITS * gap
        self._kind_news, self._kind_days = np.zeros(len(ending)), np.zeros(len(ending))
        self._ending_news, self._ending_days = np.zeros(len(class_)), np.zeros(len(class_))
        self._feed_news = FEED_VISITS * FEED_RATE * feed
        self._feed_days = FEED_VISITS * gap * feed

    def rates(self, kinds: Ints) -> Floats:
        """Return the mean news per day of each of these kinds."""
        shrink, endings = self._shrink, self._ending[kinds]
        rate = self._class_rates()[self._class[endings]]
        news, days = self._ending_news + self._feed_news, self._ending_days + self._feed_days
        rate = (news[endings] + shrink * rate) / (days[endings] + shrink)
        found: Floats = (self._kind_news[kinds] + shrink * rate) / (self._kind_days[kinds] + shrink)
        return found

    def _class_rates(self) -> Floats:
        """Return the mean of each class, in which no ending counts for more than a few visits.

        A hundred visits to feeds say no more about PDF files than a few visits do.
        """
        weights = self._shrink / (self._shrink + self._ending_days)
        news, days = (
            np.bincount(self._class, weights * of, minlength=CLASSES)
            for of in (self._ending_news, self._ending_days)
        )
        found: Floats = (self._first_news + news) / (self._first_days + days)
        return found

    def learn(self, kinds: Ints, news: Floats, days: Floats) -> None:
        endings = self._ending[kinds]
        np.add.at(self._kind_news, kinds, news)
        np.add.at(self._kind_days, kinds, days)
        np.add.at(self._ending_news, endings, news)
        np.add.at(self._ending_days, endings, days)
