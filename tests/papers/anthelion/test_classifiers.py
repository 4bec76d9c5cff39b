"""Naive Bayes and the Hoeffding tree, on cases counted by hand; hashed URLs."""

from __future__ import annotations

import math
import random

import pytest

from lodehound.papers.anthelion.bayes import BinaryNaiveBayes
from lodehound.papers.anthelion.hoeffding import HoeffdingTree
from lodehound.papers.anthelion.url_tokens import COLUMNS, column, columns, java_hash, tokens


def test_naive_bayes_by_hand() -> None:
    """Three examples, one of them positive: prior 2/5; column 0 was seen in it, 1 in the others."""
    bayes = BinaryNaiveBayes(3)
    for row, label in (([0], True), ([1], False), ([1, 2], False)):
        bayes.learn(row, label)
    prior = math.log(2 / 3)
    with_0 = prior + math.log((1 + 0.4) / 0.6) - prior
    with_1 = prior + math.log(0.4 / (2 + 0.6)) - prior
    assert bayes.scores([[], [0], [1], [0, 1]]) == pytest.approx(
        [prior, with_0, with_1, with_0 + with_1 - prior]
    )


def test_unknown_columns_say_nothing() -> None:
    """A crawler must not run after URLs only because they are strange."""
    bayes = BinaryNaiveBayes(10)
    for _ in range(50):
        bayes.learn([1], False)
    bayes.learn([2], True)
    assert bayes.scores([[5, 6, 7]]) == pytest.approx(bayes.scores([[]]))
    assert bayes.scores([[2]])[0] > bayes.scores([[5]])[0] > bayes.scores([[1]])[0]


def test_a_tree_splits_on_what_decides() -> None:
    """Column 3 decides, the others are noise: one split, and both leaves are sure."""
    rng, tree = random.Random(1), HoeffdingTree()
    for _ in range(2000):
        label = rng.random() < 0.5
        row = [j for j in range(3) if rng.random() < 0.5] + [3] * label
        tree.learn(row, label)
    assert tree.splits == 1
    yes, no = tree.scores([[0, 3], [0, 1]])
    assert yes > 4 > -4 > no


def test_a_tree_needs_its_grace() -> None:
    tree = HoeffdingTree(grace=200)
    for number in range(199):
        tree.learn([1] * (number % 2), number % 2 == 1)
    assert tree.splits == 0
    tree.learn([1], True)
    assert tree.splits == 1


def test_a_tree_learns_an_exclusive_or_by_naive_bayes_or_not_at_all() -> None:
    """Noise never splits before the bound, or the tie, allows it."""
    rng, tree = random.Random(2), HoeffdingTree(tie=0.0)
    for _ in range(3000):
        tree.learn([j for j in range(5) if rng.random() < 0.5], rng.random() < 0.5)
    assert tree.splits == 0


def test_untaught_models_are_undecided() -> None:
    assert HoeffdingTree().scores([[1], []]) == BinaryNaiveBayes(5).scores([[1], []]) == [0.0, 0.0]


def test_hashing_is_javas() -> None:
    """Column of a token: |hashCode| mod 10,000; characters beyond 16 bits are two."""
    assert java_hash("") == 0
    assert java_hash("Ab") == 65 * 31 + 98
    assert java_hash("\U0001f600") == 0xD83D * 31 + 0xDE00
    assert column("hello") == 99162322 % COLUMNS


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://e.example/", []),
        ("https://e.example", []),
        ("https://e.example/a/bc/Def?ID=12", ["def", "[NUMBER]"]),
        ("https://e.example/straße/x1y2/9", ["straße", "x1y2", "[NUMBER]"]),
    ],
)
def test_tokens(url: str, found: list[str]) -> None:
    """Of path and query, lower case, 3 letters or more, numbers alike."""
    assert tokens(url) == found


def test_columns_are_a_set() -> None:
    assert columns("https://e.example/1/2/3/abc/abc") == [column("[NUMBER]"), column("abc")]
