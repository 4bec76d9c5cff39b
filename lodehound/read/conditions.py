"""Conditional requests as a server answers them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from lodehound.core.messages import Ask


def not_modified(ask: Ask, headers: Mapping[str, str]) -> bool:
    """Return whether a server answers a conditional request with 304 (RFC 9110, 13.2.2)."""
    if ask.etag and "etag" in headers:
        return ask.etag.removeprefix("W/") == headers["etag"].removeprefix("W/")
    known, now = _http_date(ask.modified), _http_date(headers.get("last-modified", ""))
    return known is not None and now is not None and now <= known


def _http_date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
