"""DCAT catalogues: data.json, ArcGIS Hub and RDF."""

from __future__ import annotations

import sys

import pytest

from lodehound.shortcuts.arcgis_hub import ArcgisHub
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.dcat_rdf import DcatRdf
from lodehound.shortcuts.dcat_us import DcatUs
from tests.shortcuts import answer, page, recorded

DATA_JSON = "https://www.cftc.gov/data.json"
HUB = "https://ville-d-evian-opendata-ville-evian.hub.arcgis.com/"
FEED = HUB + "api/feed/dcat-us/1.1.json"
TTL = "http://demo.ckan.org/catalog.ttl"


def test_data_json_is_seen_by_itself_by_a_link_and_on_start_pages_of_agencies() -> None:
    signs = DcatUs().signs

    assert signs(recorded("dcat_us/cftc.json", DATA_JSON)) == (DATA_JSON,)
    assert signs(page('<a href="/open/data.json">')) == ("https://e.org/open/data.json",)
    assert signs(page("<p>Hello", "https://www.cftc.gov/")) == (DATA_JSON,)
    assert signs(page("<p>Hello", "https://www.cftc.gov/news")) == ()
    assert signs(page('<a href="/metadata.json">', "https://data.e.gov/")) == ()


def test_data_json_is_asked_for_at_the_root_of_the_host() -> None:
    assert DcatUs().probes("https://e.org/portal/") == ("https://e.org/data.json",)
    assert DcatUs().probes("https://e.org/a/data.json") == ("https://e.org/a/data.json",)


def test_a_recorded_data_json_is_read() -> None:
    assert DcatUs().expand(recorded("dcat_us/cftc.json", DATA_JSON)) == Expansion(
        datasets=(
            Dataset(
                title="Cotton On Call",
                identifier="cftc-dc3",
                description="Cotton On-Call Report shows the quantity of call cotton bought or "
                "sold on which the price has not been fixed, together with the respective futures "
                "on which the purchase or sale is based on.",
                publisher="U.S. Commodity Futures Trading Commission",
                modified="R/P1W",
                keywords=("cotton on call", "cotton on-call"),
            ),
        ),
        pages=("https://www.cftc.gov/MarketReports/CottonOnCall/index.htm",),
    )


def test_the_scripts_of_arcgis_hub_are_a_sign_and_its_feed_proves_it() -> None:
    start = page('<script src="https://hubcdn.arcgis.com/opendata-ui/assets/vendor.js">', HUB)

    assert ArcgisHub().signs(start) == (HUB,)
    assert ArcgisHub().signs(page("<p>Hello")) == ()
    assert ArcgisHub().probes(HUB) == (FEED, FEED.removesuffix(".json"))


def test_a_recorded_feed_of_arcgis_hub_is_read() -> None:
    got = ArcgisHub().expand(recorded("arcgis_hub/evian.json", FEED))
    item = HUB + "api/download/v1/items/f6565516d1354383b25793e630cf3f2b/"

    assert got is not None
    assert [one.title for one in got.datasets] == [
        "stationnement velos", "Carte piéton concertation",
    ]  # fmt: skip
    assert got.all_files == (
        ListedFile(item + "csv?layers=5", title="CSV", format="text/csv"),
        ListedFile(item + "shapefile?layers=5", title="Shapefile", format="application/zip"),
    )
    assert got.pages == (HUB + "documents/856b7eb926a14f4cb34d95597bafb610",)


def test_a_catalogue_in_rdf_is_seen_by_itself_and_as_an_alternate() -> None:
    alternate = '<link rel="alternate" type="application/rdf+xml" href="/{}">'

    assert DcatRdf().signs(recorded("dcat_rdf/ckan.ttl", TTL, mime="text/turtle")) == (TTL,)
    assert DcatRdf().signs(page(alternate.format("catalog.rdf"))) == ("https://e.org/catalog.rdf",)
    assert DcatRdf().signs(page(alternate.format("people/me.rdf"))) == ()
    assert DcatRdf().probes("https://e.org/") == (
        "https://e.org/catalog.ttl", "https://e.org/catalog.jsonld",
    )  # fmt: skip


def test_a_recorded_catalogue_in_turtle_is_read_with_its_next_page() -> None:
    got = DcatRdf().expand(recorded("dcat_rdf/ckan.ttl", TTL, mime="text/turtle"))
    schools = "http://demo.ckan.org/dataset/07fd4dac-9201-4c3f-8b4e-d693ce0122bc/resource/"

    assert got is not None
    assert got.more == (ApiPage(TTL + "?page=2", promise=2),)
    assert got.datasets[0].title == "Data viewer examples"
    assert got.datasets[1] == Dataset(
        title="Edo State Schools",
        identifier="07fd4dac-9201-4c3f-8b4e-d693ce0122bc",
        description="Breakdown of schools in Edo State",
        issued="2016-12-08T10:17:48.500789",
        modified="2016-12-08T10:26:10.104168",
        keywords=("Edo", "Schools"),
        files=(
            ListedFile(
                schools + "fbf2ba8f-1987-40b7-8488-0346eadd654a/download/"
                "edosecondaryschoolmapping.csv",
                title="Edo State Secondary Schools",
                format=".xls",
                description="Secondary Schools in Edo State",
            ),
        ),
    )


def test_in_rdf_names_of_publishers_are_read_and_services_are_no_files() -> None:
    got = DcatRdf().expand(recorded("dcat_rdf/geonetwork.rdf", "https://e.org/catalog.rdf"))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Localisation des accidents de la circulation routière en 2017",
                identifier="https://www.geo2france.fr/2017/accidento",
                description="Accidents corporels de la circulation en Hauts de France (2017)",
                publisher="Géo2France",
                issued="2017-01-01",
                keywords=("accidentologie", "accident"),
            ),
        )
    )


def test_a_page_of_rdf_without_datasets_is_the_last() -> None:
    empty = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
        @prefix hydra: <http://www.w3.org/ns/hydra/core#> .
        <http://e.org> a dcat:Catalog . <http://e.org/catalog.ttl?page=9> hydra:next <?page=10> ."""
    got = DcatRdf().expand(answer(empty, "https://e.org/catalog.ttl", mime="text/turtle"))

    assert got == Expansion()


@pytest.mark.parametrize(
    ("record", "url"),
    [
        ({"downloadURL": "a.csv"}, "https://e.org/a.csv"),
        ({"accessURL": "https://e.org/get/5", "format": "CSV"}, "https://e.org/get/5"),
        ({"accessURL": "https://e.org/b.xlsx"}, "https://e.org/b.xlsx"),
        ({"accessURL": "https://e.org/about"}, None),
        ({"accessURL": "https://e.org/about.php", "format": "CSV"}, None),
        ({"downloadURL": "https://e.org/ows", "format": "OGC WMS"}, None),
        ({"downloadURL": "javascript:alert(1)"}, None),
    ],
)
def test_an_access_url_is_a_file_if_its_format_or_ending_says_so(
    record: dict[str, str], url: str | None
) -> None:
    catalogue = {"@type": "dcat:Catalog", "dataset": [{"title": "a", "distribution": [record]}]}
    got = DcatUs().expand(answer(catalogue, "https://e.org/data.json"))

    assert got is not None
    assert [file.url for file in got.all_files] == ([url] if url else [])


def test_without_the_extra_no_catalogue_in_rdf_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)

    assert DcatRdf().expand(recorded("dcat_rdf/ckan.ttl", TTL, mime="text/turtle")) is None
