"""``ldcoc:rate=one`` beside Equation 1 of the paper, number by number."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lodehound.papers.ldcoc.ftrl import OneRateFtrl
from tests.oracles.ftrl import Ftrl

COLUMNS, ROUNDS = 6, 25


@pytest.mark.parametrize("l1", [0.0, 0.1, 0.7])
def test_every_weight_is_that_of_equation_1(l1: float) -> None:
    rng, ours, theirs = random.Random(4), OneRateFtrl(COLUMNS, l1=l1), Ftrl(COLUMNS, l1)
    for _ in range(ROUNDS):
        columns = np.array(sorted(rng.sample(range(COLUMNS), 3)))
        label, importance = rng.random() < 0.4 or 2 in columns, rng.choice([1.0, 1 / 0.17])
        ours.learn(columns, label, importance)
        theirs.learn(np.isin(np.arange(COLUMNS), columns).astype(float), label, importance)

        assert ours.weights(np.arange(COLUMNS)) == pytest.approx(theirs.weights, abs=1e-5)
    assert ours.used == sum(abs(weight) > 1e-5 for weight in theirs.weights)
