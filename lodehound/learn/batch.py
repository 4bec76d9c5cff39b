"""Classifiers that are trained once, on everything: naive Bayes, linear SVM, nearest neighbours.

scikit-learn does the work; it is an extra, for the lab's baselines.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError

BatchModel = Literal["nb", "svm", "knn"]
Columns = NDArray[np.int64]
NEIGHBOURS = 5


class Batch:
    """Tells two classes of binary vectors apart, each given as the columns that are 1.

    Args:
        model: Naive Bayes, linear SVM or nearest neighbours by cosine.
        seed: Of the SVM's solver.
    """

    def __init__(self, model: BatchModel, *, seed: int = 0) -> None:
        self.model = model
        self._sklearn = _make(model, seed)
        self._places: Columns = np.zeros(0, dtype=np.int64)  # columns seen in training, sorted
        self._only: bool | None = None  # the only class seen in training

    def fit(self, rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        """Train; columns that do not occur here will say nothing later."""
        self._places = np.unique(np.concatenate([*rows, np.zeros(0, dtype=np.int64)]))
        kinds = set(labels)
        self._only = kinds.pop() if len(kinds) == 1 else None if kinds else False
        if self._only is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an SVM that is not quite there is good enough
                self._sklearn.fit(self._matrix(rows), np.array(labels))

    def scores(self, rows: Sequence[Columns]) -> list[float]:
        """Return scores; above 0 is yes."""
        if self._only is not None or not rows:
            return [1.0 if self._only else -1.0] * len(rows)
        matrix = self._matrix(rows)
        if self.model == "svm":
            scores = self._sklearn.decision_function(matrix)
        else:
            scores = self._sklearn.predict_proba(matrix)[:, 1] - 0.5
        return [float(score) for score in scores]

    def _matrix(self, rows: Sequence[Columns]) -> Any:
        from scipy.sparse import csr_matrix  # noqa: PLC0415 - comes with scikit-learn

        columns = np.concatenate(rows)
        places = np.searchsorted(self._places, columns)
        places[places == len(self._places)] = 0
        known = self._places[places] == columns
        owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        ends = np.concatenate(([0], np.cumsum(np.bincount(owners[known], minlength=len(rows)))))
        places, shape = places[known], (len(rows), len(self._places))
        return csr_matrix((np.ones(len(places)), places, ends), shape=shape)


def _make(model: BatchModel, seed: int) -> Any:
    try:
        from sklearn.naive_bayes import MultinomialNB  # noqa: PLC0415 - an extra
        from sklearn.neighbors import KNeighborsClassifier  # noqa: PLC0415
        from sklearn.svm import LinearSVC  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            "Batch-trained models need more: pip install 'lodehound[lab]'."
        ) from error
    if model == "nb":
        return MultinomialNB()
    if model == "svm":
        return LinearSVC(random_state=seed, max_iter=5000)
    return KNeighborsClassifier(NEIGHBOURS, metric="cosine", algorithm="brute")
