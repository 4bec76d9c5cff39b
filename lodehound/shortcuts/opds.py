"""OPDS: catalogues of publications as feeds, in Atom (1.2) or JSON (2.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import (
    Fetched,
    elements,
    local_name,
    number,
    pick,
    records,
    text,
    xml_text,
)
from lodehound.shortcuts.rel_links import next_link, person, related

PROFILE = "opds-catalog"
MARKS = (PROFILE.encode(), b"opds-spec.org/")  # the type of its links; its namespace and relations
JSON_FEED = "application/opds+json"
FREE = ("http://opds-spec.org/acquisition", "http://opds-spec.org/acquisition/open-access")
ALTERNATES = "link[rel=alternate][type][href]"
OTHERS = frozenset(
    {"self", "start", "up", "search", "previous", "first", "last", "alternate", "related"}
)


class Opds(Shortcut):
    """OPDS catalogues: free publications, with their formats."""

    title = "OPDS"
    marks = (PROFILE.encode(), JSON_FEED.encode())

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a catalogue, or the alternate of a page that is one."""
        if not page.is_html:
            is_feed = page.mime == JSON_FEED or (
                page.head.startswith("<") and _is_marked(page.body[:10_000])
            )
            return (page.url,) if is_feed else ()
        links = (link for mark in self.marks for link in page.tags(mark, ALTERNATES))
        return tuple(url for link in links if (url := page.resolve(link["href"])))[:1]

    def expand(self, answer: Fetched) -> Expansion | None:
        root = answer.xml
        if root is not None and local_name(root) == "feed" and _is_marked(answer.body):
            return _atom(root, answer)
        data = answer.json
        listed = isinstance(pick(data, "publications"), list) or records(data, "navigation")
        is_feed = isinstance(pick(data, "metadata"), dict) and records(data, "links") and listed
        return _json(data, answer) if is_feed else None


def _is_marked(body: bytes) -> bool:
    return any(mark in body for mark in MARKS)


def _atom(root: Element, answer: Fetched) -> Expansion:
    entries = list(elements(root, "entry"))
    datasets = (_entry(one, answer) for one in entries)
    feeds = (page for one in (root, *entries) for page in _feeds(one, answer))
    return Expansion(
        datasets=tuple(one for one in datasets if one.files),
        more=tuple(page for page in dict.fromkeys(feeds) if page.url != answer.url),
    )


def _feeds(element: Element, answer: Fetched) -> Iterator[ApiPage]:
    """Yield the next page of a feed, and the feeds that its entries lead to."""
    for link in elements(element, "link"):
        relation, kind = link.get("rel") or "", link.get("type") or ""
        leads = relation == "next" or (local_name(element) == "entry" and relation not in OTHERS)
        url = answer.resolve(link.get("href"))
        if url and leads and PROFILE in kind and "type=entry" not in kind:
            yield ApiPage(url, deeper=relation != "next")


def _entry(entry: Element, answer: Fetched) -> Dataset:
    links = [one for one in elements(entry, "link") if one.get("rel") in FREE]
    files = (
        ListedFile(
            answer.resolve(one.get("href")),
            title=one.get("title") or "",
            format=one.get("type") or "",
            size=number(dict(one.attrib), "length"),
        )
        for one in links
    )
    return Dataset(
        title=xml_text(entry, "title"),
        identifier=xml_text(entry, "identifier") or xml_text(entry, "id"),
        description=xml_text(entry, "summary") or xml_text(entry, "content"),
        publisher=xml_text(entry, "publisher") or xml_text(entry, "author", "name"),
        licence=xml_text(entry, "rights"),
        issued=xml_text(entry, "issued") or xml_text(entry, "published"),
        modified=xml_text(entry, "updated"),
        files=tuple(file for file in files if file.url),
    )


def _json(data: Any, answer: Fetched) -> Expansion:
    found = records(data, "publications")
    groups = records(data, "groups")
    found += [one for group in groups for one in records(group, "publications")]
    menus = [
        *records(data, "navigation"),
        *(one for group in groups for one in records(group, "navigation")),
    ]
    feeds = dict.fromkeys(answer.resolve(one.get("href")) for one in menus)
    datasets = (_publication(one, answer) for one in found)
    return Expansion(
        datasets=tuple(one for one in datasets if one.files),
        more=(
            *(ApiPage(url, deeper=True) for url in feeds if url not in {"", answer.url}),
            *next_link(data, answer, len(found)),
        ),
    )


def _publication(data: dict[str, Any], answer: Fetched) -> Dataset:
    about = pick(data, "metadata")
    files = (
        ListedFile(text(link, "href"), title=text(link, "title"), format=text(link, "type"))
        for link in related(data, answer, *FREE)
    )
    return Dataset(
        title=text(about, "title"),
        identifier=text(about, "identifier"),
        description=text(about, "description"),
        publisher=text(about, "publisher", "name")
        or text(about, "publisher")
        or person(about, "author"),
        issued=text(about, "published"),
        modified=text(about, "modified"),
        files=tuple(files),
    )
