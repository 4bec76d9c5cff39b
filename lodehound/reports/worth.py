"""What a target said of a find, in few words: so many statements, so many triples, so relevant."""

from __future__ import annotations

import math

from lodehound.reports.clean import clean

# What the value of a find counts, by the target's name; the files of a crawl have nothing to add.
UNITS = {"markup": "statements", "rdf": "triples", "topic": "relevance"}
FILES = "files"
OTHER = "value"  # of a target of your own


def unit_of(want: str) -> str:
    """Return what the values of a crawl's finds are; "" of files, which are all worth the same.

    >>> unit_of("files:csv"), unit_of("rdf"), unit_of("topic:cancer"), unit_of("feeds:Feeds")
    ('', 'triples', 'relevance', 'value')
    """
    name = want.partition(":")[0].strip()
    return "" if name in {FILES, ""} else UNITS.get(name, OTHER)


def number_of(value: float | None) -> str:
    """Return a value as people read it: whole, or with two digits behind the point.

    >>> number_of(1200.0), number_of(0.8371), number_of(None)
    ('1,200', '0.84', '')
    """
    if value is None or not math.isfinite(value):
        return ""
    return f"{value:,.0f}" if value == round(value) and value != 0 else f"{value:.2f}"


def worth_of(want: str, label: str, value: float | None) -> str:
    """Say what a find is to its target.

    >>> worth_of("rdf", "turtle", 312.0), worth_of("topic:cancer", "cancer", 0.8371)
    ('turtle, 312 triples', 'cancer, relevance 0.84')
    >>> worth_of("files", "text/csv", 1.0)
    ''
    """
    unit, number = unit_of(want), number_of(value)
    if not unit:
        return ""
    counted = unit in {"statements", "triples"}
    told = f"{number} {unit[: -1 if number == '1' else None]}" if counted else f"{unit} {number}"
    return ", ".join(part for part in (clean(label, 80), told if number else "") if part)
