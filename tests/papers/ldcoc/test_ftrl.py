"""FTRL-proximal, by hand and against an implementation of somebody else's."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from lodehound.papers.ldcoc.ftrl import Ftrl


def columns(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def test_three_steps_by_hand() -> None:
    """McMahan et al. 2013, Algorithm 1, with alpha 0.5, beta 1, l1 0.2, l2 1."""
    model = Ftrl(4, alpha=0.5, beta=1.0, l1=0.2, l2=1.0)
    assert model.predict(columns(0, 1)) == 0.5

    model.learn(columns(0, 1), True)
    # g = 0.5 - 1; no weight yet, so z = g = -0.5 and n = 0.25; (1 + 0.5) / 0.5 + 1 = 4.
    assert model.weights(columns(0, 1, 2)) == pytest.approx([0.075, 0.075, 0.0])
    assert model.predict(columns(0, 1)) == pytest.approx(1 / (1 + math.exp(-0.15)))

    model.learn(columns(1, 2), False, weight=2.0)
    g = 2 / (1 + math.exp(-0.075))
    sigma = (math.sqrt(0.25 + g * g) - 0.5) / 0.5
    z1, n1, z2, n2 = -0.5 + g - sigma * 0.075, 0.25 + g * g, g, g * g
    expected = [
        0.075,
        -(z1 - 0.2) / ((1 + math.sqrt(n1)) / 0.5 + 1),
        -(z2 - 0.2) / ((1 + math.sqrt(n2)) / 0.5 + 1),
    ]
    assert model.weights(columns(0, 1, 2)) == pytest.approx(expected)


def test_what_matters_less_than_l1_weighs_nothing() -> None:
    model = Ftrl(3, l1=0.6)
    model.learn(columns(0), True)
    assert (model.weights(columns(0))[0], model.used) == (0.0, 0)

    model.learn(columns(0), True)
    assert model.used == 1


def test_as_river_does_it() -> None:
    """River keeps stale weights between steps, so it is given the gradients."""
    optim = pytest.importorskip("river.optim")
    theirs = optim.FTRLProximal(alpha=0.2, beta=1.0, l1=0.0, l2=0.5)
    ours = Ftrl(30, alpha=0.2, beta=1.0, l1=0.0, l2=0.5)
    rng, weights = random.Random(1), dict[int, float]()
    for _ in range(500):
        row = sorted(rng.sample(range(30), 6))
        label, weight = 7 in row or sum(row) % 3 == 0, rng.choice([1.0, 5.9])
        gradient = weight * (ours.predict(columns(*row)) - label)
        weights = theirs.step(weights, dict.fromkeys(row, gradient))
        ours.learn(columns(*row), label, weight)
    weights = theirs.step(weights, dict.fromkeys(range(30), 0.0))
    expected = [weights.get(number, 0.0) for number in range(30)]
    assert ours.weights(np.arange(30)) == pytest.approx(expected)


def test_a_weight_stands_for_as_many() -> None:
    """Its gradient counts six times: g = -3, n = 9, rate (1 + 3) / 0.1 + 1."""
    model = Ftrl(2, l1=0.0)
    model.learn(columns(1), True, weight=6.0)
    assert model.weights(columns(1)) == pytest.approx([3 / 41])


def test_it_learns_what_can_be_learned() -> None:
    model, rng = Ftrl(1 << 20), random.Random(3)
    for _ in range(400):
        row = rng.sample(range(1 << 20), 5)
        label = rng.random() < 0.5
        model.learn(columns(0, 1 if label else 2, *row), label)
    assert model.predict(columns(0, 1)) > 0.8
    assert model.predict(columns(0, 2)) < 0.2
