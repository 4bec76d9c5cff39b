"""Open-data portals and content management systems."""

from __future__ import annotations

from typing import Any

import pytest

from lodehound.shortcuts.arcgis_server import ArcgisServer
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.datasette import Datasette
from lodehound.shortcuts.dkan import Dkan
from lodehound.shortcuts.drupal import Drupal
from lodehound.shortcuts.opendatasoft import Opendatasoft
from lodehound.shortcuts.socrata import Socrata
from lodehound.shortcuts.udata import Udata
from tests.shortcuts import answer, recorded, with_changes

SERVER = "https://services.arcgisonline.com/ArcGIS/rest/services"
ODS = "https://e.org/api/datasets/1.0/search/?rows=2&start=0"
SOCRATA = "https://data.e.org/api/catalog/v1?limit=2&offset=0"
FILES = "https://e.org/jsonapi/file/file?page%5Blimit%5D=50"


def test_a_recorded_directory_of_arcgis_server_leads_to_its_folders_and_services() -> None:
    got = ArcgisServer().expand(recorded("arcgis_server/directory.json", f"{SERVER}?f=json"))
    folders = ["Canvas", "Demographics", "Elevation", "Reference", "Specialty"]
    services = ["NatGeo_World_Map", "Ocean_Basemap", "World_Imagery"]
    places = [*folders, *(f"{service}/MapServer" for service in services)]

    assert got == Expansion(
        more=tuple(ApiPage(f"{SERVER}/{place}?f=json", deeper=True) for place in places)
    )


def test_a_recorded_layer_of_arcgis_server_is_one_file() -> None:
    layer = "https://gis.e.org/arcgis/rest/services/Addresses/MapServer/1"
    got = ArcgisServer().expand(recorded("arcgis_server/layer.json", f"{layer}?f=json"))
    query = f"{layer}/query?where=1%3D1&outFields=*&f=geojson"

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Address Points",
                url=layer,
                files=(ListedFile(query, title="Address Points", format="geojson"),),
            ),
        )
    )


def test_layers_of_a_service_are_files_but_groups_and_closed_services_are_not() -> None:
    service = f"{SERVER}/Roads/FeatureServer"
    layers = [
        {"id": 0, "name": "All", "subLayerIds": [1]},
        {"id": 1, "name": "Roads", "subLayerIds": None},
        {"name": "no number"},
    ]
    data: dict[str, Any] = {"currentVersion": 11, "layers": layers, "tables": [],
                            "supportedQueryFormats": "JSON", "capabilities": "Query"}  # fmt: skip
    got = ArcgisServer().expand(answer(data, f"{service}?f=json"))
    closed = ArcgisServer().expand(answer(data | {"capabilities": "Map"}, f"{service}?f=json"))

    assert got is not None
    assert closed is not None
    assert [file.url for file in got.all_files] == [
        f"{service}/1/query?where=1%3D1&outFields=*&f=json"
    ]
    assert closed.all_files == ()


def test_of_a_service_that_is_a_map_and_features_the_features_are_read() -> None:
    kinds = ["MapServer", "FeatureServer", "MapServer", "GeometryServer"]
    services = [{"name": "A/Roads", "type": kind} for kind in kinds]
    got = ArcgisServer().expand(
        answer({"currentVersion": 11, "folders": [], "services": services}, f"{SERVER}/A?f=json")
    )

    assert got == Expansion(more=(ApiPage(f"{SERVER}/A/Roads/FeatureServer?f=json", deeper=True),))


def test_a_server_that_wants_a_token_is_not_read() -> None:
    refused = {"error": {"code": 499, "message": "Token Required", "details": []}}

    assert ArcgisServer().expand(answer(refused, f"{SERVER}?f=json")) is None


def test_a_recorded_catalogue_of_opendatasoft_1_is_read_page_by_page() -> None:
    got = Opendatasoft().expand(recorded("opendatasoft/v1.json", ODS))
    export = "https://e.org/api/explore/v2.1/catalog/datasets/test-a/exports/csv"

    assert got is not None
    assert got.more == (ApiPage("https://e.org/api/datasets/1.0/search/?rows=2&start=2", 1),)
    assert got.datasets[0].files == ()
    assert got.datasets[1] == Dataset(
        title="test-a",
        url="https://e.org/explore/dataset/test-a/",
        identifier="test-a",
        description="<p>test-a-description</p>",
        publisher="test",
        licence="Licence Ouverte (Etalab)",
        modified="2015-04-09T10:28:45+00:00",
        keywords=("keyword1", "keyword2"),
        files=(ListedFile(export, format="text/csv", modified="2015-06-01T05:30:01+00:00"),),
    )


def test_the_recorded_dataset_of_version_2_is_read_in_an_export_and_in_a_page() -> None:
    old = recorded("opendatasoft/v2.json", "https://e.org/api/v2/catalog/datasets")
    entry = old.json["datasets"][0]["dataset"]
    attached = {"id": "a b", "title": "Notice", "mimetype": "application/pdf", "url": "odsfile://a"}
    entry = entry | {"attachments": [attached]}
    export = Opendatasoft().expand(answer([entry], "https://e.org/catalog/exports/json"))
    page = "https://e.org/api/explore/v2.1/catalog/datasets?limit=1&offset=0"
    part = Opendatasoft().expand(answer({"total_count": 10**9, "results": [entry]}, page))
    api = "https://e.org/api/explore/v2.1/catalog/datasets/" + entry["dataset_id"]

    assert export is not None
    assert part is not None
    assert [file.url for file in export.all_files] == [
        f"{api}/exports/csv", f"{api}/attachments/a%20b",
    ]  # fmt: skip
    assert part.datasets == export.datasets
    assert part.more == (ApiPage(page.replace("offset=0", "offset=1"), 1),)


def test_a_recorded_catalogue_of_socrata_is_read_page_by_page() -> None:
    got = Socrata().expand(recorded("socrata/catalog.json", SOCRATA))
    rows = "https://data.cityofboston.gov/api/views/msk6-43c6/rows.csv?accessType=DOWNLOAD"

    assert got is not None
    assert got.more == (ApiPage(SOCRATA.replace("offset=0", "offset=2"), 2),)
    assert got.datasets[1].title == "Lottery Cash 4 Life Winning Numbers: Beginning 2014"
    assert got.datasets[0] == Dataset(
        title="Approved Building Permits",
        url="https://data.cityofboston.gov/d/msk6-43c6",
        identifier="msk6-43c6",
        description="Data of approved building/construction permits",
        publisher="Inspectional Services Division",
        licence="Creative Commons Attribution 3.0 Unported",
        issued="2013-04-05T18:11:45.000Z",
        modified="2017-07-21T10:01:47.000Z",
        keywords=("permits", "construction", "building"),
        files=(
            ListedFile(
                rows,
                title="Approved Building Permits",
                format="text/csv",
                modified="2017-07-21T10:01:47.000Z",
            ),
        ),
    )


def test_charts_and_links_of_socrata_are_no_files() -> None:
    whole = recorded("socrata/catalog.json", SOCRATA)
    chart = {**whole.json["results"][0]["resource"], "type": "chart"}
    got = Socrata().expand(with_changes(whole, results=[{"resource": chart}]))

    assert got is not None
    assert got.all_files == ()


def test_the_sample_catalogue_of_dkan_is_read_without_the_files_of_its_disk() -> None:
    got = Dkan().expand(recorded("dkan/data.json", "https://e.org/data.json"))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Florida Bike Lanes",
                identifier="cedcd327-4e5d-43f9-8eb1-c11850fa7c55",
                description="<p>Data on bike lanes in Florida.</p>",
                publisher="demo.getdkan.com",
                issued="2016-06-22",
                modified="2019-06-06",
                keywords=("No keyword provided",),
            ),
        )
    )


def test_a_recorded_list_of_the_metastore_of_dkan_is_read() -> None:
    place = "https://demo.getdkan.org/"
    got = Dkan().expand(
        recorded("dkan/items.json", f"{place}api/1/metastore/schemas/dataset/items")
    )
    folder = f"{place}sites/default/files/distribution/fb3525f2-d32a-451e-8869-906ed41f7695/"

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Market Value Analysis - Urban Redevelopment Authority",
                identifier="fb3525f2-d32a-451e-8869-906ed41f7695",
                description="In late 2016, the URA, in conjunction with Reinvestment Fund, "
                "completed the 2016 Market Value Analysis (MVA) for the City of Pittsburgh.",
                publisher="State Economic Council",
                licence="http://www.opendefinition.org/licenses/cc-by",
                issued="2016-04-21",
                modified="2016-04-21",
                keywords=("foreclosures", "economy", "affordable-housing", "housing-markets"),
                files=(
                    ListedFile(
                        f"{folder}pittsmva2016data.zip",
                        title="MVA Geographic Data 2016",
                        format="application/zip",
                    ),
                    ListedFile(
                        f"{folder}2016mvadatadictionary.pdf",
                        title="2016 MVA Data Dictionary",
                        format="application/pdf",
                    ),
                ),
            ),
        )
    )


def test_files_of_drupal_are_read_page_by_page() -> None:
    got = Drupal().expand(recorded("drupal/files.json", FILES))

    assert got == Expansion(
        files=(
            ListedFile(
                "http://media-cms.dev.ayoba.me/cms-root/media/icon/2023-06/DA_Test.jpg",
                title="DA_Test.jpg",
                format="image/jpeg",
                size=7521117,
            ),
            ListedFile(
                "https://e.org/system/files/resource/image/2020-07/xxxxx.png",
                title="xxxxx.png",
                format="image/png",
                size=314502,
                modified="2020-07-24T02:50:38+00:00",
            ),
        ),
        more=(ApiPage(FILES.replace("page%5Bl", "page%5Boffset%5D=50&page%5Bl"), 50),),
    )


@pytest.mark.parametrize("status", ["403", "404"])
def test_a_closed_json_api_is_not_read_and_an_empty_one_ends(status: str) -> None:
    closed = {"jsonapi": {"version": "1.0"}, "errors": [{"title": "Forbidden", "status": status}]}
    empty = {"jsonapi": {}, "data": [], "links": {"next": {"href": FILES}}}

    assert Drupal().expand(answer(closed, FILES)) is None
    assert Drupal().expand(answer(empty, FILES)) == Expansion()


def test_datasets_of_udata_are_read_page_by_page() -> None:
    page = "https://udata.example/api/1/datasets/?page={}&page_size=1"
    whole = recorded("udata/datasets.json", page.format(1))

    assert Udata().expand(with_changes(whole, data=[])) == Expansion()
    assert Udata().expand(whole) == Expansion(
        datasets=(
            Dataset(
                title="River levels",
                url="https://udata.example/fr/datasets/rivers/",
                identifier="53699d0ea3a729239d205b2e",
                description="Levels of rivers, every hour.",
                publisher="Office of Water",
                licence="lov2",
                issued="2019-12-05T13:09:59.501000+00:00",
                modified="2024-08-12T08:00:00+00:00",
                keywords=("rivers",),
                files=(
                    ListedFile(
                        "https://static.udata.example/resources/rivers/20240812-080000/rivers.txt",
                        title="rivers.txt",
                        format="text/plain",
                        size=4096,
                        modified="2024-08-12T08:00:00+00:00",
                    ),
                ),
            ),
        ),
        more=(ApiPage(page.format(2), 1),),
    )


def test_databases_that_datasette_returned_lead_to_their_tables() -> None:
    old = recorded("datasette/start.json", "https://e.org/.json")
    new = answer({"databases": list(old.json.values())}, "https://e.org/.json")

    assert Datasette().expand(old) == Expansion(
        more=(ApiPage("https://e.org/rivers.json", 2, deeper=True),)
    )
    assert Datasette().expand(new) == Datasette().expand(old)


def test_tables_that_datasette_returned_are_files_without_hidden_ones() -> None:
    got = Datasette().expand(recorded("datasette/database.json", "https://e.org/rivers.json"))
    levels = "https://e.org/rivers/levels~2F2024+~C3~A9"

    assert got is not None
    assert [one.title for one in got.datasets] == ["levels/2024 é", "rivers"]
    assert got.datasets[0] == Dataset(
        title="levels/2024 é",
        url=levels,
        identifier=levels,
        licence="https://creativecommons.org/publicdomain/zero/1.0/",
        files=(
            ListedFile(f"{levels}.csv?_stream=on&_dl=on", title="levels/2024 é", format="text/csv"),
        ),
    )


def test_the_recorded_dataset_of_version_2_of_udata_leads_to_its_files() -> None:
    api = "https://dev.data.gouv.fr/api/2/datasets/"
    files = api + "57343feb88ee3823b0d1b934/resources/?page=1&page_size=50"
    got = Udata().expand(recorded("udata/search_v2.json", api + "search/"))
    resource = {"url": "/a.json", "filetype": "remote", "title": "A", "format": "json"}
    listed = answer({"data": [resource], "page_size": 50, "next_page": None}, files)

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Référentiel de l'organisation administrative de l'Etat",
                url="https://dev.data.gouv.fr/fr/datasets/"
                "referentiel-de-lorganisation-administrative-de-letat/",
                identifier="57343feb88ee3823b0d1b934",
                publisher="Première ministre",
                licence="fr-lo",
                issued="2016-05-12T10:33:46.890000+00:00",
                modified="2023-09-11T09:02:14.306000+00:00",
                keywords=("administration", "annuaire"),
            ),
        ),
        more=(ApiPage(files, 4, deeper=True),),
    )
    assert Udata().expand(listed) == Expansion(
        files=(ListedFile("https://dev.data.gouv.fr/a.json", title="A", format="json"),)
    )
