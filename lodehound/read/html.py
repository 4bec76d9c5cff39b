"""An HTML page's links, each with its tag path, its words and the words beside it.

Pages are hostile: everything here is bounded, so that the time and memory spent
on a page are at most proportional to its size.
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode
from w3lib.encoding import html_to_unicode

from lodehound.core.link import Link
from lodehound.core.urls import resolve

# Changes whenever the same bytes would give other links: cached pages are read anew then.
VERSION = 2

# Section 2.2 of the SB paper names a, area and iframe; its released code adds frame.
LINKS = "a[href], area[href], iframe[src], frame[src]"

MAX_LINKS = 100_000  # on one page; the largest honest list we know has 7,300
MAX_PATH = 1000  # characters of a tag path; deeper elements are left out
MAX_TOKEN = 120  # characters of one element of a tag path
MAX_WORDS = 200  # characters of an anchor, and of the text beside it
MAX_TEXT = 16_000_000  # characters copied from one page as texts of links, and as many beside them


def decode(body: bytes, charset: str = "") -> str:
    """Return the page as text: by byte order mark, then header, then meta, then UTF-8."""
    header = f"text/html; charset={charset}" if charset else None
    try:
        _, text = html_to_unicode(header, body, default_encoding="utf-8", auto_detect_fun=_guess)
    except (LookupError, UnicodeError):
        # A name that Python knows but that is no character set, such as base64 or idna.
        return body.decode(_guess(body), "replace")
    return text


def _guess(body: bytes) -> str:
    """Take what is not UTF-8 for Windows-1252, as the WHATWG Encoding standard's default does."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def read_links(body: bytes, *, url: str, charset: str = "", depth: int = 0) -> tuple[Link, ...]:
    """Return the links of a page in document order, duplicates included.

    Args:
        body: The page as it came.
        url: Its address, where the redirects ended.
        charset: What the Content-Type header declared, if it did.
        depth: Depth of the page; its links are one deeper.
    """
    tree = LexborHTMLParser(decode(body, charset))
    return tuple(_links(tree, url, depth + 1))


def _links(tree: LexborHTMLParser, url: str, depth: int) -> Iterator[Link]:
    base = _base(tree, url)
    paths = _TagPaths()
    texts = _TextsBeside()
    for node in tree.css(LINKS)[:MAX_LINKS]:
        kind = node.tag or ""
        attributes = node.attributes
        reference = attributes.get("src" if "frame" in kind else "href")
        place = resolve(base, reference) if reference is not None else ""
        if place:
            parent = node.parent
            path = _token(kind, attributes)
            if parent is not None and (above := paths.of(parent)):
                path = f"{above}/{path}"
            anchor = _words(node.text(deep=True)) or _label(attributes)
            yield Link(place, url, path, anchor, texts.of(node, parent), kind, depth)


def _base(tree: LexborHTMLParser, url: str) -> str:
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
        before, after = self._text(node.prev), self._text(node.next)
        return f"{before} {after}" if before and after else before or after

    def _text(self, node: LexborNode | None) -> str:
        if node is None or node.is_empty_text_node or self._copied > MAX_TEXT:
            return ""
        text = self._known.get(node.mem_id)
        if text is None:
            whole = node.text(deep=True)
            self._copied += len(whole)
            text = self._known[node.mem_id] = " ".join(whole[-2 * MAX_WORDS :].split())[-100:]
        return text
