"""Every figure of a crawl is the same wherever it is shown, and every find has a name."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Damage
from lodehound.stores.warc import read_responses
from tests.live import crawl, run_many
from tests.live.changing import HOSTILE, MOST, before

STARTS = 12
NAMES = (
    "requests",
    "finds",
    "files",
    "readable",
    "unreadable",
    "uninspected",
    "tables",
    "statistics",
)
FORMATS = ("csv", "jsonl", "parquet", "warc", "datapackage", "dcat", "ro-crate")
COMMANDS = {
    "status": ("status", "crawl"),
    "report": ("report", "crawl"),
    "list": ("list", "crawl"),
    "wide": ("list", "crawl", "--wide"),
    **{name: ("export", "crawl", "--to", name, "--output", name) for name in FORMATS},
}


@dataclass(frozen=True)
class Shown:
    """A crawl, and what every command says of it."""

    folder: Path
    url: str
    said: dict[str, str]

    @cached_property
    def finds(self) -> list[dict[str, Any]]:
        lines = (self.folder / "jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @cached_property
    def page(self) -> str:
        return (self.folder / "crawl" / "report.html").read_text(encoding="utf-8")

    def document(self, *parts: str) -> Any:
        return json.loads(self.folder.joinpath(*parts).read_bytes())

    def rows(self, name: str) -> dict[str, str]:
        """Names and values, a pair to a line."""
        return dict(re.findall(r"^ *(\w+) +(\S.*)$", self.said[name], re.MULTILINE))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("figures")
    with SiteServer(before()) as server:
        starts = [server.url, *(f"{server.url}?{number}" for number in range(1, STARTS))]
        options = {"policy": "bfs", "delay": 0.05, "max_file": MOST, "inspect": True}
        done = crawl(*starts, out=folder / "crawl", **options)
    outcomes = run_many(list(COMMANDS.values()), folder)
    assert [(one.code, one.said) for one in (done, *outcomes) if one.code] == []
    said = {name: one.out for name, one in zip(COMMANDS, outcomes, strict=True)}
    return Shown(folder, server.url, said | {"end": done.out})


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"(?<![.\d])\d+(?!\.?\d)", text)]


def test_status_and_the_last_screen_say_the_same(shown: Shown) -> None:
    status, end = shown.rows("status"), shown.rows("end")

    assert {name: status[name] for name in NAMES} == {name: end[name] for name in NAMES}
    assert {name: status[name] for name in NAMES[1:]} == {
        "finds": "11 (42.3 per 100 requests)",
        "files": "10",
        "readable": "7 files: 5 with tables, 1 with headers only, 1 without tables",
        "unreadable": "2 files (damaged)",
        "uninspected": "1 truncated",
        "tables": "5 in 5 files",
        "statistics": "4 tables in 4 files",
    }
    assert numbers(status["requests"])[0] == STARTS + 14


def test_the_report_says_what_status_says(shown: Shown) -> None:
    tile = r"<li><strong>(.*?)</strong><span>(.*?)</span>(?:<span.*?>(.*?)</span>)?"
    content = r'row">([\w:, ]+)(?:<span.*?</span>)?</th><td class="n">(\d+)<'
    at = [shown.page.index(text) for text in ("What is in the files", "By type", "skipped-h")]
    by_type = map(numbers, re.findall(r"<tr><th scope=\"row\">.*", shown.page[at[1] : at[2]]))
    pace = re.search(r"\((.* per minute)\)", shown.rows("status")["requests"])

    assert pace is not None
    assert re.findall(tile, shown.page)[:3] == [
        ("11", "finds", "42.3 per 100 requests"),
        ("10", "files", ""),
        (str(STARTS + 14), "requests", pace[1]),
    ]
    assert re.findall(content, shown.page[at[0] : at[1]]) == [
        ("tables", "5"),
        ("headers, no values", "1"),
        ("no tables", "1"),
        ("could not be read", "2"),
        ("truncated, not looked into", "1"),
    ]
    assert "<strong>7</strong><span>of 10 files readable" in shown.page
    readable, with_tables, statistics = zip(*(row[:3] for row in by_type), strict=True)
    assert (sum(readable), sum(with_tables), sum(statistics)) == (7, 5, 4)


def test_the_report_names_all_start_urls(shown: Shown) -> None:
    links = set(re.findall(r'href="(.*?)"', shown.page))
    assert {f"{shown.url}?{number}" for number in range(1, STARTS)} | {shown.url} <= links


def test_the_finds_add_up_to_what_status_says(shown: Shown) -> None:
    files = {find["file"]: find for find in shown.finds}

    assert (len(shown.finds), len(files)) == (11, 10)
    assert len({find["sha256"] or find["file"] for find in shown.finds}) == 10
    assert Counter(file["content"] for file in files.values()) == {
        "tables": 5, "no-rows": 1, "no-tables": 1, "unreadable": 2, "truncated": 1,
    }  # fmt: skip
    assert sum(file["tables"] or 0 for file in files.values()) == 5
    assert sum(file["statistics"] or 0 for file in files.values()) == 4
    assert len(shown.said["list"].splitlines()) == 11
    assert shown.said["wide"].splitlines()[-1] == "11 finds, 10 files"


def test_every_export_holds_every_find_or_file(shown: Shown) -> None:
    with (shown.folder / "csv").open(newline="", encoding="utf-8-sig") as file:
        assert len(list(csv.DictReader(file))) == 11
    assert pq.read_metadata(shown.folder / "parquet").num_rows == 11
    assert len(list(read_responses(shown.folder / "warc", Damage()))) == 11
    package = shown.document("datapackage", "datapackage.json")
    assert len(package["resources"]) + len(package.get("other_files", ())) == 10
    assert len(shown.document("dcat")["dcat:dataset"]) == 10
    crate = shown.document("ro-crate", "ro-crate-metadata.json")["@graph"]
    assert sum(part["@type"] == "File" for part in crate) == 10


def test_what_could_not_be_read_has_no_number_of_tables(shown: Shown) -> None:
    found = {find["final_url"].removeprefix(shown.url): find for find in shown.finds}
    broken, empty, plain = found["broken.xlsx"], found["empty.csv"], found["notes.txt"]

    assert [broken[name] for name in ("tables", "rows", "columns", "statistics")] == [None] * 4
    assert "not a zip" in broken["inspection_error"]
    assert (empty["tables"], empty["rows"], empty["columns"]) == (0, 0, 3)
    assert (plain["tables"], plain["inspection_error"]) == (0, "")


TITLES = {
    "births.csv": "Births",
    "births.xlsx": "Live births by town",
    "empty.csv": "No births",
    "deaths.csv": "Deaths (deaths.csv)",
    "copy.csv": "Deaths (copy.csv)",
    "broken.xlsx": "Broken",
    "a.pdf": "Deaths (a.pdf)",
    "error.csv": "Error",
    "notes.txt": "Notes",
    "long.csv": "Long",
    "old/prices.csv": HOSTILE,
}


def test_every_find_has_a_name_and_it_is_the_same_everywhere(shown: Shown) -> None:
    """The link text, what the page says around it, the file's own title, or its name."""
    titles = {find["final_url"].removeprefix(shown.url): find["title"] for find in shown.finds}
    lines = [line.split("\t") for line in shown.said["list"].splitlines()]
    data = json.loads(re.findall(r'id="data">(.*?)</script>', shown.page)[0])
    column = data["columns"].index("title")
    with (shown.folder / "csv").open(newline="", encoding="utf-8-sig") as file:
        in_csv = [row["title"] for row in csv.DictReader(file)]

    assert titles == TITLES
    assert [line[-1] for line in lines] == in_csv == list(titles.values())
    assert [row[column] for row in data["rows"]] == in_csv
    assert pq.read_table(shown.folder / "parquet")["title"].to_pylist() == in_csv


def test_no_two_files_share_a_title(shown: Shown) -> None:
    """A dataset to a file: where the crawl has ten files, the portal shows ten titles."""
    package = shown.document("datapackage", "datapackage.json")
    crate = shown.document("ro-crate", "ro-crate-metadata.json")["@graph"]
    expected = {title for place, title in TITLES.items() if place != "copy.csv"}

    assert {one["dct:title"] for one in shown.document("dcat")["dcat:dataset"]} == expected
    resources = package["resources"] + package.get("other_files", [])
    assert {one["title"] for one in resources} == expected
    assert {part["name"] for part in crate if part["@type"] == "File"} == expected
