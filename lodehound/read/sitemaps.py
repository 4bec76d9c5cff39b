"""Reads sitemaps (sitemaps.org 0.9), RSS and Atom feeds. Pure functions.

Files may be hostile: everything here is limited, so that the time and memory for a
file are at most proportional to its size, and nothing is fetched.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers.expat import ExpatError, ParserCreate

from lodehound.core.urls import MAX_URL, resolve
from lodehound.read.charsets import declared_charset

MAX_BYTES = 50 * 1024 * 1024  # sitemaps.org: the maximum size, unpacked
MAX_ITEMS = 500_000  # elements or lines, read in a second; 50,000 real entries have half as many
MAX_DEPTH = 1000  # nested elements; feeds contain complete pages as XHTML
MAX_MARKUP = 1 << 20  # octets of one tag or comment: expat reads it again and again until it ends
MAX_PARTS = 10_000  # members of a gzip file; block compressors create about 1,000
MAX_DATE = 64  # characters

CHUNK = 1 << 16

ROOTS = frozenset({"urlset", "sitemapindex", "rss", "rdf", "feed"})
# Elements by the name of their parent and their own: <url> also occurs in the
# <image> of an RSS item, <loc> also in the <image:image> of a page.
ENTRIES = frozenset({
    ("urlset", "url"), ("sitemapindex", "sitemap"),
    ("urlset", "sitemap"), ("sitemapindex", "url"),  # wrong, but not rare
    ("channel", "item"), ("rdf", "item"), ("feed", "entry"),
})  # fmt: skip
ADDRESSES = frozenset({("url", "loc"), ("sitemap", "loc"), ("item", "link")})
# The address of an entry without one may stand here: no <loc> in a sitemap, no <link> in an item.
SPARE = frozenset({("sitemapindex", "sitemap"), ("item", "guid")})
DATES = frozenset({
    ("url", "lastmod"), ("item", "pubdate"), ("item", "date"), ("entry", "updated"),
})  # fmt: skip
# RFC 4287, 4.2.7.2: a link without rel is an alternate. Enclosures are attached files.
RELATIONS = frozenset({"", "alternate", "enclosure"})

# sitemaps.org: a text file has one absolute URL per line.
_LINE = re.compile(r"(?:\A|[\r\n])[ \t]*(https?://[^\r\n]*)", re.IGNORECASE)
_BARE_AMPERSAND = re.compile(r"&(?!#?\w{1,31};)")


@dataclass(frozen=True, slots=True)
class SitemapPage:
    """One page in a sitemap."""

    url: str
    lastmod: str = ""  # as written, in any format


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The contents of one file: each URL once, in order."""

    pages: tuple[SitemapPage, ...] = ()
    nested: tuple[str, ...] = ()  # further sitemaps, in an index
    note: str = ""  # why some entries may be missing, or ""


class _StopError(Exception):
    """Stops reading the file; the message says why."""


def read_sitemap(body: bytes, *, url: str, limit: int = 50_000) -> Sitemap:
    """Read a sitemap, a sitemap index, a list of URLs or a feed, gzipped or not.

    If the file is damaged, everything before the error is returned.

    Args:
        body: The file as received.
        url: Its URL, after redirects.
        limit: Maximum number of pages, and of further sitemaps.

    >>> read_sitemap(b"<urlset><url><loc>/a</loc></url></urlset>", url="https://e.org/map.xml")
    Sitemap(pages=(SitemapPage(url='https://e.org/a', lastmod=''),), nested=(), note='')
    """
    octets, cut = _unpacked(body)
    text = _text(octets)
    found = _Found(url, limit)
    fault = _Reader(found).read(text) if text.startswith("<") else _read_lines(text, found)
    notes = [note for note in (cut, fault) if note]
    if not (notes or found.pages or found.nested):
        notes = ["no URLs"]
    pages = tuple(SitemapPage(page, lastmod) for page, lastmod in found.pages.items())
    return Sitemap(pages, tuple(found.nested), "; ".join(notes))


class _Found:
    """The URLs found so far, with their dates."""

    def __init__(self, base: str, limit: int) -> None:
        self.pages: dict[str, str] = {}
        self.nested: dict[str, str] = {}
        self.full = ""  # why no more are added, or ""
        self._base = base
        self._limit = limit

    def add(self, reference: str, *, lastmod: str = "", nested: bool = False) -> None:
        url = resolve(self._base, reference) if reference else ""
        known = self.nested if nested else self.pages
        if not url or url in known or (nested and url == self._base):
            return
        if len(known) >= self._limit:
            self.full = f"more than {self._limit} URLs"
        else:
            known[url] = lastmod


def _read_lines(text: str, found: _Found) -> str:
    for number, match in enumerate(_LINE.finditer(text)):
        if number == MAX_ITEMS:
            return f"more than {MAX_ITEMS} lines"
        found.add(match[1].strip())
        if found.full:
            break
    return found.full


class _Reader:
    """Reads the XML formats by local names, because prefixes and namespaces vary."""

    def __init__(self, found: _Found) -> None:
        self._found = found
        self._elements = 0
        self._path: list[str] = []  # local names, from the root
        self._references: list[str] = []  # of the open entry
        self._spare = ""  # the address of the open entry if it has no reference
        self._lastmod = ""
        self._parts: list[str] = []  # text of the open field
        self._length = 0
        parser = ParserCreate("utf-8")
        parser.buffer_text = True
        # Pretend that there is an external DTD: then &nbsp; is skipped and not an error.
        parser.UseForeignDTD(True)
        # No entity is ever defined, so none expands; expat itself fetches nothing.
        parser.EntityDeclHandler = self._refuse_entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        self._parser = parser

    def read(self, text: str) -> str:
        """Read as much as possible; return why the rest was not read, or ""."""
        fault = ""
        try:
            self._feed(text)
        except ExpatError as error:
            fault = f"damaged XML: {error}"
        except _StopError as stop:
            fault = str(stop)
        self._close_entry(nested="sitemap" in self._path)
        return fault or self._found.full

    def _feed(self, text: str) -> None:
        fed = 0
        for chunk in _chunks(text):
            self._parser.Parse(chunk, False)
            fed += len(chunk)
            if fed - self._parser.CurrentByteIndex > MAX_MARKUP:
                raise _StopError(f"a tag or comment of more than {MAX_MARKUP} octets")
        self._parser.Parse(b"", True)

    def _refuse_entity(self, *_: object) -> None:
        raise _StopError("the XML defines entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2].lower()
        self._elements += 1
        self._check(local)
        place = (self._path[-1] if self._path else "", local)
        self._path.append(local)
        if place in ENTRIES:
            self._references, self._lastmod, self._spare = [], "", ""
        if place in ADDRESSES or place in DATES or place in SPARE:
            self._parts, self._length = [], 0
            self._parser.CharacterDataHandler = self._take
        if place in {("entry", "link"), ("item", "link"), ("item", "enclosure")}:
            self._take_attribute(attributes)

    def _check(self, local: str) -> None:
        if not self._path and local not in ROOTS:
            raise _StopError(f"neither a sitemap nor a feed: the root element is {local[:40]!r}")
        if len(self._path) >= MAX_DEPTH:
            raise _StopError(f"elements nested deeper than {MAX_DEPTH}")
        if self._elements > MAX_ITEMS:
            raise _StopError(f"more than {MAX_ITEMS} elements")
        if self._found.full:
            raise _StopError(self._found.full)

    def _take_attribute(self, attributes: dict[str, str]) -> None:
        if attributes.get("rel", "").strip().lower() in RELATIONS:
            self._references.append((attributes.get("href") or attributes.get("url", "")).strip())

    def _take(self, data: str) -> None:
        self._length += len(data)
        if self._length <= MAX_URL:
            self._parts.append(data)

    def _end(self, _: str) -> None:
        local = self._path.pop()
        place = (self._path[-1] if self._path else "", local)
        if place in ADDRESSES or place in DATES or place in SPARE:
            self._parser.CharacterDataHandler = None
            # A truncated URL is a different URL: leave out URLs that are too long.
            text = "".join(self._parts).strip() if self._length <= MAX_URL else ""
            self._parts = []
            if place in ADDRESSES:
                self._references.append(text)
            elif place in DATES:
                self._lastmod = text[:MAX_DATE]
            elif text.startswith(("http://", "https://")):
                self._spare = text
        if place in ENTRIES:
            self._close_entry(nested=local == "sitemap")

    def _close_entry(self, *, nested: bool) -> None:
        for reference in self._references or [self._spare]:
            self._found.add(reference, lastmod=self._lastmod, nested=nested)
        self._references, self._spare = [], ""


def _chunks(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK].encode()


def _text(octets: bytes) -> str:
    """Return the file as text without leading white space, and XML without unescaped "&"."""
    text = octets.decode(_charset(octets), "replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<") and "<![CDATA[" not in text:
        # The most common error: a URL with parameters that was not escaped.
        text = _BARE_AMPERSAND.sub("&amp;", text, count=MAX_ITEMS)
    return text


def _charset(octets: bytes) -> str:
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    declared = declared_charset(octets)
    return "utf-8" if declared.startswith("utf") else declared or "utf-8"


def _unpacked(body: bytes) -> tuple[bytes, str]:
    """Return the contents of a file, and why they are not complete, or ""."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:MAX_BYTES], f"truncated at {MAX_BYTES} octets" if len(body) > MAX_BYTES else ""
    octets = bytearray()
    note = ""
    try:
        for part in _inflated(body):
            octets += part
            if len(octets) > MAX_BYTES:
                note = f"truncated at {MAX_BYTES} octets, unpacked"
                break
    except zlib.error as error:
        note = f"damaged gzip: {error}"
    except _StopError as stop:
        note = str(stop)
    return bytes(octets[:MAX_BYTES]), note


def _inflated(body: bytes) -> Iterator[bytes]:
    """Unpack in small steps, because zlib copies the unused input."""
    unpacker = zlib.decompressobj(wbits=31)
    parts = 1
    for start in range(0, len(body), CHUNK):
        rest = body[start : start + CHUNK]
        while rest:
            if unpacker.eof:  # RFC 1952, 2.2: a file may have several members
                unpacker = zlib.decompressobj(wbits=31)
                parts += 1
            yield unpacker.decompress(rest, CHUNK)
            rest = unpacker.unused_data or unpacker.unconsumed_tail
        if parts > MAX_PARTS:
            raise _StopError(f"gzip of more than {MAX_PARTS} members")
    if not unpacker.eof:
        raise _StopError("damaged gzip: it ends early")
