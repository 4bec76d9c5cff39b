"""Rates of change from visits at irregular times, by hand."""

from __future__ import annotations

import math

import pytest

from lodehound.core.history import PastVisit
from lodehound.learn.change_rate import change_rate, intervals, likeliest_rate


def test_equal_intervals_have_a_closed_form() -> None:
    """With 3 changes in 4 visits a day apart, 1 - exp(-r) = 3/4."""
    assert likeliest_rate([(1.0, 3, 1)]) == pytest.approx(math.log(4))


def test_irregular_intervals_solve_the_likelihood_equation() -> None:
    """A change after 1 day and none after 2: 1 / (exp(r) - 1) = 2, so r = log(3/2)."""
    assert likeliest_rate([(1.0, 1, 0), (2.0, 0, 1)]) == pytest.approx(math.log(1.5))


def test_a_change_after_a_long_time_says_less() -> None:
    late = change_rate([PastVisit(0, "new"), PastVisit(10, "changed"), PastVisit(15, "same")])
    soon = change_rate([PastVisit(0, "new"), PastVisit(1, "changed"), PastVisit(6, "same")])

    assert soon > late


def test_a_failure_is_no_visit() -> None:
    visits = [
        PastVisit(0, "new"),
        PastVisit(1, "failed"),
        PastVisit(3, "gone"),
        PastVisit(4, "same"),
    ]

    assert intervals(visits) == [(3, True), (1, False)]


def test_a_past_begins_with_half_a_change_and_half_a_visit_without() -> None:
    """A day apart, with a change in one of two visits: as many as visits without, log 2 a day.

    Two visits without make it half in three: -log(5/6) a day.
    """
    one = [PastVisit(0, "new"), PastVisit(1, "changed"), PastVisit(2, "same")]
    assert change_rate(one) == pytest.approx(math.log(2))
    none = [PastVisit(0, "new"), PastVisit(1, "same"), PastVisit(2, "same")]
    assert change_rate(none) == pytest.approx(-math.log(5 / 6))
    assert change_rate(none, prior=1.0) == pytest.approx(-math.log(3 / 4))
