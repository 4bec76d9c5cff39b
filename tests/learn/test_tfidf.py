"""tf-idf by hand."""

from __future__ import annotations

import math

import pytest

from lodehound.learn.tfidf import TfIdf


def test_rare_words_weigh_more() -> None:
    """Of three pages all say "the", one says "bird": ln(4/4) + 1 and ln(4/2) + 1."""
    tfidf = TfIdf()
    for page in (["the", "bird"], ["the"], ["the"]):
        tfidf.add(page)

    assert tfidf.idf("the") == 1
    assert tfidf.idf("bird") == pytest.approx(math.log(2) + 1)
    bird = math.log(2) + 1
    expected = bird / math.hypot(bird, 3)
    assert tfidf.cosines([{"the": 3, "bird": 1}], [{"bird": 1}])[0, 0] == pytest.approx(expected)


def test_a_given_corpus_is_not_counted_on() -> None:
    """Frequencies that were given stay, whatever comes."""
    tfidf = TfIdf({"": 9, "bird": 4})
    tfidf.add(["bird"])

    assert (tfidf.documents, tfidf.idf("bird")) == (9, math.log(2) + 1)


def test_the_rest_of_a_page_counts() -> None:
    """What is left out of the counts is in the norm: 3 / sqrt(9 + 16)."""
    assert TfIdf({"": 1}).cosines([{"bird": 3}], [{"bird": 1}], rest=16)[0, 0] == pytest.approx(
        3 * (math.log(2) + 1) / math.sqrt(9 * (math.log(2) + 1) ** 2 + 16)
    )


def test_nothing_in_common() -> None:
    """Zero, also for what is empty."""
    assert TfIdf().cosines([{"a": 1}, {}], [{"b": 1}, {}]).tolist() == [[0, 0], [0, 0]]
