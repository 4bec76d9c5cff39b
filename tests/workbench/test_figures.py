"""The workbench shows the figures that the other commands show, and asks again for its own page."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest
from starlette.testclient import TestClient

from lodehound.stores.crawl_dir import CrawlDir
from lodehound.workbench.snapshots import Counted, Snapshots
from tests.reports.crawls import run
from tests.workbench.conftest import client_of, enter, path_to
from tests.workbench.test_pages import page_of

TILE = r"<li><strong>150</strong><span>requests</span><span[^>]*>(.*?) per minute</span>"


@pytest.fixture
def hastened(crawl_folder: Path, tmp_path: Path) -> Path:
    """A crawl of 150 requests: after ten minutes without an answer, all came within 15 seconds."""
    crawl = tmp_path / "crawl"
    shutil.copytree(crawl_folder / "office", crawl)
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        db.execute("UPDATE answers SET at = 600 + seq / 10.0")
    return crawl


def test_one_rate_of_requests_in_the_workbench_status_and_report(
    hastened: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with client_of(hastened) as client:
        enter(client)
        live = re.findall(TILE, page_of(client, path_to(hastened) + "/"))
        listed = re.findall(r'data-name="per minute">(.*?)<', page_of(client, "/"))
    run("status", hastened)
    status = re.findall(r"\((\S+) per minute\)", capsys.readouterr().out)
    run("report", hastened, "--output", tmp_path / "report.html")
    report = re.findall(TILE, (tmp_path / "report.html").read_text("utf-8"))
    with CrawlDir.open(hastened, write=False) as directory:
        seconds = directory.summary().at

    assert (live, listed, status, report) == ([f"{150 * 60 / seconds:.0f}"],) * 4


@pytest.mark.parametrize(
    "page",
    [
        "/", "/finds?words=a+b&type=csv&page=2", "/map?by=finds", "/learned?page=3",
        "/skipped?reason=budget&page=2",
    ],
)  # fmt: skip
def test_a_page_that_is_being_counted_asks_for_all_of_its_address(
    visitor: TestClient, crawl_folder: Path, page: str
) -> None:
    address = path_to(crawl_folder / "office") + page
    with mock.patch.object(Snapshots, "get", return_value=Counted(busy=True)):
        waiting = visitor.get(address).text

    asked = re.findall(r'role="status" data-get="(.*?)" data-on="load', waiting)
    assert set(asked) == {address.replace("&", "&amp;")}
