from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.workbench.access import Access
from lodehound.workbench.app import make_app
from lodehound.workbench.crawls import WatchedCrawl
from tests.reports.crawls import crawl_nasty, crawl_office

ACCESS = Access(8180, lambda link: None)
HOST = f"{ACCESS.name}:8180"
ORIGIN = {"Origin": f"http://{HOST}"}


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
        yield enter(client)


def client_of(*places: Path, control: bool = False, access: Access = ACCESS) -> TestClient:
    """Return a browser without a cookie."""
    app = make_app(places, access=access, control=control)
    return TestClient(app, base_url=access.link.partition("?")[0])


def enter(client: TestClient) -> TestClient:
    """Open the printed link, as the user does."""
    assert client.get(ACCESS.link).status_code == 200
    return client


def path_to(folder: Path) -> str:
    """Return the path of a crawl's pages."""
    return f"/crawl/{WatchedCrawl(folder).id}"
