"""Finds the tables of a sheet: blank rows or blank columns stand between them.

Title lines, notes and blank rows between groups of one table are not taken for tables: what follows
a blank row or column is a table of its own if it has its own header above figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice

from lodehound.inspect.cells import EMPTY, NUMBER, Cell, classify
from lodehound.inspect.grid import RowReader, filled_length
from lodehound.inspect.headings import heading_of
from lodehound.inspect.limits import Options
from lodehound.inspect.records import Table

LOOK = 40  # rows of a block that say whether it is a table
MOST_TABLES = 50  # of a sheet; what follows belongs to the last one
MOST_BLOCKS = 500  # of a sheet that are looked at: a list may have a blank row after each other row
MOST_LINES = 5  # of titles between two tables
LEAST_NAMES = 2  # of a header
LEAST_ROWS = 2  # of data

Row = Sequence[Cell]
Span = tuple[int, int | None]  # the first column of a table, and the one after its last


def tables_of(name: str, rows: Iterable[Row], options: Options, *, column: int = 0) -> list[Table]:
    """Return the tables of a sheet, each named after the sheet and its place if there are several.

    >>> two = [["a", "b"], ["x", 1], ["y", 2], [], ["e", "f"], ["z", 3], ["w", 4]]
    >>> [(table.name, table.header) for table in tables_of("S", two, Options())]
    [('S!A1', ('a', 'b')), ('S!A5', ('e', 'f'))]

    Args:
        name: Of the sheet.
        rows: Its rows from the first on, blank ones included.
        options: Limits and rule.
        column: The number of columns left of the rows.
    """
    sheet = _Sheet(name, options, column)
    for is_filled, block in groupby(enumerate(rows), key=lambda one: filled_length(one[1]) > 0):
        if is_filled:
            (at, first), *more = islice(block, LOOK)
            sheet.take([first, *(row for _, row in more)], at)
            for _, row in block:
                sheet.add(row)
    return sheet.tables()


class _Sheet:
    """Takes in the blocks of a sheet, and tells which of them begin a table."""

    def __init__(self, name: str, options: Options, column: int) -> None:
        self._name = name
        self._options = options
        self._column = column
        self._readers: list[tuple[str, RowReader]] = []  # with the place of each
        self._parts: list[tuple[RowReader, Span]] = []  # of the tables that rows go to now
        self._is_table = False  # they have a header and figures
        self._blocks = 0
        self._lines: list[Row] = []  # titles of the next table, or notes on this one

    def take(self, block: list[Row], at: int) -> None:
        """Take in the first rows of a block that stands between blank rows."""
        self._blocks += 1
        if self._blocks > MOST_BLOCKS or len(self._readers) >= MOST_TABLES:
            spans = []
        else:
            spans = _spans([row[: self._options.limits.sample_columns] for row in block])
        if spans and (self._is_table or not self._parts):
            self._begin(spans, at)
        elif self._is_table and len(block) <= MOST_LINES and all(map(_is_line, block)):
            self._give_lines()
            self._lines = block
            return
        elif not self._parts and all(map(_is_line, block)):
            self._lines += block
            return
        elif not self._parts:
            self._begin([(0, None)], at, is_table=False)
        self._is_table = self._is_table or bool(spans)
        self._give_lines()
        for row in block:
            self.add(row)

    def add(self, row: Row) -> None:
        """Take in one more row of a block."""
        for reader, (first, end) in self._parts:
            reader.add(row[first:end])

    def tables(self) -> list[Table]:
        """Return the tables."""
        if not self._parts:
            self._begin([(0, None)], 0, is_table=False)
        self._give_lines()
        several = len(self._readers) > 1
        for place, reader in self._readers:
            reader.name = f"{self._name}!{place}" if several else self._name
        found = (reader.table() for _, reader in self._readers)
        return [table for table in found if table is not None]

    def _begin(self, spans: list[Span], at: int, *, is_table: bool = True) -> None:
        self._parts = [(RowReader("", self._options), span) for span in spans]
        self._is_table = is_table
        for reader, (first, _) in self._parts:
            self._readers.append((f"{_letters(self._column + first)}{at + 1}", reader))

    def _give_lines(self) -> None:
        """Add the lines to the first of the present tables."""
        for row in self._lines:
            self._parts[0][0].add(row)
        self._lines = []


def _spans(block: list[Row]) -> list[Span]:
    """Return the columns of the tables that begin with a block; [] if it begins none."""
    width = max(map(filled_length, block))
    blank = [all(_is_empty(row, at) for row in block) for at in range(width)]
    spans: list[Span] = []
    for is_blank, columns in groupby(range(width), key=blank.__getitem__):
        if not is_blank:
            first, *others = columns
            spans.append((first, (others or [first])[-1] + 1))
    if len(spans) > 1 and all(_is_table(block, span, apart=True) for span in spans):
        return [*spans[:-1], (spans[-1][0], None)]
    return [(0, None)] if _is_table(block, (0, None)) else []


def _is_table(block: list[Row], span: Span, *, apart: bool = False) -> bool:
    """Return whether columns have a header above figures.

    Args:
        block: Rows.
        span: The columns.
        apart: They stand beside others: their first column must name the rows, since columns of
            one table may stand apart too.
    """
    rows = [row[span[0] : span[1]] for row in block]
    heading = heading_of(rows)
    data = rows[heading.height :]
    if sum(map(bool, heading.names)) < LEAST_NAMES or len(data) < LEAST_ROWS:
        return False
    if apart and any(classify(row[0]) == NUMBER for row in data if row):
        return False
    return any(classify(cell) == NUMBER for row in data for cell in row)


def _is_line(row: Row) -> bool:
    return sum(classify(cell) != EMPTY for cell in row) == 1


def _is_empty(row: Row, at: int) -> bool:
    return at >= len(row) or row[at] is None or row[at] == ""


def _letters(column: int) -> str:
    """Return the name of a column.

    >>> _letters(0), _letters(25), _letters(26), _letters(701), _letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    name = ""
    while column >= 0:
        name = chr(65 + column % 26) + name
        column = column // 26 - 1
    return name
