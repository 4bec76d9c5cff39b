"""All links of a response: those a page shows, and those in its markup, headers or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.core.link import Link
from lodehound.read.charsets import decode_page
from lodehound.read.hidden_links import DECLARED, GUESSED, add_hidden_links
from lodehound.read.html import (
    BASE,
    HEADINGS,
    LINKS,
    MAX_LINKS,
    REFRESHES,
    TITLE,
    PageLinks,
    asks_nofollow,
    base_of,
    digest_of,
    followed,
    refresh_of,
    shown_links,
    shows_nothing,
    title_of,
)
from lodehound.read.html_data import data_links
from lodehound.read.html_tree import parse_beginning
from lodehound.read.json_links import add_json_links
from lodehound.read.link_header import add_header_links
from lodehound.read.mentions import Mentions
from lodehound.read.mime import is_html, is_json
from lodehound.read.page_captions import Captions

# Increased when the same bytes give other links, so that cached pages are read again.
VERSION = 6

CERTAIN = f"{BASE}, {REFRESHES}, {TITLE}, {LINKS}, {DECLARED}, {', '.join(sorted(HEADINGS))}"
EVERYTHING = f"{CERTAIN}, {GUESSED}"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def no_link(_: Link) -> bool:
    """Return that no caption is wanted."""
    return False


def read_links(
    body: bytes,
    *,
    url: str,
    mime: str = "text/html",
    charset: str = "",
    depth: int = 0,
    headers: Mapping[str, str] = NO_HEADERS,
    nofollow: bool = False,
    data: bool = False,
    speculative: bool = True,
    digest: bool = False,
    captioned: Callable[[Link], bool] = no_link,
) -> PageLinks:
    """Read the links and the title of a response, and the target of its meta refresh.

    The links that a page shows come first, in document order, duplicates included. Then come
    URLs that it does not show, each once.

    Args:
        body: The body of the response.
        url: Its URL, after redirects.
        mime: Its type.
        charset: The charset in the Content-Type header, or "".
        depth: Depth of the page; its links are one deeper.
        headers: The headers of the response, names in lower case.
        nofollow: Leave out links that the page asks robots not to follow.
        data: Start with links to data (lodehound.read.html_data).
        speculative: Include text that may be a URL: in scripts, attributes, forms and JSON.
        digest: Identify the version of a page by its links and its text.
        captioned: Says of a link whether what the page says about it is read, too.

    >>> page = read_links(b"<embed src=/a.pdf>", url="https://e.org/")
    >>> [(link.url, link.kind, link.tag_path) for link in page.links]
    [('https://e.org/a.pdf', 'embed', 'embed/body/embed')]
    """
    if is_html(mime):
        text, is_all = decode_page(body, charset)
        tree, is_whole = parse_beginning(text)
        del text
        page = _read_html(
            tree,
            url,
            depth + 1,
            nofollow=nofollow,
            data=data,
            speculative=speculative,
            captioned=captioned,
        )
        if not (is_all and is_whole):
            page = replace(page, cut=True)
        if digest:
            page = replace(page, digest=digest_of(tree, page.links))
        if nofollow and asks_nofollow(tree):
            return replace(page, links=())
    else:
        page = PageLinks()
    mentions = Mentions(url, url, depth + 1, page.links)
    if speculative and is_json(mime):
        add_json_links(body, mentions)
    add_header_links(headers.get("link", ""), mentions)
    return replace(page, links=(*page.links, *mentions.links)) if mentions.links else page


def _read_html(
    tree: LexborHTMLParser,
    url: str,
    depth: int,
    *,
    nofollow: bool,
    data: bool,
    speculative: bool,
    captioned: Callable[[Link], bool],
) -> PageLinks:
    nodes, is_cut = _elements(tree, speculative=speculative)
    base = base_of(nodes, url)
    if nofollow:
        nodes = followed(nodes)
    shown, others, places = shown_links(nodes, base, url, depth, captioned)
    captions = Captions().of(shown, places)
    if data:
        shown = [*data_links(tree, base, url, depth), *shown]
    mentions = Mentions(base, url, depth, shown)
    add_hidden_links(others, mentions, guess=speculative)
    refresh, moved = refresh_of(others, base, url)
    if not moved and (place := mentions.place(refresh)):
        mentions.add(place, "refresh", "html/head/meta[refresh]")
    return PageLinks(
        links=(*shown, *mentions.links),
        moved=refresh if moved else "",
        title=title_of(others),
        needs_script=not shown and shows_nothing(tree),
        cut=is_cut,
        captions=captions,
    )


def _elements(tree: LexborHTMLParser, *, speculative: bool) -> tuple[list[LexborNode], bool]:
    """Return the elements that are read, and whether some with links are left out.

    If there are too many, those that may contain URLs (all options of a list) do not crowd out
    those that do.
    """
    # One query instead of several: each of them walks the whole tree.
    found = tree.css(EVERYTHING if speculative else CERTAIN)
    if len(found) <= MAX_LINKS:
        return found, False
    certain = tree.css(CERTAIN)
    known = {node.mem_id for node in certain}
    guesses = (node for node in found if node.mem_id not in known)
    room = max(0, MAX_LINKS - len(certain))
    return [*certain[:MAX_LINKS], *islice(guesses, room)], len(certain) > MAX_LINKS
