"""Writes the triples of RDF documents as N-Quads, each in the graph named after its document.

The triples are read again from the stored files: the catalogue contains only
their number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from lodehound.read.markup import read_markup
from lodehound.read.markup.nquads import LANGUAGE, NO_IRI, SCHEME
from lodehound.read.markup.nquads import nquads as nquads_of_markup
from lodehound.read.mime import is_html
from lodehound.read.rdf import Document
from lodehound.read.rdf.contexts import Loader, known_context
from lodehound.stores.crawl_dir.events import FindRow

LABEL = re.compile(r"[^A-Za-z0-9]")
STRING = "http://www.w3.org/2001/XMLSchema#string"
LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
SYNTAXES = {"jsonld", "rdfa"}


def find_lines(find: FindRow, body: bytes, *, load: Loader = known_context) -> Iterator[str]:
    """Yield the quads of a find: those of an RDF document, or those embedded in a page.

    Args:
        find: Its row in the catalogue.
        body: Its file.
        load: Returns JSON-LD contexts by URL.
    """
    url, mime = find.final_url, find.declared_mime or find.mime
    any_line = False
    for line in document_lines(body, url=url, mime=mime, load=load):
        any_line = True
        yield line
    if not any_line and is_html(find.mime):
        statements = read_markup(body, url=url).statements
        wanted = SYNTAXES if find.label in {"jsonld", "rdfa", "jsonld+rdfa"} else None
        yield from nquads_of_markup(
            (one for one in statements if wanted is None or one.syntax in wanted), page=url
        )


def document_lines(
    body: bytes, *, url: str, mime: str = "", load: Loader = known_context
) -> Iterator[str]:
    """Yield the quads of an RDF document, without line ends, in the graph of the document.

    Invalid parts are repaired or left out: spaces in IRIs are escaped, invalid language
    tags are dropped, statements about statements are left out.
    """
    graph = _iri(url)
    own = hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).hexdigest()
    for quad in Document(body, url=url, mime=mime, load=load) if graph else ():
        parts = (_node(quad.subject, own), _iri(quad.predicate.value), _object(quad.object, own))
        if all(parts):
            yield f"{' '.join(parts)} {graph} ."


def _object(thing: Any, own: str) -> str:
    if type(thing).__name__ != "Literal":
        return _node(thing, own)
    text = json.dumps(thing.value.encode("utf-8", "replace").decode(), ensure_ascii=False)
    if thing.language:
        return f"{text}@{thing.language}" if LANGUAGE.match(thing.language) else text
    kind = thing.datatype.value
    if kind in {STRING, LANGUAGE_STRING} or not _iri(kind):
        return text
    return f"{text}^^{_iri(kind)}"


def _node(node: object, own: str) -> str:
    name, value = type(node).__name__, getattr(node, "value", "")
    if name == "BlankNode":
        return f"_:d{own}x{LABEL.sub(lambda sign: f'z{ord(sign[0]):x}', value)}"
    return _iri(value) if name == "NamedNode" else ""


def _iri(name: str) -> str:
    """Return an IRI in angle brackets, with invalid characters escaped; "" if it is not an IRI."""
    if not SCHEME.match(name):
        return ""
    return f"<{NO_IRI.sub(lambda sign: f'%{ord(sign[0]) & 0xFF:02X}', name)}>"
