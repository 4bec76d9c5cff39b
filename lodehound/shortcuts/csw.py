"""CSW: catalogues of geographic data, such as GeoNetwork, list records with links to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lodehound.core.urls import extension_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import PAGE_ENDINGS
from lodehound.shortcuts.documents import URL_UP_TO, Fetched, elements, local_name, number, xml_text
from lodehound.shortcuts.paging import next_page, query_of, with_query

GEONETWORK = re.compile(URL_UP_TO + rb"/geonetwork/)srv\b")
LIST = (
    "service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results"
    "&elementSetName=full&maxRecords=100&startPosition=1"
)
SERVICES = ("OGC:", "ESRI:", "WMS", "WFS", "WCS")  # beginnings of protocols


class Csw(Shortcut):
    """GeoNetwork, pycsw and other catalogue services for the web (CSW 2.0.2)."""

    title = "GeoNetwork, CSW"
    marks = (b"/geonetwork/srv",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See pages of GeoNetwork, and addresses of it."""
        root = page.first_url(b"/geonetwork/srv", GEONETWORK)
        return (root,) if root else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if not root.endswith("/"):
            return (f"{root.partition('?')[0]}?{LIST}",)
        return resolve(root, f"srv/eng/csw?{LIST}"), resolve(root, f"/csw?{LIST}")

    def expand(self, answer: Fetched) -> Expansion | None:
        found = next(elements(answer.xml, "SearchResults"), None)
        if answer.xml is None or local_name(answer.xml) != "GetRecordsResponse" or found is None:
            return None
        datasets = tuple(_dataset(one, answer) for one in found)
        return Expansion(datasets=datasets, more=_more(found, answer, len(datasets)))


def _more(found: Element, answer: Fetched, got: int) -> tuple[ApiPage, ...]:
    """Return the next page: the one that the server names, 0 after the last, else by counting."""
    said = dict(found.attrib)
    following = number(said, "nextRecord")
    if following is None:
        total = number(said, "numberOfRecordsMatched")
        return next_page(answer.url, offset="startPosition", got=got, total=total, first=1)
    at = number(query_of(answer.url), "startPosition") or 1
    if following <= at or not got:
        return ()
    return (ApiPage(with_query(answer.url, startPosition=following), got),)


def _dataset(record: Element, answer: Fetched) -> Dataset:
    return _iso(record, answer) if local_name(record) == "MD_Metadata" else _dublin(record, answer)


def _dublin(record: Element, answer: Fetched) -> Dataset:
    """Return a record in Dublin Core (csw:Record)."""
    links = [
        (answer.resolve(xml_text(one)), one.get("protocol") or one.get("scheme") or "", "")
        for name in ("URI", "references", "source")
        for one in elements(record, name)
    ]
    return Dataset(
        title=xml_text(record, "title"),
        url=_page(links),
        identifier=xml_text(record, "identifier"),
        description=xml_text(record, "abstract") or xml_text(record, "description"),
        publisher=xml_text(record, "publisher") or xml_text(record, "creator"),
        licence=xml_text(record, "rights") or xml_text(record, "license"),
        issued=xml_text(record, "issued") or xml_text(record, "date"),
        modified=xml_text(record, "modified"),
        keywords=tuple(filter(None, (xml_text(one) for one in elements(record, "subject")))),
        files=tuple(_files(links)),
    )


def _iso(record: Element, answer: Fetched) -> Dataset:
    """Return a record of ISO 19139."""
    links = [
        (
            answer.resolve(xml_text(one, "linkage", "URL")),
            xml_text(one, "protocol"),
            _first(one, "name"),
        )
        for one in elements(record, "distributionInfo", "**", "CI_OnlineResource")
    ]
    about = next((one for info in elements(record, "identificationInfo") for one in info), None)
    return Dataset(
        title=_first(about, "citation", "CI_Citation", "title"),
        url=_page(links),
        identifier=xml_text(record, "fileIdentifier"),
        description=_first(about, "abstract"),
        publisher=_first(record, "contact", "CI_ResponsibleParty", "organisationName"),
        issued=xml_text(about, "citation", "CI_Citation", "date", "CI_Date", "date"),
        modified=xml_text(record, "dateStamp"),
        files=tuple(_files(links)),
    )


def _first(root: Element | None, *path: str) -> str:
    """Return the text in the main language; translations stand beside it."""
    return xml_text(root, *path, "CharacterString") or xml_text(root, *path)


def _page(links: list[tuple[str, str, str]]) -> str:
    return next((url for url, protocol, _ in links if url and _is_page(url, protocol)), "")


def _is_page(url: str, protocol: str) -> bool:
    ending = extension_of(url)
    return "LINK" in protocol and (not ending or ending in PAGE_ENDINGS)


def _files(links: list[tuple[str, str, str]]) -> Iterator[ListedFile]:
    """Yield the links that are downloads by their protocol or their ending."""
    for url, protocol, title in dict.fromkeys(links):
        ending = extension_of(url)
        named = "DOWNLOAD" in protocol.upper()
        file = ending and ending not in PAGE_ENDINGS and not protocol.upper().startswith(SERVICES)
        if url and (named or file):
            yield ListedFile(url, title=title)
