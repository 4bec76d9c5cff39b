"""The joint posterior of a linear model, against the textbook formulas."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lodehound.learn.joint_posterior import JointPosterior

Doubles = NDArray[np.float64]

WEIGHTS, NOISE = 12, 0.1
DRAWS = np.random.default_rng(7)
PRIOR = DRAWS.uniform(0.5, 2.0, WEIGHTS)
SUMS = [np.sort(DRAWS.choice(np.arange(1, WEIGHTS), 4, replace=False)) for _ in range(9)]
VALUES = DRAWS.normal(size=9)


def textbook(values: Doubles, count: int) -> tuple[Doubles, Doubles]:
    """Return mean and covariance of the weights after some observations."""
    design = np.zeros((count, WEIGHTS))
    for at, places in enumerate(SUMS[:count]):
        design[at, places] = 1.0
    gain = (
        np.diag(PRIOR)
        @ design.T
        @ np.linalg.inv(design @ np.diag(PRIOR) @ design.T + NOISE * np.eye(count))
    )
    return gain @ values[:count], np.diag(PRIOR) - gain @ design @ np.diag(PRIOR)


def filtered() -> tuple[JointPosterior, Doubles, Doubles]:
    """Return a posterior with all observations, and the means and variances it led to."""
    posterior = JointPosterior(len(SUMS), longest=5, noise=NOISE)
    means, variances = np.zeros(WEIGHTS), PRIOR.copy()
    for places, value in zip(SUMS, VALUES, strict=True):
        expected = means[places].sum()
        at, covariances, variance = posterior.add(places, variances[places])
        means[at] += covariances * (value - expected) / variance
        variances[at] -= covariances**2 / variance
    return posterior, means, variances


def test_means_and_variances_are_those_of_the_exact_posterior() -> None:
    posterior, means, variances = filtered()

    mean, covariance = textbook(VALUES, len(SUMS))
    assert means[1:] == pytest.approx(mean[1:])
    assert variances[1:] == pytest.approx(np.diag(covariance)[1:])
    assert posterior.is_full


def test_observations_can_be_corrected_later() -> None:
    posterior, corrected, _ = filtered()
    differences = np.zeros(len(SUMS))
    differences[[0, 4]] = 1.0, -0.5

    for number in (0, 4):
        at, changes = posterior.changes(number, differences[number])
        corrected[at] += changes

    assert corrected[1:] == pytest.approx(textbook(VALUES + differences, len(SUMS))[0][1:])


def test_nothing_is_learned_about_what_no_observation_sums() -> None:
    posterior = JointPosterior(2, longest=3, noise=NOISE)
    posterior.add(np.array([1, 2]), PRIOR[[1, 2]])

    at, covariances, _ = posterior.add(np.array([2, 3]), PRIOR[[2, 3]])

    assert at.tolist() == [0, 1, 2, 3]
    assert covariances[0] == posterior.changes(1, 1.0)[1][0] == 0


def test_a_new_posterior_begins_with_the_variances_of_the_last() -> None:
    """As a filter that drops the covariances at that point."""
    first = JointPosterior(1, longest=2, noise=NOISE)
    second = JointPosterior(1, longest=2, noise=NOISE)
    both = np.array([1, 2])
    _, covariances, variance = first.add(both, np.ones(2))
    left = 1 - covariances[1:] ** 2 / variance

    _, _, again = second.add(both, left)

    assert left == pytest.approx(1 - 1 / 2.1)
    assert again == pytest.approx(2 * left[0] + NOISE)
