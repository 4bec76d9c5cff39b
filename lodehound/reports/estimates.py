"""Draws what a policy expected still to find, while the crawl went on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lodehound.reports.charts import Chart, Curve, area, ceiling, labels, line, short
from lodehound.stores.log.events import EstimateRow
from lodehound.text.counts import counted

ENDS = ("low", "high")  # of the interval


def estimate_chart(estimates: Sequence[EstimateRow], requests: int) -> Chart | None:
    """Draw the estimates against requests; None if there are too few for a curve.

    Args:
        estimates: In the order of the requests.
        requests: The end of the axis.
    """
    if len(estimates) < 2:
        return None
    xs = np.array([one.requests for one in estimates], dtype=np.float64)
    expected = np.array([one.expected for one in estimates], dtype=np.float64)
    found = np.array([one.finds for one in estimates], dtype=np.float64)
    first, last = estimates[0], estimates[-1]
    highest = max(expected.max(), found.max(), min(last.high, 3 * last.expected))
    right, top = float(max(requests, xs[-1])), ceiling(float(highest))
    low, high = (np.clip([getattr(one, end) for one in estimates], 0, top) for end in ENDS)
    alt = (
        f"{first.expected:,.0f} after {counted(first.requests, 'request')}, "
        f"{last.expected:,.0f} ({last.low:,.0f} to {last.high:,.0f}) after {last.requests:,}"
    )
    curves = (
        Curve("its 90 % interval", area(xs, low, high, right, top), "band"),
        Curve("found so far", line(xs, found, right, top), "other"),
        Curve("still to find, by estimate", line(xs, expected, right, top), "main"),
    )
    x_labels = labels(right, lambda value: short(round(value)))
    return Chart("Still to find", alt, "requests", curves, x_labels, labels(top, short)[::-1])
