"""Rows of cells to a Table: where the header is, how many rows, does it look like statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from lodehound.inspect.limits import Options
from lodehound.inspect.records import Table, clean
from lodehound.inspect.statistics import EMPTY, NUMBER, Cell, classify

HEADER_ROWS = 30  # titles, dates and sources stand above a header, never so many


def table_of(name: str, rows: Iterable[Sequence[Cell]], options: Options) -> Table | None:
    """Read a sheet or a CSV file as one table; None if nothing is in it.

    Rows are counted as they pass and only the first are kept.
    """
    limits = options.limits
    sample: list[Sequence[Cell]] = []
    width = 0
    passing = iter(rows)
    for row in passing:
        length = _filled_length(row)
        if not length:
            continue
        width = max(width, length)
        sample.append(row[: min(length, limits.sample_columns)])
        if len(sample) == limits.sample_rows + HEADER_ROWS:
            break
    if not sample:
        return None
    # Most rows have something that is true; a row of zeros needs the longer look.
    count = len(sample) + sum(1 for row in passing if any(row) or _filled_length(row))
    at = header_row(sample)
    header = () if at is None else tuple(map(_shown, sample[at]))
    above = 0 if at is None else at + 1
    data = sample[above : above + limits.sample_rows]
    return table_from(name, header, data, options, rows=count - above, columns=width)


def table_from(
    name: str,
    header: Sequence[str],
    data: Sequence[Sequence[Cell]],
    options: Options,
    *,
    rows: int,
    columns: int,
) -> Table:
    """Make a table whose header and first rows are known, and how many there are."""
    return Table(
        name=clean(name),
        rows=rows,
        columns=columns,
        header=tuple(clean(column) for column in header[: options.limits.names]),
        statistics=options.rule.looks_like_statistics(header, data, rows),
    )


def header_row(sample: Sequence[Sequence[Cell]]) -> int | None:
    """Return which row is the header; None if there is none.

    It is the first row that fills half of a usual row and has no figures: years and other
    periods may be names of columns, figures may not. A row of figures ends the search.

    >>> header_row([["Table 1"], ["", "2019", "2020"], ["Oslo", "1.5", "2.5"], ["Rome", "3", "4"]])
    1
    >>> header_row([["Oslo", "1.5"], ["Rome", "2.5"]]) is None
    True
    """
    usual = median(_filled(row) for row in sample)
    for index, row in enumerate(sample[:HEADER_ROWS]):
        if _filled(row) < max(min(2, usual), usual / 2):
            continue
        if any(classify(cell) == NUMBER for cell in row):
            return None
        return index
    return None


def _filled(row: Sequence[Cell]) -> int:
    return sum(classify(cell) != EMPTY for cell in row)


def _filled_length(row: Sequence[Cell]) -> int:
    """Return the length of a row without the empty cells at its end."""
    length = len(row)
    while length and (row[length - 1] is None or row[length - 1] == ""):
        length -= 1
    return length


def _shown(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)
