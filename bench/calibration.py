"""Draws how often forecasts held the truth: docs/images/forecast.svg."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lodehound.lab.forecasts import Interval

SIZE, EDGE = 320, 46
SAID = (0.05, 0.5, 0.95)
CLOSE = 0.05  # in logarithms: a quarter of a find where there is none
COLOURS = ("#1b6ca8", "#9a5b00", "#5a7d1e", "#8a3b7d")


def draw(forecasts: Mapping[str, Sequence[Interval]]) -> str:
    """Return an SVG: how often the truth was below each part of the interval.

    The lower end, the middle and the upper end should have 5, 50 and 95 % of the truths below them.
    """
    lines = [_axes()]
    for colour, (what, some) in zip(COLOURS, forecasts.items(), strict=True):
        shares = [_below(some, at, tied) for at, tied in enumerate((0.0, 0.5, 1.0))]
        points = [(_x(want), _y(share)) for want, share in zip(SAID, shares, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        at = EDGE + 18 + 18 * list(forecasts).index(what)
        name = "left in all" if what == "left" else f"next {int(what):,} requests"
        lines.append(f'<text x="{EDGE + 14}" y="{at}" fill="{colour}">{name}</text>')
    whole = SIZE + 2 * EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" '
        f'font-family="sans-serif" font-size="12" role="img">'
        f"<title>How often finds stayed below a forecast</title>{''.join(lines)}</svg>\n"
    )


def _below(forecasts: Sequence[Interval], at: int, tied: float) -> float:
    """Return the share of truths below an end or the middle; often both are 0, which is a tie."""
    over = np.array([one[at] - one.truth for one in forecasts])
    ties = np.abs(over) < CLOSE
    return float((over >= CLOSE).mean() + tied * ties.mean())


def _x(share: float) -> float:
    return EDGE + SIZE * share


def _y(share: float) -> float:
    return EDGE + SIZE * (1 - share)


def _axes() -> str:
    grey = 'fill="#444"'
    marks = "".join(
        f'<text x="{_x(one)}" y="{_y(0) + 16}" text-anchor="middle" {grey}>{one:.0%}</text>'
        f'<text x="{_x(0) - 6}" y="{_y(one) + 4}" text-anchor="end" {grey}>{one:.0%}</text>'
        for one in SAID
    )
    return (
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<rect x="{EDGE}" y="{EDGE}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>'
        f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#888" stroke-dasharray="4 4"/>{marks}'
        f'<text x="{_x(0.5)}" y="{_y(0) + 36}" text-anchor="middle">said</text>'
        f'<text x="14" y="{_y(0.5)}" text-anchor="middle" transform="rotate(-90 14 {_y(0.5)})">'
        f"came</text>"
    )
