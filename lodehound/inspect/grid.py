"""Turns rows of cells into a Table: heading, number of rows, columns, and signs of statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lodehound.inspect.cells import Cell
from lodehound.inspect.headings import HEADER_ROWS, Heading, heading_of
from lodehound.inspect.limits import Options
from lodehound.inspect.previews import first_rows
from lodehound.inspect.profile import column_facts, years_of
from lodehound.inspect.records import Table, clean
from lodehound.inspect.sampling import RowSample


def table_of(
    name: str, rows: Iterable[Sequence[Cell]], options: Options, *, titles: Sequence[str] = ()
) -> Table | None:
    """Read a sheet or a CSV file as one table; return None if it is empty.

    Rows are counted in one pass; the first, and some from all over the table, are examined.

    Args:
        name: Of the table.
        rows: Its rows, with what stands above them.
        options: Limits and rule.
        titles: What the file calls the table.
    """
    limits = options.limits
    sample = RowSample[Sequence[Cell]](limits.sample_rows + HEADER_ROWS)
    width = 0
    for row in rows:
        length = filled_length(row)
        if length:
            sample.add(row[: min(length, limits.sample_columns)])
            if sample.count <= limits.sample_rows:
                width = max(width, length)
    if not sample.count:
        return None
    first = sample.first
    heading = heading_of(first)
    lines = tuple(dict.fromkeys((*titles, *heading.titles)))
    heading = Heading(heading.height, heading.names, heading.units, lines)
    data = first[heading.height : heading.height + limits.sample_rows]
    return table_from(
        name,
        heading.names,
        data,
        options,
        rows=sample.count - heading.height,
        columns=width,
        others=sample.others,
        heading=heading,
    )


def table_from(
    name: str,
    header: Sequence[str],
    data: Sequence[Sequence[Cell]],
    options: Options,
    *,
    rows: int,
    columns: int,
    others: Sequence[Sequence[Cell]] = (),
    heading: Heading | None = None,
    labels: Sequence[str] = (),
) -> Table:
    """Return a table.

    Args:
        name: Of the table.
        header: Names of its columns.
        data: Its first rows.
        options: Limits and rule.
        rows: How many there are.
        columns: How many there are.
        others: Further rows to examine.
        heading: What stands above the rows.
        labels: What the columns are called in words.
    """
    heading, most = heading or Heading(), options.limits.names
    facts = column_facts(header, [*data, *others], units=heading.units, labels=labels, most=most)
    return Table(
        name=clean(name),
        rows=rows,
        columns=columns,
        header=tuple(clean(column) for column in header[:most]),
        statistics=options.rule.looks_like_statistics(header, data, rows),
        first=first_rows(data[: options.limits.preview_rows], most),
        facts=facts,
        titles=heading.titles[: options.limits.titles],
        years=years_of(facts, *heading.titles, name),
    )


def filled_length(row: Sequence[Cell]) -> int:
    """Return the length of a row without the empty cells at its end."""
    length = len(row)
    while length and (row[length - 1] is None or row[length - 1] == ""):
        length -= 1
    return length
