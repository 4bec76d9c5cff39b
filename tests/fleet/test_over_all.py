"""What there is over all sites of a fleet: one list, one catalogue, one report, one update."""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.fleet import HASTE, listed, status
from tests.fleet.web import SmallWeb, small_web
from tests.live import query, refusing, run, run_many

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")


def finds(web: SmallWeb) -> set[tuple[str, str, str]]:
    """Return site, URL and file of every find."""
    found = set()
    for site in range(web.sites):
        name, folder = f"{web.host(site)}-{web.port}", f"{web.host(site)}_{web.port}"
        for number in range(0, web.pages, 2):
            file = f"sites/{name}/files/{folder}/table-{number}.csv"
            found.add((name, web.url(site, f"/table-{number}.csv"), file))
    return found


def test_commands_over_all_sites(tmp_path: Path) -> None:
    """The dead site has no directory, and disturbs nothing."""
    out = tmp_path / "out"
    with small_web(sites=2, pages=6) as web:
        with refusing() as dead:
            sites = listed(tmp_path, [*web.urls, dead])
            assert run("fleet", sites, "--out", out, "--jobs", 1, *HASTE).code == 0
        everything = finds(web)
        formats = ("csv", "jsonl", "parquet", "sqlite")
        words: list[list[object]] = [["fleet", "list", out], ["fleet", "report", out]]
        words += [
            ["fleet", "export", out, "--to", form, "--output", tmp_path / f"all.{form}"]
            for form in formats
        ]
        words += [["fleet", "export", out, "--to", "csv", "--output", tmp_path / "all.csv"]]
        words += [["fleet", "list", out, "--like", "table-4"]]
        words += [["fleet", "export", out, "--to", form, "--output", "-"] for form in formats]
        list_, report, *exports, again, some, by_csv, by_jsonl, by_parquet, _ = run_many(
            words, tmp_path
        )
        assert {tuple(line.split("\t")[:3]) for line in list_.out.splitlines()} == everything
        assert len(some.out.splitlines()) == 2
        assert [export.code for export in exports] == [0] * 4
        assert (again.code, "add --force" in again.err) == (2, True)
        with (tmp_path / "all.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(csv.DictReader(by_csv.out.splitlines())) == rows
        lines = (tmp_path / "all.jsonl").read_text().splitlines()
        assert by_jsonl.out.splitlines() == lines
        assert (by_parquet.code, "name a file" in by_parquet.err) == (2, True)
        with closing(sqlite3.connect(tmp_path / "all.sqlite")) as db:
            table = set(db.execute("SELECT site, final_url, file FROM catalogue"))
        parquet = pq.read_table(tmp_path / "all.parquet").to_pylist()
        for catalogue in (rows, [json.loads(line) for line in lines], parquet):
            assert {(r["site"], r["final_url"], r["file"]) for r in catalogue} == everything
        assert table == everything
        assert all((out / file).is_file() for _, _, file in everything)
        index = Path(report.out.strip())
        assert index == out / "report" / "index.html"
        page = index.read_text()
        for site in {site for site, _, _ in everything}:
            assert f'<a href="{site}.html">' in page
            assert (index.parent / f"{site}.html").read_text().startswith("<!DOCTYPE html>")

        before = len(web.asked())
        updated = run("fleet", "update", out, "--jobs", 1, "--quiet")
        assert (updated.code, updated.said) == (0, "")
        assert len(web.asked()) > before
        for site in {site for site, _, _ in everything}:
            rounds = query(out / "sites" / site, "SELECT count(*) FROM rounds")
            assert rounds == [(2,)]
        assert sorted(one["state"] for one in status(out).values()) == ["ended", "ended", "failed"]
