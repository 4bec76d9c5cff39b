"""The columns of the flat formats: name, type, description and value of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from lodehound.stores.catalogue.entries import CatalogueEntry
from lodehound.stores.catalogue.listings import FileDescription
from lodehound.stores.database.schema import CONTENTS
from lodehound.stores.texts import json_of, whole_text

Type = Literal["text", "integer", "number", "boolean", "time", "list", "json"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `value` returns None if the value is not known."""

    name: str
    type: Type
    about: str
    value: Callable[[CatalogueEntry], Any]


def _of_find(name: str, type_: Type, about: str) -> Column:
    if type_ in {"text", "time"}:
        return Column(name, type_, about, lambda entry: whole_text(getattr(entry.find, name)))
    return Column(name, type_, about, lambda entry: getattr(entry.find, name))


def _of_content(name: str, type_: Type, about: str) -> Column:
    """Return a column that is empty if the file could not be read."""
    return Column(
        name, type_, about, lambda entry: getattr(entry.read, name) if entry.read else None
    )


def _content(entry: CatalogueEntry) -> str:
    return entry.content


def _kind(entry: CatalogueEntry) -> str | None:
    return entry.kind or None


def _error(entry: CatalogueEntry) -> str | None:
    return entry.seen.error if entry.seen else None


def _value(entry: CatalogueEntry) -> float | None:
    return entry.find.value if math.isfinite(entry.find.value) else None


def _sha256(entry: CatalogueEntry) -> str | None:
    return entry.find.sha256 or None


def _changed(entry: CatalogueEntry) -> str:
    return entry.find.fetched_at


def _gone(entry: CatalogueEntry) -> str | None:
    return entry.gone_at or None


def _header(entry: CatalogueEntry) -> list[str] | None:
    return list(map(whole_text, entry.header)) if entry.read else None


def _listed(name: str, about: str, value: Callable[[FileDescription], str]) -> Column:
    """Return a column that is empty if no API lists the file."""
    return Column(
        name,
        "text",
        about,
        lambda entry: whole_text(value(entry.listed)) or None if entry.listed else None,
    )


def _about(entry: CatalogueEntry) -> str | None:
    by_api = entry.listed.dataset.description if entry.listed else ""
    return whole_text(by_api or entry.about) or None


def _details(entry: CatalogueEntry) -> Any:
    if not entry.find.details:
        return None
    known = json_of(entry.find.details)
    return whole_text(entry.find.details) if known is None else known


COLUMNS = (
    _of_find("url", "text", "the URL of the link"),
    _of_find("file", "text", "path in the crawl directory"),
    _of_find("mime", "text", "MIME type detected from the content"),
    _of_find("bytes", "integer", "length of the file"),
    Column("sha256", "text", "hash of the file; empty if it is truncated", _sha256),
    _of_find("found_on", "text", "the page that contains the link"),
    Column("title", "text", "title of the find", lambda entry: entry.title),
    _of_find("number", "integer", "number of the request that returned it"),
    _of_find("final_url", "text", "the URL after redirects"),
    _of_find("declared_mime", "text", "MIME type sent by the server"),
    _of_find("size", "integer", "length of the complete file, even if it is truncated"),
    _of_find("truncated", "boolean", "only the beginning was stored"),
    _of_find("last_modified", "text", "as sent by the server"),
    _of_find("etag", "text", "as sent by the server"),
    _of_find("content_disposition", "text", "as sent by the server; may contain a file name"),
    _of_find("fetched_at", "time", "UTC"),
    Column("first_seen", "time", "when it was first found, UTC", lambda entry: entry.first_seen),
    Column("last_seen", "time", "when it was last there, UTC", lambda entry: entry.last_seen),
    Column("last_changed", "time", "when this version was first seen, UTC", _changed),
    Column("gone_at", "time", "when it was last seen to be gone; empty if it is there", _gone),
    _of_find("page_title", "text", "title of the page that contains the link"),
    _of_find("anchor", "text", "text of the link"),
    _of_find("tag_path", "text", "HTML elements around the link"),
    _of_find("depth", "integer", "number of links from the start"),
    _of_find("why", "text", "the policy's reason"),
    Column("value", "number", "the target's value for it", _value),
    _of_find("label", "text", "the target's label for it"),
    Column("details", "json", "further details from the target", _details),
    Column("content", "text", f"what the file contains: {', '.join(CONTENTS)}", _content),
    Column("kind", "text", "csv, xlsx, json, pdf, zip... detected from the content", _kind),
    _of_content("tables", "integer", "number of tables in the file"),
    _of_content("rows", "integer", "rows of the largest table"),
    _of_content("columns", "integer", "columns of the largest table"),
    Column("header", "list", "column names of the largest table", _header),
    _of_content("pages", "integer", "pages of a PDF"),
    _of_content("statistics", "integer", "number of tables that look like statistics"),
    Column("inspection_error", "text", "why the file could not be read", _error),
    _listed("api", "the shortcut that read the API or listing", lambda one: one.shortcut),
    _listed("dataset", "title of its dataset, by the API", lambda one: one.dataset.title),
    _listed("publisher", "of the dataset, by the API", lambda one: one.dataset.publisher),
    _listed("licence", "a name or a URL, by the API", lambda one: one.licence),
    _listed("issued", "of the dataset, as written by the API", lambda one: one.dataset.issued),
    _listed("modified", "of the file or dataset, as written by the API", lambda one: one.modified),
    Column("description", "text", "by the API, or what the page says about the file", _about),
)
NAMES = tuple(column.name for column in COLUMNS)


def row_of(entry: CatalogueEntry) -> dict[str, Any]:
    """Return the values of a find by column name."""
    return {column.name: column.value(entry) for column in COLUMNS}
