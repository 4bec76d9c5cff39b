"""ArcGIS Server: folders, services and layers as JSON, and each layer as one file of features."""

from __future__ import annotations

import re
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import URL_UP_TO, Fetched, number, pick, records, text, texts
from lodehound.shortcuts.paging import with_query

DIRECTORY = re.compile(URL_UP_TO + rb"""/rest/services)(?=[/?"'<>\s])""", re.IGNORECASE)
KINDS = ("FeatureServer", "MapServer")  # of a service that is both, the first is read
LAYERS = frozenset({"", "Feature Layer", "Table"})  # a group of layers has no features of its own


class ArcgisServer(Shortcut):
    """ArcGIS Server: layers of map and feature services, as GeoJSON.

    A server returns at most its maximum number of features per file, often 1,000 or 2,000.
    """

    title = "ArcGIS Server"
    key_header = "X-Esri-Authorization"
    marks = (b"/rest/services",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See addresses of a services directory, also in scripts."""
        root = page.first_url(b"/rest/services", DIRECTORY)
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if root.endswith("/rest/services"):
            return (with_query(root, f="json"),)
        places = ("arcgis/rest/services?f=json", "server/rest/services?f=json")
        return tuple(resolve(origin_of(root) + "/", place) for place in places)

    def expand(self, answer: Fetched) -> Expansion | None:
        data = answer.json
        directory, mark, _ = answer.url.partition("/rest/services")
        if not mark or pick(data, "currentVersion") is None:
            return None
        if isinstance(pick(data, "services"), list):
            return Expansion(more=_directory(data, answer, directory + mark + "/"))
        if isinstance(pick(data, "layers"), list):
            return Expansion(datasets=tuple(_layers(data, answer)))
        if pick(data, "id") is not None and isinstance(pick(data, "fields"), list):
            return Expansion(datasets=(_layer(data, data, answer.url.partition("?")[0]),))
        return None


def _directory(data: Any, answer: Fetched, root: str) -> tuple[ApiPage, ...]:
    """Return the folders and services of a directory; names of services include their folder."""
    folders = texts(data, "folders") if answer.url.partition("?")[0] == root[:-1] else ()
    known: dict[str, str] = {}
    for service in records(data, "services"):
        name, kind = text(service, "name"), text(service, "type")
        if name and kind in KINDS and known.get(name, KINDS[-1]) != KINDS[0]:
            known[name] = kind
    places = [*folders, *(f"{name}/{kind}" for name, kind in known.items())]
    urls = (resolve(root, place) for place in places)
    return tuple(
        ApiPage(with_query(url, f="json"), deeper=True) for url in urls if url.startswith(root)
    )


def _layers(data: Any, answer: Fetched) -> list[Dataset]:
    service = answer.url.partition("?")[0].rstrip("/")
    found = [*records(data, "layers"), *records(data, "tables")]
    layers = (one for one in found if number(one, "id") is not None)
    return [
        _layer(one, data, f"{service}/{number(one, 'id')}")
        for one in layers
        if text(one, "type") in LAYERS and not pick(one, "subLayerIds")
    ]


def _layer(layer: Any, service: Any, url: str) -> Dataset:
    """Return a layer with its features as one file, if it can be asked for them."""
    forms = text(service, "supportedQueryFormats").lower()
    form = "geojson" if not forms or "geojson" in forms else "json"
    query = f"{url}/query?where=1%3D1&outFields=*&f={form}"
    can = "query" in (text(service, "capabilities") or "Query").lower()
    file = ListedFile(query, title=text(layer, "name"), format=form)
    return Dataset(
        title=text(layer, "name"),
        url=url,
        description=text(layer, "description") or text(service, "serviceDescription"),
        publisher=text(layer, "copyrightText") or text(service, "copyrightText"),
        files=(file,) if can else (),
    )
