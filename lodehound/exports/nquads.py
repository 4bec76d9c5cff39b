"""N-Quads: the statements of pages, each page a graph with the time it was fetched."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import BinaryIO

from lodehound.exports.notes import Notes
from lodehound.read.markup.nquads import nquads
from lodehound.stores.crawl_dir.catalogue import Catalogue, Entry


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the statements that the target kept of every find; finds without any are left out."""
    out.write(b"# Statements by page: subject, predicate, object, page\n")
    for entry in source.entries():
        statements = statements_of(entry)
        if not statements:
            continue
        find = entry.find
        lines = nquads(statements, page=find.final_url, fetched_at=find.fetched_at)
        out.writelines(line.encode() + b"\n" for line in lines)
        notes.written += 1


def statements_of(entry: Entry) -> Sequence[Sequence[str]]:
    """Return the statements in the details of a find; () when its target kept none."""
    try:
        details = json.loads(entry.find.details or "{}")
    except ValueError:
        return ()
    kept = details.get("statements") if isinstance(details, dict) else None
    rows = kept if isinstance(kept, list) else []
    return [row for row in rows if isinstance(row, list) and len(row) >= 5 and _is_text(row)]


def _is_text(row: list[object]) -> bool:
    return all(isinstance(part, str) for part in row)
