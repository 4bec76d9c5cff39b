"""What stands above the rows of a table: title lines, the header (in one row or several), units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from lodehound.inspect.cells import EMPTY, NUMBER, Cell, classify
from lodehound.inspect.records import clean
from lodehound.inspect.units import is_unit

HEADER_ROWS = 60  # titles, dates and sources above a header take fewer rows
LEAST_ROWS = 3  # of a table, its header included
MORE_ROWS = 3  # of a header, above or below its widest one
LOOK_BELOW = 5  # rows of data that say whether a row above them belongs to the header
MOST_LINE = 300  # characters of a title line


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the data.

    Attributes:
        height: Number of rows above the data.
        names: Column names; () if there are none.
        units: The row of units, if there is one.
        titles: The lines above the header.
    """

    height: int = 0
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


def heading_of(sample: Sequence[Sequence[Cell]]) -> Heading:
    """Return what stands above the data of a table.

    The header is the first row that fills half of a typical row and has no numbers. Years and
    other periods are allowed as column names. A row with numbers ends the search.

    >>> heading_of([["Table 1"], ["", "2019", "2020"], ["Oslo", "1.5", "2.5"], ["Rome", 3, 4]])
    Heading(height=2, names=('', '2019', '2020'), units=(), titles=('Table 1',))
    >>> heading_of([["Oslo", "1.5"], ["Rome", "2.5"]]).names
    ()
    """
    counts = [_count(row) for row in sample]
    at = _header_row(counts, sample)
    if at is None:
        return _without_header(counts, sample)
    first = at - _rows_above(sample, at)
    names = [shown(cell) for cell in sample[at]]
    for row in range(at - 1, first - 1, -1):
        names = _joined(_filled_on(sample[row], len(names)), names)
    below = at + 1
    while below <= at + MORE_ROWS and _continues(sample[at], sample, below):
        names = _joined(_filled_on([*names], len(sample[below])), list(map(shown, sample[below])))
        below += 1
    units: tuple[str, ...] = ()
    if below < len(sample) - 1 and _are_units(sample[below]):
        units = tuple(map(shown, sample[below]))
        below += 1
    return Heading(below, tuple(names), units, _lines(sample[:first]))


def shown(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)


def _header_row(counts: Sequence[int], sample: Sequence[Sequence[Cell]]) -> int | None:
    usual = _usual(counts)
    for index, row in enumerate(sample[:HEADER_ROWS]):
        if counts[index] < max(min(2, usual), usual / 2):
            continue
        if any(classify(cell) == NUMBER for cell in row):
            return None
        return index
    return None


def _usual(counts: Sequence[int]) -> float:
    """Return how many cells of a row are filled in the table, not in the lines above and below."""
    runs = (list(run) for filled, run in groupby(counts, key=lambda count: count > 1) if filled)
    longest = max(runs, key=len, default=[])
    return median(longest if len(longest) >= LEAST_ROWS else counts)


def _without_header(counts: Sequence[int], sample: Sequence[Sequence[Cell]]) -> Heading:
    """Return the lines of one text that stand above figures."""
    height = 0
    if _usual(counts) > 1:
        while height < min(len(sample), HEADER_ROWS) and _is_line(sample[height]):
            height += 1
    return Heading(height, titles=_lines(sample[:height]))


def _is_line(row: Sequence[Cell]) -> bool:
    filled = [cell for cell in row if classify(cell) != EMPTY]
    return len(filled) == 1 and isinstance(filled[0], str) and classify(filled[0]) != NUMBER


def _rows_above(sample: Sequence[Sequence[Cell]], at: int) -> int:
    """Return how many rows above the header name groups of its columns.

    Such a row is empty above the first column, names two groups at least, and has no numbers.
    """
    count = 0
    while count < min(MORE_ROWS, at):
        row = sample[at - count - 1]
        is_group = _count(row) >= 2 and classify(row[0]) == EMPTY
        if not is_group or any(classify(cell) == NUMBER for cell in row):
            break
        count += 1
    return count


def _continues(header: Sequence[Cell], sample: Sequence[Sequence[Cell]], at: int) -> bool:
    """Return whether a row is the lower part of the header.

    Merged cells leave gaps in the header; the row fills them, and stands below a name only where
    that name has a gap beside it. There are figures below, and none in the row itself.
    """
    if at >= len(sample) - 1:
        return False
    row = sample[at]
    if any(classify(cell) == NUMBER for cell in row):
        return False
    empty = [classify(cell) == EMPTY for cell in header] + [True] * (len(row) - len(header))
    filled = [index for index, cell in enumerate(row) if classify(cell) != EMPTY]
    gaps = [index for index in filled if empty[index]]
    fits = all(empty[i] or (i + 1 < len(empty) and empty[i + 1]) for i in filled)
    return fits and any(
        classify(below[index]) == NUMBER
        for below in sample[at + 1 : at + 1 + LOOK_BELOW]
        for index in gaps
        if index < len(below)
    )


def _filled_on(row: Sequence[Cell], width: int) -> list[str]:
    """Return the names of groups, each over all its columns: up to the next name."""
    names, name = [], ""
    for at in range(width):
        name = (shown(row[at]) if at < len(row) else "") or name
        names.append(name)
    return names


def _joined(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return names of two rows in one: a group says something only where there is a name below."""
    pairs = zip(upper, [*lower, *[""] * (len(upper) - len(lower))], strict=False)
    return [f"{above} {name}".strip() if name != above else name for above, name in pairs]


def _are_units(row: Sequence[Cell]) -> bool:
    filled = [cell for cell in row if classify(cell) != EMPTY]
    return bool(filled) and all(isinstance(cell, str) and is_unit(cell) for cell in filled)


def _lines(rows: Sequence[Sequence[Cell]]) -> tuple[str, ...]:
    texts = (" ".join(shown(cell) for cell in row if classify(cell) != EMPTY) for row in rows)
    return tuple(line for text in texts if (line := clean(text, MOST_LINE)))


def _count(row: Sequence[Cell]) -> int:
    return sum(classify(cell) != EMPTY for cell in row)
