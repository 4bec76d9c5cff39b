"""The relevance of a crawl over time, if its target grades finds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lodehound.reports.charts import POINTS, Chart, Curve, Numbers, labels, line, sampled, short

LEAST = 20  # minimum number of requests for a curve
WINDOWS = 10  # number of windows, unless they are too short or too long
SHORTEST, LONGEST = 10, 500  # requests per window


def relevance_chart(
    across: Numbers, found: Sequence[int], values: Sequence[float | None]
) -> Chart | None:
    """Draw the share of requests that were finds, and the mean relevance of these finds.

    Both are computed over the last requests at each point. None if the target does not grade
    its finds: relevance is between 0 and 1.

    Args:
        across: Number of requests up to each answer.
        found: Whether each answer is a find.
        values: The target's value for each answer.
    """
    hits = np.array(found, dtype=np.float64)
    graded = hits * [value is not None for value in values]  # the others are unknown, not 0
    worth = np.array([value or 0.0 for value in values]) * hits
    if len(hits) < LEAST or not _graded(worth[graded > 0]):
        return None
    window = min(max(len(hits) // WINDOWS, SHORTEST), LONGEST)
    window = max(window, math.ceil(len(hits) / POINTS))  # no find is skipped between two points
    count, total = _last(graded, window), _last(worth, window)
    share = _last(hits, window) / window
    mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    xs, end, top = across[window - 1 :], float(across[-1]), _top(share, mean)
    curves = (
        Curve("mean relevance of these finds", _pieces(xs, mean, end, top), "other"),
        Curve(f"finds per request, of the last {window:,}", line(xs, share, end, top), "main"),
    )
    x_labels = labels(end, lambda value: short(round(value)))
    alt = f"finds among the first {window:,} requests: {_said(share[0], mean[0])}; "
    alt += f"among the last {window:,}: {_said(share[-1], mean[-1])}"
    return Chart("Relevance over time", alt, "requests", curves, x_labels, labels(top, short)[::-1])


def _top(*curves: Numbers) -> float:
    """Return the next tenth above the highest point."""
    highest = max(float(np.nanmax(ys, initial=0.0)) for ys in curves)
    return min(max(math.ceil(round(highest * 10, 6)), 1), 10) / 10


def _graded(worth: Numbers) -> bool:
    if not len(worth) or worth.min() < 0 or worth.max() > 1:
        return False
    return bool(((worth > 0) & (worth < 1)).any())


def _last(values: Numbers, window: int) -> Numbers:
    """Return the sum of the last values at each point that has enough before it."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    return sums[window:] - sums[:-window]


def _pieces(xs: Numbers, ys: Numbers, right: float, top: float) -> str:
    """Return a path with gaps where values are not known."""
    xs, ys = sampled(xs, ys)
    known = np.isfinite(ys)
    breaks = np.flatnonzero(known[1:] != known[:-1]) + 1
    parts = zip(np.split(xs, breaks), np.split(ys, breaks), strict=True)
    # A line of zero length, because a single point would not be drawn (SVG 2, 13.5.5).
    return "".join(
        line(x, y, right, top) + ("h0" if len(x) == 1 else "")
        for x, y in parts
        if np.isfinite(y[0])
    )


def _said(share: float, mean: float) -> str:
    if not share:
        return "none"
    return f"{100 * share:.0f} %" + (f", mean relevance {mean:.2f}" if math.isfinite(mean) else "")
