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
VERSION = 1

# Section 2.2 of the SB paper names a, area and iframe; its released code adds frame.
LINKS = "a[href], area[href], iframe[src], frame[src]"

MAX_LINKS = 100_000  # on one page; the largest honest list we know has 7,300
MAX_PATH = 1000  # characters of a tag path; deeper elements are left out
MAX_TOKEN = 120  # characters of one element of a tag path
MAX_WORDS = 200  # characters of an anchor, and of the text beside it
MAX_TEXT = 16_000_000  # characters copied from one page in search of texts beside links


def decode(body: bytes, charset: str = "") -> str:
    """Return the page as text: by byte order mark, then header, then meta, then UTF-8."""
    header = f"text/html; charset={charset}" if charset else None
    _, text = html_to_unicode(header, body, default_encoding="utf-8", auto_detect_fun=_guess)
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
            anchor = _words(node.text(deep=True)) or _label(attributes)
            yield Link(place, url, paths.of(node), anchor, texts.of(node), kind, depth)


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
    """Tag paths of one page, each ancestor read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, node: LexborNode) -> str:
        parent = node.parent
        above = self._above(parent) if parent is not None else ""
        token = _token(node)
        return f"{above}/{token}" if above else token

    def _above(self, node: LexborNode) -> str:
        """Return the path of an ancestor: climb to one that is known, then come back down."""
        known = self._known
        climbed = []
        current: LexborNode | None = node
        while current is not None and current.mem_id not in known and current.tag != "-document":
            climbed.append(current)
            current = current.parent
        path = known.get(current.mem_id, "") if current is not None else ""
        for ancestor in reversed(climbed):
            if len(path) < MAX_PATH:
                path = f"{path}/{_token(ancestor)}" if path else _token(ancestor)
            known[ancestor.mem_id] = path
        return path


def _token(node: LexborNode) -> str:
    """Return tag, classes and id as the SB paper writes them: ``div.main.wide#content``."""
    token = node.tag or ""
    attributes = node.attributes
    if classes := attributes.get("class"):
        token += "." + ".".join(classes[:MAX_TOKEN].split())
    if name := attributes.get("id"):
        token += "#" + "_".join(name[:MAX_TOKEN].split())
    # The slash parts the elements of a path, so none may stand inside one.
    return token.replace("/", "|")[:MAX_TOKEN]


class _TextsBeside:
    """The text beside a link: its neighbours', else those of the element around it."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}
        self._copied = 0

    def of(self, node: LexborNode) -> str:
        text = self._beside(node)
        parent = node.parent
        return text if text or parent is None else self._beside(parent)

    def _beside(self, node: LexborNode) -> str:
        return " ".join(filter(None, (self._text(node.prev), self._text(node.next))))

    def _text(self, node: LexborNode | None) -> str:
        if node is None or self._copied > MAX_TEXT:
            return ""
        text = self._known.get(node.mem_id)
        if text is None:
            whole = node.text(deep=True)
            self._copied += len(whole)
            text = self._known[node.mem_id] = " ".join(whole[-2 * MAX_WORDS :].split())[-100:]
        return text
