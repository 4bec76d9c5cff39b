"""Cells: the values of tables, and what each of them is."""

from __future__ import annotations

import math
import re
from datetime import date, time, timedelta
from decimal import Decimal
from functools import lru_cache

Cell = str | float | bool | date | time | timedelta | None

EMPTY, NUMBER, YEAR, PERIOD, TEXT = "empty", "number", "year", "period", "text"

# How statistics offices mark a missing number.
MISSING = frozenset({
    "", "-", "--", "—", "\u2013", "\u2212", ".", "..", "...", "…", ":", "/", "*", "x", "na",
    "n/a", "n.a.", "nan", "null", "none", "nd", "n.d.", "c", "(c)", "#n/a",
})  # fmt: skip
LONGEST = 40  # characters of a number with its marks
MOST_CHARS = 1000  # of a cell
FIRST_YEAR, LAST_YEAR = 1800, 2100

_NUMBER = re.compile(
    r"""[(+\-\u2212\u2013<>~]?\s?[$€£¥]?\s?                     # sign, currency; (12) is minus 12
        (?:\d{1,3}(?:[ \u00a0\u202f.,'\u2019]\d{3}){1,5}   # in groups of three
           |\d{1,15})?                                # longer ones are identifiers
        (?:(?<=\d)[.,]\d{0,20}|[.,]\d{1,20})?
        (?:e[+-]?\d{1,3})?
        \s?[%‰]?\)?
        (?:\s?(?:\([a-z]\)|[a-z*]))?                  # the mark of a footnote""",
    re.VERBOSE | re.IGNORECASE,
)
_CODE = re.compile(r"0\d+")  # 01, 00123: numbers are not written like this
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:\.0)?")
_PERIOD = re.compile(
    r"""(?:1[89]|20)\d\d(?:
            \s?[-/\u2013]\s?(?:\d\d|(?:1[89]|20)\d\d)      # 2019-01, 2019/20, 2019-2020
            |[-\s]?[QTMSWH]\d{1,2}                    # 2019Q1, 2019-M01
            |[-/.]\d{1,2}[-/.]\d{1,2}(?:[T\s].{0,20})?  # 2019-01-31
            |\s[^\W\d]{3,12}\.?)                      # 2019 March
        |(?:[QTMSWH]\d{1,2}|[^\W\d]{3,12}\.?)[-/\s](?:1[89]|20)\d\d  # Q1 2019, mars 2019
        |\d{1,2}[-/.]\d{1,2}[-/.](?:1[89]|20)?\d\d    # 31.01.2019""",
    re.VERBOSE | re.IGNORECASE,
)


def classify(cell: Cell) -> str:
    """Return the type of a cell: empty, number, year, period or text.

    >>> [classify(cell) for cell in ("1 234,5", "(12)", "2019", "2019Q1", "007", "..", 3.5, "Oslo")]
    ['number', 'number', 'year', 'period', 'text', 'empty', 'number', 'text']
    """
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        return _classify_text(cell)
    if isinstance(cell, bool):
        return TEXT
    if isinstance(cell, (int, float)):
        if math.isnan(cell):
            return EMPTY
        return YEAR if FIRST_YEAR <= cell < LAST_YEAR and cell == int(cell) else NUMBER
    return PERIOD


def _classify_text(cell: str) -> str:
    if len(cell) > LONGEST:
        return TEXT if cell[:LONGEST].strip() or cell.strip() else EMPTY
    return _classify_short(cell.strip())


@lru_cache(maxsize=1 << 14)  # every cell is looked at several times, and most values repeat
def _classify_short(text: str) -> str:
    if text.lower() in MISSING:
        return EMPTY
    if _YEAR.fullmatch(text):
        return YEAR
    if any(map(str.isdigit, text)):
        if _NUMBER.fullmatch(text):
            return TEXT if _CODE.fullmatch(text) else NUMBER
        if _PERIOD.fullmatch(text):
            return PERIOD
    return TEXT


def cell_of(value: object) -> Cell:
    """Return a value as a cell: long texts are cut, and what is no plain value is not shown.

    >>> cell_of(Decimal("1.5")), cell_of(b"x" * 9), cell_of("Oslo")
    (1.5, '[...]', 'Oslo')
    """
    if value is None or isinstance(value, float | int | date | time | timedelta):
        return value
    if isinstance(value, str):
        return value[:MOST_CHARS]
    if isinstance(value, Decimal):
        return float(value)
    return "[...]"
