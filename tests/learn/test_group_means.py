"""Means of groups, against hand-computed cases."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lodehound.learn.feature_table import FeatureTable
from lodehound.learn.group_means import GroupMeans

Levels = NDArray[np.intp]


def levels(shared: int, own: tuple[int, int], groups: tuple[int, int]) -> Levels:
    return np.array([shared, *own, *groups], dtype=np.intp)


# One group each, with its parents; the first two have a parent in common.
SEEN, SISTER, STRANGE = (levels(20 + at, (10 + at // 2, 0), (1 + at, 0)) for at in range(3))


class Means(GroupMeans):
    """Means of one amount, with a table of their own."""

    def __init__(self, *, shrink: float = 2.0, decay: float = 0.0) -> None:
        self.table = FeatureTable(100, [0.0, 0.0])
        super().__init__(self.table, 0, shrink=shrink, decay=decay, first=[0.5])

    def of(self, *visits: Levels) -> list[float]:
        (found,) = self.predict(self.table.find(np.stack(visits).T))
        return list(map(float, found))


def test_means_are_shrunk_level_by_level() -> None:
    """One visit of 3.5, one that never decays of 0.5: the mean of all is 2.

    Both parents (3.5 + 2 * 2) / 3 = 2.5, the group (3.5 + 2 * 2.5) / 3; a sister
    group shares one of its parents: (2.5 + 2) / 2; a stranger has the mean of all.
    """
    means = Means()

    means.visit(SEEN)
    means.learn(SEEN, [3.5])

    assert means.of(SEEN, SISTER, STRANGE) == pytest.approx([8.5 / 3, 2.25, 2])


def test_what_is_taken_back_may_have_decayed() -> None:
    """After thirty visits, all taken back, nothing is known and nothing is negative."""
    means = Means(decay=0.01)
    for _ in range(30):
        means.visit(SEEN)
    for _ in range(30):
        means.forget_visit(SEEN)
    assert means.total[-1] >= 0
    means.visit(SISTER)
    means.learn(SISTER, [1.0])

    assert np.isfinite(means.of(SEEN, SISTER, STRANGE)).all()


def test_a_visit_counts_before_its_amount_is_known() -> None:
    """So a batch of choices does not fall on one group."""
    means = Means()
    before = means.of(SEEN)

    means.visit(SEEN)
    assert means.of(SEEN) < before

    means.forget_visit(SEEN)
    assert means.of(SEEN) == pytest.approx(before)


def test_the_past_decays() -> None:
    """Half is forgotten at each visit: a group's 8 in one visit are 4 in one and a half."""
    means = Means(shrink=1e-6, decay=0.5)
    means.visit(SEEN)
    means.learn(SEEN, [8.0])

    means.visit(SEEN)

    assert means.of(SEEN) == pytest.approx([4 / 1.5], rel=1e-4)


def test_the_best_of_several_groups_counts() -> None:
    """And all of them are credited."""
    means = Means()
    both, alone = levels(20, (12, 10), (3, 1)), levels(20, (12, 0), (3, 0))

    means.visit(both)
    means.learn(both, [3.5])
    assert means.of(SEEN) == pytest.approx(means.of(both))

    means.visit(alone)
    assert means.of(both) > means.of(alone)


def test_amounts_have_means_of_their_own() -> None:
    table = FeatureTable(100, [0.0] * 3)
    means = GroupMeans(table, 0, shrink=2.0, decay=0.5, first=(0.5, 0.0))
    for _ in range(2):
        means.visit(SEEN)
        means.learn(SEEN, (3.0, 0.0))

    worth, finds = means.predict(table.find(SEEN))

    assert worth > 2
    assert finds == 0
    assert means.total.tolist() == [4.5, 0.0, 1.5]
