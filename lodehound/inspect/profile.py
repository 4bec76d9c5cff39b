"""What the rows of a table say of each column: type, unit, range, values; and the years covered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from lodehound.inspect.cells import EMPTY, NUMBER, PERIOD, TEXT, YEAR, Cell, classify
from lodehound.inspect.headings import shown
from lodehound.inspect.records import ColumnFacts, clean
from lodehound.inspect.units import unit_behind, unit_in

INTEGER, DATE, BOOLEAN = "integer", "date", "boolean"
MOST_VALUES = 200  # values of a column that are kept
MOST_VALUE = 60  # characters of a value: longer texts are prose
REPEATED = 0.5  # of the texts of a column with more values: those that occur most often are kept
TIMES = 0.8  # share of years and periods in a column of them
TRUTHS = frozenset({"true", "false"})
GROUPS = str.maketrans("", "", " \u00a0\u202f'\u2019%‰€$£¥")
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}", re.DOTALL)
_YEARS = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def column_facts(
    header: Sequence[str],
    data: Sequence[Sequence[Cell]],
    *,
    units: Sequence[str] = (),
    labels: Sequence[str] = (),
    most: int,
) -> tuple[ColumnFacts, ...]:
    """Return what is known of every column.

    >>> town, rain = column_facts(["town", "rain (mm)"], [["Rome", 1.5], ["Oslo", 2.0]], most=9)
    >>> town.values, (rain.kind, rain.least, rain.most, rain.unit)
    (('Oslo', 'Rome'), ('number', '1.5', '2', 'mm'))

    Args:
        header: Names of columns.
        data: Rows.
        units: The row of units, if there is one.
        labels: What the columns are called in words, if the file says so.
        most: How many columns.
    """
    width = min(max((len(row) for row in data), default=len(header)), most)
    names, units, labels = (
        [*texts[:width], *[""] * (width - len(texts))] for texts in (header, units, labels)
    )
    return tuple(
        _facts(name, [row[at] for row in data if at < len(row)], unit, label)
        for at, (name, unit, label) in enumerate(zip(names, units, labels, strict=True))
    )


def _facts(name: str, cells: Sequence[Cell], unit: str, label: str) -> ColumnFacts:
    name, label = clean(name), clean(label)
    filled = [(cell, kind) for cell in cells if (kind := classify(cell)) != EMPTY]
    kind, alike = _kind(filled)
    named = ColumnFacts(name, kind, len(filled), label=label)
    if not alike:
        return named
    if kind in {NUMBER, INTEGER}:
        found = clean(unit).strip("()[] ") or unit_in(name) or unit_in(label) or unit_behind(alike)
        return _ranged(named, min(alike, key=_number), max(alike, key=_number), unit=found)
    order = _moment if kind == DATE else shown
    values = _values(alike) if kind in {TEXT, PERIOD, BOOLEAN} else ()
    return _ranged(named, min(alike, key=order), max(alike, key=order), values=values)


def _ranged(facts: ColumnFacts, least: Cell, most: Cell, **known: Any) -> ColumnFacts:
    return replace(facts, least=text_of(least), most=text_of(most), **known)


def _kind(filled: Sequence[tuple[Cell, str]]) -> tuple[str, list[Cell]]:
    """Return what most cells of a column are, and those that are."""
    counts = Counter(kind for _, kind in filled)
    figures = counts[NUMBER] + counts[YEAR]
    if not filled:
        return EMPTY, []
    if (counts[YEAR] + counts[PERIOD]) >= TIMES * len(filled):
        if counts[YEAR] >= counts[PERIOD]:
            return YEAR, [cell for cell, kind in filled if kind == YEAR]
        alike = [cell for cell, kind in filled if kind == PERIOD]
        dates = sum(_is_date(cell) for cell in alike)
        return DATE if dates >= TIMES * len(alike) else PERIOD, alike
    if figures >= counts[TEXT] + counts[PERIOD]:
        alike = [cell for cell, kind in filled if kind in {NUMBER, YEAR}]
        return INTEGER if all(map(_is_whole, alike)) else NUMBER, alike
    alike = [cell for cell, kind in filled if kind == TEXT]
    truths = all(text_of(cell).lower() in TRUTHS for cell in alike)
    return BOOLEAN if truths else TEXT, alike


def _is_date(cell: Cell) -> bool:
    return isinstance(cell, date) or (isinstance(cell, str) and _DATE.fullmatch(cell) is not None)


def _moment(cell: Cell) -> str:
    """Return a date so that texts sort by time: 31.01.2020 as 2020.01.31."""
    parts = re.split(r"[-/.]", text_of(cell))
    return ".".join(part.zfill(2) for part in (parts if len(parts[0]) == 4 else reversed(parts)))


def _is_whole(cell: Cell) -> bool:
    if isinstance(cell, str):
        return _plain(cell).lstrip("+-\u2212").isdigit()
    return float(_number(cell)).is_integer()


def _number(cell: Cell) -> float:
    """Return the number of a cell."""
    if isinstance(cell, int | float):
        return float(cell)
    try:
        return float(_plain(str(cell)))
    except ValueError:
        return 0.0


def _plain(text: str) -> str:
    """Return a number as Python writes it; a comma may be the decimal sign, or part groups."""
    text = text.translate(GROUPS)
    if "," in text and ("." in text or len(text.rpartition(",")[2]) == 3):
        return text.replace(",", "")
    return text.replace(",", ".")


def text_of(cell: Cell) -> str:
    """Return a cell as one short line.

    >>> text_of(1.0), text_of(None), text_of(date(2020, 1, 31))
    ('1', '', '2020-01-31')
    """
    return cell.isoformat() if isinstance(cell, datetime | date) else clean(shown(cell))


def _values(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the values of a dimension in order; () if they are too many that never repeat."""
    counts = Counter(cells)
    if len(counts) > MOST_VALUES and len(counts) > REPEATED * len(cells):
        return ()
    kept = {text_of(value) for value, _ in counts.most_common(MOST_VALUES)}
    return () if max(map(len, kept)) > MOST_VALUE else tuple(sorted(kept))


def years_of(facts: Sequence[ColumnFacts], *texts: str) -> tuple[int, ...]:
    """Return the first and the last year of a table; () if it names none.

    They are those of its columns of years and dates and of its column names; if it has none, of
    the texts.

    >>> years_of([ColumnFacts("2019", "number", 3), ColumnFacts("2021", "number", 3)], "of 1999")
    (2019, 2021)
    """
    times = [f"{one.least} {one.most}" for one in facts if one.kind in {YEAR, DATE, PERIOD}]
    for some in ((*times, *(one.name for one in facts)), texts):
        found = [int(year) for text in some for year in _YEARS.findall(text)]
        if found:
            return min(found), max(found)
    return ()
