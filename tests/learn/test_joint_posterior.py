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
        covariances, variance = posterior.add(places.astype(np.int32), PRIOR)
        means += covariances * (value - means[places].sum()) / variance
        variances -= covariances**2 / variance
    return posterior, means, variances


def test_means_and_variances_are_those_of_the_exact_posterior() -> None:
    posterior, means, variances = filtered()

    mean, covariance = textbook(VALUES, len(SUMS))
    assert means[1:] == pytest.approx(mean[1:])
    assert variances[1:] == pytest.approx(np.diag(covariance)[1:])
    assert posterior.is_full


def test_observations_can_be_corrected_later() -> None:
    posterior, means, _ = filtered()
    differences = np.zeros(len(SUMS))
    differences[[0, 4]] = 1.0, -0.5

    corrected = means + posterior.changes(differences, PRIOR)

    assert corrected[1:] == pytest.approx(textbook(VALUES + differences, len(SUMS))[0][1:])


def test_padding_changes_nothing() -> None:
    posterior = JointPosterior(2, longest=3, noise=NOISE)
    posterior.add(np.array([1, 2], dtype=np.int32), PRIOR)

    covariances, _ = posterior.add(np.array([2, 3], dtype=np.int32), PRIOR)

    assert covariances[0] == 0
    assert posterior.changes(np.array([1.0, 1.0]), PRIOR)[0] == 0
