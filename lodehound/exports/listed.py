"""What APIs list, whether or not it was fetched: as a table, as DCAT and as Croissant."""

from __future__ import annotations

import json
import mimetypes
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO

from lodehound.core.errors import ConfigError
from lodehound.core.listing import Dataset, ListedFile
from lodehound.exports.describe import iri, known
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.listings import FileDescription, ListedDataset
from lodehound.stores.texts import whole_text

FILE_COLUMNS = ("url", "title", "format", "size", "modified", "licence", "description")
DATASET_COLUMNS = (
    "title", "url", "identifier", "description", "publisher", "licence", "issued", "modified",
)  # fmt: skip
COLUMNS = (*FILE_COLUMNS, *(f"dataset_{name}" for name in DATASET_COLUMNS), "keywords", "api")
MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
CONFORMS = "http://mlcommons.org/croissant/1.0"
# The context of Croissant 1.0: validators warn of any other, also where most of it is not needed.
TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty",
    "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    **{term: f"cr:{term}" for term in TERMS},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}


def table_rows(source: Catalogue, notes: Notes) -> Iterator[list[Any]]:
    """Yield a row for every listed file; a dataset without files has one row."""
    for one in source.datasets():
        notes.written += 1
        dataset = one.dataset
        about = [getattr(dataset, name) for name in DATASET_COLUMNS]
        for file in dataset.files or (None,):
            own = [getattr(file, name) if file else None for name in FILE_COLUMNS]
            yield [*own, *about, list(dataset.keywords), one.shortcut]


def dcat_datasets(source: Catalogue, notes: Notes) -> Iterator[dict[str, Any]]:
    """Yield the datasets that APIs list, in DCAT."""
    for one in source.datasets():
        notes.written += 1
        dataset = one.dataset
        yield known(
            {
                "@id": _name(one),
                "@type": "dcat:Dataset",
                "dct:title": dataset.title or dataset.identifier,
                "dct:description": dataset.description or dataset.title,
                "dct:identifier": dataset.identifier,
                "dct:publisher": _agent(dataset.publisher),
                "dcat:keyword": list(dataset.keywords),
                "dct:license": _licence(dataset.licence),
                # Dates are as the API writes them, which may be any text.
                "dct:issued": _text(dataset.issued),
                "dct:modified": _text(dataset.modified),
                "dcat:landingPage": iri(dataset.url) if dataset.url else None,
                "dcat:distribution": [_distribution(file) for file in dataset.files],
            }
        )


def about_dataset(listed: FileDescription) -> dict[str, Any]:
    """Return what an API says about the dataset of a find, in DCAT."""
    dataset = listed.dataset
    return {
        "dct:publisher": _agent(dataset.publisher),
        "dct:license": _licence(listed.licence),
        "dcat:keyword": list(dataset.keywords),
    }


def _text(value: str) -> dict[str, str] | None:
    return {"@value": value, "@type": "xsd:string"} if value else None


def _agent(name: str) -> dict[str, str] | None:
    return {"@type": "foaf:Agent", "foaf:name": name} if name else None


def _licence(licence: str) -> Any:
    """Return a licence as a reference, if it is a URL, otherwise as a statement with its name."""
    if licence.startswith(("http://", "https://")):
        return {"@id": iri(licence)}
    return {"@type": "dct:LicenseDocument", "dct:title": licence} if licence else None


def _distribution(file: ListedFile) -> dict[str, Any]:
    media = file.format if "/" in file.format and "://" not in file.format else ""
    return known(
        {
            "@id": uuid.uuid5(uuid.NAMESPACE_URL, f"{iri(file.url)}#distribution").urn,
            "@type": "dcat:Distribution",
            "dct:title": file.title,
            "dct:description": file.description,
            "dcat:accessURL": iri(file.url),
            "dcat:downloadURL": iri(file.url),
            "dcat:mediaType": MEDIA_TYPES + iri(media) if media else None,
            "dct:format": {"@type": "dct:MediaTypeOrExtent", "dct:title": file.format}
            if file.format and not media
            else None,
            "dcat:byteSize": str(file.size) if file.size is not None else None,
            "dct:license": _licence(file.licence),
            "dct:modified": _text(file.modified),
        }
    )


def write_croissant(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write one Croissant document per dataset, each in a line of its own.

    Raises:
        ConfigError: No API listed a dataset with files.
    """
    if not any(one.dataset.files for one in source.datasets()):
        raise ConfigError(
            "No API listed a dataset with files in this crawl: --to croissant describes those "
            "datasets. dcat, ro-crate and datapackage describe any finds."
        )
    for one in source.datasets():
        if one.dataset.files:
            text = whole_text(json.dumps(_croissant(one), ensure_ascii=False))
            out.write(text.encode() + b"\n")
            notes.written += 1


def _croissant(one: ListedDataset) -> dict[str, Any]:
    dataset = one.dataset
    names = _names(dataset)
    return known(
        {
            "@context": CONTEXT,
            "@id": _name(one),
            "@type": "sc:Dataset",
            "conformsTo": CONFORMS,
            "isLiveDataset": True,  # the files were not fetched, so they have no checksums
            "name": dataset.title or dataset.identifier or names[0],
            "description": dataset.description or dataset.title,
            "identifier": dataset.identifier,
            "url": dataset.url or dataset.files[0].url,
            "license": dataset.licence,
            "publisher": {"@type": "Organization", "name": dataset.publisher}
            if dataset.publisher
            else None,
            "datePublished": dataset.issued,
            "dateModified": dataset.modified,
            "keywords": list(dataset.keywords),
            "distribution": [
                _file_object(number, file, name)
                for number, (file, name) in enumerate(zip(dataset.files, names, strict=True), 1)
            ],
        }
    )


def _names(dataset: Dataset) -> list[str]:
    """Return a name for every file, each once in its dataset."""
    names: list[str] = []
    for number, file in enumerate(dataset.files):
        name = file.title or file.url.rstrip("/").rpartition("/")[2]
        names.append(name if name not in names else f"{name} ({number + 1})")
    return names


def _file_object(number: int, file: ListedFile, name: str) -> dict[str, Any]:
    form = file.format or "application/octet-stream"
    guessed = mimetypes.guess_type(f"file.{form.lower()}")[0] if "/" not in form else form
    return known(
        {
            "@id": f"file-{number}",  # without white space: a name may have some
            "@type": "cr:FileObject",
            "name": name,
            "description": file.description,
            "contentUrl": file.url,
            "contentSize": f"{file.size} B" if file.size is not None else None,
            "encodingFormat": guessed or form,
        }
    )


def _name(one: ListedDataset) -> str:
    """Return an identifier that stays the same from crawl to crawl."""
    dataset = one.dataset
    place = dataset.url or (dataset.files[0].url if dataset.files else "")
    return uuid.uuid5(uuid.NAMESPACE_URL, f"{iri(place)} {dataset.identifier}#dataset").urn
