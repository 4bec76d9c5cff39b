"""DCAT: two libraries read it, and what DCAT-AP asks for is there."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from rdflib.namespace import DCAT, DCTERMS, FOAF, RDF, XSD

from tests.exports.conftest import Export
from tests.exports.crawls import ROOT

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SPDX = rdflib.Namespace("http://spdx.org/rdf/terms#")
# DCAT-AP 3: properties with a minimum of one, by class.
MANDATORY = {
    DCAT.Catalog: (DCTERMS.title, DCTERMS.description, DCTERMS.publisher),
    DCAT.Dataset: (DCTERMS.title, DCTERMS.description),
    DCAT.Distribution: (DCAT.accessURL,),
    FOAF.Agent: (FOAF.name,),
    SPDX.Checksum: (SPDX.algorithm, SPDX.checksumValue),
}


def graph_of(path: Path) -> rdflib.Graph:
    return rdflib.Graph().parse(path, format="json-ld")


def test_everything_mandatory_is_there(exported: Export) -> None:
    graph = graph_of(exported("dcat"))
    for kind, properties in MANDATORY.items():
        things = list(graph.subjects(RDF.type, kind))
        assert things
        for thing in things:
            assert [name for name in properties if not list(graph.objects(thing, name))] == []


def test_a_dataset_to_a_file_and_a_distribution_to_an_address(exported: Export) -> None:
    graph = graph_of(exported("dcat"))
    (catalogue,) = graph.subjects(RDF.type, DCAT.Catalog)
    assert len(list(graph.objects(catalogue, DCAT.dataset))) == 9
    urls = list(graph.objects(None, DCAT.downloadURL))
    assert len(urls) == 10
    assert all(isinstance(url, rdflib.URIRef) for url in urls)
    assert rdflib.URIRef(ROOT + "a%7Cb%5B1%5D%25zz%20%C3%BC.json") in urls


def test_truncated_files_have_neither_length_nor_checksum(exported: Export) -> None:
    graph = graph_of(exported("dcat"))
    cut = next(graph.subjects(DCAT.downloadURL, rdflib.URIRef(ROOT + "cut.csv")))
    whole = next(graph.subjects(DCAT.downloadURL, rdflib.URIRef(ROOT + "area.csv")))
    assert not list(graph.objects(cut, DCAT.byteSize))
    assert not list(graph.objects(cut, SPDX.checksum))
    (size,) = graph.objects(whole, DCAT.byteSize)
    assert size == rdflib.Literal("45", datatype=XSD.nonNegativeInteger)
    (modified,) = graph.objects(whole, DCTERMS.modified)
    assert modified == rdflib.Literal("1994-11-06T08:49:37+00:00", datatype=XSD.dateTime)


def test_two_libraries_read_the_same(exported: Export) -> None:
    path = exported("dcat")
    quads = list(pyoxigraph.parse(path.read_bytes(), format=pyoxigraph.RdfFormat.JSON_LD))
    assert len(quads) == len(graph_of(path)) > 100


def test_an_empty_catalogue_is_a_catalogue(exported: Export, empty: Path) -> None:
    graph = graph_of(exported("dcat", empty))
    assert len(list(graph.subjects(RDF.type, DCAT.Catalog))) == 1
    assert not list(graph.subjects(RDF.type, DCAT.Dataset))
