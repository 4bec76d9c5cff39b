"""The RDF syntax of a document: by its declared type, then by its first bytes."""

from __future__ import annotations

import re
from typing import Literal

from lodehound.core.urls import extension_of
from lodehound.read.mime import looks_like_html

Syntax = Literal["turtle", "n-triples", "n-quads", "trig", "n3", "rdf-xml", "json-ld"]

# Registered types, and those in use before.
TYPES: dict[str, Syntax] = {
    "text/turtle": "turtle",
    "application/turtle": "turtle",
    "application/x-turtle": "turtle",
    "text/rdf+n3": "n3",
    "text/n3": "n3",
    "application/n-triples": "n-triples",
    "text/ntriples": "n-triples",
    "application/n-quads": "n-quads",
    "text/nquads": "n-quads",
    "text/x-nquads": "n-quads",
    "application/trig": "trig",
    "application/x-trig": "trig",
    "application/rdf+xml": "rdf-xml",
    "text/rdf+xml": "rdf-xml",
    "text/rdf": "rdf-xml",
    "application/owl+xml": "rdf-xml",
    "application/ld+json": "json-ld",
}
ENDINGS: dict[str, Syntax] = {
    ".ttl": "turtle",
    ".n3": "n3",
    ".nt": "n-triples",
    ".nq": "n-quads",
    ".trig": "trig",
    ".rdf": "rdf-xml",
    ".owl": "rdf-xml",
    ".jsonld": "json-ld",
}
# The Accept header: RDF before pages, pages before anything else (RFC 9110, 12.5.1).
ACCEPT = (
    "text/turtle, application/n-triples, application/n-quads, application/trig, "
    "application/rdf+xml;q=0.95, application/ld+json;q=0.9, text/n3;q=0.8, "
    "application/xhtml+xml;q=0.6, text/html;q=0.5, */*;q=0.1"
)

LOOKED_AT = 65536
RDF_NAMESPACE = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#"
KEYWORDS = (b'"@context"', b'"@id"', b'"@graph"', b'"@type"')
# Possessive quantifiers, so that every document is refused quickly.
BEFORE_TEXT = re.compile(rb"(?:\s++|#[^\n]*+(?:\n|\Z))*+")
BEFORE_ROOT = re.compile(rb"(?:\s++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
DOCTYPE = re.compile(rb"<!DOCTYPE(?:[^\[>\"']|\"[^\"]*+\"|'[^']*+')*+(?:\[|>)")
ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]*+:)?+RDF[\s>/]")
DIRECTIVE = re.compile(
    rb"@(?:prefix|base)\s|(?:PREFIX\s++[^\s:<>]*+:\s*+<|BASE\s*+<)", re.IGNORECASE
)
SUBJECT = rb"(?:<[a-zA-Z][\w+.-]*+:[^<>\s]*+>|_:[^\s<>]++)"
TRIPLE = re.compile(SUBJECT + rb"\s*+<[^<>\s]++>\s*+[<\"_]")
QUAD = re.compile(
    SUBJECT
    + rb"[ \t]*+<[^<>\s]++>[ \t]*+"
    + rb"(?:<[^<>\s]++>|_:[^\s<>]++|\"(?:[^\"\\\n]|\\.)*+\"(?:@[\w-]++|\^\^<[^<>\s]++>)?+)"
    + rb"[ \t]*+(?:<[^<>\s]++>|_:[^\s<>]++)[ \t]*+\."
)


def declared(mime: str) -> Syntax | None:
    """Return the syntax of a MIME type, if it is an RDF type."""
    return TYPES.get(mime)


def by_ending(url: str) -> Syntax | None:
    """Return the syntax of a URL's extension, if it has a known one."""
    return ENDINGS.get(extension_of(url))


def sniff(body: bytes) -> Syntax | None:
    r"""Return the syntax that a document begins like, or None if it does not look like RDF.

    >>> sniff(b"# people\n@prefix foaf: <http://xmlns.com/foaf/0.1/> .")
    'trig'
    >>> sniff(b"<html><body>no</body></html>") is None
    True
    """
    head = body[:LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n\x0c")
    if head[:1] in {b"{", b"["}:
        return "json-ld" if any(word in body for word in KEYWORDS) else None
    text = head[_end(BEFORE_TEXT, head) :]
    if DIRECTIVE.match(text):
        return "trig"  # a superset of Turtle
    if QUAD.match(text):
        return "n-quads"
    if TRIPLE.match(text):
        return "trig"
    return "rdf-xml" if head[:1] == b"<" and _is_rdf_xml(head) else None


def _is_rdf_xml(head: bytes) -> bool:
    """Return whether the root is rdf:RDF: an image with metadata inside is not an RDF document."""
    if looks_like_html(head) or RDF_NAMESPACE not in head:
        return False
    rest = head[_end(BEFORE_ROOT, head) :]
    if opening := DOCTYPE.match(rest):
        rest = rest[opening.end() :]
        if opening[0].endswith(b"["):
            rest = rest.partition(b"]")[2].lstrip().removeprefix(b">")
        rest = rest[_end(BEFORE_ROOT, rest) :]
    return ROOT.match(rest) is not None


def _end(pattern: re.Pattern[bytes], text: bytes) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
