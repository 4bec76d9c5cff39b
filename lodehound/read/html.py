"""The links that an HTML page shows, each with its tag path, its text and the text beside it.

Pages are hostile: everything here is bounded, so that the time and memory spent
on a page are at most proportional to its size.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lodehound.core.caption import Caption
from lodehound.core.link import Link
from lodehound.core.urls import resolve
from lodehound.read.element_text import ElementTexts

# Section 2.2 of the SB paper names a, area and iframe; its released code adds frame.
SHOWN = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
LINKS = ", ".join(f"{tag}[{name}]" for tag, name in SHOWN.items())
BASE = "base[href]"
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
REFRESHES = "meta[http-equiv][content]"
TITLE = "title"
# Attributes that may contain the URL of a file, beside href or instead of it.
ATTRIBUTES = ("data-href", "data-url", "data-file", "onclick")

MAX_LINKS = 20_000  # elements per page; the longest honest list we know has 7,300
# Characters of a tag path (deeper elements are left out), and of one element of it. The longest
# honest ones we know have 7,900 and 7,100, and a content management system writes 1,000 and 700.
MAX_PATH, MAX_TOKEN = 20_000, 10_000
MAX_PATHS = 8_000_000  # of all tag paths of a page: once they are used up, paths are short
SHORT_PATH, SHORT_TOKEN = 1000, 120
MAX_WORDS = 200  # characters of an anchor, and of the text beside it
NEAR = 100  # of these, before and after it
MAX_INSIDE = 20  # elements in a link that are searched for an image
MAX_REFRESH = 9000  # characters of a meta refresh: a number and an address
REFRESH = re.compile(  # possessive throughout: no content takes long to refuse
    r"(?is)\s*+(\d++|(?=\.))[\d.]*+(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?(['\"]?)(.*)"
)
SOON = {str(seconds) for seconds in range(11)} | {""}  # seconds of a refresh that is a redirect

# Data in a script element (JSON-LD and the like) does not run.
UNSEEN = ["script", "style", "noscript", "template"]
HARDLY_ANY = 80  # characters of text
RUNNING_SCRIPT = "script:not([type*=json])"


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a crawl needs from a response."""

    links: tuple[Link, ...] = ()
    moved: str = ""  # where it sends its readers at once (meta refresh)
    title: str = ""
    needs_script: bool = False  # it shows no link and hardly any text, but has a script
    digest: str = ""  # identity of its links and text, if it was asked for
    cut: bool = False  # it is longer, or has more links, than is read of a page
    captions: Mapping[str, Caption] = field(default_factory=dict)  # of wanted links, by URL


class Element(NamedTuple):
    """An element that may contain URLs that are not shown; its properties are read only once."""

    node: LexborNode
    tag: str
    attributes: dict[str, str | None]


def refresh_of(elements: Iterable[Element], base: str, url: str) -> tuple[str, bool]:
    """Return the target of a meta refresh, and whether it is immediate, like a redirect.

    A page that reloads itself has no target (HTML standard, 4.2.5.3).
    """
    later = ""
    metas = (one.attributes for one in elements if one.tag == "meta")
    for attributes in islice((meta for meta in metas if "http-equiv" in meta), 20):
        if (attributes["http-equiv"] or "").strip().lower() != "refresh":
            continue
        written = REFRESH.match((attributes.get("content") or "")[:MAX_REFRESH])
        if written is None:
            continue
        seconds, quote, place = written.groups()
        place = (place.partition(quote)[0] if quote else place).strip()
        moved = resolve(base, place) if place else ""
        if moved and moved != url:
            if seconds.lstrip("0") in SOON:
                return moved, True
            later = later or moved
    return later, False


def asks_nofollow(tree: LexborHTMLParser) -> bool:
    """Return whether a robots meta element asks not to follow the links of a page."""
    for element in tree.css("meta[name][content]")[:200]:
        attributes = element.attributes
        if (attributes.get("name") or "").strip().lower() == "robots":
            said = (attributes.get("content") or "").lower().replace(",", " ").split()
            if "nofollow" in said or "none" in said:
                return True
    return False


def followed(links: list[LexborNode]) -> list[LexborNode]:
    """Remove links with ``rel=nofollow``."""
    return [n for n in links if "nofollow" not in (n.attributes.get("rel") or "").lower().split()]


def shown_links(
    nodes: Sequence[LexborNode],
    base: str,
    url: str,
    depth: int,
    wanted: Callable[[Link], bool],
) -> tuple[list[Link], list[Element], list[tuple[int, LexborNode]]]:
    """Return the links that are shown, and the elements that may contain other URLs.

    Last come headings and the elements of wanted links, each with its place among the links.

    Args:
        nodes: Elements in document order; those that match several selectors are repeated.
        base: References are relative to this URL.
        url: The URL of the page.
        depth: Depth of its links.
        wanted: Says of a link whether its caption is wanted.
    """
    links: list[Link] = []
    captioned: list[tuple[int, LexborNode]] = []
    pictures: list[tuple[int, LexborNode]] = []  # links without text, by their index
    others: list[Element] = []
    texts = ElementTexts()
    paths, beside = _TagPaths(), _TextsBeside(texts)
    for node in nodes:
        kind = node.tag or ""
        attributes = node.attributes
        if kind in HEADINGS:
            captioned.append((len(links), node))
            if not attributes:
                continue
        name = SHOWN.get(kind, "")
        if not name or not _NAMING.isdisjoint(attributes):
            if others and others[-1].node.mem_id == node.mem_id:
                continue
            others.append(Element(node, kind, attributes))
        reference = attributes.get(name)
        if reference is not None and (place := resolve(base, reference)):
            parent = node.parent
            path = paths.of_link(kind, attributes, parent)
            anchor = words(texts.beginning(node, 4 * MAX_WORDS))
            if not anchor:
                pictures.append((len(links), node))
            around = beside.of(node, parent)
            # As Link(...), without its Python call.
            link = _new_link(Link, (place, url, path, anchor, around, kind, depth, None))
            if wanted(link):
                captioned.append((len(links), node))
            links.append(link)
    _name_pictures(links, pictures)
    return links, others, captioned


_NAMING = frozenset(ATTRIBUTES)
_new_link = tuple.__new__


def base_of(nodes: Iterable[LexborNode], url: str) -> str:
    """Return what references are relative to (HTML standard, 4.2.3: the first base counts)."""
    element = next((node for node in nodes if node.tag == "base"), None)
    reference = element.attributes.get("href") if element is not None else None
    return (resolve(url, reference) if reference else "") or url


def title_of(elements: Iterable[Element]) -> str:
    """Return the title of a page: the first counts."""
    node = next((one.node for one in elements if one.tag == "title"), None)
    return words(ElementTexts().beginning(node, 4 * MAX_WORDS)) if node is not None else ""


def digest_of(tree: LexborHTMLParser, links: Sequence[Link]) -> str:
    """Return the identity of what a reader sees: comments, markup and scripts do not count.

    The tree loses its scripts and styles.
    """
    tree.strip_tags(UNSEEN, recursive=True)
    text = tree.body.text(separator=" ") if tree.body is not None else ""
    hashed = hashlib.blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=12)
    hashed.update("\n".join(link.url for link in links).encode("utf-8", "replace"))
    return hashed.hexdigest()


def shows_nothing(tree: LexborHTMLParser) -> bool:
    """Return whether a page without links shows hardly any text, but has a script that may.

    The tree loses its scripts and styles.
    """
    if tree.css_first(RUNNING_SCRIPT) is None:
        return False
    tree.strip_tags(UNSEEN, recursive=True)
    text = tree.body.text(separator=" ") if tree.body is not None else ""
    return len(" ".join(text[: 8 * HARDLY_ANY].split())) < HARDLY_ANY


def label_of(attributes: dict[str, str | None]) -> str:
    """Return the label of an element without text."""
    return words(
        attributes.get("alt") or attributes.get("aria-label") or attributes.get("title") or ""
    )


def _name_pictures(links: list[Link], pictures: list[tuple[int, LexborNode]]) -> None:
    """Set the anchor of links without text: the text of their image, or their label.

    An image beside a text link to the same URL is decoration, and gets no anchor.
    """
    if not pictures:
        return
    named = {link.url for link in links if link.anchor}
    for at, node in pictures:
        alt = _image_text(node) if links[at].url not in named else ""
        links[at] = links[at]._replace(anchor=alt or label_of(node.attributes))


def _image_text(link: LexborNode) -> str:
    """Return the alternative text of the image in a link."""
    for node in islice(link.traverse(), 1, MAX_INSIDE):
        if node.tag == "img" and (text := words(node.attributes.get("alt") or "")):
            return text
    return ""


def words(text: str) -> str:
    """Return the beginning of a text, with white space collapsed."""
    return " ".join(text[: 4 * MAX_WORDS].split())[:MAX_WORDS]


class _TagPaths:
    """Tag paths of one page's elements, each read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}
        self._room = MAX_PATHS

    def of_link(
        self, tag: str, attributes: dict[str, str | None], parent: LexborNode | None
    ) -> str:
        """Return the path of a link."""
        above = self._of(parent) if parent is not None else ""
        if self._room <= 0:
            above = above[:SHORT_PATH]
        return self._joined(above, tag, attributes)

    def _of(self, node: LexborNode) -> str:
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
            longest = MAX_PATH if self._room > 0 else SHORT_PATH
            if len(path) < longest and tag != "-document":
                path = self._joined(path, tag, ancestor.attributes)
            known[ancestor.mem_id] = path
        return path

    def _joined(self, above: str, tag: str, attributes: dict[str, str | None]) -> str:
        token = path_token(tag, attributes, MAX_TOKEN if self._room > 0 else SHORT_TOKEN)
        path = f"{above}/{token}" if above else token
        self._room -= len(path)
        return path


def path_token(tag: str, attributes: dict[str, str | None], longest: int = SHORT_TOKEN) -> str:
    """Return tag, classes and id as the SB paper writes them: ``div.main.wide#content``."""
    classes, name = attributes.get("class"), attributes.get("id")
    if not classes and not name:
        return tag
    classes, name = (classes or "")[:longest], (name or "")[:longest]
    make = _known_token if len(classes) + len(name) <= SHORT_PATH else _token
    return make(tag, classes, name, longest)


def _token(tag: str, classes: str, name: str, longest: int) -> str:
    token = tag
    if classes:
        token += "." + ".".join(classes.split())
    if name:
        token += "#" + "_".join(name.split())
    # The slash parts the elements of a path, so none may stand inside one.
    return token.replace("/", "|")[:longest]


_known_token = lru_cache(maxsize=4096)(_token)  # the pages of a site are made of the same elements


class _TextsBeside:
    """The text beside a link: its neighbours', else those of the element around it."""

    def __init__(self, texts: ElementTexts) -> None:
        self._texts = texts
        self._known: dict[int, str] = {}
        self._around: dict[int, str] = {}

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
        left, right = node.prev, node.next
        if left is not None and left.is_empty_text_node:  # white space between the two
            left = left.prev
        if right is not None and right.is_empty_text_node:
            right = right.next
        before = self._text(left)[-NEAR:].lstrip() if left is not None else ""
        after = self._text(right)[:NEAR].rstrip() if right is not None else ""
        return f"{before} {after}" if before and after else before or after

    def _text(self, node: LexborNode) -> str:
        """Return the text of an element, or of a long one its beginning and its end."""
        text = self._known.get(node.mem_id)
        if text is None:
            whole = self._texts.beginning(node, 8 * NEAR + 1)
            if len(whole) > 8 * NEAR:
                whole = f"{whole[: 4 * NEAR]} {self._texts.end(node, 4 * NEAR)}"
            text = self._known[node.mem_id] = " ".join(whole.split())
        return text
