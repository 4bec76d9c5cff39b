"""The target's verdict on a find in a few words: statements, triples or relevance."""

from __future__ import annotations

import math

from lodehound.reports.screen_text import clean

# What the value of a find counts, by the name of the target; files have no such value.
UNITS = {"markup": "statements", "rdf": "triples", "topic": "relevance"}
FILES = "files"
OTHER = "value"  # for your own targets


def unit_of(want: str) -> str:
    """Return the unit of the values of finds; "" for files, which all have the same value.

    >>> unit_of("files:csv"), unit_of("rdf"), unit_of("topic:cancer"), unit_of("feeds:Feeds")
    ('', 'triples', 'relevance', 'value')
    """
    name = want.partition(":")[0].strip()
    return "" if name in {FILES, ""} else UNITS.get(name, OTHER)


def number_of(value: float | None) -> str:
    """Return a value as text: an integer, or two decimal places.

    >>> number_of(1200.0), number_of(0.8371), number_of(None)
    ('1,200', '0.84', '')
    """
    if value is None or not math.isfinite(value):
        return ""
    return f"{value:,.0f}" if value == round(value) and value != 0 else f"{value:.2f}"


def worth_of(want: str, label: str, value: float | None) -> str:
    """Return the label and value of a find as text.

    >>> worth_of("rdf", "turtle", 312.0), worth_of("topic:cancer", "cancer", 0.8371)
    ('turtle, 312 triples', 'cancer, relevance 0.84')
    >>> worth_of("files", "text/csv", 1.0)
    ''
    """
    unit, number = unit_of(want), number_of(value)
    if not unit:
        return ""
    counted = unit in {"statements", "triples"}
    amount = f"{number} {unit[: -1 if number == '1' else None]}" if counted else f"{unit} {number}"
    return ", ".join(part for part in (clean(label, 80), amount if number else "") if part)
