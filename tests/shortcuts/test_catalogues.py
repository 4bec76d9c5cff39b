"""Catalogues of geographic data: STAC, CSW and OGC API."""

from __future__ import annotations

from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.csw import Csw
from lodehound.shortcuts.ogc_records import OgcRecords
from lodehound.shortcuts.stac import Stac
from tests.shortcuts import answer, recorded

STAC = "https://planetarycomputer.microsoft.com/api/stac/v1/"
CSW = "http://127.0.0.1:8917/"
OGC = "http://127.0.0.1:8918/"


def test_a_recorded_collection_of_stac_is_read_and_leads_to_its_items() -> None:
    got = Stac().expand(recorded("stac/collection.json", STAC + "collections/gap"))
    originals = "https://ai4edataeuwest.blob.core.windows.net/usgs-gap/originals/"

    assert got == Expansion(
        datasets=(
            Dataset(
                title="USGS Gap Land Cover",
                url="https://planetarycomputer.microsoft.com/dataset/gap",
                identifier="gap",
                publisher="USGS",
                licence="https://www.usgs.gov/core-science-systems/hdds/data-policy",
                keywords=("USGS", "GAP"),
                files=(
                    ListedFile(
                        originals + "gaplandcov_ak.zip",
                        title="Alaska source data",
                        format="application/zip",
                        description="Original source data for Alaska",
                    ),
                ),
            ),
        ),
        more=(ApiPage(STAC + "collections/gap/items?limit=100", 100),),
    )


def test_a_list_of_collections_of_stac_is_the_same_as_each_of_them() -> None:
    one = recorded("stac/collection.json", STAC + "collections")
    listed = answer({"collections": [one.json], "links": []}, STAC + "collections")

    assert Stac().expand(listed) == Stac().expand(one)


def test_a_page_of_items_of_stac_leads_to_the_next_by_get_only() -> None:
    item = {
        "type": "Feature",
        "stac_version": "1.0.0",
        "id": "a",
        "properties": {"datetime": "2024-01-01"},
        "assets": {"data": {"href": "a.tif"}, "overview": {"href": "a.jpg"}},
    }
    following = {"rel": "next", "href": STAC + "search?token=2", "type": "application/geo+json"}
    links = [{**following, "method": "POST", "href": STAC + "search"}, following]
    page = {"type": "FeatureCollection", "features": [item], "links": links}

    assert Stac().expand(answer(page, STAC + "search")) == Expansion(
        datasets=(
            Dataset(
                title="a",
                identifier="a",
                issued="2024-01-01",
                files=(ListedFile(STAC + "a.tif", title="data"),),
            ),
        ),
        more=(ApiPage(STAC + "search?token=2", 1),),
    )


def test_a_static_catalogue_of_stac_leads_to_what_it_links_but_not_to_itself() -> None:
    hrefs = ["./a/catalog.json", "./b.json", "./catalog.json"]
    links = [{"rel": "child", "href": href} for href in hrefs]
    catalogue = {"type": "Catalog", "stac_version": "1.0.0", "id": "root", "links": links}

    assert Stac().expand(answer(catalogue, STAC + "catalog.json")) == Expansion(
        more=(
            ApiPage(STAC + "a/catalog.json", 1, deeper=True),
            ApiPage(STAC + "b.json", 1, deeper=True),
        )
    )


def test_records_that_pycsw_returned_are_read_page_by_page() -> None:
    got = Csw().expand(recorded("csw/pycsw.xml", CSW + "csw?startPosition=1"))

    assert got is not None
    assert got.more == (ApiPage(CSW + "csw?startPosition=3", 2),)
    assert got.datasets[1].title == "River levels 2021"
    assert got.datasets[0] == Dataset(
        title="River levels 2020",
        url=CSW + "about/0",
        identifier="urn:uuid:0000-0",
        description="Levels of rivers, every hour.",
        publisher="Office of Water",
        licence="CC-BY-4.0",
        modified="2024-01-01",
        keywords=("rivers",),
        files=(ListedFile(CSW + "files/levels0.csv"),),
    )


def test_records_of_iso_19139_that_pycsw_returned_are_read() -> None:
    got = Csw().expand(recorded("csw/iso.xml", CSW + "csw?startPosition=1"))

    assert got is not None
    assert got.datasets == (
        Dataset(
            title="River levels 2020",
            url=CSW + "about/0",
            identifier="urn:uuid:0000-0",
            description="Levels of rivers, every hour.",
            modified="2024-01-01",
            files=(ListedFile(CSW + "files/levels0.csv"),),
        ),
    )


def test_a_recorded_answer_of_geonetwork_is_read_with_its_next_record() -> None:
    csw = "https://e.org/geonetwork/srv/eng/csw?startPosition="

    assert Csw().expand(recorded("csw/geonetwork.xml", csw + "83")) == Expansion(
        datasets=(
            Dataset(
                title="SUVIM station network WMS",
                identifier="8dad9c98-0512-4845-a2bf-3ace1c93df6f",
                publisher="National Geographic Institute",
                issued="1993-03-29",
                modified="2024-07-05T13:35:37",
            ),
        ),
        more=(ApiPage(csw + "85", 1),),
    )


def test_a_csw_that_names_the_same_or_no_next_record_ends() -> None:
    whole = recorded("csw/geonetwork.xml", "https://e.org/csw?startPosition=85")
    ended = answer(whole.body.replace(b'nextRecord="85"', b'nextRecord="0"'), whole.url)
    silent = answer(whole.body.replace(b'nextRecord="85"', b""), whole.url)
    same, last, counted = (Csw().expand(one) for one in (whole, ended, silent))

    assert same is not None
    assert last is not None
    assert counted is not None
    assert (same.more, last.more) == ((), ())
    assert counted.more == (ApiPage("https://e.org/csw?startPosition=86", 1),)


def test_a_csw_without_records_ends_and_an_exception_is_not_read() -> None:
    head = '<csw:{} xmlns:csw="http://www.opengis.net/cat/csw/2.0.2">'
    results = '<csw:SearchResults numberOfRecordsMatched="1000000000"/></csw:GetRecordsResponse>'
    empty = answer(head.format("GetRecordsResponse") + results, CSW)
    exception = answer(head.format("ExceptionReport") + "</csw:ExceptionReport>", CSW)

    assert Csw().expand(empty) == Expansion()
    assert Csw().expand(exception) is None


def test_collections_that_pygeoapi_returned_are_files_or_lead_to_records() -> None:
    got = OgcRecords().expand(recorded("ogc_records/collections.json", OGC + "collections?f=json"))
    items = OGC + "collections/{}/items?f=json"

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Observations",
                identifier="obs",
                description="My cool observations",
                keywords=("observations",),
                files=(ListedFile(items.format("obs"), format="application/geo+json"),),
            ),
        ),
        more=(ApiPage(items.format("cat") + "&limit=100", 100),),
    )


def test_records_that_pygeoapi_returned_are_read_and_the_next_page_is_json_again() -> None:
    items = OGC + "collections/cat/items"
    got = OgcRecords().expand(recorded("ogc_records/items.json", items + "?f=json&limit=100"))

    assert got is not None
    assert got.more == (ApiPage(items + "?offset=2&limit=100&f=json", 2),)
    assert got.datasets[1].title == "River levels 2021"
    assert got.datasets[0] == Dataset(
        title="River levels 2020",
        identifier="urn:uuid:0000-0",
        description="Levels of rivers, every hour.",
        publisher="Office of Water",
        licence="CC-BY-4.0",
        issued="2023-01-01",
        modified="2024-01-01",
        keywords=("rivers",),
        files=(ListedFile(OGC + "files/levels0.csv", title="Levels", format="text/csv"),),
    )


def test_ordinary_geojson_is_not_taken_for_records() -> None:
    feature = {"type": "Feature", "geometry": None, "properties": {"title": "A river"}}
    rivers = answer({"type": "FeatureCollection", "features": [feature]}, OGC + "rivers.json")

    assert OgcRecords().expand(rivers) is None
