"""Databases of somebody else in which SQLite would run or unpack more than a crawl has stored."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.core.errors import LodehoundError
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.own_tables import refuse_computed
from lodehound.stores.database.schema import SCHEMA
from lodehound.stores.fleet import FleetStore
from lodehound.stores.records import Record
from lodehound.stores.zipped import unzipped
from tests.live import crawl_words, run, run_many

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT {0}.* FROM {0}, c"
VIEW = ["ALTER TABLE finds RENAME TO old", f"CREATE VIEW finds AS {ENDLESS.format('old')}"]
TRIGGER = ["CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM finds; END"]
GENERATED = ["ALTER TABLE finds ADD COLUMN big TEXT AS (hex(zeroblob(9))) VIRTUAL"]
INDEX = ["CREATE INDEX spin ON finds (hex(zeroblob(number)))"]
CHECK = ["DROP TABLE estimates", "CREATE TABLE estimates (requests CHECK (hex(zeroblob(9)) <> ''))"]
VIRTUAL = ["DROP TABLE finds", "CREATE VIRTUAL TABLE finds USING fts5 (url)"]
COMPUTED = [VIEW, TRIGGER, GENERATED, INDEX, CHECK, VIRTUAL]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    config = json.dumps({"urls": ["https://e.org/"], "want": "files"})
    CrawlDir.create(tmp_path / "finds", config=config, version="1").close()
    return tmp_path / "finds"


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize("statements", COMPUTED)
@pytest.mark.parametrize("write", [True, False])
def test_a_crawl_that_computes_is_damaged(crawl: Path, statements: list[str], write: bool) -> None:
    change(crawl / "crawl.sqlite", *statements)
    with pytest.raises(LodehoundError, match=r"is damaged .* 'lodehound repair"):
        CrawlDir.open(crawl, write=write)


@pytest.mark.parametrize("statements", [VIEW, TRIGGER])
def test_repair_keeps_the_rows_and_leaves_out_the_rest(
    tmp_path: Path, statements: list[str]
) -> None:
    """It answers in time: the rows are read from the pages of the file."""
    with SiteServer() as server:
        table = Record(f"{server.url}a.csv", 200, "text/csv", b"a,b\n1,2\n")
        page = Record(server.url, 200, "text/html", b'<a href="/a.csv">a</a>')
        server.serve([page, table])
        assert run(*crawl_words(server.url, out=tmp_path / "finds")).code == 0
    change(tmp_path / "finds" / "crawl.sqlite", *statements)
    commands = ["status", "repair", "status", "list"]
    done = run_many([[command, "finds"] for command in commands], tmp_path)
    assert [one.code for one in done] == [2, 0, 0, 0]
    assert f"{server.url}a.csv" in done[-1].out


def test_what_a_user_adds_for_datasette_may_stay(crawl: Path) -> None:
    change(
        crawl / "crawl.sqlite",
        "CREATE VIEW mine AS SELECT url FROM finds",
        "CREATE VIRTUAL TABLE words USING fts5 (title)",
        "CREATE INDEX mine_url ON finds (url, mime)",
        "CREATE TABLE notes (text TEXT CHECK (text <> ''))",
        'ALTER TABLE runs RENAME TO "older"',
        'ALTER TABLE "older" RENAME TO runs',
    )
    with CrawlDir.open(crawl) as opened:
        assert opened.version == "1"


def test_a_fleet_with_a_trigger_is_refused(tmp_path: Path) -> None:
    FleetStore.create(tmp_path, version="1").close()
    change(tmp_path / "fleet.sqlite", "CREATE TRIGGER t AFTER UPDATE ON sites BEGIN SELECT 1; END")
    with pytest.raises(LodehoundError, match="the trigger 't'"):
        FleetStore(tmp_path)


def test_our_own_schema_computes_nothing() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        refuse_computed(db)


@pytest.mark.parametrize("length", [0, 1, 99, 100])
def test_what_is_packed_is_unpacked(length: int) -> None:
    assert unzipped(zlib.compress(b"x" * length), 100) == b"x" * length


@pytest.mark.parametrize("packed", [zlib.compress(b"x" * 101), zlib.compress(b"x" * 9)[:-1], b""])
def test_a_bomb_and_half_of_something_are_refused(packed: bytes) -> None:
    with pytest.raises(zlib.error):
        unzipped(packed, 100)


def test_a_config_that_is_nested_too_deep_is_damage(crawl: Path) -> None:
    deep = "[" * 100_000
    change(crawl / "crawl.sqlite", f"UPDATE meta SET value = '{deep}' WHERE key = 'config'")
    commands = [["status", crawl], ["resume", crawl], ["report", crawl]]
    ends = [
        (done.code, "the config cannot be read" in done.err)
        for done in run_many(commands, crawl.parent)
    ]
    assert ends == [(2, True)] * len(commands)


def test_weights_that_are_nested_too_deep_are_damage(crawl: Path) -> None:
    deep = json.dumps({"urls": ["https://e.org/"], "weights_before": "[" * 100_000})
    change(crawl / "crawl.sqlite", f"UPDATE meta SET value = '{deep}' WHERE key = 'config'")
    done = run("status", crawl)
    assert (done.code, "'lodehound repair' replaces them" in done.err) == (2, True)
