"""The URIs in RDF documents, with the contexts that LDCOC learns from."""

from __future__ import annotations

import pytest

from lodehound.core.link import Context, Link
from lodehound.read.links import read_links
from lodehound.read.rdf import uri_links as module
from lodehound.read.rdf.uri_links import read_rdf_links

URL = "http://e.org/doc"
BODY = b"""@prefix e: <http://v.example/> .
<http://e.org/a> e:knows <http://e.org/b#it>, <http://e.org/c> ; e:name "A" .
<http://e.org/d> e:knows <http://e.org/b#it> .
<http://e.org/b#it> e:likes <http://e.org/c> .
<#me> e:page <mailto:me@e.org> .
"""


def links(body: bytes = BODY) -> dict[str, Link]:
    found = read_rdf_links(body, url=URL, mime="text/turtle", depth=3)
    assert len({link.url for link in found}) == len(found)
    return {link.url.removeprefix("http://e.org/"): link for link in found}


def test_nodes_that_are_web_addresses_are_links() -> None:
    """Neither properties nor the document itself, nor what is no web address."""
    assert list(links()) == ["a", "b", "c", "d"]
    assert {link.depth for link in links().values()} == {4}
    assert {(link.kind, link.source) for link in links().values()} == {("rdf", URL)}


def test_context() -> None:
    """Definitions 6 and 7 of the LDCOC paper."""
    found = links()
    knows, likes, name = (f"http://v.example/{word}" for word in ("knows", "likes", "name"))
    assert found["a"].context == Context("s", (knows, name), ("http://e.org/d",))
    assert found["b"].context == Context(
        "so#", (knows, likes), ("http://e.org/c", "http://e.org/a")[:1]
    )
    assert found["c"].context == Context("o", (knows, likes), ("http://e.org/b",))
    assert found["a"].tag_path == "rdf/s/http:||v.example|knows"


def test_no_document_gives_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINKS", 3)
    assert len(links()) == 3


def test_a_page_points_to_data() -> None:
    """Before its other links; what is named as data is not named again."""
    page = b"""<html><head><link rel="alternate" type="text/turtle; charset=x" href="d.ttl">
    <link rel="stylesheet" href="s.css"></head><body about="http://e.org/me#i">
    <a property="foaf:page" resource="/x" href="x">x</a><i resource="foaf:y">y</i></body></html>"""
    found = read_links(page, url=URL, data=True).links
    said = [(link.url, link.kind, link.context) for link in found]
    assert said == [
        ("http://e.org/d.ttl", "link", Context(declared="text/turtle")),
        ("http://e.org/me", "rdfa", Context("s#")),
        ("http://e.org/x", "rdfa", Context("o", ("foaf:page",))),
        ("http://e.org/x", "a", None),
    ]
