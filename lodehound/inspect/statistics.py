"""Whether a table looks like statistics: one rule, explained in docs/inspection.md.

The SB paper (Section 1) distinguishes statistics from other tables on the web: an entity table
has one row per entity and describes its attributes; a statistics table is mostly numeric and
aggregated along dimensions, of which time is the most common. Its authors judged by hand
(Table 7); this rule uses what can be computed in any language.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lodehound.inspect.cells import EMPTY, LONGEST, NUMBER, PERIOD, TEXT, YEAR, Cell, classify

# Names of columns that contain parts of a date as numbers.
TIMES = frozenset("year month day week hour quarter".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsRule:
    """The rule for tables that look like statistics.

    Attributes:
        rows: Minimum number of rows of data.
        measures: Minimum number of measures (columns of numbers). Years, dates, running numbers
            and columns named as in `not_measures` do not count.
        figures: Minimum number of numbers in the measures: three rows of settings have fewer.
        different: Minimum number of different values in a measure: 0 and 1 mean yes and no.
        column_share: Minimum share of numbers among the cells of a measure.
        table_share: Minimum share of measures among the cells of measures and text columns...
        time: ...unless time is a dimension: a column of periods, or periods as column names...
        repeated: ...or all text columns are dimensions: the share of different texts in each is
            at most this. Statistics in long form have one column of numbers and many text
            columns with repeated values; entities have names.
        not_measures: Column names whose numbers are not measures, or the first or last words
            of such names.
    """

    rows: int = 3
    measures: int = 1
    figures: int = 6
    different: int = 3
    column_share: float = 0.7
    table_share: float = 0.4
    time: bool = True
    repeated: float = 0.5
    not_measures: frozenset[str] = frozenset(
        "id ids code codes uuid fid gid oid objectid rownames zip postcode plz phone tel fax lat"
        " latitude lon lng longitude isbn issn doi siren siret insee nuts fips".split()
    )

    def looks_like_statistics(
        self, header: Sequence[str], sample: Sequence[Sequence[Cell]], rows: int
    ) -> bool:
        """Return whether a table looks like statistics, by its header and first rows.

        >>> rows = [["a", 1, 2.5], ["b", 2, 3.5], ["c", 4, 1.5]]
        >>> StatisticsRule().looks_like_statistics(["", "2019", "2020"], rows, 3)
        True
        >>> StatisticsRule().looks_like_statistics(["name", "town"], [["Ann", "Rome"]] * 9, 9)
        False
        """
        width = max((len(row) for row in sample), default=0)
        if rows < self.rows or width < 2:
            return False
        names = [*header, *[""] * width]
        columns = [
            _Column(names[index], [row[index] for row in sample if index < len(row)])
            for index in range(width)
        ]
        measures = [column for column in columns if self._is_measure(column)]
        figures = sum(column.figures for column in measures)
        if not measures or len(measures) < self.measures or figures < self.figures:
            return False
        texts = [column for column in columns if column.is_text]
        return (
            figures >= self.table_share * (figures + sum(column.filled for column in texts))
            or (self.time and _has_time(header, columns))
            or all(column.different <= self.repeated * column.filled for column in texts)
        )

    def _is_measure(self, column: _Column) -> bool:
        name = column.name.strip().lower()
        words = re.split(r"[\W_]+", name)
        return (
            column.figures > 0
            and column.figures >= self.column_share * column.filled
            and column.different >= self.different
            and not column.is_time
            and name not in TIMES
            and not {words[0], words[-1]} & self.not_measures
            and not column.is_running
        )


def _has_time(header: Sequence[str], columns: Sequence[_Column]) -> bool:
    named = sum(classify(name) in {YEAR, PERIOD} for name in header)
    return named >= 2 or any(column.is_time for column in columns)


class _Column:
    """The cells of one column, counted by type."""

    def __init__(self, name: str, cells: Sequence[Cell]) -> None:
        self.name = name
        self._cells = cells
        self._counts = Counter(map(classify, cells))
        self.filled = len(cells) - self._counts[EMPTY]
        self.figures = self._counts[NUMBER] + self._counts[YEAR]

    @property
    def is_text(self) -> bool:
        """Return whether most cells are words."""
        return self._counts[TEXT] * 2 > self.filled

    @property
    def different(self) -> int:
        """Return the number of different non-empty cells."""
        return len({cell for cell in self._cells if cell is not None and cell != ""})

    @property
    def is_time(self) -> bool:
        """Return whether nearly all cells are years or periods."""
        times = self._counts[YEAR] + self._counts[PERIOD]
        return times > 0 and times >= 0.8 * self.filled

    @property
    def is_running(self) -> bool:
        """Return whether it numbers the rows: 1, 2, 3..."""
        numbers = [whole for cell in self._cells if (whole := _whole(cell)) is not None]
        if len(numbers) < 3 or len(numbers) < 0.7 * self.filled:
            return False
        steps = sum(after - before == 1 for before, after in pairwise(numbers))
        return steps >= 0.9 * (len(numbers) - 1)  # a row or two may be missing


def _whole(cell: Cell) -> int | None:
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return int(cell) if math.isfinite(cell) and cell == int(cell) else None
    if isinstance(cell, str) and len(cell) <= LONGEST and cell.strip().isascii():
        text = cell.strip()
        return int(text) if text.isdigit() else None
    return None
