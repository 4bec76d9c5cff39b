"""What a person asks about a small crawl, and what the commands answer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lodehound.sites.server import SiteServer
from tests.live import Crawled, crawl, run_many
from tests.live.changing import before, page

COMMANDS = {
    "misspelt type": ["list", "crawl", "--type", "cvs"],
    "type that is not there": ["list", "crawl", "--type", "ods"],
    "export of it": ["export", "crawl", "--to", "csv", "--type", "ods", "--output", "-"],
    "table": ["list", "crawl", "--wide"],
    "export": ["export", "crawl", "--to", "csv"],
    "package": ["export", "crawl", "--to", "datapackage"],
    "skipped": ["skipped", "crawl", "--counts"],
    "status": ["status", "crawl"],
    "copy": ["explain", "crawl", "{url}copy.csv", "--quick"],
    "copy for programs": ["explain", "crawl", "{url}copy.csv", "--quick", "--json"],
    "no scheme": ["explain", "crawl", "{host}/births.csv"],
    "wrong folder": ["explain", "crawl", "{url}statistics/births.csv"],
    "why": ["list", "crawl", "--json", "--like", "births.csv"],
}


class Answers:
    """A crawl of a site, and what every command says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with SiteServer([*before(), page("more", "More", ("lost.csv", "Lost"))]) as server:
            self.url = server.url
            starts = (server.url, f"{server.url}more")
            done = crawl(*starts, out=folder / "crawl", requests=200, inspect=True)
        places = {"url": self.url, "host": self.url.split("/")[2]}
        words = [[word.format(**places) for word in one] for one in COMMANDS.values()]
        self.said = dict(zip(COMMANDS, run_many(words, folder), strict=True)) | {"crawl": done}

    def __getitem__(self, name: str) -> Crawled:
        return self.said[name]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return Answers(tmp_path_factory.mktemp("questions"))


def test_a_misspelt_type_is_corrected(answers: Answers) -> None:
    done = answers["misspelt type"]
    assert (done.code, done.out) == (2, "")
    assert done.err == "lodehound: There is no type 'cvs'. Did you mean 'csv'?\n"


@pytest.mark.parametrize("name", ["type that is not there", "export of it"])
def test_a_type_without_finds_names_those_that_have_some(answers: Answers, name: str) -> None:
    done = answers[name]
    assert done.code == 0
    assert done.err.startswith("No find is of type ods: there are csv, pdf, text, txt, xlsx, zip.")


def test_a_damaged_workbook_is_listed_by_its_name(answers: Answers) -> None:
    [line] = [line for line in answers["table"].out.splitlines() if "broken.xlsx" in line]
    assert line.split()[0] == "xlsx"


def test_an_export_without_a_place_goes_into_the_crawl(answers: Answers) -> None:
    place = answers.folder / "crawl" / "finds.csv"
    assert answers["export"].err == f"11 finds written to {Path('crawl/finds.csv')}\n"
    assert place.read_bytes().startswith(b'\xef\xbb\xbf"url","file"')  # for Excel
    assert answers["export of it"].out.startswith('"url","file"')
    assert (answers.folder / "crawl" / "datapackage.json").exists()
    assert answers["package"].code == 0


def test_what_was_requested_in_vain_is_not_called_not_fetched(answers: Answers) -> None:
    first = answers["skipped"].out.splitlines()[0]
    assert first == "17 URLs seen: 16 fetched, 1 failed, 0 not fetched"


def test_why_files_could_not_be_read(answers: Answers) -> None:
    assert re.search(r"^unreadable +2 files \(damaged\)$", answers["status"].out, re.MULTILINE)


def test_a_find_that_shares_its_file_says_so(answers: Answers) -> None:
    assert f"The same file was found at {answers.url}births.csv" in answers["copy"].out
    told = json.loads(answers["copy for programs"].out)
    assert told["find"]["shared_with"] == [f"{answers.url}births.csv"]


def test_an_address_without_a_scheme_is_completed(answers: Answers) -> None:
    done = answers["no scheme"]
    assert done.code == 2
    assert done.err.endswith(f"is no web address: did you mean {answers.url}births.csv ?\n")


def test_an_address_in_the_wrong_folder_is_found_by_its_name(answers: Answers) -> None:
    near = re.findall("Did you mean (.*)", answers["wrong folder"].out)
    assert near[0] == f"{answers.url}births.csv"


def test_a_reason_calls_files_files(answers: Answers) -> None:
    reasons = [json.loads(line)["why"] for line in answers["why"].out.splitlines()]
    assert reasons
    assert not any("pages like" in why and ".csv" in why for why in reasons)


def test_the_rest_of_a_budget_is_told_in_seconds(answers: Answers) -> None:
    """Never as no minutes."""
    assert re.search(r"left: \d+ requests, about \d", answers["crawl"].out)
    assert "0.0 min" not in answers["crawl"].out
