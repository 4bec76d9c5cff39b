"""Repositories of research data."""

from __future__ import annotations

from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.dataverse import Dataverse
from lodehound.shortcuts.dspace import Dspace
from lodehound.shortcuts.figshare import Figshare
from lodehound.shortcuts.invenio import Invenio
from lodehound.shortcuts.nada import Nada
from lodehound.shortcuts.oai_pmh import NAMESPACE, OaiPmh
from tests.shortcuts import answer, recorded, with_changes

DATAVERSE = "https://demo.dataverse.org/api/search?q=trees&start=0"
OAI = "https://e.org/oai?verb=ListRecords&metadataPrefix=oai_dc"
API = "https://dspace7.4science.cloud/server/api/"
ZENODO = "https://zenodo.org/api/records/?sort=bestmatch&q=title%3A%22Frictionless+Data+Test%22"
FIGSHARE = "https://api.figshare.com/v2/articles"


def test_files_of_dataverse_are_read_with_their_datasets() -> None:
    got = Dataverse().expand(recorded("dataverse/search.json", DATAVERSE))
    page = "https://demo.dataverse.org/dataset.xhtml?persistentId=doi:10.5072/FK2/"

    assert got is not None
    assert got.more == (ApiPage(DATAVERSE.replace("start=0", "start=4"), 1),)
    assert got.datasets[0].files == (
        ListedFile(
            "https://dataverse.harvard.edu/api/access/datafile/3623893",
            title="TCurMean30Sum_97ae.tif",
            format="image/tiff",
            size=1646929,
            description="Updated baseline current data for Aedes aegypti.",
        ),
    )
    assert got.datasets[2].url == page + "G2VPE7"
    assert got.datasets[1] == Dataset(
        title="Dataset One",
        url=page + "XTT5BV",
        identifier="doi:10.5072/FK2/XTT5BV",
        files=(
            ListedFile(
                "https://demo.dataverse.org/api/access/datafile/12",
                title="trees.png",
                format="image/png",
                size=8361,
                modified="2016-05-10T12:53:39Z",
            ),
        ),
    )


def test_restricted_files_of_dataverse_are_left_out() -> None:
    whole = recorded("dataverse/search.json", DATAVERSE)
    items = [one | {"restricted": True} for one in whole.json["data"]["items"]]
    got = Dataverse().expand(with_changes(whole, data={**whole.json["data"], "items": items}))

    assert got is not None
    assert got.all_files == ()


def test_a_dataverse_that_refuses_is_not_read() -> None:
    assert Dataverse().expand(answer({"status": "ERROR", "message": "No key"}, DATAVERSE)) is None


def test_recorded_records_of_oai_pmh_are_read_without_deleted_ones() -> None:
    got = OaiPmh().expand(recorded("oai_pmh/records.xml", OAI))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Sample Title",
                url="http://test.example.com/publication/1585322",
                identifier="oai:test.example.com:1585322",
                publisher="Sample Publisher",
                issued="2010",
                modified="2011-01-10T10:19:23Z",
            ),
        ),
        more=(ApiPage("https://e.org/oai?verb=ListRecords&resumptionToken=ListRecords2.xml", 2),),
    )


def test_other_parameters_of_an_endpoint_are_kept_and_services_are_no_pages() -> None:
    endpoint = "http://127.0.0.1:8917/?mode=oaipmh&verb=ListRecords"
    got = OaiPmh().expand(recorded("oai_pmh/pycsw.xml", endpoint + "&metadataPrefix=oai_dc"))

    assert got is not None
    assert got.more == (ApiPage(endpoint + "&resumptionToken=3", 2),)
    assert got.datasets[0] == Dataset(
        title="River levels 2020",
        url="http://127.0.0.1:8917/about/0",
        identifier="urn:uuid:0000-0",
        description="Levels of rivers, every hour.",
        publisher="Office of Water",
        licence="CC-BY-4.0",
        keywords=("rivers",),
        files=(ListedFile("http://127.0.0.1:8917/files/levels0.csv"),),
    )


def test_a_server_that_wants_a_prefix_beside_the_token_gets_it() -> None:
    """As pycsw 2.6 does, against the standard (OAI-PMH 2.0, 4.5)."""
    endpoint = "https://e.org/oai?verb=ListRecords&resumptionToken=51"
    error = '<error code="badArgument">Missing metadataPrefix parameter</error>'
    refused = answer(f'<OAI-PMH xmlns="{NAMESPACE}">{error}</OAI-PMH>', endpoint)
    with_prefix = endpoint + "&metadataPrefix=oai_dc"
    accepted = OaiPmh().expand(recorded("oai_pmh/pycsw.xml", with_prefix))

    assert OaiPmh().expand(refused) == Expansion(more=(ApiPage(with_prefix),))
    assert OaiPmh().expand(answer(refused.body, with_prefix)) == Expansion()
    assert accepted is not None
    assert accepted.more == (ApiPage(with_prefix.replace("51", "3"), 2),)


def test_a_list_of_oai_pmh_without_a_token_is_the_last_page() -> None:
    got = OaiPmh().expand(recorded("oai_pmh/erasmus.xml", OAI))

    assert got is not None
    assert got.more == ()
    assert [(one.identifier, one.url) for one in got.datasets] == [
        ("hdl:1765/315", "http://hdl.handle.net/1765/315")
    ]


def test_identifiers_of_oai_pmh_that_end_like_files_are_files() -> None:
    whole = recorded("oai_pmh/erasmus.xml", OAI)
    body = whole.body.replace(b"90-9014980-5", b"https://e.org/bitstream/315/1/data.pdf")
    got = OaiPmh().expand(answer(body, OAI))

    assert got is not None
    assert got.all_files == (
        ListedFile("https://e.org/bitstream/315/1/data.pdf", format="application/pdf"),
    )


def test_identify_leads_to_the_records_and_an_error_ends() -> None:
    head = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
    identify = answer(f"{head}<Identify/></OAI-PMH>", "https://e.org/oai?verb=Identify")
    error = answer(f'{head}<error code="noRecordsMatch"/></OAI-PMH>', OAI)

    assert OaiPmh().expand(identify) == Expansion(more=(ApiPage(OAI),))
    assert OaiPmh().expand(error) == Expansion()


def test_items_of_dspace_7_lead_to_their_files_and_to_the_next_page() -> None:
    search = API + "discover/search/objects?dsoType=item&embed=bundles/bitstreams&size=100&page="
    got = Dspace().expand(recorded("dspace/search.json", search + "0"))
    item = API + "core/items/0136fe00-43ca-439e-ae6c-b2b08c2b8f5e"

    assert got == Expansion(
        datasets=(
            Dataset(
                title="The pathogenesis of dengue",
                url="https://dspace7.4science.cloud/handle/123456789/156",
                identifier="http://localhost:8080/dspace7/handle/123456789/156",
                publisher="Simmons, Cameron",
                issued="2011-09-23",
                modified="2019-05-06T15:24:25.037+0000",
            ),
        ),
        more=(
            ApiPage(f"{item}/bundles?embed=bitstreams", 1, deeper=True),
            ApiPage(search + "1", 1),
        ),
    )


def test_files_of_an_item_of_dspace_7_are_those_of_the_original_bundle() -> None:
    got = Dspace().expand(recorded("dspace/bundles.json", API + "core/items/1/bundles"))
    bitstream = "core/bitstreams/1ce6db0e-662f-4a13-ba87-c371ad664b14/content"

    assert got == Expansion(
        files=(
            ListedFile(
                f"http://10.211.55.20:8080/server/api/{bitstream}",
                title="atmire-logo.jpeg",
                size=7568,
            ),
        )
    )


def test_items_of_older_dspace_are_read() -> None:
    link = "/bitstreams/a1/retrieve"
    file = {"name": "a.csv", "bundleName": "ORIGINAL", "mimeType": "text/csv", "sizeBytes": 5,
            "retrieveLink": link}  # fmt: skip
    thumbnail = {"name": "a.csv.jpg", "bundleName": "THUMBNAIL", "retrieveLink": link}
    item = {"uuid": "u1", "name": "Rain", "handle": "10673/4", "type": "item",
            "bitstreams": [file, thumbnail]}  # fmt: skip
    got = Dspace().expand(answer([item] * 100, "https://e.org/rest/items?limit=100&offset=0"))

    assert got is not None
    assert got.datasets[0].files == (
        ListedFile(f"https://e.org/rest{link}", title="a.csv", format="text/csv", size=5),
    )
    assert got.more == (ApiPage("https://e.org/rest/items?limit=100&offset=100", 100),)


def test_a_recorded_page_of_zenodo_is_read() -> None:
    got = Invenio().expand(recorded("invenio/zenodo.json", ZENODO + "&page=1&size=2"))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Frictionless Data Test Publication",
                url="https://zenodo.org/record/7089850",
                identifier="10.5281/zenodo.7089850",
                description="<p>This is a test publication</p>",
                publisher="FD Tester",
                licence="CC-BY-4.0",
                issued="2022-09-18",
                modified="2022-09-18T14:26:16.711812+00:00",
                keywords=("FDTP", "TP"),
                files=(
                    ListedFile(
                        "https://zenodo.org/api/files/3a6b6499-650a-445e-a924-014faebabe29/"
                        "pubtable.xls",
                        title="pubtable.xls",
                        format="xls",
                        size=6144,
                    ),
                ),
            ),
        ),
        more=(ApiPage(ZENODO + "&page=2&size=2", 1),),
    )


def test_an_empty_page_of_invenio_is_the_last_whatever_it_says() -> None:
    whole = recorded("invenio/zenodo.json", ZENODO)

    assert Invenio().expand(with_changes(whole, hits={"total": 10**9, "hits": []})) == Expansion()


def test_records_of_invenio_rdm_without_files_lead_to_their_lists() -> None:
    files = "https://e.org/api/records/r1/files"
    record = {"id": "r1", "metadata": {"title": "Rain"}, "links": {"files": files},
              "files": {"enabled": True}}  # fmt: skip
    page = answer(
        {"hits": {"total": 1, "hits": [record]}, "links": {}}, "https://e.org/api/records"
    )
    entry = {"key": "a.csv", "mimetype": "text/csv", "size": 5,
             "links": {"content": f"{files}/a.csv/content"}}  # fmt: skip
    listed = answer({"enabled": True, "links": {}, "entries": [entry]}, files)

    assert Invenio().expand(page) == Expansion(
        datasets=(Dataset(title="Rain", identifier="r1"),), more=(ApiPage(files, 1, deeper=True),)
    )
    assert Invenio().expand(listed) == Expansion(
        files=(ListedFile(f"{files}/a.csv/content", title="a.csv", format="text/csv", size=5),)
    )


def test_a_recorded_list_of_figshare_leads_to_its_articles() -> None:
    got = Figshare().expand(recorded("figshare/articles.json", f"{FIGSHARE}?page=1"))

    assert got == Expansion(
        more=(
            ApiPage(f"{FIGSHARE}/11492088", 1, deeper=True),
            ApiPage(f"{FIGSHARE}/8969417", 1, deeper=True),
        )
    )


def test_a_full_list_of_figshare_has_a_next_page() -> None:
    article = recorded("figshare/articles.json", FIGSHARE).json[0]
    got = Figshare().expand(answer([article] * 100, f"{FIGSHARE}?page_size=100&page=1"))

    assert got is not None
    assert got.more[-1] == ApiPage(f"{FIGSHARE}?page_size=100&page=2", 100)


def test_a_recorded_article_of_figshare_is_read() -> None:
    got = Figshare().expand(recorded("figshare/article.json", f"{FIGSHARE}/10042703"))

    assert got == Expansion(
        datasets=(
            Dataset(
                title="Bay of Panama Water Quality Monitoring Project, Site 1 of 7",
                url="https://smithsonian.figshare.com/articles/dataset/"
                "Bay_of_Panama_Water_Quality_Monitoring_Project_Site_1_of_7/10042703",
                identifier="10.25573/data.10042703.v5",
                description="<div>Bay of Panama water quality monitoring program. "
                "Site #1 (of 7). <br></div>",
                publisher="Steven Paton",
                licence="https://creativecommons.org/licenses/by/4.0/",
                issued="2024-03-08T14:44:22Z",
                modified="2024-03-08T14:44:22Z",
                keywords=("temperature", "salinity"),
                files=(
                    ListedFile(
                        "https://ndownloader.figshare.com/files/44937931",
                        title="BayofPanama_Site1.zip",
                        format="application/zip",
                        size=19891019,
                    ),
                ),
            ),
        )
    )


def test_studies_of_nada_are_read_with_their_pages() -> None:
    search = "https://catalog.ihsn.org/index.php/api/catalog/search?ps=1000&page=1"
    whole = recorded("nada/search.json", search)
    more = Nada().expand(with_changes(whole, result={**whole.json["result"], "found": 17}))

    assert more is not None
    assert more.more == (ApiPage(search.replace("page=1", "page=2"), 2),)
    assert Nada().expand(whole) == Expansion(
        datasets=(
            Dataset(
                title="Enterprise Survey Follow-up on COVID-19 2020, Round 1",
                url="https://catalog.ihsn.org/catalog/10252",
                identifier="ALB_2020_ES-COVID19-R1_v01_M",
                publisher="World Bank Group",
                issued="2022-05-11T11:14:45+00:00",
                modified="2022-05-11T11:14:46+00:00",
            ),
            Dataset(
                title="Food Insecurity Experience Scale 2020",
                url="https://catalog.ihsn.org/catalog/10987",
                identifier="ALB_2020_FIES_v01_M_v01_A_OCS",
                publisher="FAO Statistics Division",
                issued="2023-01-25T16:22:45+00:00",
                modified="2023-01-25T16:22:45+00:00",
            ),
        )
    )
