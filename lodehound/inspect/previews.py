"""What a person wants to see of a file before opening it: first rows, columns, first words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from lodehound.inspect.cells import EMPTY, NUMBER, Cell, classify
from lodehound.inspect.kinds import is_binary
from lodehound.inspect.limits import Options
from lodehound.inspect.records import ColumnFacts, Inspection, clean
from lodehound.inspect.source import Source

COLUMNS = 60  # shown at most
GROUPS = str.maketrans("", "", " \u00a0\u202f'\u2019%")


def first_rows(data: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    """Return rows as texts.

    >>> first_rows([["Oslo", 1.0, None]])
    (('Oslo', '1', ''),)
    """
    return tuple(tuple(_text(cell) for cell in row[:COLUMNS]) for row in data)


def column_facts(header: Sequence[str], data: Sequence[Sequence[Cell]]) -> tuple[ColumnFacts, ...]:
    """Return kind and range of every column.

    >>> column_facts(["town", "rain"], [["Rome", 1.5], ["Oslo", 2.0]])[1]
    ColumnFacts(name='rain', kind='number', filled=2, least='1.5', most='2')
    """
    width = min(max((len(row) for row in data), default=len(header)), COLUMNS)
    names = [*header, *[""] * width]
    return tuple(
        _facts(names[at], [row[at] for row in data if at < len(row)]) for at in range(width)
    )


def _facts(name: str, cells: Sequence[Cell]) -> ColumnFacts:
    filled = [(cell, kind) for cell in cells if (kind := classify(cell)) != EMPTY]
    if not filled:
        return ColumnFacts(clean(name), EMPTY, 0)
    kind = Counter(kind for _, kind in filled).most_common(1)[0][0]
    alike = [cell for cell, its in filled if its == kind]
    key = _number if kind == NUMBER else _text
    ranked = sorted(alike, key=key)
    return ColumnFacts(clean(name), kind, len(filled), _text(ranked[0]), _text(ranked[-1]))


def _number(cell: Cell) -> float:
    """Return the number of a cell; a comma may be the decimal sign, or part groups."""
    if isinstance(cell, int | float):
        return float(cell)
    text = str(cell).translate(GROUPS)
    if "," in text and ("." in text or len(text.rpartition(",")[2]) == 3):
        text = text.replace(",", "")
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return 0.0


def _text(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    return "" if cell is None else clean(cell)


def with_opening(found: Inspection, source: Source, options: Options) -> Inspection:
    """Return an inspection with the first words of a text, if they are wanted."""
    wanted = options.limits.preview_chars
    if not wanted or found.opening or found.kind in {"pdf", "empty"}:
        return found
    head = source.head(4 * wanted)
    if is_binary(head):
        return found
    try:
        text = head.decode(found.charset or "utf-8", "replace")
    except LookupError:
        text = head.decode("utf-8", "replace")
    return replace(found, opening=text[:wanted])
