"""Estimates for a link: is it a find, and what does a visit of it as a page bring?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lodehound.core.file_endings import FILE_ENDINGS
from lodehound.learn.feature_table import FeatureTable
from lodehound.learn.group_means import GroupMeans
from lodehound.learn.hashing import MASK, feature_of
from lodehound.learn.joint_posterior import JointPosterior
from lodehound.policies.lodehound.features import (
    COLUMNS,
    FIRST_LEVELS,
    LEVELS,
    SECOND,
    Floats,
    Rows,
)

EPSILON = 1e-8  # AdaGrad never divides by 0
LEAST_ODDS = -30.0  # in log odds: the exponential of more would overflow
RATE = 0.2  # step size of the logistic regression
PAGE_RATE = 0.6  # the same while most finds are HTML pages: no ending speaks for them
# Log odds of a find before anything is learned, and what endings of pages and files add.
UNKNOWN, PAGE_LIKE, FILE_LIKE = -1.0, -1.5, 3.5
PAGE_ENDINGS = (
    "/ html htm xhtml shtml php php3 php4 php5 phtml asp aspx jsp jspx jsf cfm do cgi pl action"
).split()
PRIOR_VARIANCE, BIAS_VARIANCE = 0.05, 1.0  # prior variances of a weight and of the bias
NOISE = 0.1  # variance of an observation
VISITS = 128  # that the linear model learns together
ALL_NEW = COLUMNS * PRIOR_VARIANCE  # variance of a prediction, if all columns hold unknown features
SLOW = 0.01  # weight of the newest value in the running scale

BIAS = MASK + 1  # a feature that no text has
FIRST_WORTH = 0.5  # of a first visit
# Parts of the table of features: their weights, and the sums over visits of links with them.
WEIGHTS, MEANS = range(2)
FIND, SQUARES, VALUE, VARIANCE = range(4)  # columns of the weights


class Estimates(NamedTuple):
    """What is expected of links, one element each; of a link alone, scalars."""

    find: Floats  # probability to be a find
    value: Floats  # of a visit, if it is a page
    finds: Floats  # on the page, if it is one
    # Standard deviation of what the linear model predicts, as a share of the largest possible.
    novelty: Floats


class LinkModel:
    """A logistic regression for finds; for pages the average of group means and a linear model.

    The logistic regression learns with AdaGrad (Duchi et al. 2011). The linear model is
    Bayesian (a Kalman filter): frequent features move little, new ones move much. It is exact for
    some visits at a time; of all before them it keeps the variances, without the covariances.

    Args:
        shrink: Of the group means.
        decay: Of the group means: the best of a group go first, so what it brought long ago
            says little about the rest.
        rate: Step size of the logistic regression, until finds are counted.
    """

    linear_share = 0.5  # of the linear model in the average; bench/variants.py has others

    def __init__(self, *, shrink: float, decay: float, rate: float = RATE) -> None:
        self.rate = np.float32(rate)
        self.damping = np.float32(0)
        self._page_finds = 0  # HTML pages among the finds, less all others
        self._linking_finds = 0  # finds that show links, less all others
        self.scale = 0.5  # running mean of the values
        self.table = FeatureTable(BIAS + 1, [0.0, 0.0, 0.0, PRIOR_VARIANCE], [0.0] * 3)
        self.means = GroupMeans(
            self.table, MEANS, shrink=shrink, decay=decay, first=(FIRST_WORTH, 0.0)
        )
        self.weights[self.table.add([0]), VARIANCE] = 0.0  # it does not apply
        for endings, odds in ((PAGE_ENDINGS, PAGE_LIKE), (FILE_ENDINGS, FILE_LIKE)):
            at = self.table.add([feature_of("end", ending) for ending in endings])
            self.weights[at, FIND] = odds
        self._bias = int(self.table.add([BIAS])[0])
        self.weights[self._bias] = [UNKNOWN, 0, 0, BIAS_VARIANCE]
        self._joint = JointPosterior(VISITS, longest=COLUMNS + 1, noise=NOISE)

    @property
    def weights(self) -> Floats:
        """Of all features, by their places in the table."""
        return self.table.parts[WEIGHTS]

    def predict(self, rows: Rows, more: Floats | float = 0.0) -> Estimates:
        """Return what is expected of links with these features.

        Args:
            rows: Features of links, or of one link.
            more: What else is known about finds, in log odds.
        """
        alone = rows.ndim == 1  # as on most pages: scalars are faster than arrays
        largest: Callable[..., Any] = max if alone else np.maximum
        again = rows[SECOND[0]] if alone else np.count_nonzero(rows[:, SECOND[0]])
        weights, places = self.weights, self.table.find(rows.T)
        # Summed column by column, so that a row alone has the same sums as among others.
        sums = np.add.reduce(weights.take(places, axis=0))
        find, _, linear, variance = sums.tolist() if alone else [sums[:, at] for at in range(4)]
        mean, finds = self.means.predict(places.take(LEVELS if again else FIRST_LEVELS, axis=0))
        linear = largest(linear + weights.item(self._bias, VALUE), 0)
        value = self.linear_share * linear + (1 - self.linear_share) * mean
        odds = largest(find + weights.item(self._bias, FIND) + more, LEAST_ODDS)
        maths: Any = math if alone else np
        return Estimates(1 / (1 + maths.exp(-odds)), value, finds, maths.sqrt(variance / ALL_NEW))

    def count_find(self, *, page: bool, links: bool) -> None:
        """Learn what finds are like, and take the steps that suit them.

        Args:
            page: Whether a find is an HTML page.
            links: Whether it shows links.
        """
        self._page_finds += 1 if page else -1
        self._linking_finds += 1 if links else -1
        are_pages = self._page_finds > 0
        self.rate = np.float32(PAGE_RATE if are_pages else RATE)
        # One file says everything about files like it, an RDF document less about others.
        self.damping = np.float32(RATE if self.finds_show_links and not are_pages else 0)

    @property
    def finds_show_links(self) -> bool:
        """Whether most finds lead on, as pages and RDF documents do, and files do not."""
        return self._linking_finds > 0

    def learn_find(self, row: Rows, *, found: bool, more: float = 0.0) -> float:
        """Learn whether a link was a find; return the probability it had.

        The gradient is the same for all its features.
        """
        odds = np.add.reduce(self.table.take(row))[FIND] + self.weights[self._bias, FIND] + more
        probability = float(1 / (1 + np.exp(-max(odds, LEAST_ODDS))))
        gradient = np.float32(probability - found)
        used, weights = self.table.add(_features(row)), self.weights
        squares = weights[used, SQUARES] + gradient * gradient
        weights[used, SQUARES] = squares
        weights[used, FIND] -= self.rate * gradient / (self.damping + np.sqrt(squares + EPSILON))
        return probability

    def learn_page(self, row: Rows, value: float, finds: float = 0.0) -> int:
        """Learn what the visit of a page has brought; its group has counted the visit already.

        Args:
            row: Features of the link to the page.
            value: Of the page.
            finds: Expected among its new links.

        Returns:
            The number of the visit among those that are learned together.
        """
        used, weights = self.table.add(_features(row)), self.weights
        error = value - float(weights[used, VALUE].sum())
        if self._joint.is_full:
            self._joint = JointPosterior(VISITS, longest=COLUMNS + 1, noise=NOISE)
        at, covariances, variance = self._joint.add(used, weights[used, VARIANCE])
        weights[at, VALUE] += covariances * (error / variance)
        left = weights[at, VARIANCE] - covariances * covariances / variance
        weights[at, VARIANCE] = np.maximum(left, 0)  # not below by rounding
        self.means.learn(row[LEVELS], (value, finds))
        self.scale += SLOW * (value - self.scale)
        return len(self._joint) - 1

    def learn_gain(self, number: int, row: Rows, gain: float) -> None:
        """Learn that a visit was worth more than was learned.

        Args:
            number: Of the visit, among those that are learned together.
            row: Features of the link to its page.
            gain: How much more.
        """
        at, changes = self._joint.changes(number, gain)
        self.weights[at, VALUE] += changes
        self.means.learn(row[LEVELS], (gain, 0.0))


def _features(row: Rows) -> list[int]:
    """Return the distinct features of a row that apply, and the bias as the last."""
    return [*sorted({*row.tolist()} - {0}), BIAS]
