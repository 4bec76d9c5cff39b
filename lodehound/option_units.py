"""Sizes and times as users write them: ``20MB``, ``2GiB``, ``15m``, ``2h``."""

from __future__ import annotations

import math
import re

from lodehound.core.errors import ConfigError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def read_size(text: str) -> int:
    """Read a number of bytes.

    >>> read_size("2GB"), read_size("1.5 MiB"), read_size("300")
    (2000000000, 1572864, 300)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*?)b?\s*", text, flags=re.IGNORECASE)
    unit = match[2].lower() if match else ""
    if match is None or unit not in UNITS | BINARY or not _is_number(match[1]):
        raise ConfigError(f"{text!r} is no size: write for example 500MB or 2GB.")
    size = float(match[1]) * (UNITS | BINARY)[unit]
    if not math.isfinite(size):
        raise ConfigError(f"{text[:40]!r} is no size: it is too large.")
    return int(size)


def read_time(text: str) -> float:
    """Read a number of seconds.

    >>> read_time("2h"), read_time("1.5m"), read_time("10")
    (7200.0, 90.0, 10.0)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*)\s*", text)
    unit = match[2].lower() if match else ""
    if match is None or unit not in SECONDS or not _is_number(match[1]):
        raise ConfigError(f"{text!r} is no time: write for example 90s, 15m or 2h.")
    return float(match[1]) * SECONDS[unit]


def written_size(size: int) -> str:
    """Write a number of bytes as ``read_size`` reads it.

    >>> written_size(2_500_000), written_size(1_234)
    ('2500KB', '1234')
    """
    units = {2**30: "GiB", 2**20: "MiB", 10**9: "GB", 10**6: "MB", 10**3: "KB", 1: ""}
    return next(f"{size // unit}{name}" for unit, name in units.items() if size % unit == 0)


def written_time(seconds: float) -> str:
    """Write a time as ``read_time`` reads it, rounded up to seconds.

    >>> written_time(7200), written_time(90), written_time(22.96)
    ('2h', '90s', '23s')
    """
    rounded, units = math.ceil(seconds), {3600: "h", 60: "m", 1: "s"}
    return next(f"{rounded // unit}{name}" for unit, name in units.items() if rounded % unit == 0)


def _is_number(text: str) -> bool:
    return text.count(".") <= 1 and text != "."
