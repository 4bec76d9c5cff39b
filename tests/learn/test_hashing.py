"""Texts as hashed features."""

from __future__ import annotations

import random

from lodehound.learn.hashing import DIGITS, MASK, checksum, feature_of, without_numbers, words


def test_a_mark_is_in_range_and_never_the_empty_one() -> None:
    features = [feature_of("word", str(number)) for number in range(1000)]

    assert all(0 < number <= MASK for number in features)
    assert len(set(features)) > 990


def test_numbers_are_replaced_as_by_the_expression() -> None:
    """Random texts, some of them with digits that are not ASCII."""
    rng = random.Random(1)
    texts = ["".join(rng.choices("ab0019/-\u0663", k=rng.randrange(12))) for _ in range(500)]

    assert [without_numbers(text) for text in texts] == [DIGITS.sub("0", text) for text in texts]


def test_the_first_three_words_and_the_last_are_kept() -> None:
    start = checksum("word\0")

    found = words(start, "One two three four 5")

    assert found == [feature_of("word", text) for text in ("one", "two", "three", "0")]
    assert words(start, "12") == [feature_of("word", "0"), 0, 0, 0]
