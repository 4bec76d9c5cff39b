"""Crawls that version 0.1.0 began are continued by this one.

``data/crawls-0.1.0.tar.xz`` holds a generated site and two crawls of it, both killed in the
middle. Version 0.1.0 made them:

    StatsOffice(pages=40, files=16, redirects=4, seed=3, host="http://stats.example/").records()
    lodehound crawl http://stats.example/ --policy POLICY --seed 1 --proxy SERVER --delay 0
        --concurrency 8 --no-inspect

with POLICY ``lodehound`` and ``sb-classifier:b=4``. SERVER waited 30 ms before each answer; the
crawl was killed (SIGKILL) when it had 50 requests. Then the write-ahead log was merged into
``crawl.sqlite``, to make the archive smaller.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Damage
from lodehound.stores.warc import read_warc, write_warc
from tests.live import crawl, query, resume, run, run_many

CRAWLS = Path(__file__).parent / "data" / "crawls-0.1.0.tar.xz"
START = "http://stats.example/"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SiteServer]:
    """Unpack the crawls, and serve the site as a proxy, so that it is at its old address."""
    with tarfile.open(CRAWLS) as archive:
        archive.extractall(tmp_path, filter="data")
    with SiteServer(read_warc(tmp_path / "site.warc", Damage())) as server:
        yield server


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lodehound", []),
        ("sb-classifier", []),
        ("lodehound", ["--policy", "bfs"]),
        ("sb-classifier", ["--policy", "lodehound", "--seed", 3]),
    ],
)
def test_nothing_is_lost_and_nothing_is_found_twice(
    tmp_path: Path, server: SiteServer, name: str, words: list[object]
) -> None:
    """It comes to the finds of a new crawl, and asks for nothing that was answered."""
    fresh = crawl(START, "--proxy", server.url, "--quiet", out=tmp_path / "fresh")
    asked_before = len(server.log)
    answered = query(
        tmp_path / name, "SELECT method, asks.url FROM asks JOIN answers USING (number)"
    )

    done = resume(tmp_path / name, "--proxy", server.url, "--quiet", *words)

    assert (done.code, done.said) == (0, "")
    assert len(fresh.finds) == 16
    assert done.finds == fresh.finds
    assert len(query(done.path, "SELECT * FROM finds")) == 16
    asks = query(done.path, "SELECT method, url FROM asks")
    assert len(set(asks)) == len(asks)
    asked = {(one.method, one.path) for one in server.log[asked_before:]}
    assert asked.isdisjoint(answered)
    assert asked == set(asks) - set(answered) | {("GET", START + "robots.txt")}


def test_a_crawl_of_0_1_0_can_be_updated(tmp_path: Path, server: SiteServer) -> None:
    """It kept no hashes of pages: what shows the same links is the same."""
    proxy = ("--proxy", server.url, "--quiet")
    resume(tmp_path / "lodehound", *proxy)
    asked_before = query(tmp_path / "lodehound", "SELECT max(number) FROM asks")[0][0]

    done = run("update", tmp_path / "lodehound", *proxy, out=tmp_path / "lodehound")

    assert (done.code, done.said) == (0, "")
    changes = query(
        done.path,
        f"SELECT change, count(*) FROM contents WHERE number > {asked_before} GROUP BY 1",
    )
    assert {change for change, _ in changes} == {"same"}


PRIOR = {"prior": "/gone/prior.json", "prior_weights": '{"7": [1.0, 1.0]}'}


def begin_with_a_prior(database: Path, table: str, column: str) -> None:
    """Store what crawls with --prior stored, and the table in which a policy kept its lessons."""
    with closing(sqlite3.connect(database)) as db, db:
        [(stored,)] = db.execute(f"SELECT {column} FROM {table} WHERE {column} LIKE '{{%'")
        changed = json.dumps(json.loads(stored) | PRIOR)
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (changed, stored))
        db.execute("CREATE TABLE lessons (id INTEGER PRIMARY KEY, learned BLOB NOT NULL)")
        db.execute("INSERT INTO lessons VALUES (1, x'00')")


def test_a_crawl_that_began_with_a_prior_goes_on_without(tmp_path: Path) -> None:
    """One line says so; crawls and fleets that stored one open as all others."""
    write_warc(tmp_path / "a.warc.gz", StatsOffice(pages=40, files=12).records())
    (tmp_path / "sites.csv").write_text(f"url\n{StatsOffice().host}\n")
    crawls: list[list[object]] = [
        ["crawl", "--replica", "a.warc.gz", "--requests", 10, "--no-inspect", "--quiet"],
        [
            "fleet",
            "sites.csv",
            "--replica",
            tmp_path / "a.warc.gz",
            "--requests-per-site",
            10,
            "--jobs",
            1,
        ],
    ]
    assert {done.code for done in run_many(crawls, tmp_path)} == {0}
    begin_with_a_prior(tmp_path / "finds" / "crawl.sqlite", "meta", "value")
    begin_with_a_prior(tmp_path / "fleet" / "fleet.sqlite", "sites", "options")

    commands: list[list[object]] = [
        ["status", "finds"],
        ["resume", "finds", "--requests", "none", "--quiet"],
        ["update", "finds", "--quiet"],
        ["repair", "finds"],
        ["fleet", "update", "fleet", "--jobs", 1, "--quiet"],
    ]
    said = "note: this was begun with --prior, which no longer exists: it goes on without it\n"
    for done, note in zip(run_many(commands, tmp_path), ["", said, "", "", said], strict=True):
        assert (done.code, done.err) == (0, note), done.said
    assert len(query(tmp_path / "finds", "SELECT * FROM finds")) == 12
