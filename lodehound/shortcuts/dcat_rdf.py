"""DCAT in RDF: ``/catalog.ttl``, ``/catalog.rdf`` or ``/catalog.jsonld``, page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lodehound.core.errors import ConfigError
from lodehound.core.urls import path_of, resolve
from lodehound.read.rdf import RDF_TYPE
from lodehound.read.rdf import Document as RdfDocument
from lodehound.read.rdf.syntaxes import ENDINGS, TYPES
from lodehound.shortcuts.contract import ApiPage, Expansion, Shortcut
from lodehound.shortcuts.datasets import catalogue_of
from lodehound.shortcuts.documents import MAX_BODY, Fetched

DCAT, DCT = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"
HYDRA, FOAF = "http://www.w3.org/ns/hydra/core#", "http://xmlns.com/foaf/0.1/"
LABELS = (
    FOAF + "name", "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
)  # fmt: skip
# Names in JSON by property; the values of the later ones count if the first has none.
DATASET = {
    "title": (DCT + "title",),
    "description": (DCT + "description", DCT + "abstract"),
    "identifier": (DCT + "identifier",),
    "landingPage": (DCAT + "landingPage", FOAF + "page"),
    "publisher": (DCT + "publisher", DCT + "creator"),
    "license": (DCT + "license", DCT + "rights"),
    "issued": (DCT + "issued",),
    "modified": (DCT + "modified",),
    "keyword": (DCAT + "keyword",),
}
DISTRIBUTION = {
    "title": (DCT + "title",),
    "description": (DCT + "description",),
    "downloadURL": (DCAT + "downloadURL",),
    "accessURL": (DCAT + "accessURL",),
    "mediaType": (DCAT + "mediaType",),
    "format": (DCT + "format",),
    "byteSize": (DCAT + "byteSize",),
    "modified": (DCT + "modified",),
    "license": (DCT + "license", DCT + "rights"),
}
MAX_TRIPLES = 100_000  # of a document
MAX_SAID = 20  # names of a thing that are tried
NEXT = (HYDRA + "next", HYDRA + "nextPage")
ALTERNATES = "link[rel=alternate][type][href]"


class DcatRdf(Shortcut):
    """Catalogues in DCAT as Turtle, RDF/XML or JSON-LD; needs the extra "rdf"."""

    title = "DCAT (RDF)"
    marks = (b"catalog",)

    def signs(self, page: Fetched) -> tuple[str, ...]:
        """See a catalogue, or the alternate of a page that is one."""
        if not page.is_html:
            is_rdf = page.mime in TYPES or b"22-rdf-syntax-ns#" in page.body[:4096]
            return (page.url,) if is_rdf and DCAT.encode() in page.body[:65536] else ()
        named = page.names(b"alternate") and page.names(b"catalog")
        if not named or page.html is None:
            return ()
        for node in page.html.css(ALTERNATES)[:100]:
            kind = (node.attributes.get("type") or "").partition(";")[0].strip().lower()
            url = page.resolve(node.attributes.get("href")) if kind in TYPES else ""
            if "catalog" in path_of(url).rpartition("/")[2]:
                return (url,)
        return ()

    def probes(self, root: str) -> tuple[str, ...]:
        if path_of(root).endswith((*ENDINGS, ".xml")):
            return (root,)
        return resolve(root, "catalog.ttl"), resolve(root, "catalog.jsonld")

    def expand(self, answer: Fetched) -> Expansion | None:
        graph = _Graph.of(answer)
        entries = [graph.record(one, DATASET) for one in graph.instances(DCAT + "Dataset")]
        if not entries and not any(graph.instances(DCAT + "Catalog")):
            return None
        following = (answer.resolve(one) for one in graph.objects(NEXT))
        more = tuple(ApiPage(url, len(entries)) for url in following if url)
        found = catalogue_of(entries, answer, more[:1] if entries else ())
        return replace(found, cut=graph.is_cut)


class _Graph:
    """The triples of a document by subject and property, in the order of the document."""

    def __init__(self) -> None:
        self.is_cut = False  # the document has more triples than are read
        self._values: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        self._distributions: dict[str, dict[str, Any]] = {}  # datasets may share them

    @classmethod
    def of(cls, answer: Fetched) -> _Graph:
        """Read a document; it is empty if it is not RDF or the extra is missing."""
        graph = cls()
        is_json = answer.head.startswith(("{", "["))
        if answer.cut or len(answer.body) > MAX_BODY or (is_json and answer.is_too_long):
            return graph
        document = RdfDocument(
            answer.body, url=answer.url, mime=answer.mime, charset=answer.charset
        )
        try:
            for number, quad in enumerate(document):
                if number == MAX_TRIPLES:
                    graph.is_cut = True
                    break
                graph._values[str(quad.subject)][quad.predicate.value].append(quad.object)
        except ConfigError:  # the extra is missing: other shortcuts still work
            return cls()
        return graph

    def instances(self, kind: str) -> Iterator[str]:
        for subject, properties in self._values.items():
            if any(str(one) == f"<{kind}>" for one in properties.get(RDF_TYPE, ())):
                yield subject

    def objects(self, properties: tuple[str, ...]) -> Iterator[str]:
        for values in self._values.values():
            for name in properties:
                yield from (_plain(one) for one in values.get(name, ()))

    def record(self, subject: str, names: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        """Return a resource with the names of DCAT-US, which ``datasets`` reads."""
        values = self._values.get(subject, {})
        found: dict[str, Any] = {}
        for key, properties in names.items():
            given = next((values[name] for name in properties if values.get(name)), [])
            found[key] = [self._said(one) for one in given]
        if names is DATASET:
            given = values.get(DCAT + "distribution", [])
            found["distribution"] = [self._distribution(str(one)) for one in given]
        return found

    def _distribution(self, subject: str) -> dict[str, Any]:
        if subject not in self._distributions:
            self._distributions[subject] = self.record(subject, DISTRIBUTION)
        return self._distributions[subject]

    def _said(self, term: Any) -> str:
        """Return a literal, or the label of a resource, or its IRI."""
        described = self._values.get(str(term), {})
        labels = (_plain(one) for name in LABELS for one in described.get(name, ())[:MAX_SAID])
        return next(labels, "") or _plain(term)


def _plain(term: Any) -> str:
    """Return a literal or an IRI as text; a blank node is ""."""
    said: str = term.value
    return "" if str(term).startswith("_:") else said
