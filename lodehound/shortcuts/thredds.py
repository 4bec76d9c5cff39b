"""THREDDS: catalogues in XML, which lead to files and to further catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import (
    MAX_ITEMS,
    URL_UP_TO,
    Fetched,
    elements,
    local_name,
    xml_text,
)

NAMESPACE = "http://www.unidata.ucar.edu/namespaces/thredds/InvCatalog"
HREF = "{http://www.w3.org/1999/xlink}href"
ROOT = re.compile(URL_UP_TO + rb"/thredds/)", re.IGNORECASE)
UNITS = {"bytes": 1, "kbytes": 10**3, "mbytes": 10**6, "gbytes": 10**9, "tbytes": 10**12}


class Thredds(Shortcut):
    """THREDDS data servers: files that can be fetched by HTTP."""

    title = "THREDDS"
    marks = (b"/thredds/",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a catalogue, pages of the server, and addresses of it in other pages."""
        if NAMESPACE in page.head:
            return (page.url,)
        root = page.first_url(b"/thredds/", ROOT)
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if root.endswith(".xml"):
            return (root,)
        return (
            resolve(
                root if root.endswith("/thredds/") else resolve(root, "/thredds/"), "catalog.xml"
            ),
        )

    def expand(self, answer: Fetched) -> Expansion | None:
        root = answer.xml
        if root is None or not root.tag.startswith("{" + NAMESPACE):
            return None
        services = _services(root)
        references = (answer.resolve(one.get(HREF)) for one in elements(root, "**", "catalogRef"))
        deeper = (re.sub(r"\.html?(?=\Z|\?)", ".xml", url) for url in references)
        return Expansion(
            files=tuple(file for file in _files(root, services, answer) if file.url),
            more=tuple(
                ApiPage(url, deeper=True)
                for url in dict.fromkeys(deeper)
                if url not in {"", answer.url}
            ),
        )


def _services(root: Element) -> dict[str, str]:
    """Return the paths of files by the names of services; a group may contain one of them."""
    found: dict[str, str] = {}
    for service in elements(root, "**", "service"):
        for one in (service, *elements(service, "service")):
            if (one.get("serviceType") or "").lower() == "httpserver":
                found.setdefault(service.get("name") or "", one.get("base") or "")
    return found


def _files(root: Element, services: dict[str, str], answer: Fetched) -> Iterator[ListedFile]:
    """Yield the files of all datasets; the service of a dataset holds for those inside it."""
    waiting: list[tuple[Element, str]] = [(root, "")]
    for _ in range(MAX_ITEMS):
        if not waiting:
            return
        element, service = waiting.pop()
        service = (
            xml_text(element, "serviceName")
            or xml_text(element, "metadata", "serviceName")
            or service
        )
        if local_name(element) == "dataset" and element.get("urlPath") and service in services:
            yield _file(element, services[service], answer)
        inner = [one for one in element if local_name(one) == "dataset"]
        waiting.extend((one, service) for one in reversed(inner))


def _file(dataset: Element, base: str, answer: Fetched) -> ListedFile:
    size = next(elements(dataset, "dataSize"), None)
    dates = elements(dataset, "date")
    return ListedFile(
        url=answer.resolve(base + (dataset.get("urlPath") or "")),
        title=dataset.get("name") or "",
        size=_octets(size) if size is not None else None,
        modified=next((xml_text(one) for one in dates if one.get("type") == "modified"), ""),
    )


def _octets(size: Element) -> int | None:
    try:
        said = float(size.text or "") * UNITS.get((size.get("units") or "bytes").lower(), 0)
    except ValueError:
        return None
    return int(said) if 0 < said < 2**53 else None
