"""lodehound report, explain and skipped, as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.cli import main
from lodehound.sites import StatsOffice
from lodehound.stores.warc import write_warc
from tests.reports.crawls import ROOT, crawl_nasty

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawl_nasty(tmp_path_factory.mktemp("crawled"))


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command; return exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lodehound", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run


def test_skipped_counts_first(cli: Cli, crawled: Path) -> None:
    code, out, _ = cli("skipped", crawled)
    counts, _, lines = out.partition("\n\n")

    assert code == 0
    assert counts.startswith("13 URLs seen: 6 fetched, 1 failed, 6 not fetched\n")
    assert f"{ROOT}gone  [error: status 404]" in lines.splitlines()
    assert len(lines.splitlines()) == 7


def test_skipped_for_programs(cli: Cli, crawled: Path) -> None:
    _, out, _ = cli("skipped", crawled, "--reason", "trap", "--json")
    counts, *rows = map(json.loads, out.splitlines())

    assert counts["skipped"] == {"scope": 2, "blocked": 3, "error": 1, "trap": 1}
    assert rows == [
        {
            "url": f"{ROOT}a/a/a/a",
            "reason": "trap",
            "detail": "trap: repeated parts",
            "found_on": ROOT,
        }
    ]


def test_skipped_without_the_list(cli: Cli, crawled: Path) -> None:
    _, out, _ = cli("skipped", crawled, "--counts")

    assert "https://" not in out


def test_mistakes_are_one_line(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    assert cli("skipped", crawled, "--reason", "robot")[0::2] == (
        2,
        "lodehound: There is no reason 'robot'. Did you mean 'robots'?\n",
    )
    for command in (("skipped",), ("report",)):
        code, _, err = cli(*command, tmp_path)
        assert (code, err.count("\n")) == (2, 1)
        assert "There is no crawl in" in err


def test_explain_for_people_and_for_programs(cli: Cli, crawled: Path) -> None:
    _, out, _ = cli("explain", crawled, f"{ROOT}b.csv", "--quick")
    _, written, _ = cli("explain", crawled, f"{ROOT}b.csv", "--json")

    assert out.splitlines()[1].startswith("  A find: text/csv")
    assert f"redirect {ROOT}b.csv" in " ".join(out.split())
    told = json.loads(written)
    assert (told["kind"], told["way"][0]["by"]) == ("find", "start")


def test_report_is_written_into_the_crawl_or_elsewhere(
    cli: Cli, crawled: Path, tmp_path: Path
) -> None:
    code, out, _ = cli("report", crawled)
    other = cli("report", crawled, "--output", tmp_path / "other.html")

    assert (code, out) == (0, f"{crawled / 'report.html'}\n")
    assert other[0] == 0
    for page in (crawled / "report.html", tmp_path / "other.html"):
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_report_opens_in_the_browser(
    cli: Cli, crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers, opened = iter((True, False)), []

    def browse(url: str) -> bool:
        opened.append(url)
        return next(browsers)

    monkeypatch.setattr("webbrowser.open", browse)
    page = tmp_path / "a page.html"
    code, out, err = cli("report", crawled, "--output", page, "--open")
    assert (code, out, err) == (0, f"{page}\n", "")
    code, _, err = cli("report", crawled, "--output", page, "--open")
    assert (code, err) == (0, f"No browser could be started: open {page} yourself.\n")
    assert cli("report", crawled, "--output", "-", "--open")[0] == 2
    assert opened == [page.as_uri()] * 2


@pytest.mark.parametrize("name", ["crawl.sqlite", "lock", "metadata.json", "files/x.html"])
def test_a_report_never_goes_over_the_crawl(cli: Cli, crawled: Path, name: str) -> None:
    before = (crawled / "crawl.sqlite").read_bytes()
    code, _, err = cli("report", crawled, "--output", crawled / name)
    assert (code, err.count("\n")) == (2, 1)
    assert "belongs to the crawl itself" in err
    assert (crawled / "crawl.sqlite").read_bytes() == before


def test_a_report_replaces_reports_only(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    place = tmp_path / "new" / "page.html"
    assert cli("report", crawled, "--output", place)[0] == 0
    assert cli("report", crawled, "--output", place)[0] == 0
    place.write_text("mine")
    code, _, err = cli("report", crawled, "--output", place)
    assert (code, place.read_text()) == (2, "mine")
    assert "not an earlier report" in err
    assert cli("report", crawled, "--output", place, "--force")[0] == 0
    assert cli("report", crawled, "--output", tmp_path)[0] == 2
    assert [entry.name for entry in place.parent.iterdir()] == ["page.html"]


def test_a_report_goes_through_devices(cli: Cli, crawled: Path, tmp_path: Path) -> None:
    assert cli("report", crawled, "--output", "/dev/null")[0] == 0
    assert not Path("/dev/null").is_file()
    code, out, _ = cli("report", crawled, "--output", "-")
    assert (code, out.startswith("<!DOCTYPE html>")) == (0, True)


def test_the_report_says_how_long_nothing_was_found(
    cli: Cli, crawled: Path, tmp_path: Path
) -> None:
    """As status says it."""
    page = tmp_path / "report.html"
    assert cli("report", crawled, "--output", page)[0] == 0
    _, status, _ = cli("status", crawled)

    (drought,) = [line for line in status.splitlines() if line.startswith("drought")]
    assert drought.removeprefix("drought").strip() in page.read_text(encoding="utf-8")


def test_status_answers_without_heavy_imports(crawled: Path) -> None:
    """It is typed while a crawl runs, and must answer at once."""
    program = (
        "import sys; from lodehound.cli import main\n"
        "try: main()\nexcept SystemExit: print(sorted({'numpy', 'lxml'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program, "status", str(crawled)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "drought" in said
    assert said.rstrip().endswith("[]"), said


def test_pages_whose_last_links_were_not_read_are_listed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_warc(tmp_path / "s.warc.gz", StatsOffice(pages=40, files=16).records())
    monkeypatch.setattr("lodehound.read.links.MAX_LINKS", 3)
    words = ("--replica", tmp_path / "s.warc.gz", "--requests", 1, "--no-inspect", "--quiet")
    assert cli("crawl", *words, "--out", tmp_path / "c") == (0, "", "")
    code, out, _ = cli("skipped", tmp_path / "c", "--reason", "size", "--json")
    _, row = map(json.loads, out.splitlines())
    assert code == 0
    assert (row["reason"], row["detail"]) == ("size", "last links not read")
