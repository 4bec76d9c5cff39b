"""Reads the first lines of files that were not inspected, or in which no table was found."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from lodehound.inspect import Options
from lodehound.inspect.files import inspect_source
from lodehound.inspect.kinds import is_binary, kind_of
from lodehound.inspect.source import Source
from lodehound.inspect.tables_csv import charset_of

SIZE = 4096  # bytes that are read
LINES = 10  # of a table
TEXTS = frozenset({"csv", "json", "xml", "html"})  # prose counts as csv
MARKUP = re.compile(r"<[^<>]*>|\\u003c.*?\\u003e")


def beginning_of(path: Path, mime: str) -> dict[str, Any]:
    """Return what an inspection finds in the first lines of a text file; {} if there is nothing.

    Its column names and values are those of the file, its numbers of rows are not. What is no
    table is told as "opening", without markup. Nothing but CSV is parsed: the file may be hostile.
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
    if kind == "csv" and (tables := _tables(source, head)):
        return {"tables": tables}
    if kind not in TEXTS:
        return {}
    charset, _ = charset_of(head)
    return {"opening": MARKUP.sub(" ", head.decode(charset, "replace"))}


def _tables(source: Source, head: bytes) -> list[dict[str, Any]]:
    lines = head.splitlines(keepends=True)
    whole = lines[: min(LINES, max(len(lines) - 1, 1))]  # the last one may be cut
    seen = inspect_source(replace(source, place=b"".join(whole)), Options())
    found: list[dict[str, Any]] = json.loads(seen.to_json()).get("tables", [])
    return found
