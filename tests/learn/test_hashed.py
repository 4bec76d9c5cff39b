"""Learners over hashed features, against hand-computed cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.learn.hashed import Logistic, Posterior, sums

ROW = np.array([3, 7, 0], dtype=np.intp)


def test_one_step_of_the_logistic_regression() -> None:
    """From p = 1/2, gradient -1/2, the first step is the rate: three times 1/2 in log odds."""
    model = Logistic(rate=0.5)

    model.learn(ROW, yes=True)

    assert model.weights[[3, 7, 0]] == pytest.approx([0.5, 0.5, 0])
    assert model.intercept == pytest.approx(0.5)
    assert model.probabilities(ROW[None])[0] == pytest.approx(1 / (1 + math.exp(-1.5)))


def test_the_second_step_is_shorter() -> None:
    """Gradient p = 0.8176 against the root of 0.25 + 0.6684: a step of 0.5 * 0.8531."""
    model = Logistic(rate=0.5)
    model.learn(ROW, yes=True)

    model.learn(ROW, yes=False)

    assert model.weights[3] == pytest.approx(
        0.5 - 0.5 * 0.8176 / math.sqrt(0.25 + 0.8176**2), abs=1e-3
    )


def test_the_logistic_regression_is_certain_but_finite() -> None:
    model = Logistic(rate=100.0)
    for _ in range(100):
        model.learn(ROW, yes=True)

    assert np.isfinite(model.weights).all()
    assert 0.999 < model.probabilities(ROW[None])[0] <= 1


def test_one_observation_is_shared_out_by_variance() -> None:
    """Two weights and the intercept of variance 1, noise 1: each takes a quarter of the error."""
    model = Posterior(spread=1.0, noise=1.0)

    model.learn(ROW, 4.0)

    assert model.weights[[3, 7, 0]] == pytest.approx([1, 1, 0])
    assert model.intercept == pytest.approx(1)
    assert model.predict(ROW[None])[0] == pytest.approx(3)


def test_novelty_falls_with_what_was_seen() -> None:
    """Variances 1, 1 and 0 of three columns; after one observation 3/4, 3/4 and 0."""
    model = Posterior(spread=1.0, noise=1.0)
    before = float(model.novelty(ROW[None])[0])

    model.learn(ROW, 4.0)

    assert before == pytest.approx(math.sqrt(2 / 3))
    assert model.novelty(ROW[None])[0] == pytest.approx(math.sqrt(1.5 / 3))


def test_a_feature_that_stands_twice_counts_once() -> None:
    once, twice = Posterior(), Posterior()
    once.learn(np.array([3, 0], dtype=np.intp), 1.0)
    twice.learn(np.array([3, 3], dtype=np.intp), 1.0)

    assert once.weights[3] == twice.weights[3]


def test_the_posterior_finds_what_matters() -> None:
    """Rows with feature 5 are worth 2, others nothing; feature 9 stands on all."""
    model = Posterior()
    good, bad = np.array([5, 9], dtype=np.intp), np.array([6, 9], dtype=np.intp)
    for _ in range(200):
        model.learn(good, 2.0)
        model.learn(bad, 0.0)

    assert model.predict(np.stack((good, bad))) == pytest.approx([2, 0], abs=0.1)


def test_a_row_is_the_same_alone_and_among_others() -> None:
    """To the last bit: what was scored in a batch is looked at alone when it is chosen."""
    draws = np.random.default_rng(1)
    weights = draws.normal(size=1000).astype(np.float32)
    rows = draws.integers(0, 1000, (300, 33))

    assert [sums(weights, row[None])[0] for row in rows] == sums(weights, rows).tolist()


def test_instructive_is_what_others_share_and_nobody_knows() -> None:
    """Feature 7 stands on two rows, 8 on one; 5 stands on all and was seen often."""
    model = Posterior()
    for _ in range(50):
        model.learn(np.array([5, 0], dtype=np.intp), 0.0)
    rows = np.array([[5, 7], [5, 7], [5, 8]], dtype=np.intp)

    first, second, third = model.instructive(rows)

    assert first == second > third


def test_a_second_thought_leaves_the_doubts() -> None:
    """A better value of an old observation moves the weights, not how sure they are."""
    model, row = Posterior(), np.array([5, 7], dtype=np.intp)
    model.learn(row, 0.0)
    doubt = model.novelty(row[None])[0]

    model.learn(row, 1.0, again=True)

    assert model.predict(row[None])[0] > 0
    assert model.novelty(row[None])[0] == doubt
