"""Data Package (datapackage.org): `datapackage.json` describes the files next to it.

Each file is a resource; the finds that share it are its sources. A CSV file is described as a
table if the complete file is one: then `frictionless validate` reads every row. A truncated file
has no length and no hash, because those of the complete file are not known.

Readers of Data Packages unpack every archive among the resources. Archives that cannot be
unpacked (truncated, damaged, encrypted, empty) are listed separately as `other_files`, and so are
files whose names look like variables ($HOME): readers refuse a package that contains one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from lodehound.exports.describe import (
    entry_text,
    iri,
    known,
    modified,
    publisher_of,
    text_of,
    title_of,
    write_list,
)
from lodehound.exports.field_types import inspected_fields, with_units
from lodehound.exports.file_checks import table_fields, unpacks
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.stores.texts import one_line, whole_text

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
UNFIT = re.compile("[^a-z0-9._-]+")
# Programs expand variables, or refuse the package because they might.
VARIABLE = re.compile(r"\$[\w{(]|%[^%/]+%")
MOST_NAME = 80  # characters
MOST_SOURCES = 100


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the description of the files."""
    head = {
        "profile": "data-package",
        "name": _slug(f"lodehound-{source.host or 'crawl'}"),
        "title": title_of(source, notes),
        "description": text_of(source),
        "created": source.created_at,
        "contributors": [{"title": publisher_of(notes), "role": "wrangler"}],
        "sources": [{"title": url, "path": iri(url)} for url in source.start_urls],
    }
    others: list[dict[str, Any]] = []
    resources = _resources(source, notes, others)
    write_list(out, known(head), "resources", resources, lambda: known({"other_files": others}))


def _resources(
    source: Catalogue, notes: Notes, others: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    names: set[str] = set()
    for group in source.by_file():
        place = source.place_of(group[0].find.file)
        if place is None:
            notes.missing += len(group)
            continue
        name = _slug(group[0].name)
        if name in names:
            name = f"{name}-{group[0].find.number}"
        names.add(name)
        notes.written += len(group)
        made = _resource(name, place, group)
        if unpacks(place) and not VARIABLE.search(made["path"]):
            yield made
        else:
            others.append(made)


def _resource(name: str, place: str, group: list[CatalogueEntry]) -> dict[str, Any]:
    first = group[0]
    find = first.find
    described: dict[str, Any] = {
        "name": name,
        "path": find.file,
        "type": "file",
        "title": first.title,
        "description": entry_text(first),
        "format": first.ending or first.kind,
        "mediatype": find.mime,
        "sources": [_source(entry) for entry in group[:MOST_SOURCES]],
        "url": iri(find.final_url),
        "fetched_at": find.fetched_at,
        "modified": modified(first),
    }
    if find.truncated:
        return known(described) | {"truncated": True, "size": find.size}
    described |= {"bytes": find.bytes, "hash": f"sha256:{find.sha256}" if find.sha256 else None}
    return known(described | _table(place, first))


def _source(entry: CatalogueEntry) -> dict[str, str]:
    find = entry.find
    title = one_line(find.page_title) or one_line(find.found_on) or one_line(find.final_url)
    return {"title": title, "path": iri(find.found_on or find.final_url)}


def _table(place: str, entry: CatalogueEntry) -> dict[str, Any]:
    """Return the description of a file that is a table, or of the tables in it."""
    seen = entry.inspection
    charset, separator = str(seen.get("charset") or ""), SEPARATORS.get(str(seen.get("dialect")))
    found = seen.get("tables")
    tables = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    if entry.kind not in {"csv", "tsv"} or not charset or not entry.header:
        return {"encoding": charset, "tables": [_described(one) for one in tables]}
    fields = table_fields(place, charset, separator or ",")
    if not fields:
        return {"encoding": charset, "tables": [_described(one) for one in tables]}
    return {
        "type": "table",
        "format": "csv",
        "encoding": charset,
        "dialect": {"delimiter": separator or ","},
        "schema": {"fields": with_units(fields, tables[0].get("facts") if tables else None)},
    }


def _described(table: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a table that validators cannot read: they leave this out."""
    titles, rows = table.get("titles"), table.get("rows")
    fields = inspected_fields(table.get("facts"))
    lines = titles if isinstance(titles, list) else []
    return known(
        {
            "name": whole_text(str(table.get("name") or "")),
            "title": one_line(" ".join(map(str, lines))),
            "rows": rows if isinstance(rows, int) else None,
            "schema": {"fields": fields} if fields else None,
        }
    )


def _slug(text: str) -> str:
    return UNFIT.sub("-", whole_text(text).lower())[:MOST_NAME].strip("-.") or "file"
