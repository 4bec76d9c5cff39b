"""Rounds of a crawl in the workbench: what is new, changed and gone, versions, comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lodehound.sites.portals import CkanPortal
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.reports.crawls import run
from tests.workbench.conftest import client_of, enter, path_to
from tests.workbench.test_pages import page_of, rows_of

OLD = {"a.csv": b"x,y\n1,2\n", "b.csv": b"x,y\n3,4\n", "c.csv": b"x,y\n5,6\n"}
NEW = {"a.csv": OLD["a.csv"], "b.csv": b"x,y\n3,4\n7,8\n", "d.csv": b"x,z\n9,9\n"}


def site(root: str, files: dict[str, bytes]) -> Iterator[Record]:
    links = "".join(f'<a href="{name}">{name}</a> ' for name in files)
    yield Record(root, 200, "text/html", links.encode())
    for name, body in files.items():
        yield Record(root + name, 200, "text/csv", body)


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl with a second round, in which one file is new, one changed and one gone."""
    out = tmp_path_factory.mktemp("rounds") / "crawl"
    with SiteServer() as server:
        server.serve(site(server.url, OLD))
        run("crawl", server.url, "--out", out, "--quiet", "--delay", "0", "--policy", "bfs")
        server.serve(site(server.url, NEW))
        run("update", out, "--quiet", "--keep-versions", "--policy", "revisit-all")
    return out


@pytest.fixture
def reader(updated: Path) -> Iterator[TestClient]:
    with client_of(updated) as client:
        yield enter(client)


def test_finds_are_filtered_by_what_happened_in_a_round(reader: TestClient, updated: Path) -> None:
    finds = path_to(updated) + "/finds"
    page = page_of(reader, finds)

    def names(query: str) -> list[str]:
        _, *rows = rows_of(reader.get(f"{finds}.csv?{query}").text)
        return sorted(row[2].rpartition("/")[2] for row in rows)

    assert "round 2: changed (1)" in page
    assert names("") == ["a.csv", "b.csv", "c.csv", "d.csv"]
    assert names("news=2-new") == ["d.csv"]
    assert names("news=2-changed") == ["b.csv"]
    assert names("news=2-gone") == ["c.csv"]


def test_a_chart_has_as_many_finds_as_the_crawl(reader: TestClient, updated: Path) -> None:
    """Of five versions; the pages of both rounds are requests."""
    live = page_of(reader, path_to(updated) + "/")
    assert re.findall(r"<strong>(\d+)</strong><span>finds", live) == ["4"]
    assert re.findall(r">(\d+ finds) after", live) == ["4 finds"]


def test_a_dataset_that_an_api_lists_was_not_fetched(tmp_path: Path) -> None:
    with SiteServer() as server:
        server.serve(CkanPortal(7, host=server.url).get)
        run(
            "crawl",
            server.url,
            "--metadata-only",
            "--out",
            tmp_path / "c",
            "--quiet",
            "--delay",
            "0",
        )
    with client_of(tmp_path / "c") as client:
        enter(client)
        home = path_to(tmp_path / "c")
        assert re.findall(r">(\d+ finds) after", page_of(client, home + "/")) == ["7 finds"]
        number = re.search(r'/finds/(\d+)"', page_of(client, home + "/finds"))
        assert number is not None
        page = page_of(client, f"{home}/finds/{number[1]}")
    assert "An API listed this dataset; its files were not fetched." in page
    assert ("<dt>Listed</dt>" in page, "Fetched" in page, "fetched once" in page) == (
        True,
        False,
        False,
    )


def test_a_find_shows_its_versions(reader: TestClient, updated: Path) -> None:
    finds = path_to(updated) + "/finds"
    changed = re.search(r'/finds/(\d+)"', page_of(reader, f"{finds}?news=2-changed"))
    assert changed is not None
    _, *rows = rows_of(reader.get(f"{finds}/{changed[1]}/versions.csv").text)

    assert [row[4] for row in rows] == ["newest", ""]
    assert [int(row[3]) for row in rows] == [len(NEW["b.csv"]), len(OLD["b.csv"])]


def test_two_rounds_are_compared(reader: TestClient, updated: Path) -> None:
    name = path_to(updated).rpartition("/")[2]
    query = f"?first={name}.1&second={name}.2"
    page = page_of(reader, f"/compare{query}")
    _, *rows = rows_of(reader.get(f"/compare.csv{query}").text)

    assert "--rounds 1 2" in page
    assert sorted((row[0], row[1].rpartition("/")[2]) for row in rows) == [
        ("added", "d.csv"),
        ("changed", "b.csv"),
        ("gone", "c.csv"),
    ]
    assert reader.get(f"/compare?first={name}.1&second={name}").status_code == 400
