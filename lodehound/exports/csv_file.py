"""CSV according to RFC 4180, in UTF-8, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from lodehound.exports.columns import COLUMNS, NAMES
from lodehound.exports.listed import COLUMNS as LISTED_COLUMNS
from lodehound.exports.listed import table_rows
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.texts import whole_text

# Texts that a spreadsheet may read as a formula: the signs (also their full-width forms), possibly
# after white space and invisible characters, and the line breaks that start a new cell (OWASP,
# "CSV Injection").
FORMULA = re.compile(
    "[\\s\\x00-\\x1f\u00ad\u200b-\u200f\u2060\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\\t\\r\\n]"
)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # what a terminal obeys
NUMBERS = (int, float)
LIST = " | "  # between column names


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write a row of column names and one row per find, or per file that an API lists."""
    if source.only_catalogues:
        write_rows(out, LISTED_COLUMNS, table_rows(source, notes))
    else:
        _write(out, NAMES, _finds(source, notes))


def _finds(source: Catalogue, notes: Notes) -> Iterator[list[str | int | float]]:
    for entry in source.entries():
        yield cells(entry)
        notes.written += 1


def write_rows(out: BinaryIO, names: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a row of column names and rows of any values."""
    _write(out, names, (list(map(_cell, row)) for row in rows))


def _write(
    out: BinaryIO, names: Sequence[str], rows: Iterable[Sequence[str | int | float]]
) -> None:
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=False)
    # Texts are always quoted, so that a program that splits at semicolons cannot find a cell that
    # starts inside one of ours.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    try:
        writer.writerow(names)
        writer.writerows(rows)
    finally:
        text.detach()  # after a flush; otherwise it would close the output


def cells(entry: CatalogueEntry) -> list[str | int | float]:
    return [_cell(column.value(entry)) for column in COLUMNS]


def _cell(value: Any) -> str | int | float:
    if isinstance(value, str):
        return safe(value)
    if value is None:
        return ""
    if isinstance(value, NUMBERS):
        return +value  # turns True into 1
    if isinstance(value, list):
        return safe(LIST.join(map(str, value)))
    return safe(whole_text(json.dumps(value, ensure_ascii=False)))


def safe(text: str) -> str:
    r"""Return a text that no spreadsheet executes, no terminal obeys and every reader accepts.

    >>> safe("=1+1"), safe(" \t@sum(a1)"), safe("1-2"), safe("a\x00b\x1b[2J")
    ("'=1+1", "' \t@sum(a1)", '1-2', 'a�b�[2J')
    """
    mark = "'" if FORMULA.match(text) else ""
    return mark + CONTROL.sub("\ufffd", text)
