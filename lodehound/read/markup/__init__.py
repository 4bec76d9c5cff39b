"""Structured data in HTML pages: JSON-LD, microdata, RDFa, microformats, OpenGraph, Dublin Core.

Pages may be hostile: sizes, depths and counts are limited, and no content of a page
raises an exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser

from lodehound.read.charsets import decode_page
from lodehound.read.html import BASE, base_of
from lodehound.read.html_tree import parse_html
from lodehound.read.markup.head import read_head
from lodehound.read.markup.jsonld import read_jsonld
from lodehound.read.markup.microdata import read_microdata
from lodehound.read.markup.microformats import CLASSIC, MODERN, read_microformats
from lodehound.read.markup.page_statements import Statement, Statements, Syntax
from lodehound.read.markup.rdfa import read_rdfa

# Changes when the same bytes would give other statements: stored verdicts are then recomputed.
VERSION = 2

SYNTAXES: tuple[Syntax, ...] = (
    "jsonld", "microdata", "rdfa", "microformats", "opengraph", "dublincore",
)  # fmt: skip

# A page without these letters has no markup in the syntax: most pages are not parsed for it.
# Each pattern begins with letters, so that the search is fast.
_RDFA = (b"typeof", b"about=", b"resource=", b"vocab=", b"datatype=")
_PROPERTY = re.compile(rb"property\s*=\s*[\"']?\s*(?!og:|fb:|article:|twitter:|al:)")
_RELATION = re.compile(rb"re[lv]\s*=\s*[\"']?\s*[a-z][a-z0-9-]{0,30}:(?!/)")
_DUBLIN = re.compile(rb"dc(?:t|terms)?\.[a-z]")
_FORMATS = tuple(name.encode() for name in (*sorted(MODERN), *CLASSIC))


@dataclass(frozen=True, slots=True)
class Markup:
    """The statements of a page in all syntaxes.

    Attributes:
        counts: Statements by syntax.
        types: The distinct types of all items.
        statements: The first statements.
    """

    counts: dict[Syntax, int] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()


def read_markup(body: bytes, *, url: str, charset: str = "") -> Markup:
    """Read the structured data of a page.

    Args:
        body: The page as received.
        url: Its URL, after redirects.
        charset: The character set in the Content-Type header, if any.
    """
    readers = _readers(body)
    if not readers:
        return Markup()
    tree = parse_html(decode_page(body, charset)[0])
    base = base_of(tree.css(BASE), url)
    found = Statements(url)
    for read in readers:
        read(tree, base, found)
    return Markup(dict(found.counts), tuple(found.types), tuple(found.kept))


_Reader = Callable[[LexborHTMLParser, str, Statements], None]


def _readers(body: bytes) -> list[_Reader]:
    """Return the readers that may find something in a page, by a search for their letters."""
    readers: list[_Reader] = []
    lower = body.lower()
    if b"ld+json" in lower:
        readers.append(lambda tree, _, found: read_jsonld(tree, found))
    if b"itemscope" in lower:
        readers.append(read_microdata)
    if any(name in lower for name in _RDFA) or _PROPERTY.search(lower) or _RELATION.search(lower):
        readers.append(read_rdfa)
    if any(name in body for name in _FORMATS):
        readers.append(read_microformats)
    if b"property" in lower or _DUBLIN.search(lower):
        readers.append(lambda tree, _, found: read_head(tree, found))
    return readers


__all__ = ["SYNTAXES", "VERSION", "Markup", "Statement", "Syntax", "read_markup"]
