"""VoID: a summary of the RDF found, for catalogues of linked data (W3C note of 2011)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO

from lodehound.exports.notes import Notes
from lodehound.exports.nquads import need_statements
from lodehound.read.markup.nquads import NO_IRI, SCHEME
from lodehound.stores.crawl_dir.catalogue import Catalogue

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
    title = f"RDF harvested from {source.host or 'the web'}"
    lines.append(f"  dcterms:title {json.dumps(title)} ;")
    lines.append(f"  dcterms:created {json.dumps(source.created_at)}^^xsd:dateTime ;")
    lines += [f"  void:rootResource {iri} ;" for url in source.start_urls if (iri := _iri(url))]
    lines += _about(whole, vocabularies=True)
    for host in sorted(hosts):
        space = json.dumps(host, ensure_ascii=False)
        lines += ["  void:subset [ a void:Dataset ;", f"    void:uriSpace {space} ;"]
        lines += [f"  {line}" for line in _about(hosts[host], vocabularies=False)]
        lines += ["  ] ;"]
    out.write("\n".join([*lines, "  .", ""]).encode("utf-8", "replace"))


def _about(part: _Part, *, vocabularies: bool) -> list[str]:
    lines = [f"  void:documents {part.documents} ;", f"  void:triples {part.triples} ;"]
    if vocabularies:
        names = [name for name, _ in part.vocabularies.most_common(MAX_VOCABULARIES)]
        lines += [f"  void:vocabulary {iri} ;" for name in names if (iri := _iri(name))]
    return lines


def _iri(name: str) -> str:
    return f"<{NO_IRI.sub('', name)}>" if SCHEME.match(name) else ""


def _details(text: str) -> dict[str, object]:
    try:
        details = json.loads(text or "{}")
    except ValueError:
        return {}
    return details if isinstance(details, dict) else {}
