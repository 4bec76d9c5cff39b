"""Reads descriptions of datasets in JSON, with the names that DCAT and schema.org use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lodehound.core.urls import extension_of
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts

NAMES = ("name", "title", "foaf:name", "prefLabel", "value", "url", "@id")  # of an object
# How portals say that a distribution is a page for readers.
PAGES = frozenset({"text/html", "html", "web page", "webpage", "website", ".html", "htm"})
# How they say that it is a service, from which nothing can be downloaded as it is.
SERVICES = ("ogc:", "ogc w", "wms", "wmts", "wfs", "wcs", "esri rest", "arcgis geoservice")
SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s?([kmgt]?b|)\Z", re.IGNORECASE)
UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
PAGE_ENDINGS = frozenset({".htm", ".html", ".php", ".asp", ".aspx", ".jsp", ".shtml"})


def any_text(data: Any, *names: str) -> str:
    """Return the text under the first of these names that has one, also in a list.

    >>> any_text({"name": ["", "Water"]}, "title", "name")
    'Water'
    """
    for name in names:
        found = pick(data, name)
        if isinstance(found, list):
            found = next((one for one in found if text(one)), None)
        if isinstance(found, dict) and "@value" in found:
            found = found["@value"]
        if found is not None and (said := text(found)):
            return said
    return ""


def named(data: Any, *names: str) -> str:
    """Return the text, or the name of the object, under the first of these names that has one."""
    for name in names:
        found = pick(data, name)
        found = found[0] if isinstance(found, list) and found else found
        if found is None:
            continue
        if said := any_text(found, *NAMES) if isinstance(found, dict) else text(found):
            return said
    return ""


def objects(data: Any, *names: str) -> list[dict[str, Any]]:
    """Return the objects under the first of these names that has some; one needs no list."""
    for name in names:
        found = pick(data, name)
        if found := [found] if isinstance(found, dict) else records(found):
            return found
    return []


def dataset_of(
    record: dict[str, Any], answer: Fetched, files: Iterable[ListedFile] | None = None
) -> Dataset:
    """Return a dataset that is described with the names of DCAT or schema.org."""
    if files is None:
        files = (file_of(one, answer) for one in objects(record, "distribution"))
    keywords = texts(record, "keyword") or texts(record, "keywords")
    return Dataset(
        title=any_text(record, "title", "name"),
        url=answer.resolve(any_text(record, "landingPage", "url")),
        identifier=named(record, "identifier", "@id"),
        description=any_text(record, "description", "abstract"),
        publisher=named(record, "publisher", "creator", "author"),
        licence=named(record, "license", "licence", "rights"),
        issued=any_text(record, "issued", "datePublished"),
        modified=any_text(record, "modified", "dateModified"),
        keywords=keywords or tuple(_split(any_text(record, "keyword", "keywords"))),
        files=tuple(file for file in files if file.url),
    )


def file_of(record: dict[str, Any], answer: Fetched) -> ListedFile:
    """Return a distribution as a file; its URL is "" if it leads only to a page."""
    return ListedFile(
        url=_download(record, answer),
        title=any_text(record, "title", "name"),
        format=_format(named(record, "mediaType", "encodingFormat", "format")),
        size=number(record, "byteSize") or _octets(any_text(record, "contentSize")),
        modified=any_text(record, "modified", "dateModified"),
        licence=named(record, "license", "licence"),
        description=any_text(record, "description"),
    )


def pages_of(record: dict[str, Any], answer: Fetched) -> tuple[str, ...]:
    """Return the distributions of a dataset that lead to pages."""
    found = (
        answer.resolve(any_text(one, "accessURL", "contentUrl", "url"))
        for one in objects(record, "distribution")
        if not _download(one, answer) and not _is_service(one)
    )
    return tuple(dict.fromkeys(filter(None, found)))


def catalogue_of(
    entries: Iterable[dict[str, Any]], answer: Fetched, more: tuple[ApiPage, ...] = ()
) -> Expansion:
    """Return the datasets of a catalogue, and pages of those that have no files."""
    datasets: list[Dataset] = []
    pages: list[str] = []
    for entry in entries:
        datasets.append(dataset_of(entry, answer))
        if not datasets[-1].files:
            pages += pages_of(entry, answer)
    return Expansion(datasets=tuple(datasets), pages=tuple(dict.fromkeys(pages)), more=more)


def _download(record: dict[str, Any], answer: Fetched) -> str:
    """Return the URL of the file itself; portals often write it as an access URL."""
    if _is_service(record):
        return ""
    if direct := answer.resolve(any_text(record, "downloadURL", "contentUrl")):
        return direct
    url = answer.resolve(any_text(record, "accessURL"))
    form = _format(named(record, "mediaType", "format")).lower()
    ending = extension_of(url)
    return url if form not in PAGES and ending not in PAGE_ENDINGS and (form or ending) else ""


def _is_service(record: dict[str, Any]) -> bool:
    return any(named(record, key).lower().startswith(SERVICES) for key in ("format", "mediaType"))


def _format(said: str) -> str:
    """Return a format without the authority that names it.

    >>> _format("https://www.iana.org/assignments/media-types/text/csv")
    'text/csv'
    >>> _format("http://publications.europa.eu/resource/authority/file-type/CSV")
    'CSV'
    """
    if not said.startswith(("http://", "https://")):
        return said
    return said.partition("/media-types/")[2] or said.rstrip("/").rpartition("/")[2]


def _octets(said: str) -> int | None:
    """Return a size that is written with a unit.

    >>> _octets("117743 B"), _octets("1.5 MB"), _octets("12"), _octets("large")
    (117743, 1500000, 12, None)
    """
    found = SIZE.match(said)
    return int(float(found[1]) * UNITS[found[2].lower()]) if found else None


def _split(said: str) -> list[str]:
    return [word.strip() for word in said.split(",") if word.strip()][:1000]
