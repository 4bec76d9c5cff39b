"""What a server sent, read within limits: JSON, XML and HTML from hostile servers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import msgspec
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from selectolax.lexbor import LexborHTMLParser

from lodehound.core.urls import resolve
from lodehound.read.charsets import decode
from lodehound.read.html_tree import parse_html
from lodehound.read.mime import is_html

MAX_BODY = 50_000_000  # bytes; the longest catalogue in one file that we know has 40 MB
MAX_LOOKED_AT = 500_000  # bytes of a page
MAX_TEXT = 10_000  # characters of one description
MAX_ITEMS = 50_000  # entries of one list, as of a sitemap; files and pages of one document
# A parser takes a second and 100 MB for so many. The longest catalogue has half as many.
MAX_VALUES = 1_000_000  # of JSON: commas and opening brackets
MAX_ELEMENTS = 100_000  # of XML
MAX_NUMBER = 2**53
LOOKED_AT = 200_000  # bytes of a page in which signs are looked for
GENERATOR = b"enerator"  # in the meta element that names it
MAX_TAG = 2000  # octets of an element with attributes
MAX_TAGS = 10  # elements that are looked at
# How a URL begins in an attribute or a script, up to a part of its path that a pattern adds.
URL_UP_TO = rb"""(?<=["'=(])([^\s"'<>()?#=]{0,300}?"""
LANGUAGES = ("en", "en_US", "en-GB", "und", "")  # preferred, where a text has several


@dataclass(frozen=True)
class Fetched:
    """An answer to a request, with its content parsed on demand.

    Attributes:
        url: After redirects.
        mime: Detected type, without parameters.
        body: At most the size limit of the crawl.
        status: HTTP status.
        headers: Names in lower case.
        charset: As declared in the header.
        cut: The body is not complete.
    """

    url: str
    mime: str = ""
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    charset: str = ""
    cut: bool = False

    @cached_property
    def is_too_long(self) -> bool:
        """Whether it has more than is read of a document, which then is not read at all."""
        body = self.body
        if len(body) > MAX_BODY:
            return True
        if self.head.startswith("<"):
            return not self.is_html and body.count(b"<") - body.count(b"</") > MAX_ELEMENTS
        return sum(map(body.count, (b",", b"[", b"{"))) > MAX_VALUES

    @cached_property
    def json(self) -> Any:
        """The content as JSON; None if it is not JSON, incomplete or too long."""
        if self.cut or not self.head.startswith(("{", "[")) or self.is_too_long:
            return None
        try:
            return msgspec.json.decode(self.body.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None

    @cached_property
    def xml(self) -> Element | None:
        """The root element; None if it is not XML, incomplete, too long or defines entities."""
        if self.cut or not self.head.startswith("<") or self.is_too_long:
            return None
        try:
            root: Element = fromstring(self.body)
        except (ParseError, DefusedXmlException, ValueError, LookupError, RecursionError):
            return None
        return root

    @cached_property
    def html(self) -> LexborHTMLParser | None:
        """The parsed page; None if it is not HTML."""
        return parse_html(decode(self.body, self.charset)) if self.is_html else None

    @cached_property
    def is_html(self) -> bool:
        return is_html(self.mime) and bool(self.body)

    def names(self, *marks: bytes) -> bool:
        """Return whether this is an HTML page with one of these marks near its beginning."""
        return self.is_html and any(self.body.find(mark, 0, LOOKED_AT) >= 0 for mark in marks)

    def first_url(self, mark: bytes, pattern: re.Pattern[bytes]) -> str:
        """Return the URL that a pattern finds in the page's own URL, else in the HTML page.

        Args:
            mark: Part of every match. Looking for it first is faster than the pattern.
            pattern: Its first group is the URL, absolute or not. It may want quotes around it.
        """
        found = pattern.search(b'"%s"' % self.url.encode())
        if found is None and self.names(mark):
            found = pattern.search(self.body, 0, LOOKED_AT)
        return self.resolve(found[1].decode("utf-8", "replace") or "./") if found else ""

    @cached_property
    def head(self) -> str:
        """The first 400 characters without a byte order mark and white space, to look at."""
        return self.body[:400].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def generator(self) -> str:
        """The generator that the page names in its meta element, in lower case."""
        for meta in self.tags(GENERATOR, "meta[name][content]"):
            if (meta["name"] or "").lower() == "generator":
                return (meta["content"] or "")[:200].lower()
        return ""

    def tags(self, mark: bytes, selector: str) -> Iterator[dict[str, str | None]]:
        """Yield the attributes of the elements with a mark in them, near the page's beginning.

        Parsing the whole page would take longer than all shortcuts together.
        """
        at = -1
        for _ in range(MAX_TAGS if self.is_html else 0):
            at = self.body.find(mark, at + 1, LOOKED_AT)
            if at < 0:
                return
            start = self.body.rfind(b"<", max(0, at - MAX_TAG), at)
            end = self.body.find(b">", at, at + MAX_TAG)
            if start >= 0 and end >= 0:
                tag = self.body[start : end + 1].decode("utf-8", "replace")
                node = LexborHTMLParser(tag).css_first(selector)
                if node is not None:
                    yield node.attributes

    @property
    def beginning(self) -> Fetched:
        """The first part of a long page, in which signs are looked for."""
        if len(self.body) <= MAX_LOOKED_AT or not self.is_html:
            return self
        return replace(self, body=self.body[:MAX_LOOKED_AT])

    def resolve(self, reference: object) -> str:
        """Return the absolute URL of a reference in this document; "" if it is no web URL."""
        if not isinstance(reference, str) or not reference.strip():
            return ""
        return resolve(self.url, reference.strip())


def pick(data: Any, *keys: str | int) -> Any:
    """Return a nested value, or None if anything on the way is missing.

    >>> pick({"a": [{"b": 1}]}, "a", 0, "b")
    1
    """
    for key in keys:
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            return None
    return data


def records(data: Any, *keys: str | int) -> list[dict[str, Any]]:
    """Return the objects in a nested list; [] if there is none.

    >>> records({"rows": [{"id": 1}, None, "x"]}, "rows")
    [{'id': 1}]
    """
    found = pick(data, *keys)
    return [one for one in found[:MAX_ITEMS] if isinstance(one, dict)] if _is_list(found) else []


def text(data: Any, *keys: str | int) -> str:
    """Return a nested text, shortened; "" if it is no text. Of several languages, one.

    >>> text({"title": {"fr": "Eaux", "en": " Water  quality"}}, "title")
    'Water quality'
    >>> text({"year": 2021}, "year")
    '2021'
    """
    found = pick(data, *keys)
    if isinstance(found, dict):
        texts = {key: one for key, one in found.items() if isinstance(one, str) and one.strip()}
        found = next((texts[key] for key in LANGUAGES if key in texts), None) or next(
            iter(texts.values()), ""
        )
    if isinstance(found, int | float) and not isinstance(found, bool):
        found = str(found)
    return " ".join(found[: 2 * MAX_TEXT].split())[:MAX_TEXT] if isinstance(found, str) else ""


def number(data: Any, *keys: str | int) -> int | None:
    """Return a nested whole number that is not negative, also from a text; None without one.

    >>> number({"size": "1024"}, "size"), number({"size": "1 MB"}, "size"), number({}, "size")
    (1024, None, None)
    """
    found = pick(data, *keys)
    if isinstance(found, str) and len(found) < 20 and found.strip().isdecimal():
        found = int(found)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MAX_NUMBER:
        return found
    return None


def texts(data: Any, *keys: str | int) -> tuple[str, ...]:
    """Return the texts in a nested list, or the names of its objects.

    >>> texts({"tags": ["a", {"name": "b"}, 3, None]}, "tags")
    ('a', 'b', '3')
    """
    found = pick(data, *keys)
    if not _is_list(found):
        return ()
    named = (text(one, "name") or text(one, "title") if isinstance(one, dict) else text(one)
             for one in found[:1000])  # fmt: skip
    return tuple(filter(None, named))


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def elements(root: Element | None, *path: str) -> Iterator[Element]:
    """Yield the elements under these names, whatever their namespaces.

    Args:
        root: Its children are searched for the first name; None has none.
        path: Names of nested elements; "**" before a name means at any depth.
    """
    if root is None:
        return
    if path[0] == "**":
        found = (one for one in root.iter() if local_name(one) == path[1] and one is not root)
        rest = path[2:]
    else:
        found = (one for one in root if local_name(one) == path[0])
        rest = path[1:]
    for element in found:
        if rest:
            yield from elements(element, *rest)
        else:
            yield element


def xml_text(root: Element | None, *path: str) -> str:
    """Return the text of the first element under these names that has one; no name: its own."""
    if root is None:
        return ""
    for element in elements(root, *path) if path else (root,):
        if found := " ".join("".join(element.itertext())[: 2 * MAX_TEXT].split())[:MAX_TEXT]:
            return found
    return ""
