"""Whole crawls of portals that are made of recorded answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from lodehound.stores.records import Record
from tests.shortcuts import FIXTURES
from tests.shortcuts.crawling import ROOT, harvest

OFFICE = "<title>Office of Water</title><h1>Data</h1>"
FILES = ("fileServer/", "/query?", "/exports/csv")  # parts of the URLs of files

THREDDS = {
    "": OFFICE + '<a href="/thredds/catalog.html">THREDDS</a>',
    "thredds/catalog.xml": FIXTURES / "thredds/top.xml",
    "thredds/idd/obsData.xml": FIXTURES / "thredds/hdob.xml",
}
HDOB = "thredds/fileServer/noaaport/text/tropical/atlantic/hdob/High_density_obs_2017082{}.txt"
ARCGIS = {
    "": OFFICE + "<script>map('/gis/rest/services/A/MapServer')</script>",
    "gis/rest/services?f=json": {
        "currentVersion": 11, "folders": [], "services": [{"name": "A", "type": "MapServer"}],
    },
    "gis/rest/services/A/MapServer?f=json": {
        "currentVersion": 11, "layers": [{"id": n, "name": f"Layer {n}"} for n in range(3)],
    },
}  # fmt: skip
QUERY = "gis/rest/services/A/MapServer/{}/query?where=1%3D1&outFields=*&f=geojson"
ODS = {
    "": OFFICE + '<script src="https://static.opendatasoft.com/ods-widgets.js"></script>',
    "api/datasets/1.0/search/?rows=1000&start=0": FIXTURES / "opendatasoft/v1.json",
}


def site(answers: Mapping[str, object]) -> Callable[[str], Record]:
    """Return a site with these pages, recorded answers and JSON, and with files."""

    def get(url: str) -> Record:
        path = url.removeprefix(ROOT)
        found = answers.get(path)
        if found is None and any(part in path for part in FILES):
            return Record(url, 200, "text/csv", b"a,b\n1,2\n", 8)
        if found is None:
            return Record(url, 404)
        if isinstance(found, str):
            return Record(url, 200, "text/html", found.encode(), len(found))
        if isinstance(found, dict):
            body = json.dumps(found).encode()
            return Record(url, 200, "application/json", body, len(body))
        body = found.read_bytes()  # type: ignore[attr-defined]
        kind = "application/xml" if path.endswith(".xml") else "application/json"
        return Record(url, 200, kind, body, len(body))

    return get


@pytest.mark.parametrize(
    ("answers", "files"),
    [
        pytest.param(THREDDS, [HDOB.format(4), HDOB.format(5)], id="thredds"),
        pytest.param(ARCGIS, [QUERY.format(n) for n in range(3)], id="arcgis-server"),
        pytest.param(
            ODS, ["api/explore/v2.1/catalog/datasets/test-a/exports/csv"], id="opendatasoft"
        ),
    ],
)
def test_files_are_found_through_all_levels_of_an_api(
    answers: dict[str, object], files: list[str]
) -> None:
    done = harvest(site(answers), requests=30)

    assert sorted(done.finds) == [ROOT + path for path in files]
