"""Bayesian logistic regression, against a hand-computed step."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.learn.bayesian_logistic import BayesianLogistic


def test_one_example_moves_the_weights_by_their_variances() -> None:
    """Noise 1 / 0.25, variance 16 of the one number: its variance falls to 16 * 4 / (16 + 4)."""
    regression = BayesianLogistic(np.zeros(2), prior_variance=16.0)

    regression.learn(np.array([1, 0], dtype=np.float32), 0.5, label=True)

    assert regression.odds(np.eye(2, dtype=np.float32)) == pytest.approx([3.2 * 0.5, 0])


def test_numbers_that_come_together_are_told_apart_later() -> None:
    regression = BayesianLogistic(np.zeros(2), prior_variance=16.0)
    both, second = np.array([[1, 1], [0, 1]], dtype=np.float32)
    regression.learn(both, 0.5, label=True)
    before = regression.odds(np.array([1, 0], dtype=np.float32))

    regression.learn(second, 0.5, label=False)

    assert regression.odds(np.array([1, 0], dtype=np.float32)) > before
