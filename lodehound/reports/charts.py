"""Curves and bars as SVG paths, reduced to a readable size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1000, 400  # of the drawing; the page scales it
POINTS = 300  # points per curve
STEPS = 4  # steps of an axis

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart."""

    name: str
    path: str  # an SVG path
    kind: str  # main, other, guide, bars, band: its style


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its axes and a description."""

    title: str
    alt: str
    across: str  # label of the x axis
    curves: tuple[Curve, ...]
    x_labels: tuple[str, ...]
    y_labels: tuple[str, ...]  # from top to bottom


def ceiling(value: float) -> float:
    """Return the next round number for the end of an axis of four steps.

    >>> ceiling(83), ceiling(1), ceiling(0), ceiling(1730)
    (100.0, 1.0, 1.0, 2000.0)
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(m * power for m in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10) if m * power >= value)


def sampled(xs: Numbers, ys: Numbers, most: int = POINTS) -> tuple[Numbers, Numbers]:
    """Return evenly spaced points, including the first and the last."""
    if len(xs) <= most:
        return xs, ys
    kept = np.unique(np.linspace(0, len(xs) - 1, most).round().astype(int))
    return xs[kept], ys[kept]


def line(xs: Numbers, ys: Numbers, right: float, top: float) -> str:
    """Return a path through points, with the origin at the lower left."""
    xs, ys = sampled(xs, ys)
    points = zip(xs * (WIDTH / right), HEIGHT - ys * (HEIGHT / top), strict=True)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if len(xs) else ""


def area(xs: Numbers, low: Numbers, high: Numbers, right: float, top: float) -> str:
    """Return a path around everything between two lines."""
    there, back = line(xs, high, right, top), line(xs, low, right, top)
    points = back[1:].split("L")
    return f"{there}L{'L'.join(reversed(points))}Z" if there else ""


def bars(values: Sequence[float], top: float) -> str:
    """Return a path of bars side by side."""
    width = WIDTH / max(len(values), 1)
    gap = min(width * 0.15, 2.0)
    return "".join(
        f"M{at * width + gap:.1f} {HEIGHT}V{HEIGHT - value * HEIGHT / top:.1f}"
        f"H{(at + 1) * width - gap:.1f}V{HEIGHT}Z"
        for at, value in enumerate(values)
        if value
    )


def labels(end: float, written: Callable[[float], str]) -> tuple[str, ...]:
    """Return the labels of an axis, from 0 up."""
    return tuple(written(end * at / STEPS) for at in range(STEPS + 1))


def short(value: float) -> str:
    """Return a number as text for an axis.

    >>> short(2500), short(1_200_000), short(7.5), short(80)
    ('2,500', '1.2M', '7.5', '80')
    """
    if 1e3 <= value < 1e4:
        return f"{value:,.0f}"
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"
