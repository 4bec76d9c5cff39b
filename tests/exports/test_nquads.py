"""Statements of pages as N-Quads that an RDF library reads."""

from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page
from lodehound.exports import Notes, void
from lodehound.exports.nquads import write
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.contexts import Contexts
from lodehound.targets.markup import MarkupPages
from tests.exports.conftest import Export
from tests.exports.crawls import HOSTILE, ROOT, add, begin

SCHEMA = "http://schema.org/"
PAGE = f"""<div itemscope itemtype="http://schema.org/Event" itemid="http://e.example/1">
<b itemprop="name">Fair "one" \\ {HOSTILE}</b><a itemprop="url" href="/a b">x</a>
<div itemprop="location" itemscope><i itemprop="http://p.example/q">Town</i></div></div>"""


def test_pages_are_graphs(tmp_path: Path, exported: Export) -> None:
    """Nameless nodes of two pages are different ones; finds without statements are left out."""
    body = PAGE.encode("utf-8", "surrogatepass")
    with begin(tmp_path / "crawl") as directory:
        for place in ("1.html", "2.html"):
            page = Page(ROOT + place, "GET", 200, "text/html", body)
            details = MarkupPages().judge(page).details
            add(directory, place, body, "text/html", details=details)
        add(directory, "x.csv", b"a,b\n1,2\n")
        add(directory, "y.csv", b"a,b\n1,3\n", details="[1, 2")
        add(
            directory, "z.csv", b"a,b\n1,4\n", details='{"statements": [["a"], 7, [1, 2, 3, 4, 5]]}'
        )
    written = exported("nquads", tmp_path / "crawl", to="finds.nq").read_bytes()
    quads = list(pyoxigraph.parse(written, format=pyoxigraph.RdfFormat.N_QUADS))
    graphs = {quad.graph_name.value for quad in quads}
    assert graphs == {ROOT + "1.html", ROOT + "2.html"}
    assert len(quads) == 12  # type, name, url, location, its property, the time; of two pages
    places = [q.object.value for q in quads if q.predicate.value == SCHEMA + "location"]
    assert len(set(places)) == 2
    named = next(q for q in quads if q.predicate.value == SCHEMA + "name")
    assert named.subject.value == "http://e.example/1"
    assert named.object.value.startswith('Fair "one" \\')


def test_contexts_of_the_web_are_used_when_they_are_there(tmp_path: Path) -> None:
    """Kept in a folder by an earlier export; without it their words have no meaning."""
    body = b'{"@context": "https://c.example/c", "@id": "http://e/a", "name": "x"}'
    details = '{"syntax":"json-ld","triples":1}'
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.jsonld", body, mime="application/ld+json", details=details)
    loader = Contexts(tmp_path / "kept", fetch=lambda _: b'{"@context": {"name": "http://n/name"}}')
    nothing = Contexts(tmp_path / "nothing")
    for contexts, said in ((nothing, False), (loader, True), (Contexts(tmp_path / "kept"), True)):
        out = io.BytesIO()
        with Catalogue(tmp_path / "crawl") as catalogue:
            write(catalogue, out, Notes(contexts=contexts))
        assert (b"<http://n/name>" in out.getvalue()) is said


@pytest.mark.parametrize("name", ["nquads", "void"])
def test_a_crawl_without_rdf_is_refused(
    name: str, tmp_path: Path, exported: Export, empty: Path
) -> None:
    """One that has found nothing yet may still find some."""
    with begin(tmp_path / "crawl") as directory:
        add(directory, "x.csv", b"a,b\n1,2\n")
    with pytest.raises(ConfigError, match=f"'files'.* --to {name} is for .*--want rdf"):
        exported(name, tmp_path / "crawl")
    assert not (tmp_path / "out").exists()
    assert exported(name, empty).exists()


def test_void_counts_documents_of_rdf_only(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "x.csv", b"a,b\n1,2\n")
        add(directory, "a.ttl", b"<a> <b> <c> .", "text/turtle", details='{"triples": 1}')
    out, notes = io.BytesIO(), Notes()
    with Catalogue(tmp_path / "crawl") as catalogue:
        void.write(catalogue, out, notes)
    assert out.getvalue().count(b"void:documents 1 ;") == 2  # of all, and of the host
    assert notes.written == 1
