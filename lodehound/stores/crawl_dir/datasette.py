"""`metadata.json`: descriptions of the tables of a crawl for Datasette.

    datasette crawl.sqlite --metadata metadata.json

The descriptions of columns are read from the comments of the schema.
"""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

from lodehound.stores.database.schema import CONTENTS, SCHEMA, VIEWS
from lodehound.stores.errors import write_error
from lodehound.stores.files.layout import METADATA

TABLE = re.compile(r"CREATE TABLE (\w+) \((?:[ ]--[ ]([^\n]*))?\n")
COLUMN = re.compile(r"^ +(\w+) [A-Z][^\n]*? -- ([^\n]*)$", re.MULTILINE)
ABOUT_VIEWS = {
    "catalogue": "the finds, each with the contents of its file",
    "types": "the finds by type: number, size, and number with statistics",
    "sources": "the pages that link to finds, most finds first",
    "requests": "every request and its answer",
    "file_tables": "the tables of the files, and what each is about",
    "file_columns": "the columns of these tables: types, units, ranges, values",
}
# The tables that the columns of a view come from; if two have the same column, the first is used.
ORIGINS = {
    "catalogue": ("finds", "inspections", "answers", "datasets"),
    "types": ("finds",),
    "sources": ("finds",),
    "requests": ("asks", "answers"),
    "file_tables": ("inspections",),
    "file_columns": ("inspections",),
}
# Columns of views that are in no table, or have another meaning there.
OWN = {
    "catalogue": {
        "content": f"what the file contains: {', '.join(CONTENTS)}",
        "inspection_error": "why the file could not be read",
        "api": "the shortcut that read the API or listing, if one lists the file",
        "dataset": "title of its dataset, by the API",
    },
    "types": {
        "finds": "number of finds",
        "files": "number of different files",
        "bytes": "total size of the finds",
        "with_statistics": "number of files with a table that looks like statistics",
    },
    "sources": {
        "page": "URL of the page",
        "title": "title of the page",
        "finds": "number of finds",
        "bytes": "total size",
    },
    "requests": {},
    "file_tables": {
        "number": "place of the table in the file",
        "name": "the sheet, the member of an archive, or the place in the file",
        "rows": "rows of the table",
        "columns": "columns of the table",
        "statistics": "1: it looks like statistics",
        "titles": "JSON list: the lines above the header",
        "first_year": "the first year that it covers",
        "last_year": "the last year that it covers",
        "series": "the same for all editions of a table",
        "header": "JSON list: column names",
    },
    "file_columns": {
        "number": "place of the table in the file",
        "place": "place of the column in the table",
        "name": "name of the column",
        "label": "what the column is called in words",
        "kind": "integer, number, year, date, period, boolean, text or empty",
        "unit": "of its numbers",
        "least": "the smallest number, first date or first text",
        "most": "the largest or last",
        "values": "JSON list: the different texts",
    },
}
SHOWN: dict[str, dict[str, Any]] = {
    "catalogue": {"facets": ["mime", "kind", "content"], "sort": "number"},
    "finds": {"facets": ["mime", "truncated"], "sort": "number", "label_column": "url"},
    "inspections": {"facets": ["kind"], "sort_desc": "rows", "label_column": "file"},
    "requests": {"facets": ["status", "method", "mime"], "sort": "number"},
    "answers": {"sort": "seq", "label_column": "url"},
    "asks": {"sort": "seq", "label_column": "url"},
    "types": {"sort_desc": "finds"},
    "sources": {"sort_desc": "finds"},
    "entries": {"facets": ["type", "content", "host"], "sort": "number", "label_column": "title"},
    "runs": {"sort": "first"},
    "renders": {"facets": ["outcome"], "sort": "number", "label_column": "url"},
    "page_requests": {"facets": ["type", "status", "sent"], "sort": "id", "label_column": "url"},
    "estimates": {"sort": "requests"},
    "ignored_encodings": {"sort": "number"},
    # Needed to resume a crawl, not to read its results.
    "waits": {"hidden": True},
    "offers": {"hidden": True},
    "sent_links": {"hidden": True},
    "taken_links": {"hidden": True},
}


def write_metadata(folder: Path) -> Path:
    """Write `metadata.json` into a crawl directory atomically; return its path."""
    path = folder / METADATA
    temporary = folder / f".{METADATA}.{uuid4().hex[:8]}"
    try:
        temporary.write_text(json.dumps(metadata(), indent=2) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise write_error(folder, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def metadata() -> dict[str, Any]:
    """Return titles, descriptions of tables and columns, sort orders and facets."""
    about, columns = _described()
    about |= ABOUT_VIEWS
    for view, names in _columns_of_views().items():
        known: dict[str, str] = {}
        for table in reversed(ORIGINS[view]):
            known |= columns[table]
        known |= OWN[view]
        columns[view] = {name: known[name] for name in names if name in known}
    described = {
        name: {"title": name.capitalize(), "description": _sentence(about[name]),
               "columns": columns[name]} | SHOWN.get(name, {})
        for name in about
    }  # fmt: skip
    return {
        "title": "A Lodehound crawl",
        "description": "The files found, their sources and contents. Start with the catalogue.",
        "databases": {"crawl": {"tables": described}},
    }


def _described() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Read the descriptions of tables and columns from the comments of the schema."""
    about, columns = {}, {}
    for statement in SCHEMA:
        match = TABLE.match(statement)
        if match:
            about[match[1]] = (
                match[2] or "the config, and what else is known of the crawl as a whole"
            )
            columns[match[1]] = dict(COLUMN.findall(statement[match.end() :]))
    return about, columns


def _columns_of_views() -> dict[str, list[str]]:
    """Return the columns of the views, according to SQLite."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        return {
            view: [row[1] for row in db.execute(f"PRAGMA table_info({view})")] for view in VIEWS
        }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
