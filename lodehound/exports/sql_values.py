"""Values of SQL as values of JSON."""

from __future__ import annotations

import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any


def plain(value: Any) -> Any:
    """Return a value that JSON has.

    >>> plain(date(2020, 1, 31)), plain(Decimal("1.5")), plain([float("nan")]), plain({1: b"x"})
    ('2020-01-31', 1.5, [None], {'1': "b'x'"})
    """
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat(*(" ",) if isinstance(value, datetime) else ())
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    return str(value)
