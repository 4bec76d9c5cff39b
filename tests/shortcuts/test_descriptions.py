"""Datasets that describe themselves: in pages, packages and catalogues of publications."""

from __future__ import annotations

import json

from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.croissant import Croissant
from lodehound.shortcuts.datapackage import Datapackage
from lodehound.shortcuts.opds import Opds
from lodehound.shortcuts.schema_org import SchemaOrg
from tests.shortcuts import answer, page, recorded, with_changes

KRILL = "https://www.example-data-repository.org/dataset/3300"
TITANIC = "https://e.org/titanic/metadata.json"
PACKAGE = "https://e.org/data/datapackage.json"
OPDS = "https://e.org/opds-catalogs/"


def test_a_dataset_in_json_ld_of_a_page_is_read() -> None:
    assert SchemaOrg().expand(recorded("schema_org/krill.html", KRILL)) == Expansion(
        datasets=(
            Dataset(
                title="Larval krill studies - fluorescence and clearance from ARSV Laurence M. "
                "Gould LMG0106, LMG0205 in the Southern Ocean from 2001-2002 (SOGLOBEC project)",
                url=KRILL,
                identifier="10.1234/1234567890",
                description="&lt;p&gt;&quot;Winter ecology of larval krill: quantifying their "
                "interaction with the pack ice habitat&quot;&lt;/p&gt;",
                publisher="Example Data Repository",
                licence="https://creativecommons.org/licenses/by/4.0/",
                issued="2010-02-03",
                keywords=("krill", "biota", "oceans"),
                files=(ListedFile(f"{KRILL}/data/larval-krill.tsv", format="text/tsv"),),
            ),
        )
    )


def test_a_recorded_description_of_dryad_is_read() -> None:
    got = SchemaOrg().expand(recorded("schema_org/dryad.html", "https://datadryad.org/stash/1"))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="In situ filamentous communities from the Ediacaran (~563 Ma) of Brazil",
                url="http://datadryad.org/stash/dataset/doi%253A10.5061%252Fdryad.g79cnp5ng",
                identifier="https://doi.org/10.5061/dryad.g79cnp5ng",
                publisher="Dryad",
                licence="CC0 1.0 Universal (CC0 1.0) Public Domain Dedication",
                files=(
                    ListedFile(
                        "http://datadryad.org/api/v2/datasets/"
                        "doi%253A10.5061%252Fdryad.g79cnp5ng/download",
                        format="application/zip",
                    ),
                ),
            ),
        )
    )


def test_datasets_inside_of_catalogues_and_graphs_are_read() -> None:
    file = {"contentUrl": "rain.csv", "contentSize": "1.5 MB"}
    inner = {"@type": ["Thing", "schema:Dataset"], "name": "Rain", "distribution": file}
    catalogue = {"@type": "DataCatalog", "dataset": [inner | {"keywords": "rain, water"}]}
    outer = json.dumps({"@graph": [{"@type": "WebPage"}, catalogue]})
    html = f'<script type="application/ld+json; charset=utf-8">{outer}</script>'

    assert SchemaOrg().expand(page(html, "https://e.org/data/")) == Expansion(
        datasets=(
            Dataset(
                title="Rain",
                keywords=("rain", "water"),
                files=(ListedFile("https://e.org/data/rain.csv", size=1500000),),
            ),
        )
    )


def test_pages_about_other_things_are_not_read() -> None:
    html = '<script type="application/ld+json">{}</script>'
    article = page(html.format('{"@type": "Article", "about": "Dataset"}'))
    broken = page(html.format('{"@type": ["Dataset"'))

    assert SchemaOrg().expand(article) is None
    assert SchemaOrg().expand(broken) is None


def test_a_recorded_croissant_is_read() -> None:
    assert Croissant().expand(recorded("croissant/titanic.json", TITANIC)) == Expansion(
        datasets=(
            Dataset(
                title="Titanic",
                url="https://www.openml.org/d/40945",
                description="The original Titanic dataset, describing the status of individual "
                "passengers on the Titanic.",
                licence="afl-3.0",
                files=(
                    ListedFile(
                        "https://www.openml.org/data/get_csv/16826755/phpMYEkMl",
                        title="passengers.csv",
                        format="text/csv",
                        size=117743,
                    ),
                    ListedFile(
                        "https://e.org/titanic/data/genders.csv",
                        title="genders.csv",
                        format="text/csv",
                        size=117743,
                        description='Maps gender values ("male", "female") to semantic URLs.',
                    ),
                ),
            ),
        )
    )


def test_files_inside_of_archives_are_no_files() -> None:
    whole = recorded("croissant/titanic.json", TITANIC)
    inside = {**whole.json["distribution"][1], "containedIn": {"@id": "archive.zip"}}
    got = Croissant().expand(with_changes(whole, distribution=[inside]))

    assert got is not None
    assert got.all_files == ()


def test_a_recorded_data_package_is_read() -> None:
    got = Datapackage().expand(
        recorded("datapackage/gdp.json", "https://e.org/gdp/datapackage.json")
    )

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Country, Regional and World GDP (Gross Domestic Product)",
                identifier="gdp",
                description="Country, regional and world GDP in current US Dollars ($). Regional "
                "means collections of countries e.g. Europe & Central Asia. Data is sourced from "
                "the World Bank and turned into a standard normalized CSV.",
                publisher="World Bank and OECD",
                licence="http://opendatacommons.org/licenses/pddl/",
                keywords=("GDP", "World", "Gross Domestic Product", "Time series"),
                files=(ListedFile("https://e.org/gdp/data/gdp.csv", title="gdp"),),
            ),
        )
    )


def test_a_data_package_is_read_with_the_parts_of_its_files() -> None:
    whole = recorded("datapackage/datapackage.json", PACKAGE)
    parts = [{"name": "rain", "path": ["a.csv", "b.csv", "javascript:x"], "bytes": 5}]
    split = Datapackage().expand(with_changes(whole, resources=parts))

    assert Datapackage().expand(whole) == Expansion(
        datasets=(
            Dataset(
                title="test-tabulator",
                identifier="test-tabulator",
                files=(
                    ListedFile("https://e.org/data/table.xls", title="first-resource"),
                    ListedFile("https://e.org/data/table-reverse.csv", title="number-two"),
                ),
            ),
        )
    )
    assert split is not None
    assert split.all_files == (
        ListedFile("https://e.org/data/a.csv", title="rain", size=5),
        ListedFile("https://e.org/data/b.csv", title="rain", size=5),
    )


def test_free_publications_of_opds_are_read_and_those_for_sale_are_not() -> None:
    content = "https://e.org/content/free/4561."

    assert Opds().expand(recorded("opds/unpopular.xml", OPDS + "unpopular.xml")) == Expansion(
        datasets=(
            Dataset(
                title="Bob, Son of Bob",
                identifier="urn:uuid:6409a00b-7bf2-405e-826c-3fdff0fd0734",
                description="The story of the son of the Bob and the gallant part he played in "
                "the lives of a man and a woman.",
                publisher="Bob the Recursive",
                issued="1917",
                modified="2010-01-10T10:01:11Z",
                files=(
                    ListedFile(content + "epub", format="application/epub+zip"),
                    ListedFile(content + "mobi", format="application/x-mobipocket-ebook"),
                ),
            ),
        )
    )


def test_a_recorded_catalogue_of_opds_is_known_by_its_namespace() -> None:
    found = recorded("opds/gutenberg.xml", "http://localhost:5000/")
    epub = "http://www.gutenberg.org/ebooks/10557.epub.images"

    assert Opds().signs(found) == (found.url,)
    assert Opds().expand(found) == Expansion(
        datasets=(
            Dataset(
                title="Johnny Crow's Party",
                identifier="urn:librarysimplified.org/terms/id/Gutenberg%20ID/10557",
                publisher="Project Gutenberg",
                issued="2014-01-02T16:56:40Z",
                modified="2015-01-02T16:56:40Z",
                files=(ListedFile(epub, format="application/epub+zip"),),
            ),
        )
    )


def test_navigation_of_opds_leads_to_feeds_and_a_feed_to_its_next_page() -> None:
    whole = recorded("opds/unpopular.xml", OPDS + "unpopular.xml")
    following = Opds().expand(answer(whole.body.replace(b'"start"', b'"next"'), whole.url))

    assert Opds().expand(recorded("opds/root.xml", OPDS + "root.xml")) == Expansion(
        more=(ApiPage(OPDS + "new.xml", deeper=True), ApiPage(OPDS + "unpopular.xml", deeper=True))
    )
    assert following is not None
    assert following.more == (ApiPage(OPDS + "root.xml"),)


def test_opds_2_is_read() -> None:
    free = {"rel": "http://opds-spec.org/acquisition/open-access", "href": "/moby.epub"}
    book = {"metadata": {"title": "Moby-Dick", "author": [{"name": "Herman Melville"}]}}
    feed = {
        "metadata": {"title": "Books"},
        "links": [{"rel": "next", "href": "?page=2", "type": "application/opds+json"}],
        "publications": [book | {"links": [free]}],
        "navigation": [{"href": "/new", "title": "New"}],
    }

    assert Opds().expand(answer(feed, "https://e.org/feed")) == Expansion(
        datasets=(
            Dataset(
                title="Moby-Dick",
                publisher="Herman Melville",
                files=(ListedFile("https://e.org/moby.epub"),),
            ),
        ),
        more=(ApiPage("https://e.org/new", deeper=True), ApiPage("https://e.org/feed?page=2", 1)),
    )
