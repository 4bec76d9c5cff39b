"""FenwickSampler against a list that is walked from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from lodehound.learn.fenwick import FenwickSampler


@given(st.lists(st.integers(0, 5), max_size=40), st.lists(st.integers(0, 200), max_size=10))
def test_every_ticket_has_its_holder(weights: Sequence[int], more: Sequence[int]) -> None:
    """After any changes, ticket by ticket: the first whose running sum is above it."""
    tickets, held = FenwickSampler(), list(weights)
    for number, weight in enumerate(weights):
        assert tickets.append(weight) == number
    for number in more:
        if held:
            tickets.add(number % len(held), 2)
            held[number % len(held)] += 2
    assert (tickets.total, len(tickets)) == (sum(held), len(held))
    sums = list(accumulate(held))
    for ticket in range(tickets.total):
        assert tickets.holder(ticket) == next(i for i, top in enumerate(sums) if top > ticket)
