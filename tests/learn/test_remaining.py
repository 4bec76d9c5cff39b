"""What is still to be found, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.messages import SOON, Evidence
from lodehound.learn.remaining import Waiting, YieldEstimator

NONE, SURE = np.zeros(2, dtype=np.float32), np.ones(2, dtype=np.float32)
FILES = [Waiting(SURE, NONE, SURE)]  # two links


def test_the_upper_end_counts_what_lies_behind_the_links() -> None:
    """Fifty pages without a new one: b = 0.98 ** 50 = 0.364, and 2 / (1 - b) = 3.146 files.

    Files come one by one, so the spread is 1.645 times the root of the mean.
    """
    estimator = YieldEstimator()
    for _ in range(50):
        estimator.learn(0.0, 0.0)
    estimate = estimator.estimate(FILES)

    assert (estimate.left, estimate.low) == (2.0, 0.0)
    assert estimate.high == pytest.approx(3.1455 + 1.645 * 3.1455**0.5, abs=1e-3)


def test_a_link_stands_for_at_most_ten() -> None:
    """Where every page shows a new one, b = 1 is taken for 0.9: 2 / 0.1 = 20 files."""
    high = YieldEstimator().estimate(FILES).high

    assert high == pytest.approx(20 + 1.645 * 20**0.5)


def test_waiting_pages_bring_no_more_than_recent_ones() -> None:
    """One visit brought 2 files: the recent yield is 1 + 0.01 * (2 - 1) files a page.

    The mean of their group is higher and is cut to that.
    """
    estimator = YieldEstimator()
    estimator.learn(2.0, 0.0)
    left = estimator.estimate([Waiting(NONE, 2 * SURE, SURE)]).left

    assert left == pytest.approx(2 * 1.01)


def test_finds_that_come_together_widen_the_interval() -> None:
    """Every page brings nine: the variance of 2 files to come is 9 * 2."""
    estimator = YieldEstimator()
    for _ in range(500):
        estimator.learn(9.0, 0.0)
    high = estimator.estimate(FILES).high

    assert high == pytest.approx(2 + 1.645 * (9 * 2) ** 0.5, abs=0.05)


def test_the_evidence_counts_links_expected_files_and_what_comes_soon() -> None:
    """Two files of 0.9 first, then pages of 4 finds each: 5 requests for 4 finds.

    The files take 2 requests; 498 more bring 498 / 5 * 4 finds.
    """

    def links(count: int, find: float, finds: float, score: float) -> Waiting:
        return Waiting(*(np.full(count, value, dtype=np.float32) for value in (find, finds, score)))

    parts = [links(3 * SOON, 0.0, 4.0, 0.5), links(2, 0.9, 4.0, 1.9), links(9, 0.0, 50.0, 0.1)]
    evidence = YieldEstimator().estimate(parts).evidence

    assert evidence is not None
    assert evidence.waiting == 3 * SOON + 11
    assert evidence.files == pytest.approx(1.8, abs=1e-5)
    assert evidence.soon == pytest.approx(1.8 + 498 / 5 * 4, abs=1e-3)
    assert YieldEstimator().estimate([]).evidence == Evidence(0, 0.0, 0.0)
