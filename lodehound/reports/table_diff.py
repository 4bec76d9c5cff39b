"""Compares versions of a table: rows and columns added or removed.

The rows of CSV files are compared. For other formats, only the numbers of rows are known, from the
inspections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lodehound.inspect.limits import Options
from lodehound.inspect.source import Source
from lodehound.inspect.tables_csv import CsvTable, open_csv
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry

MOST_BYTES = 32 << 20  # size of a file whose rows are compared
MOST_READ = 512 << 20  # total size of these files
KINDS = {"csv", "tsv"}  # whose rows are compared
NAMED = 5  # column names in a text


@dataclass(frozen=True, slots=True)
class TableChange:
    """Changes of the largest table of a file.

    Attributes:
        rows_added: Number of rows that are new; a modified row counts as added and removed.
        rows_removed: Number of rows that are missing.
        columns_added: Names of the columns that are new.
        columns_removed: Names of the columns that are missing.
        compared: Whether the rows were compared; otherwise only their numbers were.
    """

    rows_added: int
    rows_removed: int
    columns_added: tuple[str, ...]
    columns_removed: tuple[str, ...]
    compared: bool

    def __str__(self) -> str:
        """Describe the changes."""
        said = [
            _counted("row", self.rows_added, "added"),
            _counted("row", self.rows_removed, "removed"),
            _named(self.columns_added, "added"),
            _named(self.columns_removed, "removed"),
        ]
        return ", ".join(filter(None, said))


class TableComparer:
    """Compares tables of two crawls, up to a total size.

    Args:
        first: The earlier crawl.
        second: The later one.
    """

    def __init__(self, first: Catalogue, second: Catalogue) -> None:
        self._first, self._second = first, second
        self._left = MOST_READ

    def compare(self, old: CatalogueEntry, new: CatalogueEntry) -> TableChange | None:
        """Return how a table changed, or None if one of the files contains no table."""
        if not (_is_table(old) and _is_table(new)):
            return None
        columns = _columns(old), _columns(new)
        added, removed = _minus(columns[1], columns[0]), _minus(columns[0], columns[1])
        rows = self._rows(old, new)
        if rows is None:
            more = new.rows - old.rows
            return TableChange(max(more, 0), max(-more, 0), added, removed, compared=False)
        return TableChange(*rows, added, removed, compared=True)

    def _rows(self, old: CatalogueEntry, new: CatalogueEntry) -> tuple[int, int] | None:
        """Count the rows that only one of two CSV files has, or None if they are not read."""
        paths = self._first.path_of(old.find), self._second.path_of(new.find)
        sizes = old.find.bytes, new.find.bytes
        if {old.kind, new.kind} - KINDS or max(sizes) > MOST_BYTES or sum(sizes) > self._left:
            return None
        self._left -= sum(sizes)
        try:
            one, two = _opened(paths[0], old), _opened(paths[1], new)
            common = [name for name in one.header if name in two.header]
            before, after = _counts(one, common), _counts(two, common)
        except (OSError, LookupError):  # the file is missing, or its character set unknown
            return None
        return (after - before).total(), (before - after).total()


def _opened(path: Path | None, entry: CatalogueEntry) -> CsvTable:
    if path is None:
        raise FileNotFoundError(entry.find.file)
    charset, dialect = (str(entry.inspection.get(name) or "") for name in ("charset", "dialect"))
    return open_csv(Source(path, path.name), charset or "utf-8", dialect, Options())


def _counts(table: CsvTable, names: Sequence[str]) -> Counter[int]:
    """Count the rows of a table by hash, in these columns or, if there are none, in all."""
    places = [table.header.index(name) for name in names]
    if not places:
        return Counter(hash(tuple(row)) for row in table.rows)
    return Counter(
        hash(tuple(row[at] if at < len(row) else "" for at in places)) for row in table.rows
    )


def _is_table(entry: CatalogueEntry) -> bool:
    return entry.content in {"tables", "no-rows", "empty"} and entry.seen is not None


def _columns(entry: CatalogueEntry) -> tuple[str, ...]:
    """Return the column names, or numbered names if there is no header."""
    count = entry.seen.columns if entry.seen else 0
    return entry.header or tuple(f"column {at + 1}" for at in range(min(count, 1000)))


def _minus(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple((Counter(names) - Counter(others)).elements())


def _counted(what: str, count: int, how: str) -> str:
    return f"{count:,} {what}{'s' if count > 1 else ''} {how}" if count else ""


def _named(names: tuple[str, ...], how: str) -> str:
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    shown = ", ".join(repr(name) for name in names[:NAMED])
    return f"column{'s' if len(names) > 1 else ''} {how}: {shown}{more}"
