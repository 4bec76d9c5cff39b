"""What is still to be found, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.policies.lodehound.remaining import YieldEstimator
from tests.policies.lodehound.test_model import row

PAGE = row(1, 11, 21)
FILES = [(np.stack((PAGE, PAGE)), np.ones(2, dtype=np.float32))]  # two links, surely files


def test_the_upper_end_counts_what_lies_behind_the_links() -> None:
    """Fifty pages without a new one: b = 0.98 ** 50 = 0.364, and 2 / (1 - b) = 3.146 files.

    Files come one by one, so the spread is 1.645 times the root of the mean.
    """
    estimator = YieldEstimator(shrink=2.0)
    for _ in range(50):
        estimator.means.visit(PAGE)
        estimator.learn(PAGE, 0.0, 0.0)
    found = estimator.estimate(FILES)

    assert (found.left, found.low) == (2.0, 0.0)
    assert found.high == pytest.approx(3.1455 + 1.645 * 3.1455**0.5, abs=1e-3)


def test_a_link_stands_for_at_most_ten() -> None:
    """Where every page shows a new one, b = 1 is taken for 0.9: 2 / 0.1 = 20 files."""
    found = YieldEstimator(shrink=2.0).estimate(FILES)

    assert found.high == pytest.approx(20 + 1.645 * 20**0.5)


def test_waiting_pages_bring_no_more_than_recent_ones() -> None:
    """One visit brought 2 files: the recent yield is 1 + 0.01 * (2 - 1) files a page.

    The mean of the group itself is higher and is cut to that.
    """
    estimator = YieldEstimator(shrink=2.0)
    estimator.means.visit(PAGE)
    estimator.learn(PAGE, 2.0, 0.0)
    found = estimator.estimate([(PAGE[None], np.zeros(1, dtype=np.float32))])

    assert found.left == pytest.approx(1.01)
