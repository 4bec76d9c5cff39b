"""RO-Crate 1.1 (w3id.org/ro/crate/1.1): `ro-crate-metadata.json` describes the files next to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO
from urllib.parse import quote

from lodehound.exports.describe import (
    TRUNCATED,
    entry_text,
    iri,
    known,
    modified,
    publisher_of,
    text_of,
    title_of,
    write_list,
)
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry
from lodehound.version import VERSION

DOCUMENT = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/crate/1.1"
# The context of RO-Crate 1.1 is older than this schema.org term.
CONTEXT = [f"{PROFILE}/context", {"sha256": "http://schema.org/sha256"}]
# The user of a crawler does not own the files it finds.
TERMS = "The files keep the terms of use of the sites they come from."


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the description of the files."""
    write_list(out, {"@context": CONTEXT}, "@graph", _graph(source, notes))


def _graph(source: Catalogue, notes: Notes) -> Iterator[dict[str, Any]]:
    yield {
        "@id": DOCUMENT,
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    parts: list[dict[str, str]] = []
    for group in source.by_file():
        if source.place_of(group[0].find.file) is None:
            notes.missing += len(group)
            continue
        notes.written += len(group)
        made = _file(group)
        parts.append({"@id": made["@id"]})
        yield made
    yield {
        "@id": "./",
        "@type": "Dataset",
        "name": title_of(source, notes),
        "description": text_of(source),
        "datePublished": source.created_at,
        "publisher": {"@id": "#publisher"},
        "license": {"@id": "#terms"},
        "hasPart": parts,
        "mentions": {"@id": "#crawl"},
    }
    yield from _others(source, notes)


def _others(source: Catalogue, notes: Notes) -> Iterator[dict[str, Any]]:
    yield {"@id": "#publisher", "@type": "Organization", "name": publisher_of(notes)}
    yield {"@id": "#terms", "@type": "CreativeWork", "name": "Terms of use", "description": TERMS}
    yield {
        "@id": "#lodehound",
        "@type": "SoftwareApplication",
        "name": "lodehound",
        "version": source.version or VERSION,
    }
    yield known(
        {
            "@id": "#crawl",
            "@type": "CreateAction",
            "name": f"Crawl of {source.host or 'the web'}",
            "startTime": source.created_at,
            "instrument": {"@id": "#lodehound"},
            "object": [{"@id": iri(url)} for url in source.start_urls],
            "result": {"@id": "./"},
        }
    )
    for url in dict.fromkeys(map(iri, source.start_urls)):
        yield {"@id": url, "@type": "WebPage", "name": url}


def _file(group: list[CatalogueEntry]) -> dict[str, Any]:
    first = group[0]
    find = first.find
    return known(
        {
            "@id": quote(find.file),
            "@type": "File",
            "name": first.title,
            "description": entry_text(first),
            "encodingFormat": find.mime,
            "contentSize": None if find.truncated else str(find.bytes),
            "sha256": None if find.truncated else find.sha256,
            "disambiguatingDescription": TRUNCATED if find.truncated else None,
            "url": sorted({iri(entry.find.final_url) for entry in group}),
            "sdDatePublished": find.fetched_at,
            "dateModified": modified(first),
        }
    )
