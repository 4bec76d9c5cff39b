"""Turns rows of cells into a Table: header, number of rows, and whether they are statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from lodehound.inspect.cells import EMPTY, NUMBER, Cell, classify
from lodehound.inspect.limits import Options
from lodehound.inspect.previews import column_facts, first_rows
from lodehound.inspect.records import Table, clean

HEADER_ROWS = 30  # titles, dates and sources above a header take fewer rows


def table_of(name: str, rows: Iterable[Sequence[Cell]], options: Options) -> Table | None:
    """Read a sheet or a CSV file as one table; return None if it is empty.

    Rows are counted in one pass, and only the first are stored.
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
    # Most rows have a truthy cell; a row of zeros needs a closer look.
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
    """Return a table with this header, these first rows and these counts."""
    wanted = options.limits.preview_rows
    return Table(
        first=first_rows(data[:wanted]),
        facts=column_facts(header, data) if wanted else (),
        name=clean(name),
        rows=rows,
        columns=columns,
        header=tuple(clean(column) for column in header[: options.limits.names]),
        statistics=options.rule.looks_like_statistics(header, data, rows),
    )


def header_row(sample: Sequence[Sequence[Cell]]) -> int | None:
    """Return the index of the header row, or None if there is none.

    The header is the first row that fills half of a typical row and has no numbers. Years and
    other periods are allowed as column names. A row with numbers ends the search.

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
