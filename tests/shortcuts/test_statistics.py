"""Databases of statistical offices."""

from __future__ import annotations

from lodehound.shortcuts.contract import ApiPage, Dataset, Expansion, ListedFile
from lodehound.shortcuts.json_stat import JsonStat
from lodehound.shortcuts.pxweb import Pxweb
from lodehound.shortcuts.sdmx import Sdmx
from tests.shortcuts import answer, recorded

LEVEL = "https://api.scb.se/OV0104/v1/doris/en/ssd/BE/BE0101/BE0101A"
TABLES = "https://statistikdatabasen.scb.se/api/v2/tables"
FLOWS = "https://e.org/rest/dataflow/all/all/latest"


def test_a_recorded_level_of_pxweb_1_names_tables_without_files() -> None:
    assert Pxweb().expand(recorded("pxweb/level.json", LEVEL)) == Expansion(
        datasets=(
            Dataset(
                title="Population per month by region, age and sex. Year 2000M01 - 2024M12",
                identifier=LEVEL + "/BefolkManad",
                modified="2025-02-21T08:00:00",
            ),
            Dataset(
                title="Population by age and sex. Year 1860 - 2024",
                identifier=LEVEL + "/BefolkningR1860N",
                modified="2025-02-21T08:00:00",
            ),
        )
    )


def test_databases_and_folders_of_pxweb_1_lead_deeper_but_not_up() -> None:
    databases = answer([{"dbid": "ssd", "text": "Statistics"}], "https://e.org/api/v1/en/")
    folders = answer([{"id": name, "type": "l", "text": name} for name in ("BE", "../up")], LEVEL)

    assert Pxweb().expand(databases) == Expansion(
        more=(ApiPage("https://e.org/api/v1/en/ssd", deeper=True),)
    )
    assert Pxweb().expand(folders) == Expansion(more=(ApiPage(LEVEL + "/BE", deeper=True),))


def test_the_recorded_table_of_pxweb_2_is_a_file_alone_and_in_a_list() -> None:
    table = recorded("pxweb/table.json", TABLES + "/TAB5974")
    title = "Folkmängd efter inrikes/utrikes född, ålder och kön. År 2026-2120"
    data = TABLES + "/TAB5974/data?lang=sv&outputFormat=json-stat2"
    dataset = Dataset(
        title=title,
        identifier="TAB5974",
        publisher="SCB",
        modified="2026-04-16T06:00:00Z",
        files=(ListedFile(data, title=title, modified="2026-04-16T06:00:00Z"),),
    )
    page = {"tables": [table.json], "page": {"pageNumber": 1, "totalElements": 10**9}}
    listed = Pxweb().expand(answer(page, TABLES + "?pageSize=1000&pageNumber=1"))

    assert Pxweb().expand(table) == Expansion(datasets=(dataset,))
    assert listed == Expansion(
        datasets=(dataset,), more=(ApiPage(TABLES + "?pageSize=1000&pageNumber=2", 1),)
    )


def test_a_collection_of_json_stat_leads_to_tables_and_collections() -> None:
    url = "http://json-stat.org/samples/collection.json"
    inner = [{"class": "collection", "href": href} for href in ("more.json", url)]
    outer = answer({"class": "collection", "link": {"item": inner}}, url)

    assert JsonStat().expand(outer) == Expansion(
        more=(ApiPage("http://json-stat.org/samples/more.json", deeper=True),)
    )
    assert JsonStat().expand(recorded("json_stat/collection.json", url)) == Expansion(
        files=(
            ListedFile(
                "http://json-stat.org/samples/oecd.json",
                title="Unemployment rate in the OECD countries 2003-2014",
                format="application/json",
            ),
            ListedFile(
                "http://json-stat.org/samples/canada.json",
                title="Population by sex and age group. Canada. 2012",
                format="application/json",
            ),
        )
    )


def test_recorded_dataflows_of_sdmx_become_the_addresses_of_their_data() -> None:
    got = Sdmx().expand(recorded("sdmx/dataflows.xml", FLOWS))
    data = "https://e.org/rest/data/MYORG,DS-00{},1.0/all"

    assert got is not None
    assert [file.url for file in got.all_files] == [data.format(1), data.format(2)]
    assert got.datasets[0] == Dataset(
        title="Dataset 1",
        identifier="MYORG:DS-001(1.0)",
        publisher="MYORG",
        files=(ListedFile(data.format(1), title="Dataset 1"),),
    )


def test_dataflows_in_sdmx_json_are_the_same_and_other_structures_are_none() -> None:
    flows = [
        {"id": f"DS-00{n}", "agencyID": "MYORG", "version": "1.0", "name": f"Dataset {n}"}
        for n in (1, 2)
    ]
    got = Sdmx().expand(answer({"data": {"dataflows": flows}}, FLOWS))
    whole = recorded("sdmx/dataflows.xml", FLOWS)
    structures = answer(whole.body.replace(b"Dataflow", b"Codelist"), FLOWS)

    assert got == Sdmx().expand(whole)
    assert Sdmx().expand(structures) is None
