"""Expands XML entities within limits, before a parser sees the document.

RDF/XML uses entities to abbreviate namespaces. A few lines of them can expand to
gigabytes (each made of ten of the one before), and a parser that expands them has no
limit. So the document type is removed and its entities are expanded, as long as the
result stays small.
"""

from __future__ import annotations

import re

MAX_ENTITIES = 2000
MAX_VALUE = 8192  # bytes of one entity, fully expanded; an IRI has no more
MAX_GROWTH = 8  # times the document, and at least MIN_ROOM
MIN_ROOM = 1 << 20

# Possessive quantifiers, so that every document is refused quickly.
DOCTYPE = re.compile(
    rb"<!DOCTYPE(?:[^\[>\"']|\"[^\"]*+\"|'[^']*+')*+"
    rb"(?:\[((?:[^\]\"'<]|\"[^\"]*+\"|'[^']*+'|<(?!!--)|<!--.*?-->)*+)\]\s*+)?+>",
    re.DOTALL | re.IGNORECASE,
)
ENTITY = re.compile(rb"<!ENTITY\s++([\w.:-]++)\s++(?:\"([^\"]*+)\"|'([^']*+)')\s*+>")
REFERENCE = re.compile(rb"&([A-Za-z_:][\w.:-]*+);")
BEGIN = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
STANDARD = {b"amp", b"lt", b"gt", b"quot", b"apos"}
HIDDEN = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class TooLargeError(ValueError):
    """A document would be too large with its entities expanded, or hides them."""


def without_entities(body: bytes) -> bytes:
    """Return the document without a document type, with its entities expanded."""
    if not HIDDEN.search(body):
        return body
    begin = BEGIN.search(body)
    found = DOCTYPE.match(body, begin.start()) if begin else None  # only the first one is tried
    if found is None:
        raise TooLargeError("a document type that cannot be read")
    rest = body[found.end() :]
    if HIDDEN.search(rest):
        raise TooLargeError("more than one document type")
    entities = _entities(found[1] or b"")
    return body[: found.start()] + (_put_in(rest, entities) if entities else rest)


def _entities(subset: bytes) -> dict[bytes, bytes]:
    """Read the declarations; each may use earlier ones."""
    entities: dict[bytes, bytes] = {}
    for name, double, single in ENTITY.findall(subset):
        value = REFERENCE.sub(lambda m: entities.get(m[1], m[0]), double or single)
        if len(value) > MAX_VALUE or len(entities) >= MAX_ENTITIES:
            raise TooLargeError("entities that are too large")
        if name not in STANDARD:
            entities.setdefault(name, value)  # XML 1.0, 4.2: the first declaration counts
    return entities


def _put_in(text: bytes, entities: dict[bytes, bytes]) -> bytes:
    room = max(MAX_GROWTH * len(text), MIN_ROOM)
    grown = sum(len(entities.get(m[1], b"")) for m in REFERENCE.finditer(text))
    if grown > room:
        raise TooLargeError("entities that are too large")
    return REFERENCE.sub(lambda m: entities.get(m[1], m[0]), text)
