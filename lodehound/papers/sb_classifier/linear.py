"""Linear models over character pairs, trained in small batches.

The SB paper (Sec. 3.3 and 4.6) describes a link by the pairs of neighbouring
characters in its URL, and in context mode also in its anchor, tag path and
surrounding text. A pair (c, d) of ASCII characters is column 128 * ord(c) + ord(d).
A row is the array of its columns, one entry per occurrence: the product with the
weights is the sum over the entries.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]
Floats = NDArray[np.float64]

WIDTH = 128 * 128  # columns of one text
SPARSE_RATE = 0.01  # of the intercept, in scikit-learn's stochastic learners


def pairs(text: str) -> Columns:
    """Return the columns of one text.

    >>> pairs("aba").tolist() == [128 * 97 + 98, 128 * 98 + 97]
    True
    """
    codes = np.frombuffer(text.encode("ascii", "ignore"), dtype=np.uint8).astype(np.int64)
    return codes[:-1] * 128 + codes[1:]


class Texts:
    """Rows made of several texts, each with its own columns."""

    def __init__(self, texts: int) -> None:
        self.texts = texts
        self.columns = texts * WIDTH

    def row(self, texts: Sequence[str]) -> Columns:
        return np.concatenate([pairs(text) + i * WIDTH for i, text in enumerate(texts)])

    def products(self, weights: Floats, rows: Sequence[Sequence[str]]) -> Floats:
        """Return the product of the weights with every row, in one pass over all characters."""
        total = np.zeros(len(rows))
        for i in range(self.texts):
            column = weights[i * WIDTH : (i + 1) * WIDTH]
            total += _sum_by_text(column, [row[i] for row in rows])
        return total


def _sum_by_text(weights: Floats, texts: Sequence[str]) -> Floats:
    """Sum the weights of each text's pairs.

    The texts are joined by NUL. The columns of NUL are never learned, so pairs across
    a border have weight zero, and no text is ever empty.
    """
    joined = ("\0".join(texts) + "\0\0").encode("ascii", "ignore")
    codes = np.frombuffer(joined, dtype=np.uint8).astype(np.int64)
    ends = np.flatnonzero(codes[:-1] == 0)
    starts = np.concatenate(([0], ends[:-1] + 1))[: len(texts)]
    found = weights[codes[:-1] * 128 + codes[1:]]
    return np.add.reduceat(found, starts)


class Linear(ABC):
    """A binary classifier: a positive score means yes."""

    def __init__(self, columns: int) -> None:
        self.weights: Floats = np.zeros(columns)
        self.intercept = 0.0

    def score(self, products: Floats) -> Floats:
        """Convert products of ``weights`` with rows to scores."""
        return products + self.intercept

    @abstractmethod
    def learn(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        """Learn from one batch in one pass."""


class Shuffle:
    """The order in which scikit-learn's stochastic learners process the rows of a batch.

    It starts from the same seed for every batch, so batches of the same size are always
    processed in the same order. The first steps are so large that the last row matters
    much: reproducing published runs requires the same order. (Fisher-Yates, drawn from
    a 32-bit xorshift generator.)

    Args:
        seed: random_state in scikit-learn.
    """

    def __init__(self, seed: int) -> None:
        rng = np.random.RandomState(seed)
        rng.randint(1, np.iinfo(np.int32).max)  # scikit-learn draws this for another purpose
        self._state = int(rng.randint(np.iinfo(np.int32).max))
        self._orders: dict[int, list[int]] = {}

    def order(self, rows: int) -> list[int]:
        if rows not in self._orders:
            self._orders[rows] = self._draw(rows)
        return self._orders[rows]

    def _draw(self, rows: int) -> list[int]:
        order = list(range(rows))
        state = self._state or 1
        for i in range(rows - 1):
            state ^= (state << 13) & 0xFFFFFFFF
            state ^= state >> 17
            state ^= (state << 5) & 0xFFFFFFFF
            j = i + (state % 0x80000000) % (rows - i)
            order[i], order[j] = order[j], order[i]
        return order


class Sgd(Linear):
    """Stochastic gradient descent with the defaults of scikit-learn's SGDClassifier.

    L2 penalty 1e-4 and the "optimal" step 1 / (penalty * (t0 + t)), with t0 by
    Bottou's heuristic: 1,000 for both losses. The penalty is stored as a scale of
    the weights, so that a step costs only the columns of the row.

    Args:
        columns: Number of weights.
        loss: "log" for logistic regression, "hinge" for a linear SVM.
        seed: Seed of the order within a batch.
        intercept_rate: Learning rate of the intercept; scikit-learn uses 0.01 for
            sparse rows, such as ours, and 1 for dense ones.
    """

    penalty = 1e-4
    t0 = 1000.0

    def __init__(
        self,
        columns: int,
        *,
        loss: Literal["log", "hinge"] = "log",
        seed: int = 0,
        intercept_rate: float = SPARSE_RATE,
    ) -> None:
        super().__init__(columns)
        self.loss = loss
        self.intercept_rate = intercept_rate
        self._shuffle = Shuffle(seed)
        self._steps = 0
        self._scale = 1.0

    def score(self, products: Floats) -> Floats:
        return products * self._scale + self.intercept

    def learn(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        for index in self._shuffle.order(len(rows)):
            columns, sign = rows[index], 1.0 if labels[index] else -1.0
            margin = sign * float(self.weights[columns].sum() * self._scale + self.intercept)
            step = 1 / (self.penalty * (self.t0 + self._steps))
            pull = step * sign * self._slope(margin)
            self._scale *= 1 - step * self.penalty
            np.add.at(self.weights, columns, pull / self._scale)
            self.intercept += self.intercept_rate * pull
            self._steps += 1
        if self._scale < 1e-9:
            self.weights *= self._scale
            self._scale = 1.0

    def _slope(self, margin: float) -> float:
        """Return the gradient of the loss at this margin."""
        if self.loss == "hinge":
            return 1.0 if margin <= 1 else 0.0
        return 1 / (1 + math.exp(margin)) if margin < 700 else 0.0


class PassiveAggressive(Linear):
    """Passive-aggressive classification, variant I with C = 1 (Crammer et al. 2006)."""

    def __init__(self, columns: int, *, seed: int = 0) -> None:
        super().__init__(columns)
        self._shuffle = Shuffle(seed)

    def learn(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        for index in self._shuffle.order(len(rows)):
            columns, sign = rows[index], 1.0 if labels[index] else -1.0
            margin = sign * float(self.weights[columns].sum() + self.intercept)
            used, counts = np.unique(columns, return_counts=True)
            square = float((counts * counts).sum())
            step = sign * min(1.0, max(0.0, 1 - margin) / square) if square else 0.0
            self.weights[used] += step * counts
            self.intercept += SPARSE_RATE * step


class NaiveBayes(Linear):
    """Multinomial naive Bayes with add-one smoothing, as a linear score of log odds."""

    def __init__(self, columns: int, *, vocabulary: int) -> None:
        super().__init__(columns)
        self.vocabulary = vocabulary
        self._counts: Floats = np.zeros((2, columns))
        self._rows: Floats = np.zeros(2)

    def learn(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        for columns, label in zip(rows, labels, strict=True):
            np.add.at(self._counts[int(label)], columns, 1.0)
            self._rows[int(label)] += 1
        smooth = self._counts + 1
        logs = np.log(smooth) - np.log(self._counts.sum(axis=1) + self.vocabulary)[:, None]
        self.weights = logs[1] - logs[0]
        self.weights.reshape(-1, 128, 128)[:, 0, :] = 0.0  # pairs with NUL: see _sum_by_text
        self.weights.reshape(-1, 128, 128)[:, :, 0] = 0.0
        # A class without examples is impossible; keep scores finite so that they can be compared.
        prior = np.log(np.maximum(self._rows, 1e-9))
        self.intercept = float(prior[1] - prior[0])


ModelName = Literal["lr", "svm", "nb", "pa"]
# Printable ASCII, 95 characters: 9,025 pairs (SB paper, Sec. 3.3).
VOCABULARY = 95 * 95


def make_linear(name: ModelName, texts: Texts, *, seed: int = 0) -> Linear:
    """Return one of the four models of the SB paper's Table 5."""
    if name == "nb":
        return NaiveBayes(texts.columns, vocabulary=VOCABULARY * texts.texts)
    if name == "pa":
        return PassiveAggressive(texts.columns, seed=seed)
    return Sgd(texts.columns, loss="log" if name == "lr" else "hinge", seed=seed)
