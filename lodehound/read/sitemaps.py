"""The addresses a site announces: sitemaps (sitemaps.org 0.9), RSS and Atom feeds. Pure functions.

Files are hostile: everything here is bounded, so that the time and memory spent
on a file are at most proportional to its size, and nothing is ever fetched.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers.expat import ExpatError, ParserCreate

from selectolax.lexbor import LexborHTMLParser

from lodehound.core.urls import MAX_URL, resolve
from lodehound.read.charsets import declared_charset, decode
from lodehound.read.html import MAX_LINKS, base_of

MAX_BYTES = 50 * 1024 * 1024  # sitemaps.org: no file is larger, unpacked
MAX_ITEMS = 2_000_000  # elements or lines; 50 MiB of honest sitemap have less than half of it
MAX_DEPTH = 1000  # elements within elements; feeds hold whole pages as XHTML
MAX_MARKUP = 1 << 20  # octets of one tag or comment: until it ends, expat reads it again and again
MAX_PARTS = 10_000  # members of a gzip file; compressors that work in blocks make about 1,000
MAX_DATE = 64  # characters
MAX_FEEDS = 20

CHUNK = 1 << 16

ROOTS = frozenset({"urlset", "sitemapindex", "rss", "rdf", "feed"})
# Elements by the name of the one around them and their own: <url> also stands in the
# <image> of an RSS item, <loc> also in the <image:image> of a page.
ENTRIES = frozenset({
    ("urlset", "url"), ("sitemapindex", "sitemap"),
    ("urlset", "sitemap"), ("sitemapindex", "url"),  # wrong, and not rare
    ("channel", "item"), ("rdf", "item"), ("feed", "entry"),
})  # fmt: skip
ADDRESSES = frozenset({("url", "loc"), ("sitemap", "loc"), ("item", "link")})
DATES = frozenset({
    ("url", "lastmod"), ("item", "pubdate"), ("item", "date"), ("entry", "updated"),
})  # fmt: skip
# RFC 4287, 4.2.7.2: a link without rel is an alternate. Enclosures are attached files.
RELATIONS = frozenset({"", "alternate", "enclosure"})
FEEDS = frozenset({"application/rss+xml", "application/atom+xml"})

# sitemaps.org: a text file has one whole address a line.
_LINE = re.compile(r"(?:\A|[\r\n])[ \t]*(https?://[^\r\n]*)", re.IGNORECASE)
_BARE_AMPERSAND = re.compile(r"&(?!#?\w{1,31};)")


@dataclass(frozen=True, slots=True)
class SitemapPage:
    """One announced page."""

    url: str
    lastmod: str = ""  # as written, whatever the format


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file announces, each address once, in its order."""

    pages: tuple[SitemapPage, ...] = ()
    nested: tuple[str, ...] = ()  # further sitemaps, of an index
    note: str = ""  # why there may be less here than the site meant to say, or ""


class _StopError(Exception):
    """The rest of this file is not read; the message says why."""


def read_sitemap(body: bytes, *, url: str, limit: int = 50_000) -> Sitemap:
    """Read a sitemap, an index of sitemaps, a list of addresses or a feed, gzipped or not.

    Whatever is wrong with the file, what stands before the fault is kept.

    Args:
        body: The file as it came.
        url: Its address, where the redirects ended.
        limit: The most pages, and the most further sitemaps, taken from it.

    >>> read_sitemap(b"<urlset><url><loc>/a</loc></url></urlset>", url="https://e.org/map.xml")
    Sitemap(pages=(SitemapPage(url='https://e.org/a', lastmod=''),), nested=(), note='')
    """
    octets, cut = _unpacked(body)
    text = _text(octets)
    found = _Found(url, limit)
    fault = _Reader(found).read(text) if text.startswith("<") else _read_lines(text, found)
    notes = [note for note in (cut, fault) if note]
    if not (notes or found.pages or found.nested):
        notes = ["no addresses"]
    pages = tuple(SitemapPage(page, lastmod) for page, lastmod in found.pages.items())
    return Sitemap(pages, tuple(found.nested), "; ".join(notes))


def alternate_feeds(body: bytes, *, url: str, charset: str = "") -> tuple[str, ...]:
    """Return the feeds an HTML page names in its link elements, each once.

    >>> page = b'<link rel=alternate type="application/rss+xml" href=/news.xml>'
    >>> alternate_feeds(page, url="https://e.org/a/")
    ('https://e.org/news.xml',)
    """
    tree = LexborHTMLParser(decode(body, charset))
    base = base_of(tree, url)
    feeds: dict[str, None] = {}
    for node in tree.css("link[rel][type][href]")[:MAX_LINKS]:
        attributes = node.attributes
        kind = (attributes.get("type") or "").partition(";")[0].strip().lower()
        if kind in FEEDS and "alternate" in (attributes.get("rel") or "").lower().split():
            feeds[resolve(base, attributes.get("href") or "")] = None
        if len(feeds) > MAX_FEEDS:
            break
    feeds.pop("", None)
    return tuple(feeds)[:MAX_FEEDS]


class _Found:
    """The addresses found so far, with their dates."""

    def __init__(self, base: str, limit: int) -> None:
        self.pages: dict[str, str] = {}
        self.nested: dict[str, str] = {}
        self.full = ""  # why no more are taken, or ""
        self._base = base
        self._limit = limit

    def add(self, reference: str, *, lastmod: str = "", nested: bool = False) -> None:
        url = resolve(self._base, reference) if reference else ""
        known = self.nested if nested else self.pages
        if not url or url in known or (nested and url == self._base):
            return
        if len(known) >= self._limit:
            self.full = f"more than {self._limit} addresses"
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
    """Reads the XML kinds, by local names: prefixes and namespaces are written in many ways."""

    def __init__(self, found: _Found) -> None:
        self._found = found
        self._elements = 0
        self._path: list[str] = []  # local names, from the root
        self._references: list[str] = []  # of the open entry
        self._lastmod = ""
        self._parts: list[str] = []  # text of the open field
        self._length = 0
        parser = ParserCreate("utf-8")
        parser.buffer_text = True
        # As if there were a DTD we did not see: &nbsp; is then left out, not a fault.
        parser.UseForeignDTD(True)
        # No entity is ever defined, so none expands; expat fetches nothing by itself.
        parser.EntityDeclHandler = self._refuse_entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        self._parser = parser

    def read(self, text: str) -> str:
        """Read as far as it goes; return why that is not to the end, or ""."""
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
            self._references, self._lastmod = [], ""
        elif place in ADDRESSES or place in DATES:
            self._parts, self._length = [], 0
            self._parser.CharacterDataHandler = self._take
        if place in {("entry", "link"), ("item", "link"), ("item", "enclosure")}:
            self._take_attribute(attributes)

    def _check(self, local: str) -> None:
        if not self._path and local not in ROOTS:
            raise _StopError(f"no sitemap and no feed: the root element is {local[:40]!r}")
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
        if place in ADDRESSES or place in DATES:
            self._parser.CharacterDataHandler = None
            # Half an address is another address: what is too long is left out.
            text = "".join(self._parts).strip() if self._length <= MAX_URL else ""
            if place in ADDRESSES:
                self._references.append(text)
            else:
                self._lastmod = text[:MAX_DATE]
        elif place in ENTRIES:
            self._close_entry(nested=local == "sitemap")

    def _close_entry(self, *, nested: bool) -> None:
        for reference in self._references:
            self._found.add(reference, lastmod=self._lastmod, nested=nested)
        self._references = []


def _chunks(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK].encode()


def _text(octets: bytes) -> str:
    """Return the file as text that starts with its first character, and XML without loose "&"."""
    text = octets.decode(_charset(octets), "replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<") and "<![CDATA[" not in text:
        # The commonest fault, an address with parameters that was pasted as it was.
        text = _BARE_AMPERSAND.sub("&amp;", text, count=MAX_ITEMS)
    return text


def _charset(octets: bytes) -> str:
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    declared = declared_charset(octets)
    return "utf-8" if declared.startswith("utf") else declared or "utf-8"


def _unpacked(body: bytes) -> tuple[bytes, str]:
    """Return what a file holds, and why that is not all of it, or ""."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:MAX_BYTES], f"cut at {MAX_BYTES} octets" if len(body) > MAX_BYTES else ""
    octets = bytearray()
    note = ""
    try:
        for part in _inflated(body):
            octets += part
            if len(octets) > MAX_BYTES:
                note = f"cut at {MAX_BYTES} octets, unpacked"
                break
    except zlib.error as error:
        note = f"damaged gzip: {error}"
    except _StopError as stop:
        note = str(stop)
    return bytes(octets[:MAX_BYTES]), note


def _inflated(body: bytes) -> Iterator[bytes]:
    """Unpack a little at a time: zlib copies what it has not used yet."""
    unpacker = zlib.decompressobj(wbits=31)
    parts = 1
    for start in range(0, len(body), CHUNK):
        rest = body[start : start + CHUNK]
        while rest:
            if unpacker.eof:  # RFC 1952, 2.2: members follow one another
                unpacker = zlib.decompressobj(wbits=31)
                parts += 1
            yield unpacker.decompress(rest, CHUNK)
            rest = unpacker.unused_data or unpacker.unconsumed_tail
        if parts > MAX_PARTS:
            raise _StopError(f"gzip of more than {MAX_PARTS} members")
    if not unpacker.eof:
        raise _StopError("damaged gzip: it ends early")
