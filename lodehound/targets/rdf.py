"""RDF documents (LDCOC paper, Definition 1): URIs that dereference to RDF."""

from __future__ import annotations

from typing import Self

from lodehound.core.errors import UnknownNameError
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.read import markup, rdf
from lodehound.read.extensions import NOT_RDF
from lodehound.read.mime import is_html
from lodehound.read.rdf.syntaxes import ACCEPT, declared


class RdfDocuments(Target):
    """RDF documents (Turtle, RDF/XML, JSON-LD, ...); rdf:embedded also pages with RDFa or JSON-LD.

    The syntaxes are Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML and JSON-LD. A document counts
    if at least one triple can be read from it, whatever its declared type; the value of a find is
    the number of its triples.

    Args:
        embedded: Also count pages with RDFa or JSON-LD.
    """

    needs_body = True
    version = 100 * rdf.VERSION + markup.VERSION
    scope = "web"
    reads = "html+rdf"
    accept = ACCEPT

    def __init__(self, *, embedded: bool = False) -> None:
        rdf.need_rdf()
        self.embedded = embedded

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        if argument.strip() != "embedded":
            raise UnknownNameError("kind of rdf", argument, ["embedded"])
        return cls(embedded=True)

    def adapt(self, scope: Scope) -> Scope:
        """Leave out files that are neither RDF nor pages."""
        return scope.blocking(NOT_RDF)

    def judge(self, page: Page) -> Verdict:
        if not page.ok:
            return NOT_FOUND
        if page.method == "HEAD":
            syntax = declared(page.mime)
            return Verdict(found=True, value=1.0, label=syntax) if syntax else NOT_FOUND
        document = rdf.read_rdf(page.body, url=page.url, mime=page.mime, charset=page.charset)
        if document:
            details = rdf.details_of(document)
            value = float(max(document.triples, 1))
            return Verdict(found=True, value=value, label=document.syntax, details=details)
        return self._embedded(page) if self.embedded and is_html(page.mime) else NOT_FOUND

    def _embedded(self, page: Page) -> Verdict:
        found = markup.read_markup(page.body, url=page.url, charset=page.charset)
        counts = {name: found.counts.get(name, 0) for name in ("jsonld", "rdfa")}
        statements = sum(counts.values())
        if not statements:
            return NOT_FOUND
        label = "+".join(name for name, count in counts.items() if count)
        names = (one.predicate for one in found.statements if one.syntax in counts)
        known = rdf.Rdf(label, statements, rdf.namespaces_of(names))
        return Verdict(
            found=True, value=float(statements), label=label, details=rdf.details_of(known)
        )
