"""Cleans text from the web for terminals, files and programs."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

SURROGATE = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """Return a text that every program takes: lone surrogates become the replacement mark."""
    return text if text.isascii() else SURROGATE.sub("\ufffd", text)


def one_line(text: str, most: int = 500) -> str:
    r"""Return a text from the web as one line that no terminal takes for an order.

    Line breaks, escape sequences, marks that turn the direction of writing and whatever
    else has no shape become spaces.

    >>> one_line("Prices\n\x1b[31mred \u202egnp.exe")
    'Prices [31mred gnp.exe'
    """
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * most])
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def json_of(text: str) -> Any:
    """Return what a stranger's text of JSON says, or None: of a damaged one, too.

    >>> json_of('[NaN, 1e999, 0.5]'), json_of("[" * 100_000)
    ([None, None, 0.5], None)
    """
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return None


def json_texts(text: str) -> tuple[str, ...]:
    """Return the texts of a list in JSON; () if it is damaged."""
    found = json_of(text)
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _finite(text: str) -> float | None:
    """Return a number, or None if JSON has no such number."""
    number = float(text)
    return number if isfinite(number) else None
