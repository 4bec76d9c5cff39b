"""Curves of rounds: what is found as a round goes on, and round by round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lodehound.lab.timeline_race import LEAST, RoundRow

POINTS = 201  # of a curve from 0 to 100 % of a recrawl


def round_curve(
    rows: Sequence[RoundRow], found_at: Sequence[Sequence[int]]
) -> dict[str, list[float]]:
    """Return the curves of one run, by the names of their axes.

    Args:
        rows: The rounds.
        found_at: Requests at which each round found something.
    """
    percent = np.linspace(0, 100, POINTS)
    pairs = [(row, at) for row, at in zip(rows, found_at, strict=True) if row.round]
    counted = [(row, at) for row, at in pairs if row.wanted >= LEAST]
    found = np.zeros(POINTS)
    for row, at in counted:
        found += np.searchsorted(np.sort(at), percent * row.recrawl_requests / 100, side="right")
    wanted = sum(row.wanted for row, _ in counted) or 1
    shares = [100 * len(at) / max(row.wanted, 1) for row, at in pairs]
    return {
        "percent": percent.tolist(),
        "share": (100 * found / wanted).tolist(),
        "round": [float(row.round) for row, _ in pairs] or [0.0],
        "found_share": shares or [0.0],
    }
