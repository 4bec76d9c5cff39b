"""Means of groups, and their blend with the linear model."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.learn.link_features import COLUMNS, OWN, PATTERN, SECOND, Rows
from lodehound.learn.link_value import LEAST_SHARE, GroupMeans, LinkValue


def row(group: int, cluster: int, pattern: int, source_pattern: int = 0) -> Rows:
    made = np.zeros(COLUMNS, dtype=np.intp)
    made[OWN] = group, cluster, source_pattern or 100 + group
    made[PATTERN] = pattern
    return made


SEEN, SISTER, STRANGE = row(1, 11, 21), row(2, 11, 22), row(3, 12, 23)


def test_means_are_shrunk_level_by_level() -> None:
    """One visit of value 3.5, one imagined of 0.5: the site's mean is 2.

    Cluster and pattern (3.5 + 2 * 2) / 3 = 2.5, the group (3.5 + 2 * 2.5) / 3; a sister
    group has half of its parents in common: (2.5 + 2) / 2; a stranger the site's mean.
    """
    means = GroupMeans(shrink=2.0, first=0.5)

    means.visit(SEEN)
    means.learn(SEEN, 3.5)

    assert means.predict(np.stack((SEEN, SISTER, STRANGE))) == pytest.approx([8.5 / 3, 2.25, 2])
    assert means.of(1) == (1, 3.5)


def test_a_source_pattern_is_shrunk_to_its_group() -> None:
    """Values 3 here and 0 there, both in one group; the site's mean is (3 + 0.5) / 3.

    Cluster, pattern and so the parents: (3 + 2 * 3.5 / 3) / 4 = 4 / 3; the group
    (3 + 2 * 4 / 3) / 4 = 17 / 12; patterns (3 + 2 * 17 / 12) / 3 and (0 + 2 * 17 / 12) / 3.
    """
    means = GroupMeans(shrink=2.0, first=0.5)
    good, bad = row(1, 11, 21, 31), row(1, 11, 21, 32)
    for one, value in ((good, 3.0), (bad, 0.0)):
        means.visit(one)
        means.learn(one, value)

    assert means.predict(np.stack((good, bad))) == pytest.approx([35 / 18, 17 / 18])


def test_what_is_taken_back_may_have_decayed() -> None:
    """Thirty visits, all taken back: nothing is left, and nothing is owed."""
    means = GroupMeans(first=0.5, decay=0.01)
    for times in (1, -1):
        for _ in range(30):
            means.visit(SEEN, times)

    assert means.mean == 0.5
    assert (means.predict(np.stack((SEEN, SISTER, STRANGE))) == 0.5).all()


def test_a_visit_counts_before_its_value_comes() -> None:
    """So that a batch of choices does not fall on one group."""
    means = GroupMeans()
    before = means.predict(SEEN[None])[0]

    means.visit(SEEN)
    assert means.predict(SEEN[None])[0] < before

    means.visit(SEEN, -1)
    assert means.predict(SEEN[None])[0] == pytest.approx(before)


def test_the_past_decays() -> None:
    """Half is forgotten at each visit: (8 / 2 + 0) / (1 / 2 + 1)."""
    means = GroupMeans(decay=0.5)
    means.visit(SEEN)
    means.learn(SEEN, 8.0)

    means.visit(SEEN)

    assert means.of(1)[1] == pytest.approx(4 / 1.5)


def test_the_better_estimate_gets_the_weight() -> None:
    """Features tell good from bad where groups cannot."""
    value = LinkValue()
    good, bad = row(1, 11, 21), row(1, 11, 21)
    good[5], bad[5] = 101, 102
    assert value.share == 0.5
    for _ in range(400):
        for one, worth in ((good, 2.0), (bad, 0.0)):
            value.visit(one)
            value.learn(one, worth)

    assert value.share == 1 - LEAST_SHARE
    assert value.predict(np.stack((good, bad))) == pytest.approx([2, 0], abs=0.2)


@pytest.mark.parametrize(("groups", "linear", "share"), [(True, False, 0), (False, True, 1)])
def test_one_estimate_alone(groups: bool, linear: bool, share: float) -> None:
    assert LinkValue(groups=groups, linear=linear).share == share


def test_a_link_is_as_good_as_the_best_group_that_shows_it() -> None:
    """And all of its groups are credited: a menu's link that a list shows, too, speaks for it."""
    means = GroupMeans(shrink=2.0, first=0.5)
    both = row(3, 12, 23)
    both[SECOND] = SEEN[OWN]

    means.visit(both)
    means.learn(both, 3.5)

    assert means.of(1) == means.of(3) == (1, 3.5)
    means.visit(STRANGE)
    alone, joined = means.predict(np.stack((STRANGE, both)))
    assert joined > alone
