"""Writes the triples of RDF documents as N-Quads, each in the graph named after its document.

The triples are read again from the stored files: the catalogue contains only
their number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from lodehound.read.markup import read_markup
from lodehound.read.markup.quad_lines import nquads as nquads_of_markup
from lodehound.read.mime import is_html
from lodehound.read.rdf import Document
from lodehound.read.rdf.jsonld_contexts import Loader, known_context
from lodehound.read.rdf_terms import blank_term, iri_term, literal_term
from lodehound.stores.catalogue.find_rows import FindRow

STRING = "http://www.w3.org/2001/XMLSchema#string"
LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
DIRECTED = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString"
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
    """Yield a line for each triple of an RDF document, without line ends, in its graph.

    Invalid parts are repaired or left out: spaces in IRIs are escaped, invalid language tags are
    dropped. The line of what cannot be written is empty: a statement about a statement, a relative
    IRI.
    """
    graph = iri_term(url)
    own = f"d{hashlib.blake2b(url.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    for quad in Document(body, url=url, mime=mime, load=load):
        predicate = iri_term(quad.predicate.value)
        parts = (_node(quad.subject, own), predicate, _object(quad.object, own), graph)
        yield f"{' '.join(parts)} ." if all(parts) else ""


def _object(thing: Any, own: str) -> str:
    if type(thing).__name__ != "Literal":
        return _node(thing, own)
    kind = thing.datatype.value
    is_plain = kind in {STRING, LANGUAGE_STRING, DIRECTED}
    return literal_term(thing.value, thing.language or "", "" if is_plain else kind)


def _node(node: object, own: str) -> str:
    name, value = type(node).__name__, getattr(node, "value", "")
    if name == "BlankNode":
        return blank_term(value, own)
    return iri_term(value) if name == "NamedNode" else ""
