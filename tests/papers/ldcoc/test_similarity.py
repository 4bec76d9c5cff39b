"""Edit distances, against the table that defines them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lodehound.papers.ldcoc.similarity import MAX_LENGTH, distance, similarity

texts = st.text(alphabet="abcé", max_size=40)


def by_table(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, sign in enumerate(one):
        below = [i + 1]
        for j, opposite in enumerate(other):
            below.append(min(row[j] + (sign != opposite), row[j + 1] + 1, below[j] + 1))
        row = below
    return row[-1]


@given(texts, texts)
def test_as_the_table_says(one: str, other: str) -> None:
    assert distance(one, other) == by_table(one, other)


def test_long_texts_are_cut() -> None:
    assert distance("a" * 10 * MAX_LENGTH, "b" * 10 * MAX_LENGTH) == MAX_LENGTH
    assert similarity("a" * 10 * MAX_LENGTH, "b" * 10 * MAX_LENGTH) == 0.0
