"""RDF documents in any syntax: their triples, the number of triples, and the vocabularies.

Documents may be hostile and are often broken: triples before an error count, sizes
are limited, and nothing is fetched.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lodehound.extras import extra
from lodehound.read.charsets import decode
from lodehound.read.mime import is_html, looks_like_html
from lodehound.read.rdf.entities import TooLargeError, without_entities
from lodehound.read.rdf.jsonld_contexts import Loader, known_context, needs_contexts, with_contexts
from lodehound.read.rdf.syntaxes import Syntax, declared, sniff

if TYPE_CHECKING:
    from pyoxigraph import Quad, RdfFormat

# Changes when the same bytes would give other triples or links.
VERSION = 1

STEPS = np.zeros(256, dtype=np.int8)  # how much deeper JSON is after each octet
STEPS[list(b"{[")] = 1
STEPS[list(b"}]")] = -1
PIECE = 1 << 20  # octets looked at together
MAX_NESTING = 500  # levels; the parser's stack allows a few thousand
MAX_BYTES = 64 << 20  # of a document that are parsed; usually half a million triples
MAX_TRIPLES = 5_000_000
MAX_NAMESPACES = 50
XML_ENCODING = re.compile(rb"<\?xml[^>]{0,200}?\sencoding\s*=\s*[\"']([\w.-]+)[\"']")
TEXTS: frozenset[Syntax] = frozenset(("turtle", "n-triples", "n-quads", "trig", "n3"))
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Rdf:
    """The contents of an RDF document.

    Attributes:
        syntax: The syntax it was read in; "" if it is not RDF.
        triples: Number of triples that could be read.
        namespaces: Vocabularies of its properties and classes, most used first.
        error: Why it could not be read to the end.
        cut: Whether it is longer than what was read.
        missing: URLs of unknown JSON-LD contexts; the count is then too low.
    """

    syntax: str = ""
    triples: int = 0
    namespaces: tuple[str, ...] = ()
    error: str = ""
    cut: bool = False
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.triples > 0 or bool(self.missing)


class Document:
    """An RDF document that can be iterated once; the attributes are set afterwards.

    Args:
        body: The document as received.
        url: Its URL, the base of relative IRIs.
        mime: Its declared type.
        charset: Its declared character set; only XML may use another than UTF-8.
        load: Returns JSON-LD contexts by URL.
    """

    def __init__(
        self,
        body: bytes,
        *,
        url: str,
        mime: str = "",
        charset: str = "",
        load: Loader = known_context,
    ) -> None:
        self.body = body[:MAX_BYTES]
        self.url = url
        self.charset = charset
        self.load = load
        self.cut = len(body) > MAX_BYTES
        self.syntax: Syntax | None = None
        self.error = ""
        self.missing: tuple[str, ...] = ()
        self.candidates = _candidates(self.body, mime)

    def __iter__(self) -> Iterator[Quad]:
        """Yield the triples up to the first error; try the next syntax if there are none."""
        count = 0
        for syntax in self.candidates:
            try:
                for quad in self._parse(syntax):
                    self.syntax = syntax
                    yield quad
                    count += 1
                    if count >= MAX_TRIPLES:
                        self.cut = True
                        return
            except (SyntaxError, ValueError, OSError, MemoryError) as error:
                # MemoryError: the parser's limit for one token, not the machine's memory.
                self.error = self.error or str(error)[:200]
            if count or self.missing:
                self.syntax = syntax
                return

    def _parse(self, syntax: Syntax) -> Iterator[Quad]:
        ox = _pyoxigraph()
        body = self.body
        if body.startswith(UTF_16):
            body = decode(body).encode("utf-8", "replace")
        body = body.removeprefix(b"\xef\xbb\xbf")
        if syntax == "rdf-xml":
            body = _clean_xml(body, self.charset)
        elif syntax == "json-ld":
            check_nesting(body)
            if needs_contexts(body):
                body, self.missing = with_contexts(body, self.load)
        # Lenient: an IRI with a space does not discard the rest of the document.
        quads = ox.parse(body, _format(syntax), base_iri=self.url, lenient=True)
        if syntax != "json-ld":
            yield from quads
            return
        for quad in quads:  # lenient also passes keys that no context defines
            if ":" in quad.predicate.value:
                yield quad


def read_rdf(body: bytes, *, url: str, mime: str = "", charset: str = "") -> Rdf:
    """Count the triples of a document and the vocabularies they use."""
    document = Document(body, url=url, mime=mime, charset=charset)
    properties: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    triples = 0
    for quad in document:
        triples += 1
        name = quad.predicate.value
        properties[name] += 1
        if name == RDF_TYPE:
            classes[str(quad.object)[1:-1]] += 1
    return Rdf(
        syntax=document.syntax or "",
        triples=triples,
        namespaces=_namespaces(properties + classes),
        error=document.error,
        cut=document.cut,
        missing=document.missing,
    )


RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def namespace_of(iri: str) -> str:
    """Return the vocabulary of a name.

    >>> namespace_of("http://xmlns.com/foaf/0.1/name"), namespace_of("http://e.org/v#a")
    ('http://xmlns.com/foaf/0.1/', 'http://e.org/v#')
    """
    stem, mark, _ = iri.rpartition("#")
    if not mark:
        stem, mark, _ = iri.rpartition("/")
    return stem + mark if "://" in stem + mark else ""


def namespaces_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the vocabularies of these names, most used first."""
    return _namespaces(Counter(names))


def _namespaces(names: Counter[str]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    for name, count in names.items():
        if namespace := namespace_of(name):
            counts[namespace] += count
    return tuple(name for name, _ in counts.most_common(MAX_NAMESPACES))


def _candidates(body: bytes, mime: str) -> list[Syntax]:
    """Return the syntaxes to try: the declared one first, then the detected one."""
    said, seen = declared(mime), sniff(body)
    if looks_like_html(body[:2048]):
        return []  # whatever its type: a lenient parser would read any three tags as a triple
    if said is None and is_html(mime) and (seen == "json-ld" or looks_like_html(body[:2048])):
        return []
    if said == "json-ld" and not _may_be_json(body):
        said = None
    if said in TEXTS and seen in TEXTS and seen != "n-quads":
        seen = None  # an error in one is an error in the other
    return list(dict.fromkeys(syntax for syntax in (said, seen) if syntax is not None))


def _may_be_json(body: bytes) -> bool:
    return body[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["} or body.startswith(UTF_16)


def check_nesting(body: bytes) -> None:
    """Refuse JSON that is nested too deeply for the parser's stack.

    Raises:
        ValueError: It is nested too deeply.
    """
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")  # every other quote ends a string
    signs = np.frombuffer(plain, dtype=np.uint8)
    depth = quotes = 0
    for at in range(0, len(signs), PIECE):  # all at once would take many times the memory
        piece = signs[at : at + PIECE]
        counts = quotes + np.cumsum(piece == ord('"'))
        depths = depth + np.cumsum(np.where(counts % 2, 0, STEPS[piece]))
        if depths.max() > MAX_NESTING:
            raise ValueError("nested too deep")
        depth, quotes = int(depths[-1]), int(counts[-1])


def _clean_xml(body: bytes, charset: str) -> bytes:
    """Return XML in UTF-8 with its entities expanded."""
    written = XML_ENCODING.match(body[:300])
    name = written[1].decode().lower() if written else charset.lower()
    if written and name not in {"utf-8", "utf8", "us-ascii", "ascii"}:
        text = decode(body, name)
        body = text.partition("?>")[2].encode("utf-8", "replace")
    return without_entities(body)


def _format(syntax: Syntax) -> RdfFormat:
    formats = _pyoxigraph().RdfFormat
    by_name: dict[Syntax, RdfFormat] = {
        "turtle": formats.TURTLE,
        "n-triples": formats.N_TRIPLES,
        "n-quads": formats.N_QUADS,
        "trig": formats.TRIG,
        "n3": formats.N3,
        "rdf-xml": formats.RDF_XML,
        "json-ld": formats.JSON_LD,
    }
    return by_name[syntax]


def need_rdf() -> None:
    """Raise an error that names the missing extra if RDF cannot be parsed."""
    _pyoxigraph()


def _pyoxigraph() -> Any:
    with extra("rdf"):
        import pyoxigraph  # noqa: PLC0415
    return pyoxigraph


def details_of(rdf: Rdf) -> str:
    """Return the description of a document as JSON, for the catalogue."""
    known = {"triples": rdf.triples, "syntax": rdf.syntax, "namespaces": rdf.namespaces}
    more = {"error": rdf.error, "cut": rdf.cut, "missing_contexts": rdf.missing}
    known |= {name: value for name, value in more.items() if value}
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


__all__ = [
    "VERSION",
    "Document",
    "Loader",
    "Rdf",
    "TooLargeError",
    "details_of",
    "namespace_of",
    "namespaces_of",
    "need_rdf",
    "read_rdf",
]
