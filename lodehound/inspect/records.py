"""The result of an inspection as frozen values, and its conversion to and from JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

MAX_NAME = 120  # characters of a name from a file
PREVIEW = ("first", "opening")  # not stored unless a preview was wanted
PROFILE = 1  # what is known of tables; an inspection of an earlier version knows less
LISTS = ("header", "titles", "years")  # tuples, and lists in JSON
PROFILE_CHARS = 60_000  # of what is stored of the columns of all tables of a file
COLUMN_CHARS = 60  # of the names of the fields of one column

TOO_LONG = "took too long"
CRASHED = "crashed"
OUT_OF_MEMORY = "out of memory"
SKIPPED = "skipped, files of this type and host take too long"
ENCRYPTED = "encrypted"
NEEDS = "needs pip install 'lodehound[inspect]'"
NOT_READ = "tables in this format are not read"


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What the rows that were examined say of one column.

    Attributes:
        name: Its name; "" without a header.
        kind: What most of its cells are: integer, number, year, period, date, boolean, text, empty.
        filled: Number of cells that are not empty.
        least: The smallest number, the first date, or the first text in the order of the alphabet.
        most: The largest or last.
        unit: Of numbers: %, km2, EUR million...
        label: What it is called in words, if the file says so beside its name.
        values: Of texts: all that occur or, of many, those that occur most often.
    """

    name: str
    kind: str
    filled: int
    least: str = ""
    most: str = ""
    unit: str = ""
    label: str = ""
    values: tuple[str, ...] = ()

    @property
    def chars(self) -> int:
        """Return about how long it is when it is stored."""
        texts = (self.name, self.least, self.most, self.unit, self.label, *self.values)
        return COLUMN_CHARS + sum(len(text) + 3 for text in texts)


@dataclass(frozen=True, slots=True)
class Values:
    """Rows of a table as plain values of JSON.

    Attributes:
        names: Of the columns, all different.
        kinds: Of the columns: integer, number, date, time, boolean or text.
        rows: A value or None for each column.
        unfit: Number of cells that are None because they do not fit the kind of their column.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: Iterable[Sequence[Any]]
    unfit: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file.

    Attributes:
        name: The sheet, the member of an archive, the path in a JSON or XML file, or the page.
        rows: Rows of data: the non-empty rows below the header.
        columns: Columns that are not empty.
        header: The names of the first columns; empty if there is no header.
        statistics: Whether it looks like statistics, by the rule of `statistics.py`.
        first: The first rows, if a preview is wanted.
        facts: What its rows say of each column; () if the tables before it took all the room.
        titles: The lines above its header, or its title in the file.
        years: The first and the last year that it covers; () if that is not known.
        series: Tables with the same key are editions of one another: see `series.py`.
        values: The first rows, if they are wanted as values; not part of the JSON.
    """

    name: str
    rows: int
    columns: int
    header: tuple[str, ...] = ()
    statistics: bool = False
    first: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    facts: tuple[ColumnFacts, ...] = field(default=(), repr=False)
    titles: tuple[str, ...] = field(default=(), repr=False)
    years: tuple[int, ...] = field(default=(), repr=False)
    series: str = field(default="", repr=False)
    values: Values | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Inspection:
    """The contents of one file.

    Attributes:
        kind: The format by the content: csv, xlsx, sdmx, zip, pdf, text, unknown...
        tables: The first tables; `table_count` is the total number.
        table_count: Number of tables found that have rows.
        rows: Rows of the largest table (the one with the most rows).
        columns: Columns of the same table.
        pages: Pages of a PDF.
        text: Whether a PDF has text (False: scanned); None for other formats.
        charset: Character set of a text file.
        dialect: The separator of a CSV file: "comma", "semicolon", "tab" or "bar".
        members: The names of the first files in an archive; `member_count` is the total number.
        member_count: Number of files in an archive.
        statistics: Whether any table looks like statistics.
        statistic_tables: Number of tables that look like statistics.
        note: What was left out, and why.
        error: Why the file could not be read, or not completely; "" if it could.
        title: The title in the file's own metadata.
        opening: The text at the beginning, if a preview is wanted.
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
    title: str = ""
    opening: str = ""

    def with_tables(self, tables: Iterable[Table], *, kept: int, count: int = 0) -> Self:
        """Return a copy with these tables and their counts.

        Args:
            tables: All tables that were read.
            kept: How many of them to store.
            count: The total number of tables with rows, if it is larger than the number read.
        """
        found = list(tables)
        largest = max(found, key=lambda table: table.rows, default=Table("", 0, 0))
        statistic = sum(table.statistics for table in found)
        return replace(
            self,
            tables=tuple(_bounded(found[:kept])),
            table_count=max(sum(table.rows > 0 for table in found), count),
            rows=largest.rows,
            columns=largest.columns,
            statistics=statistic > 0,
            statistic_tables=statistic,
        )

    def to_json(self) -> str:
        """Return the inspection as one line of ASCII.

        >>> Inspection.from_json(Inspection("csv", (Table("", 2, 3),)).to_json()).tables[0].rows
        2
        """
        fields = {**asdict(self.without_values()), "profile": PROFILE}
        for part in (fields, *fields["tables"]):
            for name in PREVIEW:
                if not part.get(name, True):
                    del part[name]
        for table in fields["tables"]:
            del table["values"]
            table["facts"] = [_filled(column) for column in table["facts"]]
        return json.dumps(fields, separators=(",", ":"))

    def without_values(self) -> Self:
        return replace(self, tables=tuple(replace(table, values=None) for table in self.tables))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the inspection that `to_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        fields.pop("profile", None)
        fields["members"] = tuple(fields["members"])
        fields["tables"] = tuple(map(_table, fields["tables"]))
        return cls(**fields)


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value or name in {"name", "filled"}}


def _table(fields: dict[str, Any]) -> Table:
    first = tuple(tuple(row) for row in fields.pop("first", ()))
    facts = tuple(
        ColumnFacts(**{**column, "values": tuple(column.get("values", ()))})
        for column in fields.pop("facts", ())
    )
    lists: dict[str, Any] = {name: tuple(fields.pop(name, ())) for name in LISTS}
    return Table(**fields, **lists, first=first, facts=facts)


def _bounded(tables: Iterable[Table]) -> Iterator[Table]:
    """Leave out what is known of columns when there is more of it than can be stored."""
    left = PROFILE_CHARS
    for table in tables:
        left -= sum(column.chars for column in table.facts)
        # A preview has few tables, and shows their columns.
        yield table if left >= 0 or table.first or table.values else replace(table, facts=())


def clean(text: object, most: int = MAX_NAME) -> str:
    r"""Return a name from a file as one short line that is safe for terminals and databases.

    >>> clean("  Gross\n\x00 product\x1b[31m ")
    'Gross product [31m'
    """
    shown = "".join(letter if letter.isprintable() else " " for letter in str(text)[: 4 * most])
    line = " ".join(shown.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def too_large(limit: int) -> str:
    """Return why a file of more bytes than this was not opened."""
    return f"larger than {limit:,} bytes, not opened"


def notes(*parts: str) -> str:
    """Join the distinct non-empty parts into one text."""
    return "; ".join(dict.fromkeys(part for part in parts if part))
