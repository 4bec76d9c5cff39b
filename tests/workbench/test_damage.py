"""Pages about a crawl whose database somebody else made: nothing in it makes a page fail."""

from __future__ import annotations

import math
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from lodehound.stores.repair.row_checks import tables
from lodehound.workbench.app import ROUTES
from tests.workbench.conftest import client_of, enter, path_to

SOUND = {200, 404, 503}
ODD = (math.inf, -math.inf, 1e308, -1.5, 2**62, "9e999", "NaN", b"\xff", "0001-01-01T00:00:00")
QUERIES = (
    "page=9e999&rows=NaN&order=1e308&table=-1",
    "page=99999999999999999999&rows=-1&table=1e9&by=9e999&reason=NaN",
    "rows=999999999&page=999999999&news=9e999-new&statistics=9e999&words=%00%ff",
    "first=9e999.9e999&second=.&news=-",
)


def pages_of(crawl: str) -> list[str]:
    """Return the paths of all pages about a crawl, but for the streams of events."""
    paths = [
        route.path for route in ROUTES if isinstance(route, Route) and "GET" in _methods(route)
    ]
    paths = [path for path in paths if "events" not in path and "{format}" not in path]
    made = [path.replace("/crawl/{crawl}", crawl).replace("{number:int}", "2") for path in paths]
    name = crawl.rpartition("/")[2]
    return [
        *made,
        f"/compare?first={name}&second={name}",
        f"/compare.csv?first={name}&second={name}",
    ]


def _methods(route: Route) -> set[str]:
    return route.methods or set()


def spoil(crawl: Path, table: str, value: Any) -> None:
    """Put a value into every cell of a table that takes it."""
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        for column in tables()[table]:
            with suppress(sqlite3.Error):
                db.execute(f"UPDATE {table} SET {column.name} = ?", (value,))


@pytest.mark.soak
@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("table", sorted(tables()))
def test_every_page_says_what_is_wrong(
    crawl_folder: Path, tmp_path: Path, table: str, value: Any
) -> None:
    look_at_all_pages(crawl_folder, tmp_path, table, value)


@pytest.mark.parametrize("value", [math.inf, "9e999", b"\xff"], ids=repr)
@pytest.mark.parametrize("table", ["answers", "asks", "finds", "meta", "rounds", "estimates"])
def test_pages_say_what_is_wrong(
    crawl_folder: Path, tmp_path: Path, table: str, value: Any
) -> None:
    look_at_all_pages(crawl_folder, tmp_path, table, value)


def test_the_page_of_a_damaged_crawl_names_the_damage(crawl_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(crawl_folder / "nasty", tmp_path / "odd")
    with closing(sqlite3.connect(tmp_path / "odd" / "crawl.sqlite")) as db, db:
        db.execute("UPDATE answers SET at = 9e999")
    with client_of(tmp_path) as client:
        enter(client)
        live = client.get(f"{path_to(tmp_path / 'odd')}/")
        others = client.get("/")

    assert (live.status_code, "at is of the wrong type" in live.text) == (503, True)
    assert (others.status_code, "odd" in others.text) == (200, True)


@pytest.mark.parametrize("query", QUERIES)
def test_odd_numbers_in_a_query_are_ignored(
    visitor: TestClient, crawl_folder: Path, query: str
) -> None:
    for path in pages_of(path_to(crawl_folder / "office")):
        joined = "&" if "?" in path else "?"
        assert visitor.get(f"{path}{joined}{query}").status_code in {200, 400, 404}, path


def look_at_all_pages(crawl_folder: Path, tmp_path: Path, table: str, value: Any) -> None:
    shutil.copytree(crawl_folder / "nasty", tmp_path / "odd")
    spoil(tmp_path / "odd", table, value)
    with client_of(tmp_path) as client:
        enter(client)
        for path in pages_of(path_to(tmp_path / "odd")):
            assert client.get(path).status_code in SOUND, path
