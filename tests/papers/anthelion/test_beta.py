"""The Beta distribution against closed forms and sums."""

from __future__ import annotations

import math

import pytest

from lodehound.papers.anthelion.beta import tail, value_of_tail


def summed(a: int, b: int, x: float) -> float:
    """P(X > x) for whole a and b: fewer than a successes in a + b - 1 trials."""
    n = a + b - 1
    return sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a))


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (1, 9), (9, 1), (40, 3), (3, 60), (25, 25)])
@pytest.mark.parametrize("x", [0.01, 0.3, 0.5, 0.9, 0.999])
def test_tails(a: int, b: int, x: float) -> None:
    assert tail(a, b, x) == pytest.approx(summed(a, b, x), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 7), (7, 1), (2, 3), (40, 3), (3, 60), (300, 200)])
@pytest.mark.parametrize("p", [1e-9, 1e-4, 0.2, 0.5, 0.99])
def test_the_value_of_a_tail(a: int, b: int, p: float) -> None:
    """Back and forth."""
    assert tail(a, b, value_of_tail(a, b, p)) == pytest.approx(p, rel=1e-5)


def test_ends() -> None:
    assert [value_of_tail(2, 2, p) for p in (0.0, 1.0)] == [1.0, 0.0]
    assert [tail(2, 2, x) for x in (-1, 0, 1, 2)] == [1.0, 1.0, 0.0, 0.0]
