"""Servers of scientific and geographic data."""

from __future__ import annotations

from lodehound.shortcuts.contract import ApiPage, Dataset, ListedFile
from lodehound.shortcuts.erddap import Erddap
from lodehound.shortcuts.thredds import Thredds
from tests.shortcuts import answer, recorded

ERDDAP = "https://upwell.pfeg.noaa.gov/erddap/"
THREDDS = "http://thredds-test.unidata.ucar.edu/thredds/"


def test_tables_in_a_recorded_list_of_erddap_are_files_and_grids_are_pages() -> None:
    got = Erddap().expand(recorded("erddap/search.json", ERDDAP + "info/index.json?page=1"))
    title = "ALOHA Cabled Observatory (ACO): Acoustic Doppler Current Profiler (ADCP): Temperature"
    table = ERDDAP + "tabledap/hawaii_soest_490d_1198_15c1"

    assert got is not None
    assert got.more == ()
    assert got.datasets[0] == Dataset(
        title=title,
        url=f"{table}.html",
        identifier="hawaii_soest_490d_1198_15c1",
        description="This data set provides measurements of sea water temperature at the ACO "
        "at 1.83 m above the ocean bottom. cdm_data_type = TimeSeries",
        publisher="University of Hawaii",
        files=(ListedFile(f"{table}.csv", title=title, format="text/csv"),),
    )
    assert got.datasets[1].files == ()
    assert got.datasets[1].url == ERDDAP + "griddap/noaa_esrl_ca10_45fa_9108.html"


def test_erddap_leads_to_folders_of_files_and_to_the_next_page_but_not_to_closed_data() -> None:
    names = ["tabledap", "files", "Accessible", "Title", "Dataset ID"]
    row = [ERDDAP + "tabledap/a", ERDDAP + "files/a/", "public", "A", "a"]
    rows = [row] * 998 + [[*row[:2], "log in", "B", "b"], [*row[:4], "allDatasets"]]
    got = Erddap().expand(
        answer({"table": {"columnNames": names, "rows": rows}}, ERDDAP + "info/index.json?page=1")
    )

    assert got is not None
    assert len(got.datasets) == 998
    assert got.pages == (ERDDAP + "files/a/",)
    assert got.more == (ApiPage(ERDDAP + "info/index.json?page=2", 1000),)


def test_files_in_a_recorded_catalogue_of_thredds_are_read() -> None:
    folder = "noaaport/text/tropical/atlantic/hdob/"
    got = Thredds().expand(recorded("thredds/hdob.xml", f"{THREDDS}catalog/{folder}catalog.xml"))

    assert got is not None
    assert got.more == ()
    assert got.files == (
        ListedFile(
            f"{THREDDS}fileServer/{folder}High_density_obs_20170824.txt",
            title="High_density_obs_20170824.txt",
            size=11750,
            modified="2017-08-25T00:00:27Z",
        ),
        ListedFile(
            f"{THREDDS}fileServer/{folder}High_density_obs_20170825.txt",
            title="High_density_obs_20170825.txt",
            size=357000,
            modified="2017-08-25T23:54:05Z",
        ),
    )


def test_a_recorded_catalogue_of_thredds_leads_to_further_ones() -> None:
    got = Thredds().expand(recorded("thredds/top.xml", THREDDS + "catalog.xml"))

    assert got is not None
    assert got.files == ()
    assert [page.url.removeprefix(THREDDS) for page in got.more] == [
        "idd/forecastModels.xml", "idd/forecastProdsAndAna.xml", "idd/obsData.xml",
        "idd/radars.xml", "idd/satellite.xml", "casestudies/catalog.xml", "testDatasets.xml",
        "testPointDatasets.xml",
    ]  # fmt: skip


def test_a_catalogue_of_thredds_that_leads_to_itself_is_not_asked_for_again() -> None:
    whole = recorded("thredds/top.xml", THREDDS + "catalog.xml")
    body = whole.body.replace(b"idd/radars.xml", b"catalog.html")
    got = Thredds().expand(answer(body, THREDDS + "catalog.xml"))

    assert got is not None
    assert THREDDS + "catalog.xml" not in [page.url for page in got.more]
