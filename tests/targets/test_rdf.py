"""What counts as RDF."""

from __future__ import annotations

import json

import pytest

from lodehound.checks import check_target
from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.messages import Page
from lodehound.registry import make_target, parse
from lodehound.targets.rdf import RdfDocuments
from tests.read.test_rdf import JSONLD, TURTLE

PAGE = (
    b'<html><body vocab="http://schema.org/" typeof="Person"><i property="name">A</i>'
    b'<script type="application/ld+json">{"@context":"https://schema.org","name":"B"}</script>'
    b"</body></html>"
)


def page(body: bytes, mime: str, *, method: str = "GET", status: int = 200) -> Page:
    assert method in {"GET", "HEAD"}
    return Page("http://e.org/x", "HEAD" if method == "HEAD" else "GET", status, mime, body)


def test_it_keeps_the_contract() -> None:
    check_target(RdfDocuments)
    check_target(lambda: RdfDocuments(embedded=True))


def test_documents_count_with_their_triples() -> None:
    verdict = RdfDocuments().judge(page(TURTLE, "text/plain"))
    assert (verdict.found, verdict.value, verdict.label) == (True, 3.0, "trig")
    assert json.loads(verdict.details)["triples"] == 3


def test_a_head_is_judged_by_its_type() -> None:
    target = RdfDocuments()
    assert target.judge(page(b"", "application/rdf+xml", method="HEAD")).found
    assert not target.judge(page(b"", "text/html", method="HEAD")).found


def test_a_type_alone_is_no_rdf() -> None:
    target = RdfDocuments()
    assert not target.judge(page(b"<html>Gone</html>", "text/turtle")).found
    assert not target.judge(page(JSONLD, "application/ld+json", status=404)).found


def test_embedded_data_counts_when_it_is_wanted() -> None:
    assert not RdfDocuments().judge(page(PAGE, "text/html")).found
    verdict = make_target(parse("target", "rdf:embedded")).judge(page(PAGE, "text/html"))
    assert (verdict.found, verdict.label, verdict.value) == (True, "jsonld+rdfa", 3.0)
    assert json.loads(verdict.details)["namespaces"][0] == "http://schema.org/"
    with pytest.raises(UnknownNameError, match="embedded"):
        make_target(parse("target", "rdf:embeded"))
    with pytest.raises(ConfigError, match="nothing behind its colon"):
        make_target(parse("target", "rdf:"))
