"""Reads the first lines of files that were not inspected, or in which no table was found."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from lodehound.inspect import FileLimits, Options
from lodehound.inspect.files import inspect_source
from lodehound.inspect.kinds import is_binary, kind_of
from lodehound.inspect.source import Source

SIZE = 4096  # bytes that are read
LINES = 20  # of a table
TEXTS = frozenset({"json", "xml", "html"})
LIMITS = FileLimits(sample_rows=100, sample_columns=100, tables=1, preview_chars=SIZE)
MARKUP = re.compile(r"<[^<>]*>|\\u003c.*?\\u003e")


def beginning_of(path: Path, mime: str) -> dict[str, Any]:
    """Return what an inspection finds in the first lines of a text file; {} if there is nothing.

    Its column names and values are those of the file, its numbers of rows are not. What is no
    table is told as "opening", without markup.
    """
    try:
        with path.open("rb") as file:
            head = file.read(SIZE)
    except OSError:
        return {}
    if not head or is_binary(head):
        return {}
    source = Source(head, path.name, mime.lower())
    kind = kind_of(source)
    if kind == "csv":  # the last line may be cut
        lines = head.splitlines(keepends=True)
        source = replace(source, place=b"".join(lines[: min(LINES, max(len(lines) - 1, 1))]))
    elif kind not in TEXTS:
        return {}
    seen = inspect_source(source, Options(limits=LIMITS))
    if seen.tables:
        return {"tables": json.loads(seen.to_json()).get("tables")}
    return {"opening": MARKUP.sub(" ", seen.opening)}
