"""Crawl directories of older formats go on in ours."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.core.messages import Answer, Page
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.wanted import Wanted
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.facts import RunRow
from lodehound.stores.database.migrations import NEW_IN_3, NEW_IN_4, NEW_IN_5
from lodehound.stores.database.packed import Sleep
from lodehound.stores.database.schema import SCHEMA, VIEWS
from lodehound.stores.locks.lock import Lock
from lodehound.stores.log.events import Asked, Waited
from tests.exports.crawls import CSV, add, begin
from tests.stores.log.test_journal import a_choice, a_step, an_ask

OLD_FINDS = """CREATE TABLE finds (
    number INTEGER PRIMARY KEY, url TEXT, final_url TEXT, file TEXT, mime TEXT, declared_mime TEXT,
    bytes INTEGER, cut INTEGER, sha256 TEXT, last_modified TEXT, etag TEXT,
    content_disposition TEXT, fetched_at TEXT, found_on TEXT, anchor TEXT, tag_path TEXT,
    depth INTEGER, why TEXT)"""


def drop_what_is_new(db: sqlite3.Connection) -> None:
    """Drop the tables that format 2 did not have."""
    kinds = {statement.split()[2]: statement.split()[1] for statement in SCHEMA}
    for name in (*NEW_IN_3, *NEW_IN_4, *NEW_IN_5):
        db.execute(f"DROP {kinds[name]} IF EXISTS {name}")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A crawl of one request, as format 1 wrote it."""
    ask = an_ask()
    with CrawlDir.create(tmp_path, config="{}", version="0.1") as directory:
        directory.journal.asked(ask, a_choice(ask), ())
        directory.journal.waited(())
        page, answer = Page(ask.url, "GET", 200, "text/html"), Answer(ask, 200)
        step = a_step(answer)
        directory.answered(answer, page, step, at=1.0, find=None)
    db = sqlite3.connect(tmp_path / "crawl.sqlite")
    for view in VIEWS:
        db.execute(f"DROP VIEW {view}")
    drop_what_is_new(db)
    for place in ("TABLE inspections", "TABLE finds", "INDEX answers_url"):
        db.execute(f"DROP {place}")
    db.execute("ALTER TABLE answers DROP COLUMN title")
    db.execute("ALTER TABLE answers RENAME COLUMN details TO other")  # SQLite cannot drop the last
    db.execute(OLD_FINDS)
    for number, cut in ((1, 0), (2, 1)):
        row = (number, "u", "u", f"files/e/f{number}", "m", "m", 3, cut, "ab", *["x"] * 7, 2, "why")
        db.execute(f"INSERT INTO finds VALUES ({', '.join('?' * 18)})", row)
    db.execute("UPDATE asks SET asleep = '[\"a.example\"]'")
    db.execute("UPDATE waits SET asleep = NULL")
    db.execute("ALTER TABLE asks DROP COLUMN crawl_group")
    db.execute("UPDATE asks SET why = 'lists of files: 3 each'")
    db.execute("UPDATE meta SET value = '1' WHERE key = 'format'")
    db.commit()
    db.close()
    return tmp_path


def test_the_catalogue_is_kept(old: Path) -> None:
    """What was cut is no longer hashed."""
    with CrawlDir.open(old) as directory:
        finds = list(directory.finds)
        pending = directory.finds.not_inspected()
    assert [(find.truncated, find.sha256, find.size) for find in finds] == [
        (False, "ab", 3),
        (True, "", 3),
    ]
    assert pending == [("files/e/f1", "m")]


def test_lists_of_sleeping_hosts_become_whole_ones(old: Path) -> None:
    """What format 1 wrote with every event was all that slept, and NULL when nobody did."""
    with CrawlDir.open(old) as directory:
        asked, waited, answered = directory.journal.events()
    assert isinstance(asked, Asked)
    assert isinstance(waited, Waited)
    assert asked.sleep == Sleep(frozenset({"a.example"}), whole=True)
    assert waited.sleep == Sleep(whole=True)
    assert answered.verdict.details == ""  # type: ignore[union-attr]


def test_groups_are_read_from_reasons_once(old: Path) -> None:
    """Before format 3 the name of a group stood only before the colon of a reason."""
    with CrawlDir.open(old, write=False) as directory:
        asked = next(directory.journal.events())
    assert isinstance(asked, Asked)
    assert (asked.group, asked.why) == ("lists of files", "lists of files: 3 each")


def format_2(path: Path) -> None:
    """Turn a new crawl directory into one of format 2."""
    db = sqlite3.connect(path / "crawl.sqlite")
    db.execute("ALTER TABLE asks DROP COLUMN crawl_group")
    db.execute("DROP VIEW catalogue")
    drop_what_is_new(db)
    db.execute("CREATE VIEW catalogue AS SELECT * FROM finds")
    db.execute("UPDATE meta SET value = '2' WHERE key = 'format'")
    db.commit()
    db.close()


def test_a_crawl_of_format_2_had_the_policy_of_its_config(tmp_path: Path) -> None:
    config = '{"policy": "bfs", "seed": 3}'
    with CrawlDir.create(tmp_path, config=config, version="0.1") as directory:
        began_at = directory.created_at
    format_2(tmp_path)

    with CrawlDir.open(tmp_path) as directory:
        assert directory.facts.run_of(9) == RunRow(1, "0.1", "bfs", 3, began_at)


def test_a_crawl_of_format_2_gets_the_tables_and_views_of_a_new_one(tmp_path: Path) -> None:
    CrawlDir.create(tmp_path, config="{}", version="0.1").close()
    format_2(tmp_path)
    CrawlDir.open(tmp_path).close()

    db = sqlite3.connect(tmp_path / "crawl.sqlite")
    made = dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE sql <> ''"))
    db.close()
    expected = {statement.split()[2]: statement for statement in SCHEMA}
    del made["asks"], expected["asks"]  # a column was dropped and added again
    assert made == expected


def test_a_crawl_of_format_3_gets_captions_and_keeps_its_titles(tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor="Births")
    with closing(sqlite3.connect(path / "crawl.sqlite")) as db, db:
        for table in ("captions", "entries", "catalogued", "dataset_changes"):
            db.execute(f"DROP TABLE {table}")
        db.execute("UPDATE meta SET value = '3' WHERE key = 'format'")

    with Catalogue(path) as catalogue:
        assert [(entry.title, entry.about) for entry in catalogue.entries()] == [("Births", "")]


def test_an_older_crawl_that_is_in_use_is_read_as_a_copy(tmp_path: Path) -> None:
    """Another process may hold its lock, or its disk may be read-only: nothing is changed there."""
    path = tmp_path / "crawl"
    with begin(path) as directory:
        add(directory, "a.csv", CSV, anchor="Births")
    with closing(sqlite3.connect(path / "crawl.sqlite")) as db, db:
        for table in ("captions", "entries", "catalogued", "dataset_changes"):
            db.execute(f"DROP TABLE {table}")
        db.execute("UPDATE meta SET value = '3' WHERE key = 'format'")
    lock = Lock(path)

    with Catalogue(path, Wanted(like="bir")) as catalogue:
        assert [entry.title for entry in catalogue.entries()] == ["Births"]
    with CrawlDir.open(path, write=False) as directory:
        assert directory.summary().finds == 1
    lock.release()
    with closing(sqlite3.connect(path / "crawl.sqlite")) as db:
        assert db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone() == ("3",)
