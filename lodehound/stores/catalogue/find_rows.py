"""Rows of the catalogue as plain values: finds, and what is in their files."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class FindRow:
    """One row of the catalogue."""

    number: int
    url: str  # the URL of the link
    final_url: str
    file: str  # relative to the crawl directory
    mime: str
    declared_mime: str
    bytes: int  # of the file
    size: int  # of the complete file, as far as known
    truncated: bool  # only the beginning was stored: neither hashed nor inspected
    sha256: str
    last_modified: str
    etag: str
    content_disposition: str
    fetched_at: str
    found_on: str
    page_title: str  # of that page
    anchor: str
    tag_path: str
    depth: int
    why: str
    value: float = 1.0
    label: str = ""
    details: str = ""  # JSON: further details from the target


@dataclass(frozen=True, slots=True)
class Inspected:
    """The contents of one file; several finds may share it."""

    file: str
    kind: str
    tables: int
    rows: int
    columns: int
    header: str  # JSON list
    pages: int
    statistics: int  # tables that look like statistics
    error: str
    inspection: str  # JSON: everything


def find_of(row: sqlite3.Row) -> FindRow:
    values = {field.name: row[field.name] for field in fields(FindRow)}
    truncated, details = bool(row["truncated"]), values["details"] or ""
    return FindRow(**values | {"truncated": truncated, "details": details})


def inspected_of(row: sqlite3.Row) -> Inspected:
    return Inspected(**{name: row[name] for name in row.keys()})  # noqa: SIM118 - a Row is no mapping
