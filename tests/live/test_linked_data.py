"""RDF harvested from a live server, bounded and resumable, and loaded elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyoxigraph
import pytest
import rdflib

from lodehound.exports import Notes, nquads, void
from lodehound.stores.catalogue.entries import Catalogue
from tests.live import Crawled, crawl, crawl_words, query, resume, start, wait_for
from tests.live.linked_data import GIGABYTE, PEOPLE, ROW, LinkedDataServer

FOUND = {"/plain": 2, "/octets": 2, "/broken": 2} | {f"/about/{n}": 6 for n in range(PEOPLE)}
OPTIONS = {"want": "rdf", "max_file": "1MB", "total_timeout": 20, "read_timeout": 5}


@pytest.fixture(scope="module")
def server() -> Iterator[LinkedDataServer]:
    with LinkedDataServer() as server:
        yield server


@pytest.fixture(scope="module")
def crawled(server: LinkedDataServer, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    out = tmp_path_factory.mktemp("linked-data") / "crawl"
    return crawl(server.url, "--quiet", out=out, **OPTIONS)


def found(done: Crawled) -> dict[str, int]:
    rows = query(done.path, "SELECT final_url, details FROM catalogue")
    return {"/" + url.split("/", 3)[3]: json.loads(text)["triples"] for url, text in rows}


def test_what_is_rdf_is_found(crawled: Crawled) -> None:
    """Negotiated, behind 303s, of the wrong type, broken; not the bomb."""
    finds = found(crawled)
    dump = finds.pop("/dump.nt")
    assert (crawled.code, crawled.said, finds) == (0, "", FOUND)
    assert dump == 1_000_000 // len(ROW)


def test_a_dump_is_cut_at_the_limit(crawled: Crawled, server: LinkedDataServer) -> None:
    (sent,) = (entry.sent for entry in server.log if entry.path == "/dump.nt")
    assert sent < GIGABYTE / 50
    assert query(crawled.path, "SELECT truncated FROM finds WHERE final_url LIKE '%dump.nt'") == [
        (1,)
    ]


def test_nothing_is_asked_twice(crawled: Crawled, server: LinkedDataServer) -> None:
    assert crawled.rows
    assert max(count for path, count in server.hits.items() if path != "/robots.txt") == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of rdflib by rdflib
def test_quads_load_elsewhere(crawled: Crawled, tmp_path: Path) -> None:
    """With equal counts; every document is a graph."""
    file, notes = tmp_path / "all.nq", Notes()
    with Catalogue(crawled.path) as catalogue, file.open("wb") as out:
        nquads.write(catalogue, out, notes)
    store = pyoxigraph.Store()
    store.load(path=str(file), format=pyoxigraph.RdfFormat.N_QUADS)
    dataset = rdflib.Dataset()
    dataset.parse(data=file.read_text(encoding="utf-8"), format="nquads")
    loaded = sum(1 for _ in dataset.quads())
    assert len(store) == loaded == sum(FOUND.values()) + 1  # the dump repeats itself
    assert notes.written == len(FOUND) + 1
    assert len(list(store.named_graphs())) == len(FOUND) + 1


def test_the_harvest_is_described(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "void.ttl"
    with Catalogue(crawled.path) as catalogue, file.open("wb") as out:
        void.write(catalogue, out, Notes())
    graph = rdflib.Graph().parse(data=file.read_text(encoding="utf-8"), format="turtle")
    void_triples = rdflib.URIRef("http://rdfs.org/ns/void#triples")
    counts = {int(str(number)) for number in graph.objects(None, void_triples)}
    assert counts == {sum(found(crawled).values())}
    assert (None, None, rdflib.URIRef("http://xmlns.com/foaf/0.1/")) in graph


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_killed_and_resumed_it_comes_to_the_same(crawled: Crawled, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with LinkedDataServer() as server:
        words = crawl_words(server.url, "--quiet", out=out, **OPTIONS)
        with start(*words) as child:
            wait_for(partial(lambda: len(server.log) > 12 or child.poll() is not None))
            child.kill()
            child.communicate(timeout=60)
        done = resume(out, "--quiet")
    assert (done.code, found(done)) == (0, found(crawled))
