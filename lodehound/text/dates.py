"""Dates as sitemaps and feeds write them."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DAY = 86400.0
DATE = len("2024-03-01")


def days_of(text: str) -> float | None:
    """Return a date in days; None if it cannot be read. A date without a time is its day's end.

    >>> days_of("1970-01-03"), days_of("1970-01-02T12:00:00Z")
    (3.0, 1.5)
    >>> days_of("Fri, 02 Jan 1970 12:00:00 GMT"), days_of("yesterday")
    (1.5, None)
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    try:
        return moment.timestamp() / DAY + (len(text) <= DATE)
    except (OverflowError, ValueError):
        return None
