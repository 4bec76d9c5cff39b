"""What a report says of the collection as a whole."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from lodehound.assembly.rebuild import config_of
from lodehound.reports.collection import Collection, collection_of, timeline_of
from lodehound.reports.next_steps import next_steps
from lodehound.reports.page import make_report
from lodehound.reports.site_map import SiteMap, SiteSection, squarified, treemap_of
from lodehound.stores.records import Record
from tests.reports.crawls import ROOT, crawl, opened, page


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of two equal tables, a larger one and one without rows."""
    small = b"Year,value\n2020,1\n2021,2\n"
    large = b"year,town\n" + b"".join(b"%d,Rome\n" % year for year in range(1900, 1990))
    records = [
        page("", "a.csv", "b.csv", "c/large.csv", "empty.csv"),
        Record(ROOT + "a.csv", 200, "text/csv", small),
        Record(ROOT + "b.csv", 200, "text/csv", small),
        Record(ROOT + "c/large.csv", 200, "text/csv", large),
        Record(ROOT + "empty.csv", 200, "text/csv", b"year,value\n"),
    ]
    return crawl(tmp_path_factory.mktemp("collection"), records, "--policy", "bfs")


def collected(folder: Path) -> Collection:
    with opened(folder) as (directory, look):
        return collection_of(look, directory.summary().contents.no_rows)


def test_hosts_columns_copies_and_empty_tables_are_counted(made: Path) -> None:
    found = collected(made)

    assert [(one.host, one.finds) for one in found.hosts] == [("s.example", 4)]
    assert {one.name: one.files for one in found.columns} == {"Year": 3, "value": 2, "town": 1}
    assert [(one.url, one.finds) for one in found.copies] == [(ROOT + "a.csv", 2)]
    assert [one.find.final_url for one in found.empty] == [ROOT + "empty.csv"]


def test_the_largest_tables_show_five_rows(made: Path) -> None:
    first = collected(made).largest[0]

    assert first.entry.rows == 90
    assert first.table is not None
    assert first.table.first == tuple((str(year), "Rome") for year in range(1900, 1905))


def test_a_file_that_is_gone_is_named_without_rows(made: Path, tmp_path: Path) -> None:
    copy = copytree(made, tmp_path / "copy")
    (copy / "files" / "s.example" / "c" / "large.csv").unlink()

    assert collected(copy).largest[0].table is None


def test_dates_are_counted_by_month_or_by_year() -> None:
    dates = [f"Mon, 06 Nov {year} 08:49:37 GMT" for year in (2001, 2001, 2015)]
    chart = timeline_of([*dates, "yesterday", "Mon, 06 Nov 9999 08:49:37 GMT"])

    assert chart is not None
    assert chart.alt == "3 of 5 dates; most of them in 2001: 2"
    assert chart.across == "year"
    assert timeline_of(["never"]) is None


def test_the_next_step_is_a_command_that_fits(made: Path, office_crawl: Path) -> None:
    for folder, command in ((made, "lodehound update"), (office_crawl, "lodehound resume")):
        with opened(folder) as (directory, _):
            steps = next_steps(directory, config_of(directory), directory.summary())
        assert steps[0].command.startswith(f"{command} {folder}")


def test_a_treemap_fills_its_area_in_proportion() -> None:
    sizes = [60.0, 30.0, 20.0, 7.0, 3.0]
    boxes = list(squarified(sizes, 400, 300))

    assert [round(w * h) for _, _, w, h in boxes] == [round(1000 * size) for size in sizes]
    assert all(x + w <= 400.001 and y + h <= 300.001 for x, y, w, h in boxes)


def test_small_sections_of_a_treemap_are_joined() -> None:
    sections = {f"e.org/{at}/": SiteSection(f"e.org/{at}/", fetched=at) for at in range(1, 9)}
    tiles = treemap_of(SiteMap(sections), most=3).tiles

    assert [(tile.section.name, tile.section.urls) for tile in tiles] == [
        ("e.org/8/", 8),
        ("e.org/7/", 7),
        ("e.org/6/", 6),
        ("other sections", 15),
    ]


def test_the_report_has_all_of_it(made: Path, tmp_path: Path) -> None:
    with opened(made) as (directory, look):
        text = make_report(directory, look, tmp_path / "report.html")

    for words in (
        "What to do next",
        "Treemap of",
        "Finds per host",
        "Most frequent column names",
        "Largest tables",
        "Found more than once: 1",
        "Tables without rows: 1",
    ):
        assert words in text
