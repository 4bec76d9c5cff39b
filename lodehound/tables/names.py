"""Gives every table of every find a name that can be used in SQL without quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry

FINDS, TABLES = "finds", "tables"
LONGEST = 60
# What SQLite, DuckDB or PostgreSQL do not take for the name of a table.
RESERVED = frozenset(
    "all alter analyse analyze and anti any array as asc asof asymmetric begin between both by case"
    " cast check collate column commit constraint create cross current_date current_time"
    " current_timestamp default deferrable delete desc describe distinct do drop else end escape"
    " except exists false fetch for foreign from full glob grant group having if ilike in index"
    " initially inner insert intersect into is isnull join lambda lateral leading left like limit"
    " natural not notnull null offset on only or order outer pivot pivot_longer pivot_wider placing"
    " positional primary qualify references returning right rollback select semi set show similar"
    " some summarize symmetric table tablesample then to trailing transaction true union unique"
    " unpivot update using values variadic verbose when where window with".split()
)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a find.

    Attributes:
        name: Its name in SQL, different from all others.
        entry: The find.
        number: Its place among the tables of the file, from 0.
        sheet: The sheet, the member of an archive, or the path in the file; "" if there is one.
        title: The lines above it, or the title of the find.
        rows: How many it has.
        columns: How many it has.
    """

    name: str
    entry: CatalogueEntry
    number: int
    sheet: str
    title: str
    rows: int
    columns: int


def named_tables(catalogue: Catalogue) -> Iterator[NamedTable]:
    """Yield the tables of the files in a catalogue, those of a file together."""
    taken = {FINDS: 1, TABLES: 1}
    seen = set()
    for entry in catalogue.entries():
        file = entry.find.file
        if not file or file in seen:
            continue
        seen.add(file)
        known = entry.inspection.get("tables")
        tables = [one for one in known if isinstance(one, dict)] if isinstance(known, list) else []
        for number, table in enumerate(tables):
            sheet = str(table.get("name") or "")
            texts = table.get("titles")
            lines = [str(text) for text in texts] if isinstance(texts, list) else []
            several = sheet if len(tables) > 1 else ""
            name = _unique(entry.title or entry.name, several, taken)
            rows, columns = _count(table.get("rows")), _count(table.get("columns"))
            title = lines[0] if lines else entry.title
            yield NamedTable(name, entry, number, sheet, title, rows, columns)


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _unique(title: str, sheet: str, taken: dict[str, int]) -> str:
    """Return a name that is not taken, and take it: `taken` has the last number of each name."""
    name = unique = sql_name(title, sheet)
    while unique in taken:
        taken[name] += 1
        ending = f"_{taken[name]}"
        unique = name[: LONGEST - len(ending)].rstrip("_") + ending
    taken[unique] = 1
    return unique


def sql_name(title: str, sheet: str = "") -> str:
    r"""Return a name for a table.

    >>> sql_name("Chômage, par région (2019)"), sql_name("2019"), sql_name("Order")
    ('chomage_par_region_2019', 't_2019', 'order_table')
    >>> sql_name("Labour market", "Sheet 1!A5"), sql_name("\u0426\u0435\u043d\u044b")
    ('labour_market_sheet_1_a5', 'table_of_find')
    """
    end = _plain(sheet)[: LONGEST // 2].strip("_")
    begin = _plain(title)[: LONGEST - len(end) - 1].strip("_")
    name = "_".join(filter(None, (begin, end))) or "table_of_find"
    if not name[0].isalpha():
        name = f"t_{name}"[:LONGEST]
    return f"{name}_table" if name in RESERVED else name


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text[:500]).casefold()
    ascii_only = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", ascii_only).strip("_")
