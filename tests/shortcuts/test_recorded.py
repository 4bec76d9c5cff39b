"""Recorded answers, changed as hostile or broken servers would change them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import pytest

from lodehound.registry import make_shortcuts
from lodehound.shortcuts import dcat_rdf, documents, schema_org
from lodehound.shortcuts.contract import Expansion, Shortcut
from lodehound.shortcuts.documents import Fetched
from tests.shortcuts import FIXTURES, recorded


class Answer(NamedTuple):
    """A recorded answer, its URL and the shortcut that reads it."""

    shortcut: str
    file: str
    url: str
    mime: str = ""

    def fetched(self) -> Fetched:
        options = {"mime": self.mime} if self.mime else {}
        return recorded(self.file, self.url, **options)


ANSWERS = [
    Answer("ckan", "ckan/package_search.json", "https://e.org/api/3/action/package_search"),
    Answer("wordpress", "wordpress/media.json", "https://e.org/wp-json/wp/v2/media?page=1"),
    Answer("wordpress", "wordpress/uploads.json", "https://e.org/wp-json/wp/v2/media?page=1"),
    Answer("bucket", "bucket/s3.xml", "https://e.org/?prefix=GRAP"),
    Answer("bucket", "bucket/s3_folders.xml", "https://e.org/?list-type=2&delimiter=_"),
    Answer("bucket", "bucket/azure.xml", "https://e.org/a?restype=container&comp=list"),
    Answer("feed", "feed/feed.json", "https://e.org/feed.json"),
    Answer("dcat-us", "dcat_us/cftc.json", "https://www.cftc.gov/data.json"),
    Answer("arcgis-hub", "arcgis_hub/evian.json", "https://e.org/api/feed/dcat-us/1.1.json"),
    Answer("dcat-rdf", "dcat_rdf/ckan.ttl", "http://demo.ckan.org/catalog.ttl", "text/turtle"),
    Answer("dcat-rdf", "dcat_rdf/geonetwork.rdf", "https://e.org/catalog.rdf"),
    Answer("arcgis-server", "arcgis_server/directory.json", "https://e.org/rest/services?f=json"),
    Answer(
        "arcgis-server", "arcgis_server/layer.json", "https://e.org/rest/services/A/MapServer/1"
    ),
    Answer("opendatasoft", "opendatasoft/v1.json", "https://e.org/api/datasets/1.0/search/"),
    Answer("opendatasoft", "opendatasoft/v2.json", "https://e.org/api/v2/catalog/datasets"),
    Answer("socrata", "socrata/catalog.json", "https://e.org/api/catalog/v1?offset=0"),
    Answer("dkan", "dkan/data.json", "https://e.org/data.json"),
    Answer("dkan", "dkan/items.json", "https://e.org/api/1/metastore/schemas/dataset/items"),
    Answer("datasette", "datasette/start.json", "https://e.org/.json"),
    Answer("datasette", "datasette/database.json", "https://e.org/rivers.json"),
    Answer("drupal", "drupal/files.json", "https://e.org/jsonapi/file/file"),
    Answer("dataverse", "dataverse/search.json", "https://e.org/api/search?start=0"),
    Answer("oai-pmh", "oai_pmh/records.xml", "https://e.org/oai?verb=ListRecords"),
    Answer("oai-pmh", "oai_pmh/erasmus.xml", "https://e.org/oai?verb=ListRecords"),
    Answer("dspace", "dspace/search.json", "https://e.org/server/api/discover/search/objects"),
    Answer("dspace", "dspace/bundles.json", "https://e.org/server/api/core/items/1/bundles"),
    Answer("invenio", "invenio/zenodo.json", "https://zenodo.org/api/records?page=1"),
    Answer("figshare", "figshare/articles.json", "https://api.figshare.com/v2/articles?page=1"),
    Answer("figshare", "figshare/article.json", "https://api.figshare.com/v2/articles/10042703"),
    Answer("erddap", "erddap/search.json", "https://e.org/erddap/info/index.json?page=1"),
    Answer("thredds", "thredds/hdob.xml", "https://e.org/thredds/catalog/hdob/catalog.xml"),
    Answer("thredds", "thredds/top.xml", "https://e.org/thredds/catalog.xml"),
    Answer("oai-pmh", "oai_pmh/pycsw.xml", "https://e.org/?mode=oaipmh&verb=ListRecords"),
    Answer("pxweb", "pxweb/level.json", "https://e.org/api/v1/en/ssd/BE"),
    Answer("pxweb", "pxweb/table.json", "https://e.org/api/v2/tables/TAB5974"),
    Answer("json-stat", "json_stat/collection.json", "https://e.org/collection.json"),
    Answer("sdmx", "sdmx/dataflows.xml", "https://e.org/rest/dataflow/all/all/latest"),
    Answer("stac", "stac/collection.json", "https://e.org/collections/gap"),
    Answer("nada", "nada/search.json", "https://e.org/index.php/api/catalog/search?page=1"),
    Answer("csw", "csw/pycsw.xml", "https://e.org/csw?startPosition=1"),
    Answer("csw", "csw/geonetwork.xml", "https://e.org/csw?startPosition=83"),
    Answer("csw", "csw/iso.xml", "https://e.org/csw?startPosition=1"),
    Answer("ogc-records", "ogc_records/collections.json", "https://e.org/collections?f=json"),
    Answer("ogc-records", "ogc_records/items.json", "https://e.org/collections/cat/items?f=json"),
    Answer("udata", "udata/search_v2.json", "https://e.org/api/2/datasets/search/"),
    Answer("udata", "udata/datasets.json", "https://e.org/api/1/datasets/?page=1"),
    Answer("schema-org", "schema_org/krill.html", "https://e.org/dataset/3300"),
    Answer("schema-org", "schema_org/dryad.html", "https://e.org/stash/dataset/1"),
    Answer("croissant", "croissant/titanic.json", "https://e.org/titanic/metadata.json"),
    Answer("datapackage", "datapackage/datapackage.json", "https://e.org/datapackage.json"),
    Answer("datapackage", "datapackage/gdp.json", "https://e.org/gdp/datapackage.json"),
    Answer("opds", "opds/unpopular.xml", "https://e.org/opds-catalogs/unpopular.xml"),
    Answer("opds", "opds/root.xml", "https://e.org/opds-catalogs/root.xml"),
    Answer("opds", "opds/gutenberg.xml", "https://e.org/opds"),
]
READ_IN_PART = [  # what comes before an error is read
    Answer("directory", "directory/apache.html", "https://e.org/waf/"),
    Answer("directory", "directory/lighttpd.html", "https://e.org/data/"),
    Answer("directory", "directory/iis.html", "https://edg.epa.gov/WAFer_harvest/ISO/"),
    Answer("feed", "feed/rss.xml", "https://e.org/rss/"),
    Answer("feed", "feed/atom.xml", "https://e.org/feed.xml"),
    Answer("sitemap", "sitemap/articles.xml", "https://e.org/sitemap.xml"),
    Answer("sitemap", "sitemap/index.xml", "https://e.org/wp-sitemap.xml"),
]
CHANGES = 80  # per answer


@pytest.fixture(params=ANSWERS, ids=lambda one: one.file)
def unbroken(request: pytest.FixtureRequest) -> Answer:
    found: Answer = request.param
    return found


@pytest.fixture(params=[*ANSWERS, *READ_IN_PART], ids=lambda one: one.file)
def given(request: pytest.FixtureRequest) -> Answer:
    found: Answer = request.param
    return found


def shortcut_of(given: Answer) -> Shortcut:
    return make_shortcuts(given.shortcut)[given.shortcut]


def test_it_is_read_and_does_not_ask_for_itself_again(given: Answer) -> None:
    got = shortcut_of(given).expand(given.fetched())

    assert got is not None
    assert not got.is_empty
    assert given.url not in [one.url for one in got.more]


def test_half_of_it_is_no_answer(unbroken: Answer) -> None:
    whole = unbroken.fetched()

    assert shortcut_of(unbroken).expand(replace(whole, cut=True)) is None


def test_an_answer_over_the_limit_is_not_read(
    unbroken: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (documents, dcat_rdf, schema_org):
        monkeypatch.setattr(module, "MAX_BODY", 100)

    assert shortcut_of(unbroken).expand(unbroken.fetched()) is None


def test_addresses_of_scripts_and_files_are_never_returned(given: Answer) -> None:
    whole = given.fetched()
    for bad in (b"javascript:alert(1)//", b"file:///etc/", b"data:text/html,"):
        got = shortcut_of(given).expand(
            replace(whole, body=re.sub(rb"https?://(?!www\.w3|purl|xmlns)", bad, whole.body))
        )
        assert all(url.startswith(("http://", "https://")) for url in urls_of(got))


def test_whatever_value_is_wrong_nothing_is_raised(given: Answer) -> None:
    shortcut = shortcut_of(given)
    for changed in broken(given.fetched()):
        got = shortcut.expand(changed)
        assert all(url.startswith(("http://", "https://")) for url in urls_of(got))
        shortcut.signs(changed)


def test_every_recorded_answer_has_a_source() -> None:
    sources = (FIXTURES / "SOURCES.md").read_text()
    files = [path for path in FIXTURES.rglob("*") if path.is_file() and path.suffix != ".md"]

    assert [str(path.relative_to(FIXTURES)) for path in files
            if f"| {path.relative_to(FIXTURES)} |" not in sources] == []  # fmt: skip


def urls_of(got: Expansion | None) -> list[str]:
    if got is None:
        return []
    named = [one.url for one in got.datasets if one.url]
    files, more = (one.url for one in got.all_files), (one.url for one in got.more)
    return [*named, *got.pages, *got.spare, *files, *more]


def broken(whole: Fetched) -> Iterator[Fetched]:
    """Yield the answer with one value, or one part of its text, changed."""
    draw = random.Random(1)
    if whole.json is None:
        for _ in range(CHANGES):
            at = draw.randrange(len(whole.body))
            bad = draw.choice([b"", b"<", b'"', b">", b"\xff", b"&#0;", b"</x>", b"-1"])
            yield replace(whole, body=whole.body[:at] + bad + whole.body[at + len(bad) :])
        return
    for _ in range(CHANGES):
        data = msgspec.json.decode(whole.body)
        change_one(data, draw)
        yield replace(whole, body=msgspec.json.encode(data))


def change_one(data: Any, draw: random.Random) -> None:
    """Replace one value somewhere in JSON data."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = draw.choice(keys)
        if not isinstance(data[key], dict | list) or draw.random() < 0.3:
            data[key] = draw.choice([None, -1, 10**18, 1.5, True, "", "javascript:x", [], {}, [[]]])
            return
        data = data[key]
