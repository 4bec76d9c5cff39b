"""Feeds: RSS, Atom and JSON Feed, with attached files and the pages of their entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from lodehound.read.sitemaps import read_sitemap
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import (
    Fetched,
    elements,
    local_name,
    number,
    records,
    text,
    xml_text,
)

ROOTS = ("<rss", "<feed", "<rdf:rdf")
JSON_FEED = "https://jsonfeed.org/version/"


class Feed(Shortcut):
    """Feeds (RSS, Atom, JSON Feed): attached files, and pages."""

    title = "feed"
    eager = False

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See that it is a feed. Links to feeds are followed like all others."""
        head = page.head.lower()
        is_xml = head.startswith("<") and not page.is_html and any(root in head for root in ROOTS)
        return (page.url,) if is_xml or JSON_FEED in head else ()

    def expand(self, answer: Fetched) -> Expansion | None:
        if text(answer.json, "version").startswith(JSON_FEED):
            return _json_feed(answer)
        if not self.signs(answer):
            return None
        # Feeds are often damaged: this reader takes everything before the error.
        found = read_sitemap(answer.body, url=answer.url)
        root = answer.xml
        files = tuple(_enclosures(root, answer))
        attached = {file.url for file in files}
        pages = tuple(page.url for page in found.pages if page.url not in attached)
        if not (root is not None or pages):
            return None
        dates = {page.url: page.lastmod for page in found.pages if page.lastmod}
        return Expansion(files=files, pages=pages, modified=dates, more=_next(root, answer))


def _enclosures(root: Element | None, answer: Fetched) -> Iterator[ListedFile]:
    """Yield the attached files: elements of RSS, links of Atom."""
    for entry in (*elements(root, "**", "item"), *elements(root, "**", "entry")):
        title = xml_text(entry, "title")
        modified = xml_text(entry, "pubDate") or xml_text(entry, "updated")
        links = [one for one in elements(entry, "link") if one.get("rel") == "enclosure"]
        for one in (*elements(entry, "enclosure"), *links):
            if url := answer.resolve(one.get("url") or one.get("href")):
                size = number(one.get("length"))
                yield ListedFile(url, title, one.get("type") or "", size or None, modified)


def _next(root: Element | None, answer: Fetched) -> tuple[ApiPage, ...]:
    """Return the next page of a paged feed (RFC 5005, section 3)."""
    channels = [one for one in (root, *elements(root, "channel")) if one is not None]
    for link in (link for channel in channels for link in elements(channel, "link")):
        if link.get("rel") == "next" and local_name(link) == "link":
            url = answer.resolve(link.get("href"))
            return (ApiPage(url),) if url and url != answer.url else ()
    return ()


def _json_feed(answer: Fetched) -> Expansion:
    items = records(answer.json, "items")
    pages = (answer.resolve(item.get("url")) for item in items)
    following = answer.resolve(answer.json.get("next_url"))
    return Expansion(
        files=tuple(file for item in items for file in _attachments(item, answer)),
        pages=tuple(url for url in dict.fromkeys(pages) if url),
        more=(ApiPage(following),) if following and following != answer.url else (),
    )


def _attachments(item: dict[str, Any], answer: Fetched) -> Iterator[ListedFile]:
    for one in records(item, "attachments"):
        if url := answer.resolve(one.get("url")):
            yield ListedFile(
                url,
                text(one, "title") or text(item, "title"),
                text(one, "mime_type"),
                number(one, "size_in_bytes"),
                text(item, "date_modified") or text(item, "date_published"),
            )
