"""What is known of a find in words, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lodehound.core.urls import path_of
from lodehound.search.beginnings import beginning_of
from lodehound.stores.catalogue.entries import CatalogueEntry
from lodehound.stores.catalogue.listings import FileDescription

# The places of text, by the columns of the index: what names a file weighs most.
FIELDS = {
    "title": ("title",),
    "context": ("description", "page", "dataset", "publisher", "link"),
    "name": ("address",),
    "columns": ("sheet", "heading", "column", "unit"),
    "content": ("value", "years", "text"),
}
MOST_TEXT = 4_000  # characters of one text
MOST_TEXTS = 4_000  # texts of one find
MOST_YEARS = 300
NUMBERS_ONLY = re.compile(r"[\d\W]*")


@dataclass(frozen=True, slots=True)
class Said:
    """A text about a find.

    Attributes:
        place: Where it stands: one of the places of `FIELDS`.
        text: The text.
        table: The number of the table in the file that it belongs to, from 1; 0 without one.
    """

    place: str
    text: str
    table: int = 0


def said_of(entry: CatalogueEntry, path: Path | None) -> list[Said]:
    """Return what is known of a find in words, the most telling first, within limits.

    Args:
        entry: The find.
        path: Its file, whose beginning is read if no table in it is known; None if it is gone.
    """
    found: list[Said] = []
    for said in _all_said(entry, path):
        if text := said.text.strip():
            found.append(Said(said.place, text[:MOST_TEXT], said.table))
        if len(found) == MOST_TEXTS:
            break
    return found


def _all_said(entry: CatalogueEntry, path: Path | None) -> Iterator[Said]:
    find = entry.find
    yield Said("title", entry.title)
    yield Said("link", find.anchor)
    yield Said("description", entry.about)
    yield Said("page", find.page_title)
    yield Said("address", unquote(path_of(find.final_url)))
    if entry.listed:
        yield from _said_by_api(entry.listed)
    seen = entry.inspection
    if path and not seen.get("tables"):
        seen = beginning_of(path, find.mime)
    for number, table in enumerate(_listed(seen.get("tables")), 1):
        yield from _said_of_table(table, number)
    yield from (Said("text", line) for line in _text(seen.get("opening")).splitlines())


def _said_by_api(listed: FileDescription) -> Iterator[Said]:
    file, dataset = listed.file, listed.dataset
    yield Said("title", file.title)
    yield Said("dataset", dataset.title)
    yield from (Said("description", text) for text in (file.description, dataset.description))
    yield from (Said("publisher", text) for text in (dataset.publisher, *dataset.keywords))


def _said_of_table(table: dict[str, Any], number: int) -> Iterator[Said]:
    yield Said("sheet", _text(table.get("name")), number)
    yield from (Said("heading", _text(line), number) for line in _strings(table.get("titles")))
    facts = _listed(table.get("facts"))
    names = [_text(one.get("name")) for one in facts] or _strings(table.get("header"))
    yield from (Said("column", name, number) for name in names)
    for one in facts:
        yield from (
            Said("column", _text(one.get("label")), number),
            Said("unit", _text(one.get("unit")), number),
        )
        values = [
            value for value in _strings(one.get("values")) if not NUMBERS_ONLY.fullmatch(value)
        ]
        yield from (Said("value", value, number) for value in values)
    years = _years_of(table)
    if len(years) == 2:
        covered = range(years[0], min(years[1], years[0] + MOST_YEARS) + 1)
        yield Said("years", " ".join(map(str, covered)), number)


def years_of(entry: CatalogueEntry) -> tuple[int, int] | None:
    """Return the first and the last year that the tables of a find cover."""
    years = [year for table in _listed(entry.inspection.get("tables")) for year in _years_of(table)]
    return (min(years), max(years)) if years else None


def _listed(value: object) -> list[dict[str, Any]]:
    """Return the objects of a JSON list; the catalogue may be damaged, or a stranger's."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _years_of(table: dict[str, Any]) -> list[int]:
    years = table.get("years")
    return [year for year in years if isinstance(year, int)] if isinstance(years, list) else []


def _strings(value: object) -> list[str]:
    return [_text(one) for one in value] if isinstance(value, list | tuple) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
