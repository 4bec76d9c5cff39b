"""Classifiers that are trained once on all examples: naive Bayes, linear SVM, nearest neighbours.

scikit-learn, an extra for the lab's baselines, does the training. Predictions are
computed here, because a crawl asks for one URI at a time, which would take
scikit-learn a millisecond each.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lodehound.extras import extra

BatchModel = Literal["nb", "svm", "knn"]
Columns = NDArray[np.int64]
Floats = NDArray[np.float64]
NEIGHBOURS = 5


class Batch:
    """A binary classifier of binary vectors, each given as the columns that are 1.

    Args:
        model: Naive Bayes, linear SVM, or the majority of the nearest neighbours by cosine.
    """

    def __init__(self, model: BatchModel) -> None:
        need_sklearn()
        self.model = model
        self._places: Columns = np.zeros(0, dtype=np.int64)  # columns seen in training, sorted
        self._only: bool | None = None  # the only class seen in training
        self._weights: Floats = np.zeros(0)
        self._intercept = 0.0
        self._lengths: Floats = np.zeros(0)
        self._labels: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._rows: Any = None

    def fit(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        """Train; columns that do not occur here are ignored in predictions."""
        self._places = np.unique(np.concatenate([*rows, np.zeros(0, dtype=np.int64)]))
        kinds = set(labels)
        self._only = kinds.pop() if len(kinds) == 1 else None if kinds else False
        if self._only is not None:
            return
        self._labels = np.array(labels)
        matrix = self._matrix(rows)
        if self.model == "knn":
            self._rows, self._lengths = matrix, np.sqrt(np.diff(matrix.indptr))
            return
        self._weights, self._intercept = _linear(self.model, matrix, self._labels)

    def scores(self, rows: Sequence[Columns]) -> list[float]:
        """Return scores; a positive score means yes."""
        if self._only is not None or not rows:
            return [1.0 if self._only else -1.0] * len(rows)
        matrix = self._matrix(rows)
        if self.model == "knn":
            return [self._near(matrix[number]) for number in range(len(rows))]
        return [float(score) for score in matrix @ self._weights + self._intercept]

    def _near(self, row: Any) -> float:
        """Return the share of yes among the nearest neighbours, minus 0.5; the oldest win ties."""
        alike = self._rows @ row.toarray()[0] / self._lengths
        nearest = np.argsort(-alike, kind="stable")[:NEIGHBOURS]
        return float(self._labels[nearest].mean() - 0.5)

    def _matrix(self, rows: Sequence[Columns]) -> Any:
        from scipy.sparse import csr_matrix  # noqa: PLC0415 - installed with scikit-learn

        columns = np.concatenate(rows)
        places = np.searchsorted(self._places, columns)
        places[places == len(self._places)] = 0
        known = self._places[places] == columns
        owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        ends = np.concatenate(([0], np.cumsum(np.bincount(owners[known], minlength=len(rows)))))
        places, shape = places[known], (len(rows), len(self._places))
        return csr_matrix((np.ones(len(places)), places, ends), shape=shape)


def _linear(model: BatchModel, matrix: Any, labels: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Train naive Bayes or an SVM; return a weight per column and the intercept."""
    from sklearn.naive_bayes import MultinomialNB  # noqa: PLC0415 - an extra
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an SVM that has not quite converged is good enough
        if model == "svm":
            svm = LinearSVC(random_state=0, max_iter=5000).fit(matrix, labels)
            return svm.coef_[0], float(svm.intercept_[0])
        bayes = MultinomialNB().fit(matrix, labels)
    logs, prior = bayes.feature_log_prob_, bayes.class_log_prior_
    return logs[1] - logs[0], float(prior[1] - prior[0])


def need_sklearn() -> None:
    """Raise a ConfigError if scikit-learn is missing."""
    with extra("lab"):
        import sklearn  # noqa: F401, PLC0415
