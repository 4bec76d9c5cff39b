"""Classifiers trained once, as scikit-learn applies them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from lodehound.papers.ldcoc.batch import Batch, BatchModel

WIDTH = 200
THEIRS = {
    "nb": MultinomialNB(),
    "svm": LinearSVC(random_state=0, max_iter=5000),
    "knn": KNeighborsClassifier(5, metric="cosine", algorithm="brute"),
}


def sample(count: int, seed: int) -> tuple[list[np.ndarray], list[bool]]:
    rng = random.Random(seed)
    rows = [np.array(sorted(rng.sample(range(WIDTH), rng.randint(20, 90)))) for _ in range(count)]
    return rows, [bool(row.sum() % 3 == 0 or 5 in row) for row in rows]


@pytest.mark.parametrize("model", ["nb", "svm", "knn"])
def test_as_scikit_learn_does_it(model: BatchModel) -> None:
    rows, labels = sample(200, 1)
    more, _ = sample(100, 2)
    dense = [[float(i in row) for i in range(WIDTH)] for row in rows + more]
    expected = THEIRS[model].fit(dense[:200], labels).predict(dense[200:])
    batch = Batch(model)
    batch.fit(rows, labels)
    said = [score > 0 for score in batch.scores(more)]
    right = sum(a == b for a, b in zip(said, expected, strict=True))
    assert right >= (95 if model == "knn" else 100)  # ties among neighbours go either way


@pytest.mark.parametrize("model", ["nb", "svm", "knn"])
def test_one_class_or_none(model: BatchModel) -> None:
    rows, _ = sample(3, 1)
    for labels, said in (([True] * 3, 1.0), ([False] * 3, -1.0), ([], -1.0)):
        batch = Batch(model)
        batch.fit(rows[: len(labels)], labels)
        assert batch.scores(rows) == [said] * 3


def test_columns_never_seen_say_nothing() -> None:
    rows, labels = sample(50, 1)
    batch = Batch("svm")
    batch.fit(rows, labels)
    known, unknown = rows[0], np.append(rows[0], [WIDTH + 1, 1 << 19])
    assert batch.scores([known]) == pytest.approx(batch.scores([unknown]))
