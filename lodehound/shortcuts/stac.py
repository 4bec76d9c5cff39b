"""STAC: catalogues, collections and items of data with a place and a time, with their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import with_query
from lodehound.shortcuts.rel_links import is_json, next_link, person, related

VERSION = re.compile(rb'"stac_version"\s*:\s*"')
BROWSER = re.compile(rb"stac-browser/?#/external/(?:https:/?/?)?([\w.:/-]{4,300})")
LIMIT = 100
# Assets for people who look at the catalogue, not data.
PICTURES = frozenset(
    {"thumbnail", "overview", "visual", "metadata", "tilejson", "rendered_preview"}
)


class Stac(Shortcut):
    """STAC catalogues and APIs: the assets of collections and items."""

    title = "STAC"
    key_header = "Authorization"
    marks = (b"stac-browser",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a STAC document, or a page that shows one in STAC Browser."""
        if not page.is_html:
            named = page.head.startswith("{") and VERSION.search(page.body[:100_000])
            return (page.url,) if named else ()
        link = BROWSER.search(page.body) if page.names(b"stac-browser") else None
        url = page.resolve("https://" + link[1].decode()) if link else ""
        return (url,) if url else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if not root.endswith("/"):
            return (root,)
        return resolve(root, "catalog.json"), resolve(root, "collections")

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        kind = text(data, "type")
        if isinstance(pick(data, "collections"), list):
            return _listed(data, records(data, "collections"), answer)
        if kind == "FeatureCollection":
            return _listed(data, records(data, "features"), answer)
        if text(data, "stac_version") and kind in {"Catalog", "Collection", "Feature", ""}:
            own = (_dataset(data, answer),) if kind != "Catalog" else ()
            datasets = tuple(one for one in own if one.files)
            return Expansion(datasets=datasets, more=tuple(_deeper(data, answer)))
        return None


def _listed(data: Any, entries: list[dict[str, Any]], answer: Fetched) -> Expansion | None:
    """Return a list of collections or items, if they are of STAC."""
    known = [one for one in entries if text(one, "stac_version")]
    if len(known) < len(entries) or not entries:
        return None
    datasets = (_dataset(one, answer) for one in known)
    deeper = [
        page for one in known if text(one, "type") != "Feature" for page in _deeper(one, answer)
    ]
    return Expansion(
        datasets=tuple(one for one in datasets if one.files),
        more=(*deeper, *next_link(data, answer, len(known))),
    )


def _deeper(data: Any, answer: Fetched) -> Iterator[ApiPage]:
    """Yield what is below: of an API its collections and items, else the linked documents."""
    if text(data, "type") == "Feature":
        return
    for name, limit in (("items", LIMIT), ("data", 0)):
        for link in related(data, answer, name):
            if is_json(link):
                yield ApiPage(
                    with_query(link["href"], limit=limit) if limit else link["href"], limit
                )
                return
    for link in related(data, answer, "child", "item"):
        if is_json(link) and link["href"] != answer.url:
            yield ApiPage(link["href"], 1, deeper=True)


def _dataset(data: dict[str, Any], answer: Fetched) -> Dataset:
    about = pick(data, "properties") if text(data, "type") == "Feature" else data
    licences = related(data, answer, "license")
    page = next(related(data, answer, "describedby", "about"), {})
    return Dataset(
        title=text(about, "title") or text(data, "id"),
        url=text(page, "href"),
        identifier=text(data, "id"),
        description=text(about, "description"),
        publisher=person(about, "providers"),
        licence=next((text(one, "href") for one in licences), "") or text(about, "license"),
        issued=text(about, "datetime") or text(about, "created"),
        modified=text(about, "updated"),
        keywords=texts(about, "keywords"),
        files=tuple(_files(data, answer)),
    )


def _files(data: dict[str, Any], answer: Fetched) -> Iterator[ListedFile]:
    assets = pick(data, "assets")
    for name, asset in list(assets.items())[:1000] if isinstance(assets, dict) else []:
        url = answer.resolve(pick(asset, "href"))
        if url and name not in PICTURES and not PICTURES & set(texts(asset, "roles")):
            yield ListedFile(
                url,
                title=text(asset, "title") or name,
                format=text(asset, "type"),
                size=number(asset, "file:size"),
                modified=text(asset, "updated"),
                description=text(asset, "description"),
            )
