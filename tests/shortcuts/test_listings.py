"""What APIs say about files is kept, and reaches list and exports."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import pytest
import rdflib

from lodehound.core.listing import Dataset, ListedFile
from lodehound.sites.portals import CkanPortal
from lodehound.sites.server import SiteServer
from lodehound.stores.catalogue.entries import Catalogue
from tests.live import Crawled, crawl, run


@pytest.fixture(scope="module")
def portal() -> Iterator[SiteServer]:
    with SiteServer() as server:
        server.serve(CkanPortal(12, host=server.url).get)
        yield server


@pytest.fixture(scope="module")
def done(portal: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl(portal.url, out=tmp_path_factory.mktemp("portal") / "crawl", finds=12)


def test_a_find_says_which_api_listed_it_and_what_the_api_says(done: Crawled) -> None:
    shown = run("list", done.path, "--json", "--limit", 1)
    find = json.loads(shown.out)

    about = ("api", "dataset", "publisher", "licence", "issued", "modified", "description")
    number = find["url"].rpartition("/")[2].removesuffix(".csv")
    assert [find[name] for name in about] == [
        "ckan",
        f"Dataset {number}",
        "Office of Statistics",
        "CC BY 4.0",
        "2024-01-02T03:04:05",
        "2025-01-02T03:04:05",
        f"The figures of table {number}.",
    ]
    assert find["title"] == f"Table {number}"
    assert "/api/3/action/package_search" in find["found_on"]


def test_the_report_names_the_api_and_the_licence(done: Crawled) -> None:
    assert run("report", done.path).code == 0

    assert "listed by ckan, licence CC BY 4.0" in (done.path / "report.html").read_text()


def test_explain_names_the_api(done: Crawled, portal: SiteServer) -> None:
    said = run("explain", done.path, f"{portal.url}files/3.csv").out

    assert "/api/3/action/package_search" in said
    assert "listed by an API" in said


def test_the_datasets_are_kept_with_all_their_files(done: Crawled, portal: SiteServer) -> None:
    with Catalogue(done.path) as catalogue:
        datasets = [one.dataset for one in catalogue.datasets()]

    assert len(datasets) == 12
    assert datasets[3] == Dataset(
        title="Dataset 3",
        url=f"{portal.url}dataset/dataset-3",
        identifier="00000000-00000003",
        description="The figures of table 3.",
        publisher="Office of Statistics",
        licence="CC BY 4.0",
        issued="2024-01-02T03:04:05",
        modified="2025-01-02T03:04:05",
        keywords=("figures",),
        files=(ListedFile(f"{portal.url}files/3.csv", "Table 3", "CSV", 25),),
    )


@pytest.fixture(scope="module")
def harvested(portal: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder = tmp_path_factory.mktemp("catalogue") / "crawl"
    return crawl(portal.url, "--metadata-only", out=folder)


def exported(done: Crawled, to: str) -> str:
    made = run("export", done.path, "--to", to, "--output", "-")
    assert (made.code, made.err) == (0, "12 datasets written to -\n")
    return made.out


def test_a_catalogue_without_files_is_two_requests(harvested: Crawled) -> None:
    assert harvested.code == 0
    assert [row.found for row in harvested.rows.values()] == [0, 0]


def test_a_catalogue_is_exported_as_a_table(harvested: Crawled, portal: SiteServer) -> None:
    rows = list(csv.DictReader(exported(harvested, "csv").splitlines()))

    assert len(rows) == 12
    assert rows[3]["url"] == f"{portal.url}files/3.csv"
    assert (rows[3]["dataset_title"], rows[3]["dataset_licence"]) == ("Dataset 3", "CC BY 4.0")
    assert (rows[3]["format"], rows[3]["size"], rows[3]["api"]) == ("CSV", "25", "ckan")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib warns of its own classes
def test_a_catalogue_is_exported_as_dcat(harvested: Crawled, portal: SiteServer) -> None:
    graph = rdflib.Graph().parse(data=exported(harvested, "dcat"), format="json-ld")
    dcat = rdflib.Namespace("http://www.w3.org/ns/dcat#")
    [dataset] = graph.subjects(rdflib.DCTERMS.title, rdflib.Literal("Dataset 3"))
    [distribution] = graph.objects(dataset, dcat.distribution)

    assert len(set(graph.subjects(rdflib.RDF.type, dcat.Dataset))) == 12
    assert graph.value(dataset, dcat.keyword) == rdflib.Literal("figures")
    publisher = graph.value(dataset, rdflib.DCTERMS.publisher)
    assert graph.value(publisher, rdflib.FOAF.name) == rdflib.Literal("Office of Statistics")
    assert graph.value(distribution, dcat.downloadURL) == rdflib.URIRef(f"{portal.url}files/3.csv")


def test_a_catalogue_is_exported_as_croissant(harvested: Crawled, portal: SiteServer) -> None:
    documents = [json.loads(line) for line in exported(harvested, "croissant").splitlines()]

    assert documents[3]["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert documents[3]["isLiveDataset"] is True  # otherwise every file needs a checksum
    assert (documents[3]["name"], documents[3]["license"]) == ("Dataset 3", "CC BY 4.0")
    assert documents[3]["distribution"] == [
        {
            "@id": "file-1",
            "@type": "cr:FileObject",
            "name": "Table 3",
            "contentUrl": f"{portal.url}files/3.csv",
            "contentSize": "25 B",
            "encodingFormat": "text/csv",
        }
    ]
