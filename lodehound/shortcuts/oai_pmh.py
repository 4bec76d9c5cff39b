"""OAI-PMH: repositories list their records in Dublin Core, about 100 at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from lodehound.core.urls import extension_of, resolve
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.datasets import PAGE_ENDINGS, SERVICES
from lodehound.shortcuts.documents import Fetched, elements, local_name, xml_text
from lodehound.shortcuts.paging import query_of, with_query

NAMESPACE = "http://www.openarchives.org/OAI/2.0/"
ENDPOINT = re.compile(
    rb"""href\s*=\s*["']?([^"'\s>]{0,300}?(?:/oai2d?|/oai/request|/oai|/oaipmh))(?:\?[^"'\s>]*)?["'\s>]""",
    re.IGNORECASE,
)
LIST = "verb=ListRecords&metadataPrefix=oai_dc"
NEXT = {"metadataPrefix": None, "from": None, "until": None, "set": None}  # a token replaces all
NO_FILES = {"", *PAGE_ENDINGS}
URLS = ("identifier", "relation", "references", "source")  # elements that may hold URLs


class OaiPmh(Shortcut):
    """Repositories with OAI-PMH: EPrints, DSpace, journals and archives."""

    title = "OAI-PMH"
    marks = (b"generator: eprints", b"/oai")

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See an answer, a link to the endpoint, or EPrints, which always has one."""
        if not page.is_html:
            return (page.url,) if NAMESPACE in page.head and "OAI-PMH" in page.head else ()
        if "eprints" in page.generator:
            return (page.resolve("/cgi/oai2"),)
        url = page.first_url(b"/oai", ENDPOINT)
        return (url,) if url else ()

    def probes(self, root: str) -> tuple[str, ...]:
        if root.endswith("/"):
            return resolve(root, f"oai/request?{LIST}"), resolve(root, f"oai?{LIST}")
        return (with_query(root, verb="ListRecords", metadataPrefix="oai_dc"),)

    def expand(self, answer: Fetched) -> Expansion | None:
        root = answer.xml
        if root is None or local_name(root) != "OAI-PMH":
            return None
        if next(elements(root, "Identify"), None) is not None:
            return Expansion(more=(ApiPage(self.probes(answer.url.rstrip("/"))[0]),))
        if next(elements(root, "error"), None) is not None:
            return Expansion(more=_again(root, answer))
        found = list(elements(root, "ListRecords", "record"))
        datasets = (_dataset(one, answer) for one in found)
        token = next(elements(root, "ListRecords", "resumptionToken"), None)
        return Expansion(
            datasets=tuple(one for one in datasets if one is not None),
            more=_more(token, answer, len(found)),
        )


def _more(token: Element | None, answer: Fetched, got: int) -> tuple[ApiPage, ...]:
    said = xml_text(token) if token is not None else ""
    if not said or not got:
        return ()
    first = "resumptionToken" not in query_of(answer.url)
    changes = {**(NEXT if first else {}), "verb": "ListRecords", "resumptionToken": said}
    following = with_query(answer.url, **changes)
    return (ApiPage(following, got),) if following != answer.url else ()


def _again(root: Element, answer: Fetched) -> tuple[ApiPage, ...]:
    """Ask with a prefix: the standard forbids it beside a token, but pycsw wants it."""
    wrong = any(one.get("code") == "badArgument" for one in elements(root, "error"))
    query = query_of(answer.url)
    if not wrong or "resumptionToken" not in query or "metadataPrefix" in query:
        return ()
    return (ApiPage(with_query(answer.url, metadataPrefix="oai_dc")),)


def _dataset(record: Element, answer: Fetched) -> Dataset | None:
    header = next(elements(record, "header"), None)
    about = next((one for parent in elements(record, "metadata") for one in parent), None)
    if about is None or (header is not None and header.get("status") == "deleted"):
        return None
    urls, form = dict.fromkeys(_urls(about, answer)), _format(about)
    files = [url for url in urls if extension_of(url) not in NO_FILES]
    pages = [url for url in urls if extension_of(url) in NO_FILES]
    return Dataset(
        title=xml_text(about, "title"),
        url=pages[0] if pages else "",
        identifier=xml_text(header, "identifier"),
        description=xml_text(about, "description") or xml_text(about, "abstract"),
        publisher=xml_text(about, "publisher") or xml_text(about, "creator"),
        licence=xml_text(about, "rights"),
        issued=xml_text(about, "date"),
        modified=xml_text(header, "datestamp"),
        keywords=tuple(filter(None, (xml_text(one) for one in elements(about, "subject")))),
        files=tuple(ListedFile(url, format=form) for url in files),
    )


def _format(about: Element) -> str:
    """Return the first type; repositories also write sizes as formats."""
    said = (xml_text(one) for one in elements(about, "format"))
    return next((one for one in said if "/" in one), "")


def _urls(about: Element, answer: Fetched) -> Iterator[str]:
    for name in URLS:
        for element in elements(about, name):
            said = xml_text(element)
            if (element.get("scheme") or "").lower().startswith(SERVICES):
                continue
            if said.startswith(("http://", "https://")) and (url := answer.resolve(said)):
                yield url
