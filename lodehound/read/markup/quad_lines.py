"""Writes statements as N-Quads (W3C, RDF 1.1 N-Quads), with the page as the graph."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from lodehound.read.rdf_terms import blank_term, iri_term, literal_term

PROV = "http://www.w3.org/ns/prov#generatedAtTime"
DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"


def nquads(
    statements: Iterable[Sequence[str]], *, page: str, fetched_at: str = ""
) -> Iterator[str]:
    """Yield a line for each statement of a page, without line ends.

    The line of a statement that RDF does not allow is empty: a predicate without a vocabulary,
    or a name that is not an IRI. Blank nodes get names that no other page uses.

    Args:
        statements: As in the details of a find: syntax, subject, predicate, value, kind, language.
        page: The page, which is the graph.
        fetched_at: When it was fetched, in UTC; stated about the graph.
    """
    graph = iri_term(page)
    own = f"p{hashlib.blake2b(page.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    for _, subject, predicate, value, kind, *language in statements:
        thing = literal_term(value, *language[:1]) if kind == "literal" else _node(value, own)
        parts = (_node(subject, own), iri_term(predicate), thing, graph)
        yield f"{' '.join(parts)} ." if all(parts) else ""
    if graph and fetched_at:
        yield f"{graph} <{PROV}> {literal_term(fetched_at, datatype=DATE_TIME)} {graph} ."


def _node(name: str, own: str) -> str:
    return blank_term(name[2:], own) if name.startswith("_:") else iri_term(name)
