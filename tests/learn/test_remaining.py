"""What is still to be found, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.learn.remaining import YieldEstimator

NONE, SURE = np.zeros(2, dtype=np.float32), np.ones(2, dtype=np.float32)
FILES = [(SURE, NONE)]  # two links


def test_the_upper_end_counts_what_lies_behind_the_links() -> None:
    """Fifty pages without a new one: b = 0.98 ** 50 = 0.364, and 2 / (1 - b) = 3.146 files.

    Files come one by one, so the spread is 1.645 times the root of the mean.
    """
    estimator = YieldEstimator()
    for _ in range(50):
        estimator.learn(0.0, 0.0)
    left, low, high = estimator.estimate(FILES)

    assert (left, low) == (2.0, 0.0)
    assert high == pytest.approx(3.1455 + 1.645 * 3.1455**0.5, abs=1e-3)


def test_a_link_stands_for_at_most_ten() -> None:
    """Where every page shows a new one, b = 1 is taken for 0.9: 2 / 0.1 = 20 files."""
    _, _, high = YieldEstimator().estimate(FILES)

    assert high == pytest.approx(20 + 1.645 * 20**0.5)


def test_waiting_pages_bring_no_more_than_recent_ones() -> None:
    """One visit brought 2 files: the recent yield is 1 + 0.01 * (2 - 1) files a page.

    The mean of their group is higher and is cut to that.
    """
    estimator = YieldEstimator()
    estimator.learn(2.0, 0.0)
    left, _, _ = estimator.estimate([(NONE, 2 * SURE)])

    assert left == pytest.approx(2 * 1.01)


def test_finds_that_come_together_widen_the_interval() -> None:
    """Every page brings nine: the variance of 2 files to come is 9 * 2."""
    estimator = YieldEstimator()
    for _ in range(500):
        estimator.learn(9.0, 0.0)
    _, _, high = estimator.estimate(FILES)

    assert high == pytest.approx(2 + 1.645 * (9 * 2) ** 0.5, abs=0.05)
