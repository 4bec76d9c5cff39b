"""What was found in a file: frozen values, and the way to JSON and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

MAX_NAME = 120  # characters of a name that came out of a file

TOO_LONG = "took too long"
CRASHED = "crashed"
OUT_OF_MEMORY = "out of memory"
ENCRYPTED = "encrypted"
NEEDS = "needs pip install 'lodehound[inspect]'"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file.

    Attributes:
        name: The sheet, the member of an archive, the path in a JSON or XML file, the page.
        rows: Rows of data: below the header, empty ones left out.
        columns: Columns that hold anything.
        header: The names of the first columns; empty where there is no header.
        statistics: Whether it looks like statistics, by the rule of `statistics.py`.
    """

    name: str
    rows: int
    columns: int
    header: tuple[str, ...] = ()
    statistics: bool = False


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is in one file.

    Attributes:
        kind: What the file is by its content: csv, xlsx, sdmx, zip, pdf, text, unknown...
        tables: The first tables; `table_count` says how many there are.
        table_count: All tables that were found.
        rows: Rows of the largest table (the one with the most rows).
        columns: Columns of that same table.
        pages: Pages of a PDF.
        text: Whether a PDF has text (False: scanned); None for other kinds.
        charset: Of a text file.
        dialect: The separator of a CSV file: "comma", "semicolon", "tab" or "bar".
        members: The names of the first files in an archive; `member_count` says how many.
        member_count: All files in an archive.
        statistics: Whether any table looks like statistics.
        statistic_tables: How many do.
        note: What the reader of these figures must know: what was left out, and why.
        error: Why the file could not be read; empty if it could.
    """

    kind: str
    tables: tuple[Table, ...] = ()
    table_count: int = 0
    rows: int = 0
    columns: int = 0
    pages: int = 0
    text: bool | None = None
    charset: str = ""
    dialect: str = ""
    members: tuple[str, ...] = ()
    member_count: int = 0
    statistics: bool = False
    statistic_tables: int = 0
    note: str = ""
    error: str = ""

    def with_tables(self, tables: Iterable[Table], *, kept: int, count: int = 0) -> Self:
        """Return the same with the figures of these tables.

        Args:
            tables: All that were read.
            kept: How many of them to keep.
            count: How many there are, where that is more than were read.
        """
        found = list(tables)
        largest = max(found, key=lambda table: table.rows, default=Table("", 0, 0))
        statistic = sum(table.statistics for table in found)
        return replace(
            self,
            tables=tuple(found[:kept]),
            table_count=max(len(found), count),
            rows=largest.rows,
            columns=largest.columns,
            statistics=statistic > 0,
            statistic_tables=statistic,
        )

    def to_json(self) -> str:
        """Return it as one line of ASCII.

        >>> Inspection.from_json(Inspection("csv", (Table("", 2, 3),)).to_json()).tables[0].rows
        2
        """
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return what `to_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        fields["members"] = tuple(fields["members"])
        fields["tables"] = tuple(
            Table(**{**table, "header": tuple(table["header"])}) for table in fields["tables"]
        )
        return cls(**fields)


def clean(text: object) -> str:
    r"""Return a name out of a file as one short line that any terminal or database can take.

    >>> clean("  Gross\n\x00 product\x1b[31m ")
    'Gross product [31m'
    """
    shown = "".join(letter if letter.isprintable() else " " for letter in str(text)[: 4 * MAX_NAME])
    line = " ".join(shown.split())
    return line if len(line) <= MAX_NAME else line[: MAX_NAME - 1] + "…"


def notes(*parts: str) -> str:
    """Return the parts that say something, each once, as one sentence list."""
    return "; ".join(dict.fromkeys(part for part in parts if part))
