"""The tree frontier against the plain search for a split."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.papers.sb_classifier.tree_frontier import TreeFrontier, best_split


def plainly(rows: np.ndarray, rewards: np.ndarray, least: int) -> float:
    """Try every feature and value, as the released code does; return the variance taken off."""
    best = 0.0
    for feature in range(rows.shape[1]):
        for value in np.unique(rows[:, feature])[:-1]:
            left = rows[:, feature] <= value
            if least <= left.sum() <= len(left) - least:
                parts = [rewards[left], rewards[~left]]
                inside = sum(part.var() * len(part) for part in parts)
                best = max(best, rewards.var() * len(rewards) - inside)
    return best


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_prefix_sums_find_the_best_split(share: float) -> None:
    """On random data, the split takes as much off as the best of all."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        rows = rng.integers(0, 4, size=(15, 3)).astype(float)
        rewards = rng.integers(0, 2, size=15).astype(float)
        found = best_split(rows, rewards, share)
        best = plainly(rows, rewards, max(1, int(np.ceil(share * 15))))
        if found is None:
            assert best == pytest.approx(0, abs=1e-9)
            continue
        left = rows[:, found[0]] <= found[1]
        inside = sum(part.var() * len(part) for part in (rewards[left], rewards[~left]))
        assert rewards.var() * 15 - inside == pytest.approx(best)


def test_nothing_to_split() -> None:
    """Equal rewards, or equal rows."""
    assert best_split(np.eye(3), np.ones(3)) is None
    assert best_split(np.ones((3, 2)), np.array([0.0, 1, 1])) is None


def test_links_go_with_their_leaves() -> None:
    """Four experiences part the space at 0; what waits falls on either side."""
    tree: TreeFrontier[str] = TreeFrontier(min_samples=4)
    for item, value in (("a", 0.0), ("b", 1.0), ("c", 0.0)):
        tree.push(np.array([value]), item)
    for value in (0.0, 0.0, 1.0, 1.0):
        assert tree.leaves == 1
        tree.learn(np.array([value]), value)
    tree.push(np.array([0.5]), "d")

    waiting = [[item for _, item in leaf.items] for leaf in tree.waiting()]

    assert (tree.leaves, waiting) == (2, [["a", "c"], ["b", "d"]])
    for item in ("a", "c"):
        tree.remove(np.array([0.0]), item.__eq__)
    assert [[item for _, item in leaf.items] for leaf in tree.waiting()] == [["b", "d"]]
