"""OGC API: collections of records that describe data, and of features, which are data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import SERVICES
from lodehound.shortcuts.documents import LOOKED_AT, Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import query_of, with_query
from lodehound.shortcuts.rel_links import is_json, next_link, person, related

CONFORMANCE = re.compile(
    rb"""["'](?:https?://www\.opengis\.net/def/rel/ogc/1\.0/)?conformance["']"""
)
LIMIT = 100
FILES = ("enclosure", "item", "data", "download")  # relations of a record to its files


class OgcRecords(Shortcut):
    """OGC API Records and Features, such as pygeoapi and pycsw 3."""

    title = "OGC API"
    marks = (b"conformance",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the start page of an API, which names the standards that it conforms to."""
        start = page.body[:LOOKED_AT] if page.is_html or page.head.startswith("{") else b""
        found = b"/collections" in start and CONFORMANCE.search(start)
        root = page.url.partition("?")[0]
        return (root if root.endswith("/") else root + "/",) if found else ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (resolve(root, "collections?f=json"),)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        if isinstance(pick(data, "collections"), list) and pick(data, "links") is not None:
            found = records(data, "collections")
            known = [one for one in found if not text(one, "stac_version")]
            return _collections(known, answer) if len(known) == len(found) else None
        features = records(data, "features")
        described = [one for one in features if pick(one, "properties", "title")]
        if text(data, "type") != "FeatureCollection" or len(described) < len(features):
            return None
        if pick(data, "numberMatched") is None and pick(data, "numberReturned") is None:
            return None
        return Expansion(
            datasets=tuple(_record(one, answer) for one in described),
            more=tuple(_as_json(page, answer) for page in next_link(data, answer, len(described))),
        )


def _collections(found: list[dict[str, Any]], answer: Fetched) -> Expansion:
    datasets, more = [], []
    for one in found:
        items = next((link for link in related(one, answer, "items") if is_json(link)), None)
        if items and text(one, "itemType") == "record":
            more.append(ApiPage(with_query(text(items, "href"), limit=LIMIT), LIMIT))
            continue
        features = [ListedFile(text(items, "href"), format="application/geo+json")] if items else []
        datasets.append(
            Dataset(
                title=text(one, "title") or text(one, "id"),
                identifier=text(one, "id"),
                description=text(one, "description"),
                licence=text(one, "license"),
                keywords=texts(one, "keywords"),
                files=(*features, *_files(one, answer, "enclosure")),
            )
        )
    return Expansion(datasets=tuple(datasets), more=tuple(more))


def _as_json(page: ApiPage, answer: Fetched) -> ApiPage:
    """Ask for JSON again: the next link of some servers leads to a page for readers."""
    form = query_of(answer.url).get("f")
    return ApiPage(with_query(page.url, f=form), page.promise) if form else page


def _record(feature: dict[str, Any], answer: Fetched) -> Dataset:
    about = pick(feature, "properties")
    page = next((link for link in related(feature, answer, "alternate", "about", "canonical")
                 if text(link, "type") == "text/html"), {})  # fmt: skip
    return Dataset(
        title=text(about, "title"),
        url=text(page, "href"),
        identifier=text(feature, "id"),
        description=text(about, "description"),
        publisher=text(about, "publisher") or person(about, "contacts"),
        licence=text(about, "license"),
        issued=text(about, "created"),
        modified=text(about, "updated"),
        keywords=texts(about, "keywords"),
        files=tuple(_files(feature, answer, *FILES)),
    )


def _files(data: Any, answer: Fetched, *relations: str) -> Iterator[ListedFile]:
    for link in related(data, answer, *relations):
        kind = text(link, "type").lower()
        if not kind.startswith(("text/html", *SERVICES)):
            yield ListedFile(
                text(link, "href"),
                title=text(link, "title"),
                format=text(link, "type"),
                size=number(link, "length"),
            )
