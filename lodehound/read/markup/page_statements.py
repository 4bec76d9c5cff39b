"""The statements of a page in all markup syntaxes, counted and stored within limits."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from selectolax.lexbor import LexborNode

from lodehound.core.urls import resolve
from lodehound.read.element_text import ElementTexts

Syntax = Literal["jsonld", "microdata", "rdfa", "microformats", "opengraph", "dublincore"]
Kind = Literal["literal", "iri", "blank"]

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

MAX_COUNTED = 20_000  # statements per page and syntax; the largest real page has 2,500
MAX_KEPT = 2_000  # per page
MAX_VALUE = 500  # characters of a literal
MAX_IRI = 2_000
MAX_TYPES = 200  # distinct types per page


def resolve_iri(base: str, reference: str) -> str:
    """Return an IRI that names a thing: unlike the URL of a page, it keeps its fragment.

    >>> resolve_iri("https://e.org/a", "b#me")
    'https://e.org/b#me'
    """
    before, mark, fragment = reference.strip().partition("#")
    url = resolve(base, before)
    return f"{url}{mark}{fragment}" if url else ""


class Statement(NamedTuple):
    """One statement: subject, predicate, object, and the syntax it was written in.

    Blank nodes are named ``_:b1`` and so on, unique within their page. A predicate
    without a vocabulary is a plain word, which RDF does not allow.
    """

    syntax: Syntax
    subject: str
    predicate: str
    value: str
    kind: Kind = "literal"
    language: str = ""


class Statements:
    """Collects the statements of one page.

    Args:
        url: The page.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.kept: list[Statement] = []
        self.counts: Counter[Syntax] = Counter()
        self.types: dict[str, None] = {}  # in order of appearance
        self._blanks = 0
        self._texts = ElementTexts()

    def blank(self) -> str:
        self._blanks += 1
        return f"_:b{self._blanks}"

    def full(self, syntax: Syntax) -> bool:
        return self.counts[syntax] >= MAX_COUNTED

    def add(  # noqa: PLR0917 - the parts of a statement, in their order
        self,
        syntax: Syntax,
        subject: str,
        predicate: str,
        value: str,
        kind: Kind = "literal",
        language: str = "",
    ) -> None:
        """Count a statement; store it if there is room."""
        if self.full(syntax):
            return
        self.counts[syntax] += 1
        if kind == "iri" and value.startswith("_:"):
            kind = "blank"
        if len(self.kept) < MAX_KEPT and len(predicate) <= MAX_IRI and len(subject) <= MAX_IRI:
            value = value[: MAX_VALUE if kind == "literal" else MAX_IRI]
            self.kept.append(Statement(syntax, subject, predicate, value, kind, language[:35]))

    def add_type(self, syntax: Syntax, subject: str, iri: str) -> None:
        if len(self.types) < MAX_TYPES:
            self.types.setdefault(iri[:MAX_IRI])
        self.add(syntax, subject, RDF_TYPE, iri, "iri")

    def text(self, whole: str) -> str:
        """Return the beginning of a text, with white space collapsed."""
        return " ".join(whole[: 4 * MAX_VALUE].split())[:MAX_VALUE]

    def text_of(self, element: LexborNode) -> str:
        """Return the beginning of the text of an element."""
        return self._texts.beginning(element, 4 * MAX_VALUE)
