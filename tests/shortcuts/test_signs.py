"""What suggests each system, and the requests that prove it."""

from __future__ import annotations

import pytest

from lodehound.registry import known, make_shortcuts
from lodehound.shortcuts.documents import LOOKED_AT, Fetched
from lodehound.shortcuts.marks import Marks
from tests.shortcuts import answer, page, recorded

E = "https://e.org/"
DSPACE = "server/api/discover/search/objects?dsoType=item&embed=bundles/bitstreams&size=100&page=0"
RECORDS = (
    "service=CSW&version=2.0.2&request=GetRecords&typeNames=csw:Record&resultType=results"
    "&elementSetName=full&maxRecords=100&startPosition=1"
)
LIST = "verb=ListRecords&metadataPrefix=oai_dc"

SIGNS = [
    ("arcgis-server", page('var map = "https://gis.e.org/arcgis/rest/services/A/MapServer"'),
     "https://gis.e.org/arcgis/rest/services"),
    ("arcgis-server", page("<p>Folder: /", E + "server/rest/services/A?f=html"),
     E + "server/rest/services"),
    ("opendatasoft", page('<link href="https://static.opendatasoft.com/ods.css">', E + "x"), E),
    ("socrata", page("<p>Data", E + "browse", x_socrata_requestid="8f2a"), E),
    ("dkan", page('<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">'
                  '<script src="/modules/contrib/dkan/app.js">'), E),
    ("datasette", page('<link href="/x/-/static/app.css?1"><link type=application/json+datasette>',
                       E + "x/rivers"), E + "x/"),
    ("datasette", answer('{"database": "rivers", "tables": []}', E + "rivers.json"),
     E + "rivers.json"),
    ("drupal", page("<p>Hello", x_generator="Drupal 10 (https://www.drupal.org)"), E),
    ("dataverse", page('<script src="/javax.faces.resource/a.js.xhtml"><p class="dataverse">'), E),
    ("oai-pmh", page('<a href="/oai/request?verb=Identify">OAI</a>'), E + "oai/request"),
    ("oai-pmh", page('<meta name="generator" content="EPrints 3.4">'), E + "cgi/oai2"),
    ("dspace", page('<meta name="Generator" content="DSpace 7.6">'), E),
    ("invenio", page('<script src="/static/invenio-app.js">', E + "records/1"), E),
    ("figshare", page("<p>API", "https://api.figshare.com/v2/"), "https://api.figshare.com/v2/"),
    ("erddap", page('<a href="https://d.e.org/erddap/index.html">'), "https://d.e.org/erddap/"),
    ("erddap", page("<p>Data", E + "erddap/tabledap/a.html"), E + "erddap/"),
    ("thredds", page("<a href=/data/thredds/catalog.html>"), E + "data/thredds/"),
    ("arcgis-server", page("fetch('/gis/rest/services/A/MapServer')"), E + "gis/rest/services"),
    ("csw", page('<a href="/geonetwork/srv/eng/home">'), E + "geonetwork/"),
    ("thredds", page('<a href="https://d.e.org/thredds/catalog.html">'), "https://d.e.org/thredds/"),
    ("pxweb", page("<p>PxWeb 2023", E + "pxweb/en/"), E),
    ("json-stat", recorded("json_stat/collection.json", E + "c.json"), E + "c.json"),
    ("sdmx", page('<a href="https://e.org/sdmx/rest/data/EXR">'), E + "sdmx/rest/"),
    ("sdmx", recorded("sdmx/dataflows.xml", E + "rest/dataflow/all"), E + "rest/dataflow/all"),
    ("stac", recorded("stac/collection.json", E + "gap"), E + "gap"),
    ("stac", page('<a href="https://radiantearth.github.io/stac-browser/#/external/e.org/stac">'),
     E + "stac"),
    ("nada", page('<a href="/nada/index.php/catalog/61">'), E + "nada/"),
    ("csw", page('<a href="https://e.org/geonetwork/srv/eng/catalog.search">'), E + "geonetwork/"),
    ("ogc-records", page('<link rel="conformance" href="/conformance"><a href="/collections">'), E),
    ("udata", page('<meta name="generator" content="udata">', E + "datasets/"), E),
    ("schema-org", recorded("schema_org/krill.html", E + "3300"), E + "3300"),
    ("croissant", page('<a href="/api/datasets/a/croissant">'), E + "api/datasets/a/croissant"),
    ("datapackage", page("<a href=data/datapackage.json>"), E + "data/datapackage.json"),
    ("opds", page('<link rel=alternate type="application/atom+xml;profile=opds-catalog" href=/o>'),
     E + "o"),
    ("opds", recorded("opds/root.xml", E + "root.xml"), E + "root.xml"),
]  # fmt: skip

PROBES = {
    "arcgis-server": (E + "arcgis/rest/services?f=json", E + "server/rest/services?f=json"),
    "opendatasoft": (
        E + "api/explore/v2.1/catalog/exports/json",
        E + "api/datasets/1.0/search/?rows=1000&start=0",
    ),
    "socrata": (
        E + "api/catalog/v1?domains=e.org&search_context=e.org&only=dataset&limit=1000&offset=0",
    ),
    "dkan": (E + "data.json", E + "api/1/metastore/schemas/dataset/items"),
    "datasette": (E + ".json",),
    "drupal": (E + "jsonapi/file/file?sort=drupal_internal__fid&page%5Blimit%5D=50",),
    "dataverse": (E + "api/search?q=*&type=file&sort=date&order=asc&per_page=1000&start=0",),
    "oai-pmh": (E + f"oai/request?{LIST}", E + f"oai?{LIST}"),
    "dspace": (E + DSPACE, E + "rest/items?expand=metadata,bitstreams&limit=100&offset=0"),
    "invenio": tuple(E + f"api/records?sort=oldest&size={size}&page=1" for size in (100, 25)),
    "figshare": (E + "v2/articles?item_type=3&page_size=100&page=1",),
    "erddap": (E + "erddap/info/index.json?page=1&itemsPerPage=1000",),
    "thredds": (E + "thredds/catalog.xml",),
    "pxweb": (E + "api/v2/tables?lang=en&pageSize=1000&pageNumber=1", E + "api/v1/en/"),
    "json-stat": (E,),
    "sdmx": (E + "rest/dataflow/all/all/latest",),
    "stac": (E + "catalog.json", E + "collections"),
    "nada": (E + "index.php/api/catalog/search?ps=1000&page=1",),
    "csw": (E + "srv/eng/csw?" + RECORDS, E + "csw?" + RECORDS),
    "ogc-records": (E + "collections?f=json",),
    "udata": (E + "api/1/datasets/?page_size=100&page=1",),
    "schema-org": (E,),
    "croissant": (E,),
    "datapackage": (E + "datapackage.json",),
    "opds": (E,),
}
ORDINARY = [
    page('<meta name="generator" content="WordPress 6.5"><a href="/about">About us</a>'),
    page("<p>We moved our data from Socrata, CKAN, DSpace and Dataverse to ArcGIS."),
    page('<meta name="Generator" content="Drupal 7 (http://drupal.org)">'),
]


@pytest.mark.parametrize(("name", "seen", "root"), SIGNS)
def test_a_page_of_the_system_suggests_its_root(name: str, seen: Fetched, root: str) -> None:
    assert make_shortcuts(name)[name].signs(seen) == (root,)
    assert name in Marks(make_shortcuts("auto")).shortcuts_for(seen)


@pytest.mark.parametrize(
    ("seen", "names"),
    [
        (page("<p>Hello"), set()),
        (page("<p>Index of persons"), {"directory"}),
        (page("<p>Hello", E + "ERDDAP/index.html"), {"erddap"}),
        (page("<meta name=Generator content='Drupal 10'>"), {"drupal"}),
        (page("<p>", x_generator="Drupal 10"), {"drupal"}),
        (page("<p>", x_socrata_region="eu"), {"socrata"}),
        (page("<a type='opds-catalog'>"), {"opds", "dcat-rdf"}),  # "catalog" begins within it
        (page("x" * LOOKED_AT + "/erddap/"), set()),
    ],
)
def test_one_look_says_which_shortcuts_may_see_signs(seen: Fetched, names: set[str]) -> None:
    """Those that have no marks only look at the first characters."""
    unmarked = {"feed", "json-stat", "sitemap"}

    assert Marks(make_shortcuts("auto")).shortcuts_for(seen) == names | unmarked


@pytest.mark.parametrize("name", PROBES)
def test_these_requests_prove_it(name: str) -> None:
    assert make_shortcuts(name)[name].probes(E) == PROBES[name]


@pytest.mark.parametrize("name", sorted(known("shortcut")))
def test_ordinary_pages_suggest_nothing_that_they_do_not_use(name: str) -> None:
    shortcut = make_shortcuts(name)[name]

    if name != "wordpress":
        assert [shortcut.signs(one) for one in ORDINARY] == [(), (), ()]
