"""What targets other than files say of a find is shown wherever finds are."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.reports.explain import explain
from lodehound.reports.explain_text import explanation_lines
from lodehound.reports.page import make_report
from lodehound.reports.verdict_words import worth_of
from lodehound.stores.records import Record
from tests.cli.test_cli import Cli, cli
from tests.reports.crawls import ROOT, crawl, opened, page

__all__ = ["cli"]  # a fixture
DATASET = b"""<title>Births</title><script type="application/ld+json">
{"@context": "https://schema.org/", "@type": "Dataset", "name": "Births"}</script>"""


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that found one page with two statements in JSON-LD."""
    records = [page("", ("data", "the data")), Record(ROOT + "data", 200, "text/html", DATASET)]
    return crawl(
        tmp_path_factory.mktemp("m"), records, "--want", "markup:jsonld", "--policy", "bfs"
    )


def test_words_for_a_find() -> None:
    assert worth_of("markup", "jsonld", 1.0) == "jsonld, 1 statement"
    assert worth_of("rdf:embedded", "rdfa", 1200.0) == "rdfa, 1,200 triples"
    assert worth_of("topic", "\x1b[31mred", None) == "\ufffd[31mred"
    assert worth_of("feeds:Feeds", "", 0.5) == "value 0.50"
    assert worth_of("files:csv", "text/csv", 1.0) == worth_of("", "", 1.0) == ""


def test_list_shows_label_and_statements(
    cli: Cli, marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = cli("list", marked)
    assert out.rstrip("\n").split("\t")[7:] == ["the data", "Home", ROOT, "jsonld", "2", "Births"]
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("_pytest.capture.CaptureIO.isatty", lambda _: True, raising=False)
    _, out, _ = cli("list", marked)
    heading, line, _ = out.splitlines()
    assert "statements" in heading
    assert line.split()[-3:] == ["jsonld:", "Births", "data.html"]
    assert " 2 " in line


def test_explain_and_report_say_it_too(marked: Path, tmp_path: Path) -> None:
    with opened(marked) as (directory, look):
        told = explain(directory, look, ROOT + "data", quick=True)
        made = make_report(directory, look, tmp_path / "report.html")
    assert told.find is not None
    assert (told.find["label"], told.find["value"]) == ("jsonld", 2.0)
    assert "  The target says: jsonld, 2 statements." in list(explanation_lines(told))
    assert '<span class="sub">jsonld, 2 statements</span>' in made


def test_files_are_shown_as_ever(nasty_crawl: Path) -> None:
    with opened(nasty_crawl) as (directory, look):
        told = explain(directory, look, ROOT + "a.csv", quick=True)
    assert told.worth == ""
    assert not any("The target says" in line for line in explanation_lines(told))
