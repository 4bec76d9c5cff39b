"""The Beta distribution: its upper tail and the inverse of it."""

from __future__ import annotations

import math
from statistics import NormalDist

TINY = 1e-300
NORMAL = NormalDist()


def tail(a: float, b: float, x: float) -> float:
    """Return P(X > x) for X ~ Beta(a, b).

    Uses the continued fraction of the incomplete beta function (DLMF 8.17.22),
    evaluated from the side where it converges fast.

    >>> tail(1, 1, 0.25), round(tail(2, 3, 0.5), 6)
    (0.75, 0.3125)
    """
    if x <= 0:
        return 1.0
    if x >= 1:
        return 0.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return 1 - front * _fraction(a, b, x) / a
    return front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the fraction with Lentz's method."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > TINY else TINY)
    value = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            d = 1 / (d if abs(d) > TINY else TINY)
            c = 1 + term / c
            c = c if abs(c) > TINY else TINY
            value *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return value


def value_of_tail(a: float, b: float, p: float) -> float:
    """Return the x with P(X > x) = p for X ~ Beta(a, b).

    >>> value_of_tail(1, 1, 0.25), round(value_of_tail(2, 3, 0.3125), 6)
    (0.75, 0.5)
    """
    if p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    if a == 1:
        return -math.expm1(math.log(p) / b)
    if b == 1:
        return math.exp(math.log1p(-p) / a)
    mean = a / (a + b)
    spread = math.sqrt(mean * (1 - mean) / (a + b + 1))
    low, high = 0.0, 1.0
    x = min(max(mean - spread * NORMAL.inv_cdf(p), 1e-3 * mean), 1 - 1e-3 * (1 - mean))
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(60):
        over = tail(a, b, x) - p
        low, high = (x, high) if over > 0 else (low, x)
        slope = math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = over / slope if slope else math.inf
        nearer = x + step
        x = nearer if low < nearer < high else (low + high) / 2  # Newton step, or bisection
        if abs(step) < 1e-10 or high - low < 1e-12:
            break
    return x
