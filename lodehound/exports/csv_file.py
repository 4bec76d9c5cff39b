"""CSV by RFC 4180, in UTF-8, that a spreadsheet can open without running anything."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any, BinaryIO

from lodehound.exports.columns import COLUMNS, NAMES
from lodehound.exports.notes import Notes
from lodehound.stores.crawl_dir.catalogue import Catalogue, CatalogueEntry, whole_text

# What a spreadsheet may take for a formula: the signs themselves (their wide forms too), also
# behind white space and signs without a shape, and the breaks that begin a cell anew (OWASP, "CSV
# Injection").
FORMULA = re.compile(
    "[\\s\\x00-\\x1f\u00ad\u200b-\u200f\u2060\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\\t\\r\\n]"
)
NUMBERS = (int, float)
LIST = " | "  # between the names of columns


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the finds, one to a row, under a row of names."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=False)
    # Texts are always in quotes: a program that parts cells by semicolons finds no cell that
    # begins in the middle of ours.
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(NAMES)
    for entry in source.entries():
        writer.writerow(cells(entry))
        notes.written += 1
    text.flush()
    text.detach()


def cells(entry: CatalogueEntry) -> list[str | int | float]:
    return [_cell(column.value(entry)) for column in COLUMNS]


def _cell(value: Any) -> str | int | float:
    if isinstance(value, str):
        return safe(value)
    if value is None:
        return ""
    if isinstance(value, NUMBERS):
        return +value  # of True it makes 1
    if isinstance(value, list):
        return safe(LIST.join(map(str, value)))
    return safe(whole_text(json.dumps(value, ensure_ascii=False)))


def safe(text: str) -> str:
    r"""Return a text that no spreadsheet runs, and no reader stumbles over.

    >>> safe("=1+1"), safe(" \t@sum(a1)"), safe("1-2"), safe("a\x00b")
    ("'=1+1", "' \t@sum(a1)", '1-2', 'a�b')
    """
    mark = "'" if FORMULA.match(text) else ""
    return mark + text.replace("\x00", "\ufffd")
