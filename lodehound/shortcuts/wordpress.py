"""WordPress: the REST API lists uploaded files, 100 in one answer."""

from __future__ import annotations

import html
import re
from typing import Any

from lodehound.core.urls import origin_of, resolve
from lodehound.shortcuts.contract import ApiPage, Expansion, ListedFile, Shortcut
from lodehound.shortcuts.documents import Fetched, number, records, text
from lodehound.shortcuts.paging import next_page, query_of, with_query

PER_PAGE = 100  # the most that WordPress returns
# PDF, spreadsheets, archives; then CSV. The API takes one of them at a time.
KINDS = ("application", "text")
MEDIA = "wp/v2/media"
RELATION = re.compile(r"<([^<>\s]{1,2000})>\s*;[^,]*rel=\"?https://api\.w\.org/")
API = b"api.w.org"
LINK = 'link[rel="https://api.w.org/"][href]'


class Wordpress(Shortcut):
    """WordPress sites: uploaded documents from the REST API."""

    title = "WordPress"
    key_header = "Authorization"
    marks = (b"generator: wordpress", API)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See the Link header or element that names the API, or the generator."""
        if not page.is_html:
            return ()
        if found := RELATION.search(page.headers.get("link", "")[:10_000]):
            named = page.resolve(found[1])
            return (named,) if named else ()
        for link in page.tags(API, LINK):
            if named := page.resolve(link["href"]):
                return (named,)
        if page.generator.startswith("wordpress"):
            return (origin_of(page.url) + "/wp-json/",)
        return ()

    def probes(self, root: str) -> tuple[str, ...]:
        return (_media(root, KINDS[0]),)

    def expand(self, answer: Fetched) -> Expansion | None:
        entries = records(answer.json)
        if not isinstance(answer.json, list) or not _is_media(answer.url):
            return None
        if len(entries) != len(answer.json) or not all(map(_is_attachment, entries)):
            return None
        query = query_of(answer.url)
        total = number(dict(answer.headers), "x-wp-total")
        more = next_page(
            answer.url, offset="page", got=len(entries), total=total, first=1, step=PER_PAGE
        )
        if query.get("page") == "1" and query.get("media_type") == KINDS[0]:
            more += (ApiPage(with_query(answer.url, media_type=KINDS[1])),)
        files = (_file(entry, answer) for entry in entries)
        return Expansion(files=tuple(file for file in files if file.url), more=more)


def _media(root: str, kind: str) -> str:
    """Return the first page of uploads; sites without pretty URLs name the route in the query."""
    # In the order of WordPress, by date, files of the same second are on two pages or on none.
    order = {"orderby": "id", "order": "asc"}
    options = {"media_type": kind, **order, "per_page": PER_PAGE, "page": 1}
    if "rest_route=" in root:
        return with_query(root, rest_route=f"/{MEDIA}", **options)
    place = root if "wp-json" in root else resolve(root, "wp-json/")
    return with_query(resolve(place, MEDIA), **options)


def _is_media(url: str) -> bool:
    return url.partition("?")[0].endswith(MEDIA) or MEDIA in query_of(url).get("rest_route", "")


def _is_attachment(entry: dict[str, Any]) -> bool:
    return "source_url" in entry and "mime_type" in entry


def _file(entry: dict[str, Any], answer: Fetched) -> ListedFile:
    return ListedFile(
        url=answer.resolve(entry.get("source_url")),
        title=html.unescape(text(entry, "title", "rendered")),
        format=text(entry, "mime_type"),
        size=number(entry, "media_details", "filesize"),
        modified=text(entry, "modified_gmt") or text(entry, "date_gmt"),
        description=html.unescape(text(entry, "alt_text")),
    )
