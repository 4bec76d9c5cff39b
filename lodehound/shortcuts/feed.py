"""Feeds: RSS, Atom and JSON Feed, with attached files and the pages of their entries."""

from __future__ import annotations

import re
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
JSON_FEED = re.compile(r"https?://(?:www\.)?jsonfeed\.org/version/")


class Feed(Shortcut):
    """Feeds (RSS, Atom, JSON Feed): attached files, and pages."""

    title = "feed"
    eager = False

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See that it is a feed. Links to feeds are followed like all others."""
        if page.is_html:
            return ()
        head = page.head.lower()
        is_xml = head.startswith("<") and any(root in head for root in ROOTS)
        return (page.url,) if is_xml or _is_json_feed(page) else ()

    def expand(self, answer: Fetched) -> Expansion | None:
        if _is_json_feed(answer):
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
        return Expansion(
            files=files,
            pages=pages,
            modified=dates,
            more=_next(root, answer),
            cut=bool(found.note),
        )


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


def _is_json_feed(page: Fetched) -> bool:
    """Return whether it names a version of JSON Feed; its slashes may be escaped."""
    named = page.head.startswith("{") and b"jsonfeed.org" in page.body
    return named and bool(JSON_FEED.match(text(page.json, "version")))


def _json_feed(answer: Fetched) -> Expansion:
    items = records(answer.json, "items")
    pages = {answer.resolve(item.get("url")): _date(item) for item in items}
    pages.pop("", None)
    following = answer.resolve(answer.json.get("next_url"))
    return Expansion(
        files=tuple(file for item in items for file in _attachments(item, answer)),
        pages=tuple(pages),
        modified={url: date for url, date in pages.items() if date},
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
                _date(item),
            )


def _date(item: dict[str, Any]) -> str:
    return text(item, "date_modified") or text(item, "date_published")
