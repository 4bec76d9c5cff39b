"""OpenGraph and Dublin Core: meta and link elements about the page."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from lodehound.read.markup.page_statements import Statements
from lodehound.read.markup.vocabularies import (
    DC_ELEMENTS,
    DC_TERMS,
    ELEMENTS,
    OPEN_GRAPH,
    TERMS,
)

MAX_ELEMENTS = 2_000


def read_head(tree: LexborHTMLParser, found: Statements) -> None:
    for element in tree.css("meta[content]")[:MAX_ELEMENTS]:
        attributes = element.attributes
        content = found.text(attributes.get("content") or "")
        for name in (attributes.get("property") or "").split()[:5]:
            prefix, colon, rest = name.partition(":")
            if colon and prefix.lower() in OPEN_GRAPH:
                iri = OPEN_GRAPH[prefix.lower()] + rest
                found.add("opengraph", found.url, iri, content)
        if iri := dublin_core(attributes.get("name") or ""):
            found.add("dublincore", found.url, iri, content)
    for element in tree.css("link[rel][href]")[:MAX_ELEMENTS]:
        for name in (element.attributes.get("rel") or "").split()[:5]:
            if "." in name and (iri := dublin_core(name)):
                found.add("dublincore", found.url, iri, element.attributes.get("href") or "", "iri")


def dublin_core(name: str) -> str:
    """Return the IRI of ``DC.title``, ``dcterms.created`` and the like; "" for any other name.

    >>> dublin_core("DC.title"), dublin_core("dcterms.created"), dublin_core("description")
    ('http://purl.org/dc/elements/1.1/title', 'http://purl.org/dc/terms/created', '')
    """
    prefix, dot, rest = name.strip().partition(".")
    word = rest.partition(".")[0]
    if not dot or prefix.lower() not in {"dc", "dcterms", "dct"}:
        return ""
    if prefix.lower() == "dc" and word.lower() in DC_ELEMENTS:
        return ELEMENTS + word.lower()
    return TERMS + word if word.lower() in DC_TERMS | DC_ELEMENTS else ""
