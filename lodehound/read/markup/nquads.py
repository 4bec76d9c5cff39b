"""Writes statements as N-Quads (W3C, RDF 1.1 N-Quads), with the page as the graph."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

PROV = "http://www.w3.org/ns/prov#generatedAtTime"
DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
NO_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\ud800-\udfff]')
LANGUAGE = re.compile(r"[a-zA-Z]+(?:-[a-zA-Z0-9]+)*\Z")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
LABEL = re.compile(r"[^A-Za-z0-9]")


def nquads(
    statements: Iterable[Sequence[str]], *, page: str, fetched_at: str = ""
) -> Iterator[str]:
    """Yield the lines of a page's statements, without line ends.

    Statements that RDF does not allow are left out: predicates without a vocabulary, and
    names that are not IRIs. Blank nodes get names that no other page uses.

    Args:
        statements: As in the details of a find: syntax, subject, predicate, value, kind, language.
        page: The page, which is the graph.
        fetched_at: When it was fetched, in UTC; stated about the graph.
    """
    graph = _iri(page)
    if not graph:
        return
    own = hashlib.blake2b(page.encode("utf-8", "replace"), digest_size=8).hexdigest()
    for _, subject, predicate, value, kind, *language in statements:
        parts = (_node(subject, own), _iri(predicate), _object(value, kind, language, own))
        if all(parts):
            yield f"{' '.join(parts)} {graph} ."
    if fetched_at:
        yield f'{graph} <{PROV}> "{_escaped(fetched_at)}"^^<{DATE_TIME}> {graph} .'


def _object(value: str, kind: str, language: Sequence[str], own: str) -> str:
    if kind != "literal":
        return _node(value, own)
    tag = language[0] if language and LANGUAGE.match(language[0]) else ""
    return f'"{_escaped(value)}"' + (f"@{tag}" if tag else "")


def _node(name: str, own: str) -> str:
    if name.startswith("_:"):
        return f"_:p{own}x{LABEL.sub('', name[2:])}"
    return _iri(name)


def _iri(name: str) -> str:
    """Return an IRI in angle brackets, with invalid characters escaped; "" if it is not an IRI."""
    if not SCHEME.match(name):
        return ""
    return f"<{NO_IRI.sub(lambda m: f'%{ord(m[0]) & 0xFF:02X}', name)}>"


def _escaped(text: str) -> str:
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(ESCAPES.get(sign, sign) for sign in clean)
