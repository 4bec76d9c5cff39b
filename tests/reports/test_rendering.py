"""What is said of rendered pages."""

from __future__ import annotations

from pathlib import Path

from lodehound.reports.explain import explain
from lodehound.reports.explain_text import explanation_lines
from lodehound.reports.rendering import INSTALL, render_rows
from lodehound.reports.status_rows import standing_of, standing_rows
from lodehound.stores.catalogue.renders import RenderRow, RenderTotals
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.events import PageRequestRow
from tests.reports.crawls import ROOT, crawl, opened, page

PATTERN = "e.org/ (no links)"
API = ROOT + "api"


def crawled(folder: Path, row: RenderRow) -> Path:
    """Return a crawl of one page, with what was done about it."""
    path = crawl(folder, [page("")])
    with CrawlDir.open(path) as directory:
        directory.renders.add(row)
        directory.journal.page_requested(PageRequestRow(1, API, "fetch", 200, "", 5, True, "", 0.1))
    return path


def test_status_counts_rendered_pages_and_their_requests(tmp_path: Path) -> None:
    row = RenderRow(1, ROOT, PATTERN, "no links", "rendered", 1.5, 1, 5, 7)
    with opened(crawled(tmp_path, row)) as (directory, _):
        said, told = dict(standing_rows(directory)), standing_of(directory)
    assert said["rendered"] == "1 page in 1.5 s and 1 request: 7 new links, 0 finds"
    assert (told["requests"], told["rendering"]["pages"]) == (2, 1)


def test_status_says_why_pages_could_not_be_rendered(tmp_path: Path) -> None:
    row = RenderRow(1, ROOT, PATTERN, "no links", "failed", error="the browser did not start")
    with opened(crawled(tmp_path, row)) as (directory, _):
        said = dict(standing_rows(directory))
    assert said["scripts"] == "1 page could not be rendered: the browser did not start"


def test_explain_says_what_a_browser_had_to_do_with_a_url(tmp_path: Path) -> None:
    row = RenderRow(1, ROOT, PATTERN, "no links", "rendered", 1.5, 1, 5, 7, 2)
    with opened(crawled(tmp_path, row)) as (directory, look):
        shown = list(explanation_lines(explain(directory, look, ROOT, quick=True)))
        api = list(explanation_lines(explain(directory, look, API, quick=True)))
    assert shown[shown.index("In a browser") + 1 :] == [
        "  signs: no links",
        "  rendered: 1.5 s, 1 request, 2 clicks; 7 new links that the plain page does not show",
        f"  it counts as {PATTERN}",
    ]
    assert api[1:] == [
        "  No link leads here: only scripts of rendered pages asked for it.",
        "",
        "In a browser",
        f"  loaded (fetch; status 200) by {ROOT}",
    ]


def test_pages_that_still_need_a_browser_are_said_with_the_way_out() -> None:
    assert render_rows(RenderTotals(missing=2)) == [
        ("scripts", f"2 pages seem to need JavaScript, and there is no browser: {INSTALL}")
    ]
    assert INSTALL.startswith("pip install 'lodehound[browser]'")
    assert render_rows(RenderTotals()) == []
