"""Quads of documents, such as every RDF program takes."""

from __future__ import annotations

import pyoxigraph

from lodehound.exports.rdf_documents import document_lines, find_lines
from lodehound.stores.catalogue.find_rows import FindRow
from tests.read.test_rdf import TRIG, TURTLE
from tests.targets.test_rdf import PAGE

URL = "http://e.org/doc"


def load(lines: list[str]) -> set[pyoxigraph.Quad]:
    """Strictly: what is not right is an error."""
    text = "".join(f"{line}\n" for line in lines)
    return set(pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS))


def test_the_graph_is_the_document() -> None:
    """Whatever graphs the document itself has."""
    for body, mime, count in ((TURTLE, "text/turtle", 3), (TRIG, "application/trig", 2)):
        quads = load(list(document_lines(body, url=URL, mime=mime)))
        assert {str(quad.graph_name) for quad in quads} == {f"<{URL}>"}
        assert len(quads) == count


def test_nameless_nodes_of_two_documents_are_two() -> None:
    body = b"_:a <http://e.org/p> _:b , [] ."
    one = load(list(document_lines(body, url=URL, mime="text/turtle")))
    two = load(list(document_lines(body, url=URL + "2", mime="text/turtle")))
    assert not {quad.subject for quad in one} & {quad.subject for quad in two}


def test_what_is_not_quite_right_is_mended_or_left_out() -> None:
    body = rb"""
<http://e.org/a b> <http://e.org/p> "line\nbreak \"quoted\" \\ \u00e9" , 1.50 .
<http://e.org/c> <http://e.org/p> <no-scheme> , "y"^^<http://e.org/d|e> .
"""
    lines = list(document_lines(body, url=URL, mime="text/turtle"))
    values = {quad.object.value for quad in load(lines) if hasattr(quad.object, "value")}
    assert {"1.50", 'line\nbreak "quoted" \\ \u00e9', "http://e.org/no-scheme"} <= values
    assert all("a b" not in line for line in lines)


def test_pages_give_what_they_embed() -> None:
    find = FindRow(
        1, URL, URL, "", "text/html", "text/html", 1, 1, False, "", "", "", "", "", "", "", "", "",
        0, "", 3.0, "jsonld+rdfa",
    )  # fmt: skip
    quads = load(list(find_lines(find, PAGE)))
    assert {str(quad.graph_name) for quad in quads} == {f"<{URL}>"}
    assert {"A", "B"} <= {getattr(quad.object, "value", "") for quad in quads}
