"""Estimates for a link: is it a find, and what does a visit of it as a page bring?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lodehound.core.endings import FILE_ENDINGS
from lodehound.learn.feature_table import FeatureTable
from lodehound.learn.joint_posterior import JointPosterior
from lodehound.policies.lodehound.features import COLUMNS, MASK, PATTERN, SIGHTINGS, Rows, mark

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

CERTAIN = 0.5  # a link with a higher probability is an expected file
SMALL = 1e-8
STEEP = 30.0  # log odds beyond which a probability counts as certain
RATE = 0.2  # step size of the find decision, unless another is given
PAGE_RATE = 0.6  # the same while most finds are HTML pages: no ending speaks for them
UNKNOWN, PAGE_LIKE, FILE_LIKE = -1.0, -1.5, 3.5  # prior log odds of being a file
PAGE_ENDINGS = (
    "/ html htm xhtml shtml php php3 php4 php5 phtml asp aspx jsp jspx jsf cfm do cgi pl action"
).split()
SPREAD, BIAS_SPREAD = 0.05, 1.0  # prior variances of a weight and of the bias
NOISE = 0.1  # variance of an observation
JOINT = 256  # visits whose covariances are kept
# Sum of the variances of a link of which nothing is known. 34 columns is the scale that the default
# of `optimism` was chosen with; two of them are gone.
ALL_NEW = 34 * SPREAD
LEAST_ERROR = 1e-5
LEAST_SHARE = 0.1  # of either estimate in the blend
# Weight of the newest error in the running one. In a drought the estimate that predicts
# nothing is right every time; that must not outweigh what each said while files came.
MEMORY = 0.005
SLOW = 0.01  # weight of the newest value in the running scale

BIAS = MASK + 1  # a feature that no text has
PART = 256  # rows that are summed at a time
# Columns of the table of weights, and of that of the means.
FIND, SQUARES, VALUE, VARIANCE = range(4)
SUMS, COUNTS = range(2)
VISIT = np.array([0, 1], dtype=np.float32)
LEVELS = np.array(
    [PATTERN, *(cluster for _, cluster in SIGHTINGS), *(group for group, _ in SIGHTINGS)]
)
PARENTS, GROUPS = slice(1 + len(SIGHTINGS)), slice(1 + len(SIGHTINGS), None)  # among the levels


class Estimates(NamedTuple):
    """What is expected of links, one element each."""

    find: Floats  # probability to be a find
    value: Floats  # of a visit, if it is a page
    novelty: Floats  # share of its features that is unknown: from 1 down to 0

    def take(self, places: Ints) -> Estimates:
        """Return the estimates of some of the links."""
        return Estimates(*(column[places] for column in self))


class GroupMeans:
    """Mean value of a visit per group, from general to particular.

    Site, URL pattern with its host, group: each mean is shrunk to the mean one level up. A group
    is a pair of (tag path cluster, URL pattern) and has both as its parents. A link that was
    seen in several groups is as good as the best of them.

    Args:
        shrink: Number of visits that the mean one level up counts for.
        decay: Share of a group's past that each of its visits removes.
        first: Value of one visit that is added to all others and never decays.
    """

    def __init__(self, *, shrink: float, decay: float, first: float = 0.0) -> None:
        self.shrink = np.float32(shrink)
        self.keep = np.float32(1 - decay)
        self._table = FeatureTable(BIAS, [0.0, 0.0])  # sums and counts
        self._table.rows[self._table.places([0]), SUMS] = -np.inf  # never the best sighting
        self.first = first
        self._count = self._sum = 0.0

    def predict(self, rows: Rows) -> Floats:
        """Return the expected value of every row."""
        known = self._table.take(rows.T.take(LEVELS, axis=0))
        sums, weights = known[:, :, SUMS], known[:, :, COUNTS] + self.shrink
        site = np.float32((self._sum + self.first) / (self._count + 1))
        parents = (sums[PARENTS] + self.shrink * site) / weights[PARENTS]
        # Half of the two parents' sum is their mean.
        above = (self.shrink / 2) * (parents[1:] + parents[0])
        groups = (sums[GROUPS] + above) / weights[GROUPS]
        found: Floats = np.maximum.reduce(groups)
        return found

    def visit(self, row: Rows) -> None:
        """Count a visit that has begun; until its value is known it counts as 0."""
        at = self._table.places(row[LEVELS])
        self._table.rows[at] = self._table.rows[at] * self.keep + VISIT
        self._count = self._count * float(self.keep) + 1
        self._sum *= float(self.keep)

    def forget_visit(self, row: Rows) -> None:
        """Take back a visit: the link was a find."""
        at, rows = self._table.places(row[LEVELS]), self._table.rows
        # The visit may have decayed since.
        rows[at, COUNTS] = np.maximum(rows[at, COUNTS] - 1, 0)
        self._count = max(self._count - 1, 0.0)

    def learn(self, row: Rows, value: float) -> None:
        """Add the value of a visit that was counted before."""
        at = self._table.places(row[LEVELS])
        self._table.rows[at, SUMS] += np.float32(value)
        self._sum += value


class LinkModel:
    """A logistic regression for finds; for pages group means blended with a linear model.

    The logistic regression learns with AdaGrad (Duchi et al. 2011). The linear model is
    Bayesian (a Kalman filter): frequent features move little, new ones move much. Its covariance
    is exact for the first visits, then diagonal. The blend weighs both estimates by their running
    squared errors.

    Args:
        shrink: Of the group means.
        decay: Of the group means: the best of a group go first, so what it brought long ago
            says little about the rest.
        rate: Step size of the logistic regression.
    """

    def __init__(self, *, shrink: float, decay: float, rate: float = RATE) -> None:
        self.rate = np.float32(rate)
        self.damping = np.float32(0)
        self._page_finds = 0  # HTML pages among the finds, less all others
        self._linking_finds = 0  # finds that show links, less all others
        self.means = GroupMeans(shrink=shrink, decay=decay, first=0.5)
        self.scale = 0.5  # running mean of the values
        self.weights = FeatureTable(BIAS + 1, [0.0, 0.0, 0.0, SPREAD])
        self._set([0], VARIANCE, 0.0)  # it does not apply
        self._set([mark("end", ending) for ending in PAGE_ENDINGS], FIND, PAGE_LIKE)
        self._set([mark("end", ending) for ending in FILE_ENDINGS], FIND, FILE_LIKE)
        self._bias = int(self.weights.places([BIAS])[0])
        self.weights.rows[self._bias] = [UNKNOWN, 0, 0, BIAS_SPREAD]
        self.joint: JointPosterior | None = JointPosterior(JOINT, longest=COLUMNS + 1, noise=NOISE)
        self._errors = 1.0, 1.0  # of the means, of the linear model

    def _set(self, features: list[int], column: int, value: float) -> None:
        at = self.weights.places(features)
        self.weights.rows[at, column] = value

    @property
    def linear_share(self) -> float:
        """Weight of the linear model in the blend."""
        means, linear = (1 / max(error, LEAST_ERROR) for error in self._errors)
        return min(max(linear / (means + linear), LEAST_SHARE), 1 - LEAST_SHARE)

    def _sums(self, rows: Rows) -> Floats:
        """Return the sums of every row's weights; a row alone has the same as among others."""
        # Column by column, some rows at a time: they stay in the processor's cache.
        parts = [
            self.weights.take(np.ascontiguousarray(rows[first : first + PART].T)).sum(axis=0)
            for first in range(0, max(len(rows), 1), PART)
        ]
        found: Floats = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return found

    def find_probabilities(self, rows: Rows, more: Floats | float = 0.0) -> Floats:
        """Return the probability of every row to be a find.

        Args:
            rows: Features of links.
            more: What else is known about each, in log odds.
        """
        return self._probabilities(self._sums(rows), more)

    def _probabilities(self, sums: Floats, more: Floats | float) -> Floats:
        odds = sums[:, FIND] + self.weights.rows[self._bias, FIND] + more
        found: Floats = 1 / (1 + np.exp(np.minimum(np.maximum(-odds, -STEEP), STEEP)))
        return found

    def predict(self, rows: Rows, more: Floats | float = 0.0) -> Estimates:
        sums = self._sums(rows)
        linear = np.maximum(sums[:, VALUE] + self.weights.rows[self._bias, VALUE], 0)
        share = np.float32(self.linear_share)
        value = share * linear + (1 - share) * self.means.predict(rows)
        novelty = np.sqrt(sums[:, VARIANCE] / np.float32(ALL_NEW))
        return Estimates(self._probabilities(sums, more), value, novelty)

    def information(self, rows: Rows) -> Floats:
        """Return how much a visit of each row would reduce the uncertainty about the others.

        The uncertainty of a feature counts as often as other rows have it.
        """
        found: Floats = (self.weights.take(rows)[:, :, VARIANCE] * _repeats(rows)).sum(axis=1)
        return found

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
        self.damping = np.float32(RATE / 2 if self.finds_show_links and not are_pages else 0)

    @property
    def finds_show_links(self) -> bool:
        """Whether most finds lead on, as pages and RDF documents do, and files do not."""
        return self._linking_finds > 0

    def learn_find(self, row: Rows, *, found: bool, more: float = 0.0) -> float:
        """Learn whether a link was a find; return the probability it had.

        The gradient is the same for all its features.
        """
        probability = float(self.find_probabilities(row[None], more)[0])
        gradient = np.float32(probability - found)
        used = self.weights.places(_features(row))
        weights = self.weights.rows
        squares = weights[used, SQUARES] + gradient * gradient
        weights[used, SQUARES] = squares
        weights[used, FIND] -= self.rate * gradient / (self.damping + np.sqrt(squares + SMALL))
        return probability

    def learn_page(self, row: Rows, value: float) -> None:
        """Learn the value of a visit that was counted before."""
        means = float(self.means.predict(row[None])[0])
        used = self.weights.places(_features(row))
        weights = self.weights.rows
        error = value - float(weights[used, VALUE].sum())
        first, second = self._errors
        self._errors = (
            first + MEMORY * ((value - means) ** 2 - first),
            second + MEMORY * (error**2 - second),
        )
        if self.joint is not None and self.joint.is_full:
            self.joint = None
        if self.joint is not None:
            covariances, variance = self.joint.add(used, self._prior_variances())
            weights[:, VALUE] += covariances * (error / variance)
            weights[:, VARIANCE] -= covariances * covariances / variance
        else:
            variances = weights[used, VARIANCE]
            gains = variances / (variances.sum() + np.float32(NOISE))
            weights[used, VALUE] += gains * np.float32(error)
            weights[used, VARIANCE] -= gains * variances
        self.means.learn(row, value)
        self.scale += SLOW * (value - self.scale)

    def _prior_variances(self) -> Doubles:
        """Return the variance that every weight of the linear model had at first."""
        found: Doubles = np.full(len(self.weights.rows), SPREAD)
        found[self._bias] = BIAS_SPREAD
        return found

    def learn_gains(self, gains: Sequence[float]) -> None:
        """Learn that the first visits were worth more than was learned, each by its gain."""
        if self.joint is not None:
            changes = self.joint.changes(np.array(gains), self._prior_variances())
            self.weights.rows[:, VALUE] += changes


def _repeats(rows: Rows) -> Ints:
    """Return how often each number is also elsewhere among the rows."""
    flat = rows.ravel()
    # Sorting numbers with their places is several times faster than np.unique, which sorts places.
    keys = np.sort(flat << 32 | np.arange(flat.size))
    starts = np.flatnonzero(np.diff(keys >> 32, prepend=-1))
    counts = np.diff(starts, append=flat.size)
    found = np.empty_like(flat)
    found[keys & 0xFFFFFFFF] = np.repeat(counts - 1, counts)
    return found.reshape(rows.shape)


def _features(row: Rows) -> list[int]:
    """Return the distinct features of a row that apply, and the bias as the last."""
    return [*sorted({*row.tolist()} - {0}), BIAS]
