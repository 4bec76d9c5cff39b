"""Whatever a site writes, strict readers of RDF load what we write of it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lodehound.exports import Notes, dcat, nquads, ro_crate, void
from lodehound.exports.rdf_documents import document_lines
from lodehound.read.markup.quad_lines import nquads as lines_of
from lodehound.read.rdf_terms import valid_iri
from lodehound.stores.catalogue.entries import Catalogue
from tests.exports.conftest import Export
from tests.exports.crawls import ROOT, add, begin

# rdflib warns of its own parser.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated, use Dataset:DeprecationWarning")
PIECES = st.sampled_from(
    [*":/?#[]@!$&'()*+,;=%{}<>|\\^`\"._-~ \n\t\0\x7f\x85", "http:", "//", "urn:", "_:", "%zz",
     "a", "0", "é", "\ue000", "\ufffe", "\ud800", "\U0001f600", "\U000f0000", "\U0010ffff",
     "\u202e", "::1", "-x-", "de", "-419", "-a", "latn", "-1996"],
)  # fmt: skip
NAMES = st.lists(PIECES, max_size=9).map("".join) | st.text(max_size=9)
IRIS = st.tuples(st.sampled_from(["", "http://e/", "http://", "urn:x:", "mailto:"]), NAMES)
TERMS = IRIS.map("".join) | NAMES.map(lambda name: f"_:{name}")
STATEMENTS = st.tuples(
    st.just("rdfa"), TERMS, TERMS, TERMS, st.sampled_from(["literal", "iri", "blank"]), NAMES
)


def loaded(text: bytes) -> int:
    """Load N-Quads into both libraries; return the number of statements."""
    quads = list(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS))
    dataset = rdflib.Dataset()
    dataset.parse(io.BytesIO(text), format="nquads")
    assert bool(quads) == bool(list(dataset.quads()))
    return len(quads)


@example([], "http://e/\xa0")
@settings(max_examples=300, deadline=None)
@given(st.lists(STATEMENTS, max_size=5), IRIS.map("".join))
def test_hostile_statements_load(statements: list[tuple[str, ...]], page: str) -> None:
    lines = list(lines_of(statements, page=page, fetched_at="2026-11-19T10:00:00Z"))
    assert loaded("".join(f"{line}\n" for line in lines if line).encode()) <= len(statements) + 1


@given(NAMES)
def test_valid_iris_stay_as_they_are(name: str) -> None:
    made = valid_iri(f"http://e.org/{name}")
    assert valid_iri(made) == made
    assert pyoxigraph.NamedNode(made).value == made


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("http://e.org/core##Parada", "http://e.org/core#%23Parada"),
        ("http://e.org/é?\ue000#é", "http://e.org/é?\ue000#é"),
        ("http://[::1]:80/a[1]", "http://[::1]:80/a%5B1%5D"),
        ("http://e.org/a\xa0b?\u2003#\u3000", "http://e.org/a%C2%A0b?%E2%80%83#%E3%80%80"),
        ("http://e.org/%zz%20", "http://e.org/%25zz%20"),
        ("http://[::zz]/", ""),
        ("http://e.org:x/", ""),
        ("//e.org/", ""),
        ("schema name", ""),
    ],
)
def test_iris_are_repaired_or_left_out(name: str, expected: str) -> None:
    assert valid_iri(name) == expected


def test_what_is_left_out_is_counted(tmp_path: Path, exported: Export) -> None:
    rows = [
        ["rdfa", "http://e/s", "http://e/p", value, "iri"] for value in ("http://e/c##P", "x y")
    ]
    turtle = b"<http://e/s> <http://e/p> <relative>, 'x'@en ."
    with begin(tmp_path / "crawl") as directory:
        add(directory, "1.html", b"<p>", "text/html", details=json.dumps({"statements": rows}))
        add(directory, "a.ttl", turtle, "text/turtle", details='{"triples": 2}')
    out, notes = io.BytesIO(), Notes()
    with Catalogue(tmp_path / "crawl") as catalogue:
        nquads.write(catalogue, out, notes)
    assert loaded(out.getvalue()) == 4  # one of the page, its time, and two of the document
    assert (notes.written, notes.left_out) == (2, 1)


def test_statements_about_statements_are_counted() -> None:
    lines = list(document_lines(b"<< <a:s> <a:p> <a:o> >> <a:q> 1 .", url=ROOT + "a.ttl"))
    assert all(line == "" or loaded(line.encode()) == 1 for line in lines)


MEDIA_TYPES = {"turtle": "text/turtle", "json-ld": "application/ld+json"}
HOSTILE = {"triples": 1, "namespaces": ["http://e/a b#", "no iri", "http://[x]/", 'http://e/"']}


def test_void_and_json_ld_load(tmp_path: Path) -> None:
    names = ("a b.ttl", "ä|{1}.ttl?x=[1]#y#z", "%zz.ttl", "\U0001f600.ttl")
    with begin(tmp_path / "crawl") as directory:
        for name in names:
            add(directory, name, b"<a:s> <a:p> 1 .", "text/ turtle", details=json.dumps(HOSTILE))
    for module, form in (
        (void, "turtle"),
        (dcat, "json-ld"),
        (ro_crate, ""),  # its context is on the web
    ):
        out, notes = io.BytesIO(), Notes(title="\ud800\0\U0001f600")
        with Catalogue(tmp_path / "crawl") as catalogue:
            module.write(catalogue, out, notes)
        if not form:
            assert json.loads(out.getvalue())["@graph"]
            continue
        kind = pyoxigraph.RdfFormat.from_media_type(MEDIA_TYPES[form])
        assert len(list(pyoxigraph.parse(out.getvalue(), format=kind))) > 5
        assert len(rdflib.Graph().parse(out.getvalue(), format=form)) > 5
        assert notes.left_out == (2 if module is void else 0)
