"""An HTML page's links, each with its tag path, its words and the words beside it.

Pages are hostile: everything here is bounded, so that the time and memory spent
on a page are at most proportional to its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.core.link import Link
from lodehound.core.urls import resolve
from lodehound.read.charsets import decode
from lodehound.read.html_data import data_links

# Changes whenever the same bytes would give other links: cached pages are read anew then.
VERSION = 3

# Section 2.2 of the SB paper names a, area and iframe; its released code adds frame.
LINKS = "a[href], area[href], iframe[src], frame[src]"

MAX_LINKS = 100_000  # on one page; the largest honest list we know has 7,300
MAX_PATH = 1000  # characters of a tag path; deeper elements are left out
MAX_TOKEN = 120  # characters of one element of a tag path
MAX_WORDS = 200  # characters of an anchor, and of the text beside it
NEAR = 100  # of these, before and after it
MAX_REFRESH = 9000  # characters of a meta refresh: a number and an address
REFRESH = re.compile(  # possessive throughout: no content takes long to refuse
    r"(?is)\s*+(\d++|(?=\.))[\d.]*+(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?(['\"]?)(.*)"
)
SOON = {str(seconds) for seconds in range(11)} | {""}  # seconds of a refresh that is a redirect
MAX_TEXT = 16_000_000  # characters copied from one page as texts of links, and as many beside them


# Data in a script element (JSON-LD and the like) does not run.
RUNNING_SCRIPT = "script:not([type*=json])"


@dataclass(frozen=True, slots=True)
class Html:
    """What a page says, as far as a crawl wants to know."""

    links: tuple[Link, ...] = ()
    moved: str = ""  # where it sends its readers at once (meta refresh)
    title: str = ""
    needs_script: bool = False  # no link in it, but a script: it may show more to a browser


def read_links(body: bytes, *, url: str, charset: str = "", depth: int = 0) -> tuple[Link, ...]:
    """Return the links of a page in document order, duplicates included."""
    return read_html(body, url=url, charset=charset, depth=depth).links


def read_html(
    body: bytes,
    *,
    url: str,
    charset: str = "",
    depth: int = 0,
    nofollow: bool = False,
    data: bool = False,
) -> Html:
    """Read a page: its links in document order, duplicates included, and where it moved.

    Args:
        body: The page as it came.
        url: Its address, where the redirects ended.
        charset: What the Content-Type header declared, if it did.
        depth: Depth of the page; its links are one deeper.
        nofollow: Leave out links the page asks robots not to follow.
        data: Begin with what the page says of data elsewhere (lodehound.read.html_data).
    """
    tree = LexborHTMLParser(decode(body, charset))
    base = base_of(tree, url)
    found = tree.css(LINKS)[:MAX_LINKS]
    if nofollow:
        found = _followed(tree, found)
    links = tuple(_links(found, base, url, depth + 1))
    if data:
        links = (*data_links(tree, base, url, depth + 1), *links)
    title = tree.css_first("title")
    return Html(
        links=links,
        moved=_refresh(tree, base, url),
        title=_words(title.text(deep=True)) if title is not None else "",
        needs_script=not links and tree.css_first(RUNNING_SCRIPT) is not None,
    )


def _refresh(tree: LexborHTMLParser, base: str, url: str) -> str:
    """Return where a meta refresh leads, if at once and elsewhere (HTML standard, 4.2.5.3)."""
    for element in tree.css("meta[http-equiv][content]")[:20]:
        attributes = element.attributes
        if (attributes.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        written = REFRESH.match((attributes.get("content") or "")[:MAX_REFRESH])
        if written is None:
            continue
        seconds, quote, place = written.groups()
        place = (place.partition(quote)[0] if quote else place).strip()
        moved = resolve(base, place) if place else ""
        # A page that reloads itself, or shows itself for a while first, has not moved.
        if moved and moved != url and seconds.lstrip("0") in SOON:
            return moved
    return ""


def _followed(tree: LexborHTMLParser, links: list[LexborNode]) -> list[LexborNode]:
    """Leave out what ``rel=nofollow`` or a robots meta element asks not to follow."""
    for element in tree.css("meta[name][content]")[:200]:
        attributes = element.attributes
        if (attributes.get("name") or "").strip().lower() == "robots":
            words = (attributes.get("content") or "").lower().replace(",", " ").split()
            if "nofollow" in words or "none" in words:
                return []
    return [n for n in links if "nofollow" not in (n.attributes.get("rel") or "").lower().split()]


def _links(found: list[LexborNode], base: str, url: str, depth: int) -> Iterator[Link]:
    paths = _TagPaths()
    texts = _TextsBeside()
    copied = 0  # links may nest, inside objects or table cells: their texts are bounded together
    for node in found:
        kind = node.tag or ""
        attributes = node.attributes
        reference = attributes.get("src" if "frame" in kind else "href")
        place = resolve(base, reference) if reference is not None else ""
        if place:
            parent = node.parent
            path = _token(kind, attributes)
            if parent is not None and (above := paths.of(parent)):
                path = f"{above}/{path}"
            own = node.text(deep=True) if copied <= MAX_TEXT else ""
            copied += len(own)
            anchor = _words(own) or _label(attributes)
            yield Link(place, url, path, anchor, texts.of(node, parent), kind, depth)


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """Return what references are relative to (HTML standard, 4.2.3: the first base counts)."""
    element = tree.css_first("base[href]")
    reference = element.attributes.get("href") if element is not None else None
    return (resolve(url, reference) if reference else "") or url


def _label(attributes: dict[str, str | None]) -> str:
    """Return what a link without text is called."""
    return _words(attributes.get("aria-label") or attributes.get("title") or "")


def _words(text: str) -> str:
    return " ".join(text[: 4 * MAX_WORDS].split())[:MAX_WORDS]


class _TagPaths:
    """Tag paths of one page's elements, each read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, node: LexborNode) -> str:
        """Return the path of an element: climb to one that is known, then come back down."""
        known = self._known
        path = known.get(node.mem_id)
        if path is not None:
            return path
        climbed = []
        current: LexborNode | None = node
        while current is not None and (path := known.get(current.mem_id)) is None:
            climbed.append(current)
            current = current.parent
        path = path or ""
        for ancestor in reversed(climbed):
            tag = ancestor.tag or ""
            if len(path) < MAX_PATH and tag != "-document":
                token = _token(tag, ancestor.attributes)
                path = f"{path}/{token}" if path else token
            known[ancestor.mem_id] = path
        return path


def _token(tag: str, attributes: dict[str, str | None]) -> str:
    """Return tag, classes and id as the SB paper writes them: ``div.main.wide#content``."""
    classes, name = attributes.get("class"), attributes.get("id")
    if not classes and not name:
        return tag
    token = tag
    if classes:
        token += "." + ".".join(classes[:MAX_TOKEN].split())
    if name:
        token += "#" + "_".join(name[:MAX_TOKEN].split())
    # The slash parts the elements of a path, so none may stand inside one.
    return token.replace("/", "|")[:MAX_TOKEN]


class _TextsBeside:
    """The text beside a link: its neighbours', else those of the element around it."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}
        self._around: dict[int, str] = {}
        self._copied = 0

    def of(self, node: LexborNode, parent: LexborNode | None) -> str:
        text = self._beside(node)
        if text or parent is None:
            return text
        around = self._around.get(parent.mem_id)
        if around is None:
            around = self._around[parent.mem_id] = self._beside(parent)
        return around

    def _beside(self, node: LexborNode) -> str:
        """Return the end of what stands before, and the beginning of what stands after."""
        before = self._text(_neighbour(node, "prev"))[-NEAR:].lstrip()
        after = self._text(_neighbour(node, "next"))[:NEAR].rstrip()
        return f"{before} {after}" if before and after else before or after

    def _text(self, node: LexborNode | None) -> str:
        """Return the text of an element, or of a long one its beginning and its end."""
        if node is None or self._copied > MAX_TEXT:
            return ""
        text = self._known.get(node.mem_id)
        if text is None:
            whole = node.text(deep=True)
            self._copied += len(whole)
            if len(whole) > 8 * NEAR:
                whole = f"{whole[: 4 * NEAR]} {whole[-4 * NEAR :]}"
            text = self._known[node.mem_id] = " ".join(whole.split())
        return text


def _neighbour(node: LexborNode, side: Literal["prev", "next"]) -> LexborNode | None:
    """Return what stands beside an element, past the white space between the two."""
    beside: LexborNode | None = getattr(node, side)
    if beside is not None and beside.is_empty_text_node:
        beside = getattr(beside, side)
    return beside
