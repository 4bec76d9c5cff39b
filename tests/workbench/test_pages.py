"""The ten screens on small crawls: what they say, and that every link on them leads somewhere."""

from __future__ import annotations

import csv
import html
import io
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.reports.crawls import SCRIPT
from tests.workbench.conftest import client_of, enter, path_to
from tests.workbench.test_security import first_find

SCREENS = ("/", "/finds", "/map", "/learned", "/skipped", "/control", "/exports")


def page_of(visitor: TestClient, path: str) -> str:
    """Return a page when its figures are counted."""
    for _ in range(200):
        response = visitor.get(path)
        assert response.status_code == 200, path
        if "Counting." not in response.text:
            return response.text
        time.sleep(0.05)
    raise AssertionError(f"{path} is still being counted")


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_every_link_on_every_screen_leads_somewhere(
    visitor: TestClient, crawl_folder: Path
) -> None:
    base = path_to(crawl_folder / "nasty")
    seen, waiting = set(), ["/", "/compare", "/start", *(base + screen for screen in SCREENS)]
    broken = []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.endswith("/exports/parquet"):  # it needs an extra
            continue
        response = visitor.get(path)
        while response.status_code == 503 and "still being counted" in response.text:
            response = visitor.get(path)
        if response.status_code != 200:
            broken.append((path, response.status_code))
        if response.headers["content-type"].startswith("text/html"):
            text = page_of(visitor, path)
            links = [
                html.unescape(link)
                for link in re.findall(r'(?:href|data-get|src)="(/[^"]*)"', text)
            ]
            waiting += [link for link in links if "office" not in link]

    assert broken == []
    assert len([path for path in seen if path.partition("?")[0].endswith(".csv")]) >= 12


def test_nothing_from_the_web_is_markup(visitor: TestClient, crawl_folder: Path) -> None:
    base, find = path_to(crawl_folder / "nasty"), first_find(crawl_folder / "nasty")
    paths = ["/", *(base + screen for screen in SCREENS), find, find + "/preview"]
    pages = [page_of(visitor, path) for path in paths]

    for page in pages:
        assert SCRIPT not in page
        assert "<img" not in page
        assert "\u2028" not in page
        assert re.findall(r"<script(?![^>]*src=\"/static/)", page) == []
        assert re.findall(r'\sstyle="|\son\w+="', page) == []
    assert any(html.escape(SCRIPT).replace("&#x27;", "&#39;") in page for page in pages)


def test_the_list_of_crawls_names_each_with_its_state(visitor: TestClient) -> None:
    page_of(visitor, "/")
    header, *rows = rows_of(visitor.get("/crawls.csv").text)

    found = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["crawl"], row["running"]) for row in found] == [("nasty", "no"), ("office", "no")]
    assert [row["ended"] for row in found] == [
        "every link was followed",
        "the budget of requests is spent",
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["a.csv", "b.csv"]),
        ("words=year", ["a.csv", "b.csv"]),
        ("words=YEA", ["a.csv", "b.csv"]),
        ("words=nowhere", []),
        ("rows=31", []),
        ("statistics=yes", ["a.csv", "b.csv"]),
        ("statistics=no", []),
        ("type=csv&section=s.example/", ["a.csv", "b.csv"]),
        ("type=pdf", []),
        ('words="*&order=size', ["a.csv", "b.csv"]),
    ],
)
def test_finds_are_searched_and_filtered(
    visitor: TestClient, crawl_folder: Path, query: str, names: list[str]
) -> None:
    finds = path_to(crawl_folder / "nasty") + "/finds"
    page_of(visitor, finds)
    _, *rows = rows_of(visitor.get(f"{finds}.csv?{query}").text)

    assert sorted(row[2].rpartition("/")[2] for row in rows) == names
    assert f"{len(names)} find" in page_of(visitor, f"{finds}?{query}")


def test_the_best_answer_comes_first(visitor: TestClient, crawl_folder: Path) -> None:
    finds = path_to(crawl_folder / "nasty") + "/finds"
    page_of(visitor, finds)
    _, *rows = rows_of(visitor.get(f"{finds}.csv?words=year+b").text)
    assert [row[2].rpartition("/")[2] for row in rows] == ["b.csv", "a.csv"]
    _, *rows = rows_of(visitor.get(f"{finds}.csv?words=year+b&order=first").text)
    assert [row[2].rpartition("/")[2] for row in rows] == ["a.csv", "b.csv"]


def test_a_find_has_a_preview_with_types_and_ranges(
    visitor: TestClient, crawl_folder: Path
) -> None:
    page = page_of(visitor, first_find(crawl_folder / "nasty") + "/preview")

    assert "30 rows, 2 columns" in page
    assert "year, <bdi>1990</bdi> to <bdi>2019</bdi>" in page
    assert "integer, <bdi>5970</bdi> to <bdi>6057</bdi>" in page


def test_a_find_says_where_it_was_linked_and_how_to_cite_it(
    visitor: TestClient, crawl_folder: Path
) -> None:
    page = page_of(visitor, first_find(crawl_folder / "nasty"))
    way = re.findall(r"<li>(.*?)</li>", page.partition('class="way"')[2].partition("</ol>")[0])

    assert [re.search(r'href="(.*?)"', step)[1] for step in way] == [  # type: ignore[index]
        "https://s.example/",
        "https://s.example/list",
        "https://s.example/a.csv",
    ]
    assert "@misc{s-example-" in page


def test_the_site_map_counts_what_was_not_visited(visitor: TestClient, crawl_folder: Path) -> None:
    base = path_to(crawl_folder / "office")
    assert 'class="treemap"' in page_of(visitor, f"{base}/map")
    page_of(visitor, f"{base}/finds")
    _, *rows = rows_of(visitor.get(f"{base}/sections.csv").text)
    finds, fetched, waiting = (sum(int(row[at]) for row in rows) for at in (1, 2, 3))

    _, *skipped = rows_of(visitor.get(f"{base}/skipped.csv?reason=budget").text)
    assert waiting == len(skipped) > 0
    assert finds == len(rows_of(visitor.get(f"{base}/finds.csv").text)) - 1
    assert fetched > finds


def test_two_crawls_are_compared(visitor: TestClient, crawl_folder: Path) -> None:
    names = [path_to(crawl_folder / name).rpartition("/")[2] for name in ("nasty", "office")]
    query = "?first={}&second={}".format(*names)
    page = page_of(visitor, f"/compare{query}")
    _, *rows = rows_of(visitor.get(f"/compare.csv{query}").text)

    assert {row[0] for row in rows} == {"added", "not reached"}
    assert "lodehound diff" in page


def test_a_crawl_of_another_format_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "crawl.sqlite")) as db, db:
        db.execute("CREATE TABLE meta (key, value)")
        db.execute("INSERT INTO meta VALUES ('format', '1'), ('version', '0.1.0')")
    before = (folder / "crawl.sqlite").read_bytes()
    with client_of(tmp_path) as client:
        enter(client)
        told = client.get("/").text
        answer = client.get(path_to(folder) + "/")

    assert "written by lodehound 0.1.0" in told
    assert answer.status_code == 503
    assert (folder / "crawl.sqlite").read_bytes() == before
