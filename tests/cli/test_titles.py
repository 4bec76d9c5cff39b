"""Titles and descriptions from a real crawl: redirects, several pages, a crawl that goes on."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.helpers import http, warc
from tests.live import run

ROOT = "http://s.example/"
PAGES = {
    "": """<title>Data | Office</title><p><a href=rents>Rents</a> <a href=births>Births</a>
        <p><a href=old.csv>CSV</a> <a href=get?id=7>here</a>""",
    "births": """<title>Births | Office</title><table><tr><th>Region<th>Title<th>File</tr>
        <tr><td>North<td>Births in the north<td><a href=n.csv>CSV</a></tr>
        <tr><td>South<td>Births in the south<td><a href=s.csv>CSV</a></tr></table>""",
    "rents": "<title>Rents | Office</title><p>Rents by year: <a href=old.csv>CSV</a>",
    "more": "<title>More | Office</title>",
}
FILES = {
    "new.csv": "year,rent\n2020,7\n",
    "get?id=7": "a,b\n1,2\n",
    "n.csv": "a\n1\n",
    "s.csv": "a\n2\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    bodies = {place: ("text/html", text) for place, text in PAGES.items()}
    bodies |= {place: ("text/csv", text) for place, text in FILES.items()}
    records = [
        warc(ROOT + place, http(text.encode(), Content_Type=mime))
        for place, (mime, text) in bodies.items()
    ]
    moved = http(status="301 Moved", Location=ROOT + "new.csv")
    path = tmp_path / "site.warc"
    path.write_bytes(b"".join([*records, warc(ROOT + "old.csv", moved)]))
    return path


def found(folder: Path) -> dict[str, tuple[str, str]]:
    listed = [json.loads(line) for line in run("list", folder, "--json").out.splitlines()]
    return {one["url"].removeprefix(ROOT): (one["title"], one["description"]) for one in listed}


EXPECTED = {
    "old.csv": ("Rents by year", "Rents by year"),
    "get?id=7": ("Data", None),
    "n.csv": ("Births in the north", "Region: North; Title: Births in the north; File: CSV"),
    "s.csv": ("Births in the south", "Region: South; Title: Births in the south; File: CSV"),
}


@pytest.mark.parametrize("requests", [None, 2, 4, 6])
def test_finds_are_called_what_their_pages_call_them(
    site: Path, tmp_path: Path, requests: int | None
) -> None:
    """The same whether the crawl is made at once or goes on after some requests."""
    out = tmp_path / "crawl"
    limit = () if requests is None else ("--requests", requests)
    words = ("--replica", site, "--policy", "bfs", "--quiet")
    assert run("crawl", *words, *limit, "--out", out).code == 0
    if limit:
        assert run("resume", out, "--requests", 100, "--quiet").code == 0

    assert found(out) == EXPECTED


def test_exports_have_the_same_texts(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    run("crawl", "--replica", site, "--policy", "bfs", "--quiet", "--out", out)

    for form in ("csv", "dcat", "datapackage"):
        assert run("export", out, "--to", form, "--output", tmp_path / form).code == 0
    with (tmp_path / "csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["url"]: (row["title"], row["description"]) for row in csv.DictReader(file)}
    assert rows == {ROOT + place: (one, two or "") for place, (one, two) in EXPECTED.items()}
    package = tmp_path / "datapackage" / "datapackage.json"
    for written in (tmp_path / "dcat", package):
        text = written.read_text(encoding="utf-8")
        assert "Births in the north" in text
        assert "Region: North" in text
