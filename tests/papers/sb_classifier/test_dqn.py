"""The network against differences, and its targets by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.papers.sb_classifier.dqn import DoubleDqn, Experience, Network


def test_gradients_are_those_of_the_error() -> None:
    """Every gradient is what a small change of its weight does to the mean squared error."""
    rng = np.random.default_rng(0)
    network = Network((3, 4, 2, 1), rate=1e-3, clip=1.0, rng=rng)
    rows, wanted = rng.normal(size=(5, 3)), rng.normal(size=5)

    def error() -> float:
        return float(((network.predict(rows) - wanted) ** 2).mean())

    layers = network._forward(rows)
    gradients = network._gradients(layers, layers[-1][:, 0] - wanted)

    for weight, gradient in zip(network.weights, gradients, strict=True):
        before = weight.flat[0]
        weight.flat[0] = before + 1e-6
        higher = error()
        weight.flat[0] = before - 1e-6
        lower = error()
        weight.flat[0] = before
        assert (higher - lower) / 2e-6 == pytest.approx(gradient.flat[0], abs=1e-6)


def test_it_learns() -> None:
    """A simple function is nearly right after some steps."""
    rng = np.random.default_rng(0)
    network = Network((2, 30, 15, 1), rate=1e-2, clip=1.0, rng=rng)
    rows = rng.uniform(size=(60, 2))
    errors = [network.learn(rows, rows[:, 0] - rows[:, 1]) for _ in range(300)]

    assert errors[-1] < errors[0] / 20


def test_wanted_values() -> None:
    """The fast network chooses the next link, the slow one says what it is worth."""
    dqn = DoubleDqn(1, gamma=0.5)
    dqn.network.weights = [np.array([[w]]) if i % 2 == 0 else np.zeros(1) for i, w in
                           enumerate((1.0, 0, 1.0, 0, 1.0, 0))]  # fmt: skip
    dqn._slow = [w * (-1 if i == 4 else 1) for i, w in enumerate(dqn.network.weights)]
    some = Experience(np.array([1.0]), 1.0, np.array([[2.0], [3.0]]))
    last = Experience(np.array([1.0]), 0.25, np.zeros((0, 1)))

    assert dqn.wanted([some, last, some]).tolist() == [1 - 0.5 * 3, 0.25, 1 - 0.5 * 3]
    assert dqn.wanted([last]).tolist() == [0.25]


def test_the_slow_network_follows() -> None:
    """Every so many steps it becomes as the fast one; without a batch nothing is learned."""
    dqn = DoubleDqn(1, batch=2, copy_every=3)
    dqn.network.weights[0] += 1
    experience = Experience(np.array([1.0]), 1.0, np.zeros((0, 1)))
    dqn.remember(experience)
    before = dqn.network.copy_of()
    dqn.learn()
    assert np.array_equal(dqn.network.weights[0], before[0])
    assert not np.array_equal(dqn._slow[0], dqn.network.weights[0])
    dqn.remember(experience)
    dqn.remember(experience)
    assert np.array_equal(dqn._slow[0], dqn.network.weights[0])
    dqn.learn()
    assert not np.array_equal(dqn.network.weights[0], before[0])
