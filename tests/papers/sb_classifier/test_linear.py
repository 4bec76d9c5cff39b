"""Our linear models against scikit-learn's."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import MultinomialNB

from lodehound.papers.sb_classifier.linear import (
    VOCABULARY,
    WIDTH,
    Floats,
    Linear,
    ModelName,
    NaiveBayes,
    Sgd,
    Shuffle,
    Texts,
    make_linear,
    pairs,
)

URL = Texts(1)


def addresses(count: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    folders, endings = ["data", "page", "files/x"], [".csv", ".html", "", "?id=7"]
    return [
        f"https://e.org/{rng.choice(folders)}/{rng.randrange(10**6)}{rng.choice(endings)}"
        for _ in range(count)
    ]


def matrix(texts: Sequence[str]) -> Floats:
    """The rows as scikit-learn takes them."""
    whole = np.zeros((len(texts), WIDTH))
    for row, text in zip(whole, texts, strict=True):
        np.add.at(row, pairs(text), 1.0)
    return whole


def taught(model: Linear, urls: Sequence[str], labels: Sequence[bool], batch: int = 10) -> Linear:
    for at in range(0, len(urls), batch):
        model.learn([URL.row((url,)) for url in urls[at : at + batch]], labels[at : at + batch])
    return model


def scores(model: Linear, urls: Sequence[str]) -> Floats:
    return model.score(URL.products(model.weights, [(url,) for url in urls]))


REFERENCES: dict[ModelName, Callable[[int], Any]] = {
    "lr": lambda seed: SGDClassifier(loss="log_loss", random_state=seed),
    "svm": lambda seed: SGDClassifier(loss="hinge", random_state=seed),
    # scikit-learn 1.8 calls passive-aggressive learning by this name.
    "pa": lambda seed: SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, random_state=seed
    ),
}


@pytest.mark.parametrize("seed", [0, 42])
@pytest.mark.parametrize("name", REFERENCES)
def test_batch_learning_equals_scikit_learn(name: ModelName, seed: int) -> None:
    """Ten batches of ten, the last a short one: same scores for every URL, seen or not."""
    if name == "pa":
        pytest.importorskip("sklearn", minversion="1.8")
    urls, unseen = addresses(97), addresses(50, seed=2)
    labels = [url.endswith(".csv") for url in urls]
    reference = REFERENCES[name](seed)
    for at in range(0, 97, 10):
        # Sparse, as the released crawler's rows are: the intercept then learns more slowly.
        rows = csr_matrix(matrix(urls[at : at + 10]))
        reference.partial_fit(rows, labels[at : at + 10], classes=[False, True])

    model = taught(make_linear(name, URL, seed=seed), urls, labels)

    expected = reference.decision_function(matrix(unseen))
    assert scores(model, unseen) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert model.intercept == pytest.approx(reference.intercept_[0])


@pytest.mark.parametrize("loss", ["log", "hinge"])
def test_dense_rows_equal_scikit_learn(loss: Literal["log", "hinge"]) -> None:
    """There the intercept learns as fast as the weights."""
    urls = addresses(50)
    labels = [url.endswith(".csv") for url in urls]
    reference = SGDClassifier(loss="log_loss" if loss == "log" else loss, random_state=3)
    reference.partial_fit(matrix(urls), labels, classes=[False, True])

    model = taught(Sgd(WIDTH, loss=loss, seed=3, intercept_rate=1.0), urls, labels, batch=50)

    assert scores(model, urls) == pytest.approx(reference.decision_function(matrix(urls)))


def test_naive_bayes_equals_scikit_learn() -> None:
    """With as many columns in the vocabulary as there are, the log odds are the same."""
    urls, unseen = addresses(97), addresses(50, seed=2)
    labels = [url.endswith(".csv") for url in urls]
    reference = MultinomialNB()
    for at in range(0, 97, 10):
        reference.partial_fit(
            matrix(urls[at : at + 10]), labels[at : at + 10], classes=[False, True]
        )

    model = taught(NaiveBayes(WIDTH, vocabulary=WIDTH), urls, labels)

    expected = np.diff(reference.predict_joint_log_proba(matrix(unseen)), axis=1)[:, 0]
    assert scores(model, unseen) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["lr", "svm", "nb", "pa"])
@pytest.mark.parametrize("label", [True, False])
def test_one_class_only(name: ModelName, label: bool) -> None:
    """What has seen pages only takes everything for a page, finite score and all."""
    urls = addresses(10)

    model = taught(make_linear(name, URL), urls, [label] * 10)

    assert np.isfinite(scores(model, addresses(30, seed=3))).all()
    assert set((scores(model, urls) > 0).tolist()) == {label}


@pytest.mark.parametrize("name", ["lr", "svm", "pa"])
def test_models_learn(name: ModelName) -> None:
    """After 200 labels nearly all csv addresses among 200 others are told from the rest."""
    urls, unseen = addresses(200), addresses(200, seed=2)

    model = taught(make_linear(name, URL), urls, [url.endswith(".csv") for url in urls])

    told = scores(model, unseen) > 0
    wrong = sum(bool(yes) != url.endswith(".csv") for yes, url in zip(told, unseen, strict=True))
    assert wrong <= 10


def test_a_long_life_stays_finite() -> None:
    """The scale in front of the weights shrinks with every step; it never vanishes."""
    model = Sgd(WIDTH)
    model.penalty = 0.5  # as many steps as a million usual ones
    model.t0 = 2.5
    urls = addresses(50)

    for _ in range(40):
        taught(model, urls, [url.endswith(".csv") for url in urls])

    assert np.isfinite(scores(model, urls)).all()
    assert np.isfinite(model.weights).all()


def test_folding_the_scale_changes_no_score() -> None:
    """Weights and scale are one number in two parts."""
    model, urls = taught(Sgd(WIDTH), addresses(50), [True, False] * 25), addresses(20)
    assert isinstance(model, Sgd)
    before = scores(model, urls)
    model.weights *= model._scale / 1e-10
    model._scale = 1e-10

    model.learn([], [])

    assert model._scale == 1.0
    assert scores(model, urls) == pytest.approx(before)


def test_far_margins_pull_with_nothing() -> None:
    """The exponential does not overflow, on either side."""
    model = Sgd(WIDTH)

    assert [model._slope(margin) for margin in (-1e6, -800.0, 0.0, 800.0, 1e6)] == [1, 1, 0.5, 0, 0]


def test_naive_bayes_of_four_texts() -> None:
    """Context mode counts four vocabularies of 9,025 pairs."""
    model = make_linear("nb", Texts(4))

    assert isinstance(model, NaiveBayes)
    assert (model.vocabulary, model.weights.size) == (4 * VOCABULARY, 4 * WIDTH)
    assert VOCABULARY == 9025


# --- the order within a batch ------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(0, 30))
def test_a_shuffle_is_a_permutation(seed: int, rows: int) -> None:
    """Every row once; the same batch size, the same order, in every batch."""
    shuffle = Shuffle(seed)

    assert sorted(shuffle.order(rows)) == list(range(rows))
    assert shuffle.order(rows) == Shuffle(seed).order(rows)


# --- rows and products -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", []),
        ("a", []),
        ("ab", [128 * 97 + 98]),
        ("aba", [128 * 97 + 98, 128 * 98 + 97]),
        ("é", []),
        ("aéb", [128 * 97 + 98]),
        ("日本語ab", [128 * 97 + 98]),
    ],
)
def test_pairs(text: str, columns: list[int]) -> None:
    """Neighbouring ASCII characters; others are as if they were not there."""
    assert pairs(text).tolist() == columns


def test_texts_have_columns_of_their_own() -> None:
    """The same pair in another text is another column."""
    assert Texts(3).row(("ab", "", "ab")).tolist() == [12514, 12514 + 2 * WIDTH]
    assert Texts(3).columns == 3 * WIDTH


TEXT = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=12)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=20), st.integers(0, 999))
def test_products_are_those_of_the_rows(rows: list[tuple[str, str]], seed: int) -> None:
    """One sweep over all characters equals row by row; empty and non-ASCII texts too."""
    texts = Texts(2)
    weights = np.random.default_rng(seed).normal(size=texts.columns)
    blank = weights.reshape(-1, 128, 128)
    blank[:, 0, :] = blank[:, :, 0] = 0.0  # pairs with NUL are never learned

    products = texts.products(weights, rows)

    assert products == pytest.approx([weights[texts.row(row)].sum() for row in rows])


def test_no_model_learns_pairs_with_nul() -> None:
    """What parts the texts of a sweep weighs nothing, in naive Bayes with its smoothing too."""
    for name in ("lr", "svm", "nb", "pa"):
        model = taught(make_linear(name, URL), addresses(30), [True, False, False] * 10)
        square = model.weights.reshape(128, 128)
        assert not square[0].any()
        assert not square[:, 0].any()
