"""The finds of a crawl that only catalogues are the datasets that APIs list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import lodehound
from lodehound.sites import CkanPortal
from lodehound.sites.server import SiteServer
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.workbench.crawls import WatchedCrawl
from tests.live import Crawled, crawl, resume, run
from tests.workbench.conftest import client_of, enter
from tests.workbench.test_pages import page_of

COUNT = 1200  # two answers of the API


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with SiteServer() as server:
        server.serve(CkanPortal(COUNT, host=server.url).get)
        yield server.url


@pytest.fixture(scope="module")
def done(url: str, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl(url, "--metadata-only", out=tmp_path_factory.mktemp("only") / "crawl")


def test_the_last_screen_and_status_count_datasets(done: Crawled) -> None:
    assert done.code == 0
    for said in (done.out, run("status", done.path).out):
        assert "1,200 with 1,200 files, listed and not fetched" in said
        assert " 1,200 (40000.0 per 100 requests)\n" in said
    assert "1,200 URLs listed in 2 answers" in done.out
    status = json.loads(run("status", done.path, "--json").out)
    names = ("finds", "datasets", "listed_files", "files", "drought")
    assert [status[name] for name in names] == [COUNT, COUNT, COUNT, 0, 0]


def test_list_shows_them(done: Crawled) -> None:
    lines = run("list", done.path).out.splitlines()
    assert len(lines) == COUNT
    assert lines[0].split("\t")[3] == "csv"
    assert lines[0].endswith("\tDataset 0")
    assert run("list", done.path, "--wide", "--limit", 2).out.endswith("\n2 of 1,200 finds\n")
    assert len(run("list", done.path, "--like", "table 77.", "--type", "csv").out.splitlines()) == 1
    first = json.loads(run("list", done.path, "--json", "--limit", 1).out)
    assert (first["dataset"], first["details"]["files"][0]["format"]) == ("Dataset 0", "CSV")


def test_exports_have_them_or_say_that_there_are_no_files(done: Crawled, tmp_path: Path) -> None:
    for form in ("csv", "jsonl", "parquet", "dcat"):
        wrote = run("export", done.path, "--to", form, "--output", tmp_path / form)
        assert (wrote.code, wrote.err.startswith("1,200 ")) == (0, True)
    for form in ("datapackage", "ro-crate", "warc"):
        refused = run("export", done.path, "--to", form, "--output", tmp_path / form)
        assert (refused.code, "fetched no files (--metadata-only)" in refused.err) == (2, True)


def test_the_report_shows_them(done: Crawled, tmp_path: Path) -> None:
    run("report", done.path, "--output", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<strong>1,200</strong><span>finds</span>" in page
    assert "Dataset 1199" in page
    assert "--to dcat" in page  # what the report advises can be done
    assert "1 file, listed by ckan, licence CC BY 4.0" in page


def test_the_workbench_shows_them(done: Crawled) -> None:
    base = f"/crawl/{WatchedCrawl(done.path).id}"
    with client_of(done.path) as browser:
        web = enter(browser)
        page = page_of(web, f"{base}/finds?words=Dataset+77")
        with Catalogue(done.path) as catalogue:
            entry = next(one for one in catalogue.entries() if one.title == "Dataset 77")
            assert catalogue.entry(entry.find.number) == entry
        find = web.get(f"{base}/finds/{entry.find.number}")
    assert f"{base}/finds/{entry.find.number}" in page
    assert (find.status_code, "Dataset 77" in find.text) == (200, True)


def test_a_budget_of_finds_and_resume_count_them(url: str, tmp_path: Path) -> None:
    part = crawl(url, "--metadata-only", "--finds", 5, out=tmp_path / "crawl")
    assert "as many finds as wanted" in part.out
    with CrawlDir.open(part.path, write=False) as directory:
        assert directory.summary().finds == 1000
    assert "Nothing to do: as many finds as wanted" in resume(part.path).out
    resume(part.path, "--finds", "+1")
    with CrawlDir.open(part.path, write=False) as directory:
        assert directory.summary().finds == COUNT


def test_a_program_gets_them(url: str, tmp_path: Path) -> None:
    done = lodehound.crawl(url, out=tmp_path / "crawl", metadata_only=True, delay=0)
    finds = list(done)
    assert (len(finds), done.summary.finds, len(done.to_pandas())) == (COUNT, COUNT, COUNT)
    assert finds[0].path == tmp_path / "crawl"
    assert json.loads(finds[0].details)["publisher"] == "Office of Statistics"


def test_a_start_that_is_a_file_hides_no_dataset(url: str, tmp_path: Path) -> None:
    """Its answer comes after the first that lists datasets."""
    more = f"{url}files/7.csv", "--metadata-only", "--policy", "bfs", "--concurrency", 1
    done = crawl(url, *more, out=tmp_path / "crawl")
    with CrawlDir.open(done.path, write=False) as directory:
        pages, last = list[int](), 0
        while found := directory.finds.after(last, 1):
            pages, last = [*pages, len(found)], found[-1][0]
    assert sum(pages) == COUNT + 1
