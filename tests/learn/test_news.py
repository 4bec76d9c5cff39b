"""How much news visits bring, against hand-computed cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.learn.news import FIND, OTHER, PAGE, Factors, NewsMeans


def means(gap: float = 1.0) -> NewsMeans:
    """Four kinds: two of one ending and one of another, all pages, and one of a feed."""
    ending, class_ = np.array([0, 0, 1, 2]), np.array([PAGE, PAGE, FIND])
    return NewsMeans(ending, class_, np.array([False, False, True]), gap)


EVERY = np.arange(4)


@pytest.mark.parametrize("gap", [1.0, 7.0])
def test_before_any_visit_a_kind_has_the_rate_of_its_class_and_feeds_their_own(gap: float) -> None:
    """For a feed five visits with 0.3 news each, and two at the rate of files: 1.54 in seven."""
    rates = means(gap).rates(EVERY) * gap
    assert rates == pytest.approx([0.05, 0.05, 0.05, 1.54 / 7])
    other = NewsMeans(np.array([0]), np.array([OTHER]), np.array([False]), gap)
    assert other.rates(np.array([0])) * gap == pytest.approx([0.01])


def test_what_a_kind_brings_counts_less_the_further_up_it_goes() -> None:
    """Four news in two days. In its class the ending counts for half: 2 in 1 beside 0.5 in 10."""
    one = means()
    one.learn(np.array([0]), np.array([4.0]), np.array([2.0]))
    of_class = 2.5 / 11
    of_ending = (4 + 2 * of_class) / 4
    of_kind = (4 + 2 * of_ending) / 4
    assert one.rates(EVERY)[:3] == pytest.approx([of_kind, of_ending, of_class])


def test_several_visits_of_one_round_add_up() -> None:
    once, twice = means(), means()
    once.learn(np.array([0]), np.array([4.0]), np.array([2.0]))
    twice.learn(np.array([0, 0]), np.array([1.0, 3.0]), np.array([0.5, 1.5]))
    assert twice.rates(EVERY) == pytest.approx(once.rates(EVERY))


# --- factors -------------------------------------------------------------------------------------


def test_a_factor_is_news_by_expected_news_beside_its_first_value() -> None:
    one = Factors(np.array([1.0, 2.0]))
    one.add(np.array([PAGE]), (np.array([0]),), np.array([3.0]), np.array([1.0]))
    one.fit()
    classes, levels = np.array([PAGE, PAGE, FIND]), (np.array([0, 1, 0]),)
    assert one.of(classes, levels) == pytest.approx([(1 + 3) / (1 + 1), 2.0, 1.0])


def test_factors_are_multiplied_and_agree() -> None:
    """Two factors that explain four news for one expected: a = b = 5 / (1 + a)."""
    one = Factors(np.array([1.0]), np.array([1.0, 1.0]))
    one.add(np.array([PAGE]), (np.array([0]), np.array([1])), np.array([4.0]), np.array([1.0]))
    one.fit()
    factor = (math.sqrt(21) - 1) / 2
    found = one.of(np.array([PAGE, PAGE]), (np.array([0, 0]), np.array([1, 0])))
    assert found == pytest.approx([factor**2, factor], rel=1e-3)
