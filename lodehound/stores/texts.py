"""Cleans text from the web for terminals, files and programs."""

from __future__ import annotations

import re

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
