"""Reads the rows of the tables of finds: each file in another process and within limits."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Self

from lodehound.inspect.limits import MIB, FileLimits, Options
from lodehound.inspect.records import CRASHED, OUT_OF_MEMORY, TOO_LONG, Values
from lodehound.inspect.values import read_values
from lodehound.inspect.worker import Reader
from lodehound.tables.names import NamedTable

MOST_ROWS = 1_000_000  # of a table
MOST_COLUMNS = 1000
FEWER = 10  # times fewer rows, for a file that takes too long or too much memory
LIMITS = FileLimits(
    seconds=120.0, memory_bytes=2048 * MIB, value_bytes=1024 * MIB, sample_places=1,
    sample_columns=MOST_COLUMNS, names=MOST_COLUMNS,
)  # fmt: skip
GONE = "the file is no longer there"
NO_ROWS = "the rows of this format are not read"
COSTLY = frozenset({TOO_LONG, CRASHED, OUT_OF_MEMORY})

Put = Callable[[NamedTable, Values], int]


class RefusedTableError(Exception):
    """A table is not taken, for a reason."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a table.

    Attributes:
        table: The table.
        rows: How many rows were read; None if it could not be read.
        note: What was left out, and why; "" for a whole table.
    """

    table: NamedTable
    rows: int | None
    note: str = ""


class TableReader:
    """Reads whole tables; to be used as a context.

    Args:
        most_rows: Of a table: the first ones.
        seconds: For one file.
    """

    def __init__(self, most_rows: int = MOST_ROWS, seconds: float = LIMITS.seconds) -> None:
        self._limits = replace(LIMITS, seconds=seconds)
        self._most = most_rows
        self._stack = ExitStack()
        self._rows = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - it is
        self._reader = self._stack.enter_context(self._reader_of(most_rows))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def load(
        self, tables: Iterable[NamedTable], path_of: Callable[[NamedTable], Path | None], put: Put
    ) -> Iterator[Loaded]:
        """Read tables, hand the rows of each to `put`, and yield what became of it.

        Args:
            tables: The tables; those of one file follow one another.
            path_of: Says where the file of a table is.
            put: Takes a table with its values, and returns the number of rows.
        """
        for _, group in groupby(tables, key=lambda table: table.entry.find.file):
            of_file = list(group)
            path = path_of(of_file[0])
            if path is None:
                yield from (Loaded(table, None, GONE) for table in of_file)
            else:
                yield from self._load_file(path, of_file, put)

    def _load_file(self, path: Path, tables: Sequence[NamedTable], put: Put) -> Iterator[Loaded]:
        mime = tables[0].entry.find.mime
        found = self._reader.inspect(path, mime)
        if found.error in COSTLY and self._most > FEWER:
            with self._reader_of(self._most // FEWER) as reader:
                found = reader.inspect(path, mime)
        wanted = {(table.sheet, table.number): table for table in tables}
        for number, values in read_values(self._rows):
            read = found.tables[number] if number < len(found.tables) else None
            table = wanted.pop((read.name, number), None) if read else None
            if read is None or table is None:
                continue
            try:
                rows = put(table, values)
            except RefusedTableError as error:
                yield Loaded(table, None, str(error))
                continue
            yield Loaded(table, rows, _note(rows, read.rows, read.columns, values))
        for table in wanted.values():
            yield Loaded(table, None, found.error or NO_ROWS)

    def _reader_of(self, most: int) -> Reader:
        limits = replace(self._limits, sample_rows=most, value_rows=most)
        return Reader(Options(limits=limits), self._rows)


def _note(rows: int, all_rows: int, all_columns: int, values: Values) -> str:
    notes = []
    if rows < all_rows:
        notes.append(f"only the first {rows:,} of {all_rows:,} rows")
    if len(values.names) < all_columns:
        notes.append(f"only the first {len(values.names):,} of {all_columns:,} columns")
    if values.unfit:
        cells = "cell is" if values.unfit == 1 else "cells are"
        notes.append(f"{values.unfit:,} {cells} empty here: no number, date or truth value")
    return "; ".join(notes)
