"""SDMX: statistical offices list their dataflows, each of which is one table of data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from lodehound.core.urls import resolve
from lodehound.shortcuts.contract import Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import (
    URL_UP_TO,
    Fetched,
    elements,
    local_name,
    records,
    text,
    xml_text,
)

NAMESPACE = "http://www.sdmx.org/resources/sdmxml/schemas/"
SERVICE = re.compile(URL_UP_TO + rb"/rest/)(?:dataflow|datastructure|data)/")
FLOWS = "dataflow/all/all/latest"


class Sdmx(Shortcut):
    """SDMX services (REST): the data of every dataflow."""

    title = "SDMX"
    marks = (b"/rest/data",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a list of dataflows, and addresses of the service in a page."""
        if not page.is_html:
            is_list = NAMESPACE in page.head and b"Dataflow" in page.body[:100_000]
            return (page.url,) if is_list and "/dataflow" in page.url else ()
        root = page.first_url(b"/rest/data", SERVICE)
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if "/dataflow/" in root:
            return (root,)
        return (resolve(root if root.endswith("/rest/") else resolve(root, "rest/"), FLOWS),)

    def expand(self, answer: Fetched) -> Expansion | None:
        service = answer.url.partition("dataflow")[0]
        root = answer.xml
        if root is not None and local_name(root) == "Structure":
            found = list(_flows(answer))
        else:
            named = records(answer.json, "data", "dataflows")
            found = [
                (text(one, "agencyID"), text(one, "id"), text(one, "version"), text(one, "name"))
                for one in named
            ]
        if not found or "dataflow" not in answer.url:
            return None
        return Expansion(datasets=tuple(_dataset(*one, service) for one in found if one[1]))


def _flows(answer: Fetched) -> Iterator[tuple[str, str, str, str]]:
    for flow in elements(answer.xml, "Structures", "Dataflows", "Dataflow"):
        names = {one.get("{http://www.w3.org/XML/1998/namespace}lang", ""): xml_text(one)
                 for one in elements(flow, "Name")}  # fmt: skip
        name = text({"name": names}, "name")
        yield flow.get("agencyID") or "", flow.get("id") or "", flow.get("version") or "", name


def _dataset(agency: str, name: str, version: str, title: str, service: str) -> Dataset:
    flow = ",".join(quote(part, safe="") for part in (agency, name, version) if part)
    return Dataset(
        title=title or name,
        identifier=f"{agency}:{name}({version})",
        publisher=agency,
        files=(ListedFile(f"{service}data/{flow}/all", title=title or name),),
    )
