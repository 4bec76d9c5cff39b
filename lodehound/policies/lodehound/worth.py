"""What a link is worth as a request, and a page as a visit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lodehound.policies.lodehound.model import Estimates

Floats = NDArray[np.float32]

BREADTH = 0.9  # what each further new link of a page counts, as a share of the one before
TOP = 32  # links of a page that count for what lies behind it
SHARES = np.float32(BREADTH) ** np.arange(TOP, dtype=np.float32)


def request_worths(links: Estimates, bonus: Floats | float = 0.0) -> Floats:
    """Return what links are worth as a request: a find, or a page with its finds."""
    found: Floats = links.find + (1 - links.find) * (1 - np.exp(-(links.value + bonus)))
    return found


def visit_worth(files: float, values: Floats, expected: Floats, gamma: float) -> float:
    """Return the value of a visit: log(1 + files), and a share of what lies behind the page.

    Behind it lie the best of its new links, by its whole value, and the files on its best
    few together, each counting less than the one before: a list of many good pages is worth
    more than one. Only files count in that sum: sums of values that feed on each other
    would grow without bound.

    Args:
        files: Expected files on the page.
        values: Of each of its other new links.
        expected: Files expected on each of them.
        gamma: The share.
    """
    own = math.log1p(files)
    if not len(values):
        return own
    if len(expected) > TOP:
        expected = np.partition(expected, -TOP)[-TOP:]
    behind = gamma * float((np.sort(expected)[::-1] * SHARES[: len(expected)]).sum())
    return max(own + gamma * float(values.max()), math.log1p(files + behind))
