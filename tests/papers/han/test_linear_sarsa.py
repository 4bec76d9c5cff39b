"""Linear SARSA by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.papers.han.linear_sarsa import LinearSarsa, Pairs, change_index, indexes


def row(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def test_the_last_step_of_an_episode() -> None:
    """Line 33 of Algorithm 1: w + 0.1 * (30 - (1*2 + 2*1)) * (2, 1)."""
    learner = LinearSarsa(2, alpha=0.1, weights=[1, 2])

    error = learner.step(row(2, 1), 30, None)

    assert error == 26
    assert learner.weights.tolist() == pytest.approx([1 + 0.1 * 26 * 2, 2 + 0.1 * 26])


def test_a_step_within_an_episode() -> None:
    """Eq. 3: q = 4, q' = 3, so the error is -1 + 0.9 * 3 - 4 = -2.3."""
    learner = LinearSarsa(2, alpha=0.1, weights=[1, 2])

    error = learner.step(row(2, 1), -1, row(1, 1))

    assert error == pytest.approx(-2.3)
    assert learner.weights.tolist() == pytest.approx([1 - 0.46, 2 - 0.23])


def test_a_moderated_step() -> None:
    """Eq. 4: -1 + 0.9 * (3 + 2.3) - 4 = -0.23, a tenth of the error."""
    learner = LinearSarsa(2, alpha=0.1, weights=[1, 2], moderated=True)

    learner.step(row(2, 1), -1, row(1, 1))

    assert learner.weights.tolist() == pytest.approx([1 - 0.046, 2 - 0.023])


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9])
def test_moderated_is_a_smaller_step(gamma: float) -> None:
    """Sec. 3.3: the same as a step of alpha * (1 - gamma), whatever the numbers."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights, x, y = rng.normal(size=(3, 5))
        reward = float(rng.normal())
        moderated = LinearSarsa(5, gamma=gamma, moderated=True, weights=weights)
        smaller = LinearSarsa(5, gamma=gamma, alpha=0.001 * (1 - gamma), weights=weights)
        moderated.step(x, reward, y)
        smaller.step(x, reward, y)
        assert moderated.weights == pytest.approx(smaller.weights, abs=1e-12)


def test_weights_must_fit() -> None:
    """Weights of another task's size, or none that are numbers, are refused."""
    with pytest.raises(ConfigError, match="2 weights were given, but 3"):
        LinearSarsa(3, weights=[1, 2])
    with pytest.raises(ConfigError):
        LinearSarsa(1, weights=[float("nan")])


def test_two_indexes_for_a_value() -> None:
    """Sec. 3.1: five ranges of 0.2, and six that begin and end with half of one."""
    values = np.array([[-0.3], [0.0], [0.1], [0.2], [0.3], [0.59], [0.7], [0.9], [1.0]])

    assert indexes(values).tolist() == [
        [0, 0], [0, 0], [0, 1], [1, 1], [1, 2], [2, 3], [3, 4], [4, 5], [4, 5]
    ]  # fmt: skip


def test_the_index_of_a_change() -> None:
    """0 within 0.1, 1 and 2 for a rise, 3 and 4 for a fall."""
    changes = [0, 0.1, -0.1, 0.11, 0.3, 0.5, -0.11, -0.3, -0.5]
    assert [change_index(change) for change in changes] == [0, 0, 0, 1, 1, 2, 3, 3, 4]


def code(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.uint8)


def test_pairs_are_distinct() -> None:
    """The same numbers are the same pair, and many of them fit."""
    pairs = Pairs(2)
    numbers = [pairs.number(code(i % 200, 0), b"s") for i in range(400)]
    more = [pairs.number(code(i % 200, 1), b"s") for i in range(200)]

    assert numbers == [*range(200), *range(200)]
    assert more == list(range(200, 400))
    assert pairs.rows[399].tolist() == [199, 1]


def test_what_is_valued_anew() -> None:
    """Synchronously all pairs, asynchronously those of one state; empty pairs are never best."""
    pairs = Pairs(1)
    first, second, empty = (pairs.number(code(n), s) for n, s in ((1, b"s"), (2, b"t"), (9, b"t")))
    pairs.wake([first, second])

    pairs.value_state(b"t", np.array([-1.0]))
    assert (pairs.best(), pairs.values[:3].tolist()) == (first, [0, -2, -9])

    pairs.value_all(np.array([1.0]))
    assert (pairs.best(), pairs.ranked()) == (second, [second, first])
    assert empty not in pairs.ranked()

    pairs.put_to_sleep(second)
    assert (pairs.best(), pairs.awake().tolist()) == (first, [first])
    pairs.put_to_sleep(first)
    assert pairs.best() is None
