"""N-Quads: the statements of pages and the triples of RDF documents, one graph for each.

The statements of pages are in the catalogue; RDF documents are read again from the stored
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from lodehound.core.errors import ConfigError
from lodehound.exports.notes import Notes
from lodehound.exports.rdf_documents import find_lines
from lodehound.read.markup.quad_lines import nquads
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.texts import json_of


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the statements of every find; finds without statements are left out."""
    need_statements(source, "nquads")
    out.write(b"# Statements by page: subject, predicate, object, page\n")
    for entry in source.entries():
        find, statements = entry.find, statements_of(entry)
        if statements:
            lines = nquads(statements, page=find.final_url, fetched_at=find.fetched_at)
            _write(lines, out, notes)
            notes.written += 1
        elif is_rdf(entry):
            body = _body(source, find)
            notes.missing += body is None
            if body is not None:
                _write(find_lines(find, body, load=notes.contexts), out, notes)
                notes.written += 1


def need_statements(source: Catalogue, form: str) -> None:
    """Check that there is something to write.

    Raises:
        ConfigError: The crawl has finds, but none of them is RDF or has statements.
    """
    entry = None
    for entry in source.entries():
        if is_rdf(entry) or statements_of(entry):
            return
    if entry is not None:
        wanted = str(source.config.get("want") or "files")
        raise ConfigError(
            f"No find of this crawl contains RDF (it looked for {wanted!r}): --to {form} is for "
            f"--want rdf and --want markup; csv, jsonl, parquet and dcat work with any finds."
        )


def is_rdf(entry: CatalogueEntry) -> bool:
    """Return whether a find was counted as RDF."""
    return '"triples":' in entry.find.details


def _body(source: Catalogue, find: FindRow) -> bytes | None:
    path = source.path_of(find)
    try:
        return None if path is None else path.read_bytes()
    except FileNotFoundError:  # deleted since the line before
        return None


def _write(lines: Iterable[str], out: BinaryIO, notes: Notes) -> None:
    """Write lines; count the empty ones of statements that cannot be written."""
    for line in lines:
        if line:
            out.write(line.encode() + b"\n")
        else:
            notes.left_out += 1


def statements_of(entry: CatalogueEntry) -> Sequence[Sequence[str]]:
    """Return the statements in the details of a find, or () if its target stored none."""
    details = json_of(entry.find.details)
    kept = details.get("statements") if isinstance(details, dict) else None
    rows = kept if isinstance(kept, list) else []
    return [row for row in rows if isinstance(row, list) and len(row) >= 5 and _is_text(row)]


def _is_text(row: list[object]) -> bool:
    return all(isinstance(part, str) for part in row)
