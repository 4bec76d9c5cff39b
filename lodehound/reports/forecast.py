"""What a crawl will still bring, in words and for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from lodehound.core.auto_stop import advice
from lodehound.core.forecasts import CHECKED, Forecast, Outlook
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.events import EstimateRow
from lodehound.text.counts import counted

Rows = list[tuple[str, str]]
EARLIER = 4  # estimates that are shown beside the last one


def forecast_rows(outlook: Outlook | None, estimates: Sequence[EstimateRow]) -> Rows:
    """Return what is left, what the next requests bring, and earlier estimates as text.

    Args:
        outlook: The newest forecast; None if there is none, or in crawls of earlier versions.
        estimates: All estimates, in the order of the requests.
    """
    rows = estimate_rows(estimates)
    if outlook is None or not rows:
        return rows
    expected, *earlier = rows
    share, least = outlook.share_found, outlook.finds + outlook.left.high
    found = f"{100 * share:.0f} % of all finds by estimate" if share else ""
    if found and least:
        found += f", {math.floor(100 * outlook.finds / least)} % at least"
    shares = [("share", found)] if found else []
    return [expected, *shares, *_next_rows(outlook), *earlier]


def estimate_rows(estimates: Sequence[EstimateRow]) -> Rows:
    """Return the last estimate and a few earlier ones as text.

    >>> made = [EstimateRow(n, 3, 900 / n, 1.2, 55) for n in (10, 20, 30)]
    >>> estimate_rows(made)[0]
    ('expected', 'about 30 more finds by estimate (1 to 55)')
    >>> estimate_rows(made)[1]
    ('earlier', '90 after 10 requests, 45 after 20')
    """
    if not estimates:
        return []
    *before, last = estimates
    ends = f"{last.low:,.0f} to {last.high:,.0f}"
    text = f"about {counted(round(last.expected), 'more find')} by estimate ({ends})"
    some = min(EARLIER, len(before))
    spread = [before[len(before) * at // some] for at in range(some)]
    points = [f"{one.expected:,.0f} after {one.requests:,}" for one in spread]
    if points:
        points[0] += " requests"
    return [("expected", text), *([("earlier", ", ".join(points))] if points else [])]


def _next_rows(outlook: Outlook) -> Rows:
    if not outlook.next:
        return []
    first, *others = outlook.next
    parts = [f"next {first.requests:,} requests: {finds_of(first)}"]
    parts += [f"{one.requests:,}: {finds_of(one)}" for one in others]
    rows = [("forecast", "; ".join(parts))]
    if outlook.checked:
        past = counted(outlook.checked, "forecast")
        rows.append(("held", f"{outlook.held:,} of {past} of {CHECKED} requests so far"))
    return rows


def finds_of(forecast: Forecast) -> str:
    """Return the finds of a forecast with its interval.

    >>> finds_of(Forecast(500, 1.2, 0.0, 40.0))
    'about 1 find (0 to 40)'
    """
    ends = f"{forecast.low:,.0f} to {forecast.high:,.0f}"
    return f"about {counted(round(forecast.finds), 'find')} ({ends})"


def rows_of(directory: CrawlDir) -> Rows:
    """Return the forecast of a crawl on disk, and why it may be stopped, if so."""
    if directory.ended == "exhausted" and directory.estimates():
        return [("left", "0 finds: every link was followed")]
    rows = forecast_rows(directory.outlook(), directory.expected())
    return [*rows, *advice_rows(directory)]


def advice_rows(directory: CrawlDir) -> Rows:
    """Propose to stop a crawl that goes on by itself, if hardly anything is left."""
    seen = directory.outlook()
    if seen is None or directory.ended:
        return []
    made = max(directory.summary().requests, seen.requests)
    text = advice(seen, requests=made, finds=seen.finds, dry=directory.drought())
    return [("advice", text)] if text else []


def forecast_of(directory: CrawlDir) -> dict[str, Any]:
    """Return the forecast for programs: an empty list and null for what is not known."""
    outlook = directory.outlook()
    if outlook is None:
        return {"forecast": [], "left": None, "share_found": None, "forecasts_checked": None}
    left = outlook.left
    return {
        "forecast": [asdict(one) for one in outlook.next],
        "left": {"finds": left.left, "low": left.low, "high": left.high},
        "share_found": outlook.share_found,
        "forecasts_checked": {
            "requests": CHECKED, "forecasts": outlook.checked, "held": outlook.held,
        },
    }  # fmt: skip
