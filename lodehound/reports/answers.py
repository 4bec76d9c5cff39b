"""The answers of a search, and one find, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.inspect import Inspection
from lodehound.inspect.records import Table
from lodehound.reports.citation import citation_of
from lodehound.search.engine import Found
from lodehound.search.fields import years_of
from lodehound.stores.catalogue.entries import CatalogueEntry
from lodehound.text.counts import counted
from lodehound.text.shell import joined

ROWS = 3  # of an answer
CELL = 40  # characters
COLUMNS = 8
WIDEST = 100  # characters of a title


def answer_row(found: Found, preview: Inspection | None = None) -> dict[str, Any]:
    """Return an answer for programs: where the find is, and why it is an answer."""
    entry = found.entry
    matches = [
        {"word": one.word, "place": one.place, "text": one.text, "table": one.table or None}
        for one in found.matches
    ]
    table = table_of(preview, found.table)
    return {
        "crawl": str(found.folder), "number": entry.find.number, "title": entry.title,
        "url": entry.find.final_url, "score": found.score, "matches": matches,
        "missing": list(found.missing), "type": entry.type, "years": years_of(entry),
        "sheet": table.name if table else None,
        "columns": list(table.header) if table else list(entry.header),
        "rows": [list(row) for row in table.first[:ROWS]] if table else [],
        "row_count": entry.rows or None, "file": str(found.path) if found.path else None,
        "found_on": entry.find.found_on, "page_title": entry.find.page_title,
        "show": show_command(found),
    }  # fmt: skip


def show_command(found: Found) -> str:
    """Return the command that shows the whole find."""
    return joined(["lodehound", "show", str(found.folder), str(found.entry.find.number)])


def answer_lines(found: Found, place: int, preview: Inspection | None = None) -> Iterator[str]:
    """Yield an answer in lines: title, why, the first rows, the page, and how to get all rows."""
    entry = found.entry
    yield f"{place}. {entry.title[:WIDEST]}  [{', '.join(facts_of(entry))}]"
    for match in found.matches:
        yield f'   {match.word}: {match.place} "{_short(match.text, 60)}"'
    if found.missing:
        yield f"   not in it: {', '.join(found.missing)}"
    if table := table_of(preview, found.table):
        yield from (f"   | {line}" for line in table_lines(table, ROWS))
    yield f"   {entry.find.final_url}"
    if entry.find.found_on:
        yield f"   on {entry.find.found_on}"
    yield f"   {show_command(found)}"


def facts_of(entry: CatalogueEntry) -> list[str]:
    """Return the type, the size and the years of a find, in a few words."""
    facts = [entry.type or "file"]
    if read := entry.read:
        if read.rows:
            columns = counted(read.columns, "column")
            facts.append(f"{counted(read.rows, 'row')} x {columns}")
        if read.tables > 1:
            facts.append(counted(read.tables, "table"))
    if years := years_of(entry):
        facts.append(str(years[0]) if years[0] == years[1] else f"{years[0]} to {years[1]}")
    return facts


def table_of(preview: Inspection | None, number: int) -> Table | None:
    """Return the table of a preview that an answer is about, or the first that has rows."""
    shown = preview.tables if preview else ()
    if 0 < number <= len(shown) and shown[number - 1].first:
        return shown[number - 1]
    return next((table for table in shown if table.first), None)


def table_lines(table: Table, most: int) -> Iterator[str]:
    """Yield the header and the first rows of a table."""
    names = [column.name for column in table.facts] or list(table.header)
    for row in ([names] if any(names) else []) + [list(row) for row in table.first[:most]]:
        cells = [_short(cell, CELL) for cell in row[:COLUMNS]]
        yield " | ".join([*cells, *(["..."] if len(row) > COLUMNS else [])])


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def find_row(entry: CatalogueEntry, preview: Inspection | None, path: str) -> dict[str, Any]:
    """Return what is in a find beside its row in the catalogue, for programs."""
    citation = citation_of(entry)
    return {
        "path": path, "years": years_of(entry),
        "contents": entry.inspection or None,
        "preview": [
            {"sheet": table.name, "columns": list(table.header), "rows": list(table.first)}
            for table in (preview.tables if preview else ()) if table.first
        ],
        "opening": preview.opening if preview else "", "citation": citation.text,
    }  # fmt: skip


def find_lines(entry: CatalogueEntry, preview: Inspection | None, path: str) -> Iterator[str]:
    """Yield a find in lines: its names, its tables and columns, first rows, why, citation."""
    find = entry.find
    yield entry.title
    yield f"  {', '.join(facts_of(entry))}"
    yield f"  address   {find.final_url}"
    yield f"  file      {path or 'no longer there'}"
    if find.found_on:
        yield f"  found on  {find.found_on}" + (f" ({find.page_title})" if find.page_title else "")
    if find.why:
        yield f"  why       {find.why}"
    yield f"  fetched   {find.fetched_at}"
    for table in preview.tables if preview else ():
        yield from _table_with_columns(table)
    if preview and preview.opening and not any(table.first for table in preview.tables):
        yield ""
        yield from (f"  {line[:WIDEST]}" for line in preview.opening.splitlines()[:20])
    if preview and preview.error:
        yield f"  cannot be read: {preview.error}"
    yield ""
    yield f"  {citation_of(entry).text}"


def _table_with_columns(table: Table) -> Iterator[str]:
    yield ""
    shape = f"{counted(table.rows, 'row')} x {counted(table.columns, 'column')}"
    yield f"  {table.name or 'table'}: {shape}"
    for column in table.facts:
        span = f"{column.least} to {column.most}" if column.least != column.most else column.least
        yield f"    {_short(column.name, CELL) or '(no name)'}: {column.kind}, {_short(span, CELL)}"
    yield from (f"    | {line}" for line in table_lines(table, 10))
