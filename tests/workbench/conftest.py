from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.workbench.app import make_app
from lodehound.workbench.crawls import WatchedCrawl
from tests.reports.crawls import crawl_nasty, crawl_office

HOST = "127.0.0.1:8180"
TOKEN = "known-to-the-user-only"  # noqa: S105 - of a server that nobody reaches


@pytest.fixture(scope="session")
def crawl_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two crawls: "nasty" has hostile words, "office" has spent its budget."""
    folder = tmp_path_factory.mktemp("crawls")
    for name, make in (("nasty", crawl_nasty), ("office", crawl_office)):
        made = make(tmp_path_factory.mktemp(name))
        shutil.move(made, folder / name)
    return folder


@pytest.fixture(scope="session")
def visitor(crawl_folder: Path) -> Iterator[TestClient]:
    """The user of a workbench that only reads."""
    with client_of(crawl_folder) as client:
        client.get("/", params={"token": TOKEN})
        yield client


def client_of(*places: Path, control: bool = False) -> TestClient:
    """Return a browser without a cookie."""
    app = make_app(places, token=TOKEN, hosts=[HOST], control=control)
    return TestClient(app, base_url=f"http://{HOST}")


def path_to(folder: Path) -> str:
    """Return the path of a crawl's pages."""
    return f"/crawl/{WatchedCrawl(folder).id}"
