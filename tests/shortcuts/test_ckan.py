"""CKAN, on a recorded answer of the Humanitarian Data Exchange."""

from __future__ import annotations

import pytest

from lodehound.shortcuts.ckan import Ckan
from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.documents import Fetched
from lodehound.shortcuts.marks import Marks
from tests.shortcuts import answer, page, recorded, with_changes

SEARCH = "https://data.humdata.org/api/3/action/package_search?rows=1000&start=0"
FILES = "https://data.humdata.org/dataset/4c303d7b-8eae-4a5a-a3aa-b2331fa39d74/resource/"


def test_the_generator_or_the_site_root_of_a_page_is_a_sign() -> None:
    old = page('<meta name="generator" content="ckan 2.9.5"><p>Data')
    new = page('<body data-site-root="https://e.org/portal/" data-locale-root="/portal/">')

    assert Ckan().signs(old) == ("https://e.org/",)
    assert Ckan().signs(new) == ("https://e.org/portal/",)
    assert Ckan().signs(page('<meta name="generator" content="WordPress 6.5">')) == ()


@pytest.mark.parametrize(
    ("seen", "root"),
    [
        (page('<a href="/api/3">API'), "https://e.org/"),
        (page("<a href=/data/api/3/action/package_list>"), "https://e.org/data/"),
        (page('fetch("https://d.e.org/en/api/3/action/package_show?id=a")'), "https://d.e.org/en/"),
        (answer({"version": 3}, "https://e.org/api/3"), "https://e.org/"),
        (answer({"success": True, "result": ["a"]}, "https://e.org/x/api/3/action/package_list"),
         "https://e.org/x/"),
        (recorded("ckan/package_search.json", SEARCH + "&fq=water"), "https://data.humdata.org/"),
    ],
)  # fmt: skip
def test_its_api_is_a_sign_without_a_generator(seen: Fetched, root: str) -> None:
    assert Ckan().signs(seen) == (root,)
    assert "ckan" in Marks({"ckan": Ckan()}).shortcuts_for(seen)


def test_an_answer_with_all_datasets_needs_no_request() -> None:
    whole = answer({"success": True, "result": {"count": 1, "results": [{}]}}, SEARCH)
    last = answer(whole.json, SEARCH.replace("start=0", "start=1000"))

    assert Ckan().signs(whole) == (SEARCH,)
    assert Ckan().signs(last) == ("https://data.humdata.org/",)


@pytest.mark.parametrize("place", ["/api/30", "/api/3x", "/api/v3/", "/blog/api-3"])
def test_other_addresses_are_no_sign(place: str) -> None:
    assert Ckan().signs(page(f'<a href="{place}">')) == ()


def test_one_request_proves_it() -> None:
    search = "api/3/action/package_search?rows=1000&start=0&sort=metadata_created+asc,+id+asc"

    assert Ckan().probes("https://e.org/portal/") == ("https://e.org/portal/" + search,)


def test_a_recorded_answer_is_read() -> None:
    got = Ckan().expand(recorded("ckan/package_search.json", SEARCH))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Afghanistan - Subnational Administrative Boundaries",
                url="https://data.humdata.org/dataset/cod-ab-afg",
                identifier="4c303d7b-8eae-4a5a-a3aa-b2331fa39d74",
                description="Afghanistan administrative level 0-2 and UNAMA region gazetteer and "
                "P-code geoservices. This gazetteer is compatible with the[Afghanistan - "
                "Subnational Population Statistics]"
                "(https: //data.humdata.org/dataset/cod-ps-afg) gazetteer.",
                publisher="OCHA Field Information Services Section (FISS)",
                licence="http://creativecommons.org/licenses/by/3.0/igo/legalcode",
                issued="2019-10-22T08:11:12.520687",
                modified="2022-02-03T15:50:27.452866",
                keywords=("administrative divisions", "gazetteer"),
                files=(
                    ListedFile(
                        url=FILES + "0238eb07-4f98-4f71-9a03-905c4414f476/download/"
                        "afg_adminboundaries_tabulardata.xlsx",
                        title="AFG_AdminBoundaries_TabularData.xlsx",
                        format="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                        size=142757,
                        modified="2021-11-30T09:50:08.359278",
                        description="Afghanistan administrative level 0-2 and UNAMA region "
                        "gazetteer",
                    ),
                    ListedFile(
                        url="https://gistmaps.itos.uga.edu/arcgis/rest/services/COD_External/"
                        "AFG_DA/MapServer",
                        title="COD_External/AFG_DA (MapServer)",
                        format="Geoservice",
                        modified="2021-11-30T09:50:10.958749",
                    ),
                ),
            ),
        )
    )


def test_pages_follow_each_other_until_the_total_or_an_empty_page() -> None:
    first = recorded("ckan/package_search.json", SEARCH)
    result = first.json["result"]
    more = Ckan().expand(with_changes(first, result={**result, "count": 10**9}))
    last = Ckan().expand(with_changes(first, result={"count": 10**9, "results": []}))

    assert more is not None
    assert last is not None
    following = "https://data.humdata.org/api/3/action/package_search?rows=1000&start=1"
    assert more.more == (ApiPage(following, promise=1),)
    assert last.is_empty


def test_addresses_that_are_no_web_addresses_are_left_out() -> None:
    urls = ["javascript:alert(1)", "/files/a.csv", "", None, "ftp://e.org/b.csv", 5]
    package = {"name": "a", "resources": [{"url": url} for url in urls]}
    got = Ckan().expand(
        answer(
            {"success": True, "result": {"count": 1, "results": [package, "no package"]}}, SEARCH
        )
    )

    assert got is not None
    assert [file.url for file in got.all_files] == ["https://data.humdata.org/files/a.csv"]


def test_an_answer_without_success_is_not_ckan() -> None:
    refused = {"success": False, "error": {"message": "Access denied"}}

    assert Ckan().expand(answer(refused, SEARCH)) is None
