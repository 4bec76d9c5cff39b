"""VoID: a summary of the RDF found, for catalogues of linked data (W3C note of 2011)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from lodehound.exports.notes import Notes
from lodehound.exports.nquads import need_statements
from lodehound.read.rdf_terms import iri_term, literal_term
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.texts import json_of

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
MAX_VOCABULARIES = 500


@dataclass(slots=True)
class _Part:
    """The counts for one host, or for all."""

    documents: int = 0
    triples: int = 0
    vocabularies: Counter[str] = field(default_factory=Counter)

    def add(self, details: dict[str, object]) -> None:
        self.documents += 1
        triples, counts = details.get("triples"), details.get("counts")
        if isinstance(counts, dict):  # statements in a page, by syntax
            triples = sum(count for count in counts.values() if isinstance(count, int))
        self.triples += triples if isinstance(triples, int) else 0
        names = details.get("namespaces")
        self.vocabularies.update(map(str, names) if isinstance(names, list) else ())


def write(source: Catalogue, out: BinaryIO, notes: Notes) -> None:
    """Write a description of all RDF found, and of the part of each host."""
    need_statements(source, "void")
    whole, hosts = _Part(), dict[str, _Part]()
    for entry in source.entries():
        details = _details(entry.find.details)
        if not details.keys() & {"triples", "counts"}:
            continue  # not RDF
        whole.add(details)
        origin = "/".join(entry.find.final_url.split("/", 3)[:3]) + "/"
        hosts.setdefault(origin, _Part()).add(details)
        notes.written += 1
    lines = [f"@prefix {name}: <{iri}> ." for name, iri in PREFIXES.items()]
    lines += ["", "_:harvest a void:Dataset ;"]
    title = literal_term(f"RDF harvested from {source.host or 'the web'}")
    lines.append(f"  dcterms:title {title} ;")
    lines.append(f"  dcterms:created {literal_term(source.created_at)}^^xsd:dateTime ;")
    lines += _iris("void:rootResource", source.start_urls, notes)
    lines += _about(whole)
    names = [name for name, _ in whole.vocabularies.most_common(MAX_VOCABULARIES)]
    lines += _iris("void:vocabulary", names, notes)
    for host in sorted(hosts):
        lines += ["  void:subset [ a void:Dataset ;", f"    void:uriSpace {literal_term(host)} ;"]
        lines += [f"  {line}" for line in _about(hosts[host])]
        lines += ["  ] ;"]
    out.write("\n".join([*lines, "  .", ""]).encode())


def _about(part: _Part) -> list[str]:
    return [f"  void:documents {part.documents} ;", f"  void:triples {part.triples} ;"]


def _iris(predicate: str, names: Iterable[str], notes: Notes) -> list[str]:
    """Return a line for each name that is an IRI; count the others."""
    terms = [iri_term(name) for name in names]
    notes.left_out += terms.count("")
    return [f"  {predicate} {term} ;" for term in terms if term]


def _details(text: str) -> dict[str, object]:
    details = json_of(text)
    return details if isinstance(details, dict) else {}
