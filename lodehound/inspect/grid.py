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
from lodehound.inspect.values import values_of

HEADING_SAMPLE = 1000 + HEADER_ROWS  # the same, however many rows are read


class RowReader:
    """Takes in the rows of one table. They are counted; the first, and some others, are examined.

    Args:
        name: Of the table.
        options: Limits and rule.
    """

    def __init__(self, name: str, options: Options) -> None:
        self.name = name
        self._options = options
        limits = options.limits
        self._most = limits.sample_columns
        self._sample = RowSample[Sequence[Cell]](
            limits.sample_rows + HEADER_ROWS, others=limits.sample_places > 1
        )
        self._width = 0

    def add(self, row: Sequence[Cell]) -> None:
        """Take in the next row; one without cells does not count."""
        length = filled_length(row)
        if length:
            self._sample.add(row[: min(length, self._most)])
            if self._sample.count <= self._options.limits.sample_rows:
                self._width = max(self._width, length)

    def table(self) -> Table | None:
        """Return the table; None if it has no rows, not even a header."""
        first, limits = self._sample.first, self._options.limits
        if not first:
            return None
        heading = heading_of(first[:HEADING_SAMPLE])
        return table_from(
            self.name,
            heading.names,
            first[heading.height : heading.height + limits.sample_rows],
            self._options,
            rows=self._sample.count - heading.height,
            columns=self._width,
            others=self._sample.others,
            heading=heading,
        )


def table_of(name: str, rows: Iterable[Sequence[Cell]], options: Options) -> Table | None:
    """Read rows as one table; return None if there are none."""
    reader = RowReader(name, options)
    for row in rows:
        reader.add(row)
    return reader.table()


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
    limits = options.limits
    heading, most = heading or Heading(), limits.names
    facts = column_facts(header, [*data, *others], units=heading.units, labels=labels, most=most)
    return Table(
        name=clean(name),
        rows=rows,
        columns=columns,
        header=tuple(clean(column) for column in header[:most]),
        statistics=options.rule.looks_like_statistics(header, data, rows),
        first=first_rows(data[: limits.preview_rows], most),
        facts=facts,
        titles=heading.titles[: limits.titles],
        years=years_of(facts, *heading.titles, name),
        values=values_of(header[:most], facts, data[: limits.value_rows])
        if limits.value_rows
        else None,
    )


def filled_length(row: Sequence[Cell]) -> int:
    """Return the length of a row without the empty cells at its end."""
    length = len(row)
    while length and (row[length - 1] is None or row[length - 1] == ""):
        length -= 1
    return length
