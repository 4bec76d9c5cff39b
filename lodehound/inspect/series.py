"""Which tables are editions of one another: yearly files, source and headline data.

Two tables have the same key if they have the same columns and the same title, once years and dates
are taken out of both. The title is the lines above the header or the title in the file; without
one, it is the name of the file. Other numbers stay: 1-2-1.csv and 1-3-1.csv are different tables.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import PurePosixPath

from lodehound.inspect.records import Inspection, Table
from lodehound.inspect.titles import document_title

LEAST_LETTERS = 3  # of a title
LEAST_COLUMNS = 3  # with names, for tables that have no title and no name
# Words of titles and file names that tell editions of one table apart.
EDITIONS = frozenset(
    """source headline data dataset final draft provisional revised rev new old copy latest update
    updated version ver download export table file""".split()
)
_YEAR = r"(?:1[89]|20)\d\d"
# 2019-20, 2019Q1, 2019M01, 2019-01-31, 20190131, 31.01.2019, FY2019, v2, and a plain year.
_EDITION = re.compile(
    rf"""(?<!\d)(?:
        {_YEAR}[-_/ ]?(?:q[1-4]|m\d\d|h[12]|w\d\d)
        |(?:q[1-4]|h[12])[-_/ ]?{_YEAR}
        |{_YEAR}(?:[-_./]?\d\d[-_./]?\d\d|[-_./]{_YEAR}|[-_./]\d\d)?
        |\d\d?[-_./]\d\d?[-_./]{_YEAR}
    )(?!\d)|(?<![^\W_])v\d+(?![^\W_])""",
    re.VERBOSE,
)
_WORD = re.compile(r"[^\W_]+")


def with_series(found: Inspection, name: str) -> Inspection:
    """Return an inspection in which every table has the key of its series.

    Args:
        found: The inspection of a file.
        name: The name of the file.
    """
    tables = (
        table if table.series else replace(table, series=series_of(table, name, found.title))
        for table in found.tables
    )
    return replace(found, tables=tuple(tables))


def series_of(table: Table, file: str, title: str = "") -> str:
    """Return the key of the series of a table; "" if nothing tells it from others.

    >>> header = ("Region", "2019", "2020")
    >>> one = series_of(Table("", 9, 3, header), "births-2020.csv")
    >>> one == series_of(Table("", 8, 3, ("Region", "2020", "2021")), "births_2021_final.csv")
    True
    >>> one == series_of(Table("", 9, 3, header), "deaths-2020.csv")
    False
    """
    columns = [words for column in table.header if (words := _words(column))]
    if not columns:
        return ""
    stem = PurePosixPath(file.replace("\\", "/")).name.partition(".")[0]
    known = _telling(" ".join(table.titles) or document_title(title))
    if sum(map(str.isalpha, "".join(known))) < LEAST_LETTERS:  # Table 1
        known = _telling(stem)
    if not known and len(columns) < LEAST_COLUMNS:
        return ""
    key = json.dumps([known, _words(table.name), sorted(columns)])
    return hashlib.blake2s(key.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _telling(text: str) -> list[str]:
    return [word for word in _words(text) if word not in EDITIONS]


def _words(text: str) -> list[str]:
    """Return the words of a text without years and dates."""
    return _WORD.findall(_EDITION.sub(" ", text.casefold()))
