"""DCAT in JSON-LD: a catalogue with the properties that are mandatory in DCAT-AP 3.

Each file is a dataset, with a distribution for each URL it was found at. Of a crawl with
``--metadata-only``, the datasets are those that APIs list. The context is part of the document, so
it can be read without a network.
"""

from __future__ import annotations

import uuid
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
from lodehound.exports.listed import about_dataset, dcat_datasets
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry

XSD = "http://www.w3.org/2001/XMLSchema#"
MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": XSD,
    "dcat:dataset": {"@type": "@id"},
    "dcat:distribution": {"@type": "@id"},
    "dcat:accessURL": {"@type": "@id"},
    "dcat:downloadURL": {"@type": "@id"},
    "dcat:landingPage": {"@type": "@id"},
    "dcat:mediaType": {"@type": "@id"},
    "dcat:byteSize": {"@type": "xsd:nonNegativeInteger"},
    "dct:issued": {"@type": "xsd:dateTime"},
    "dct:modified": {"@type": "xsd:dateTime"},
    "spdx:algorithm": {"@type": "@id"},
    "spdx:checksumValue": {"@type": "xsd:hexBinary"},
}


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write the catalogue and its datasets."""
    crawl = uuid.uuid5(uuid.NAMESPACE_URL, f"{source.start_urls} {source.created_at}")
    head = {
        "@context": CONTEXT,
        "@id": f"urn:uuid:{crawl}",
        "@type": "dcat:Catalog",
        "dct:title": title_of(source, notes),
        "dct:description": text_of(source),
        "dct:issued": source.created_at,
        "dct:publisher": {"@type": "foaf:Agent", "foaf:name": publisher_of(notes)},
    }
    listed = source.only_catalogues
    datasets = dcat_datasets(source, notes) if listed else _datasets(source, notes)
    write_list(out, head, "dcat:dataset", datasets)


def _datasets(source: Catalogue, notes: Notes) -> Iterator[dict[str, Any]]:
    for group in source.by_file():
        notes.written += len(group)
        first = group[0]
        yield known(
            {
                "@id": _name(first, "dataset"),
                "@type": "dcat:Dataset",
                "dct:title": first.title,
                "dct:description": entry_text(first),
                "dct:modified": modified(first),
                **(about_dataset(first.listed) if first.listed else {}),
                "dct:identifier": first.find.sha256 or iri(first.find.final_url),
                "dcat:landingPage": sorted(
                    {iri(entry.find.found_on) for entry in group if entry.find.found_on}
                ),
                "dcat:distribution": [_distribution(entry) for entry in group],
            }
        )


def _distribution(entry: CatalogueEntry) -> dict[str, Any]:
    find = entry.find
    whole = not find.truncated
    checksum = {
        "@type": "spdx:Checksum",
        "spdx:algorithm": "spdx:checksumAlgorithm_sha256",
        "spdx:checksumValue": find.sha256,
    }
    return known(
        {
            "@id": _name(entry, "distribution"),
            "@type": "dcat:Distribution",
            "dct:title": entry.title,
            "dcat:accessURL": iri(find.final_url),
            "dcat:downloadURL": iri(find.final_url),
            "dcat:mediaType": MEDIA_TYPES + iri(find.mime) if find.mime else None,
            "dcat:byteSize": str(find.bytes) if whole else None,
            "spdx:checksum": checksum if whole and find.sha256 else None,
            "dct:modified": modified(entry),
        }
    )


def _name(entry: CatalogueEntry, what: str) -> str:
    """Return an identifier that stays the same from crawl to crawl: it is derived from the URL."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{iri(entry.find.final_url)}#{what}").urn
