"""Units of columns: in brackets in a name, in a row of their own, or behind every number."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_CHARS = 30
# Words of units in the languages of statistics offices. In square brackets, any text is a unit.
WORDS = frozenset(
    """% ‰ € $ £ ¥ ° eur euro euros usd dollar dollars gbp chf jpy cny nok sek dkk pln huf czk inr
    mxn brl peso pesos percent pct prozent porcentaje percentage pp per cent person persons people
    personen personas personnes number numbers anzahl número nombre no thousand thousands tausend
    tsd mil miles mille milliers million millions millionen mio mill mln millones billion billions
    mrd milliarden milliards bn mn index rate ratio m cm mm km m2 m² km2 km² m3 m³ ha acres sqm ft
    kg g mg µg t kt mt ton tons tonne tonnes tonnen toneladas litre litres l ml hl kw kwh mw mwh gw
    gwh twh j mj gj tj pj w v a hz c °c °f k pa hpa bar s sec seconds min minutes h hours hrs days
    day years year jahre años ans months ppm ppb inhabitants einwohner hab habitants habitantes
    households units unit stück items co2e co2eq""".split()
)
FILLERS = frozenset(
    "in of per by pro je en de of the and à par por current constant prices".split()
)
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,30})[)\]]\s*$")
_AFTER = re.compile(r",\s*(?:in\s+)?([^,]{1,30})$|\s+in\s+([^,\s]{1,12}(?:\s[^,\s]{1,12})?)$")
_SPLIT = re.compile(r"[\s/·*.,'\u2019]+")
_BEHIND = re.compile(r"^\s*([$€£¥]?)[-+]?\s?\d[\d\s.,'\u2019]*([%‰€$£¥]?)\s*$")
SHARE = 0.8  # of numbers that are followed by the unit


def is_unit(text: str) -> bool:
    """Return whether a text is a unit, with or without brackets.

    >>> is_unit("EUR million"), is_unit("[km/h]"), is_unit("Oslo"), is_unit("(1)")
    (True, True, False, False)
    """
    inner = text.strip()
    square = inner.startswith("[") and inner.endswith("]")
    inner = inner.strip("()[] ")
    if not 0 < len(inner) <= MOST_CHARS or inner.isdigit():
        return False
    if square:
        return True
    words = [word for word in _SPLIT.split(inner.lower()) if word]
    known = {word for word in words if word in WORDS or word.strip("0123456789^-") in WORDS}
    fits = all(word in known or word in FILLERS or word.isdigit() for word in words)
    return bool(known) and fits


def unit_in(name: str) -> str:
    """Return the unit in the name of a column, or "".

    >>> unit_in("Area [sq. km]"), unit_in("Rate (%)"), unit_in("Exports, in EUR million")
    ('sq. km', '%', 'EUR million')
    >>> unit_in("Men (1)"), unit_in("Value (provisional)"), unit_in("Born in Oslo")
    ('', '', '')
    """
    brackets = _BRACKETS.search(name)
    if brackets and is_unit(brackets[0]):
        return brackets[1].strip()
    after = _AFTER.search(name)
    text = (after[1] or after[2] or "").strip() if after else ""
    return text if is_unit(text) else ""


def unit_behind(cells: Sequence[object]) -> str:
    """Return the unit that is written with the numbers of a column, or "".

    >>> unit_behind(["12 %", "3.5%"]), unit_behind(["$5", "$1,200"]), unit_behind(["1", 2.5])
    ('%', '$', '')
    """
    short = (cell for cell in cells if isinstance(cell, str) and len(cell) <= MOST_CHARS)
    found = [match[1] or match[2] for cell in short if (match := _BEHIND.match(cell))]
    best = max(set(found), key=found.count, default="")
    return best if best and found.count(best) >= SHARE * len(cells) else ""
