"""A directory is taken over from a process that is frozen in the middle of a write."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.connect import connected
from lodehound.stores.errors import WriteError
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.locks import seizing
from lodehound.stores.locks.lock import holder
from lodehound.stores.locks.seizing import seize


def test_what_the_former_holder_writes_is_seen_by_nobody(tmp_path: Path) -> None:
    """It keeps its lock and an open transaction; the new holder starts from what was committed."""
    old = CrawlDir.create(tmp_path / "c", config="{}", version="1")
    old.database.share()
    old.keep_config('{"kept": 1}')
    old.journal.waited(())  # begins a transaction
    seize(tmp_path / "c")
    assert holder(tmp_path / "c") == ""
    with CrawlDir.open(tmp_path / "c") as new:
        assert new.config == '{"kept": 1}'
        new.database.share()
        new.journal.waited(())
        with contextlib.suppress(WriteError):  # SQLite may notice
            old.keep_config('{"zombie": 1}')
        with contextlib.suppress(WriteError):
            old.close()
        new.keep_config('{"kept": 2}')
    with CrawlDir.open(tmp_path / "c", write=False) as seen:
        assert seen.config == '{"kept": 2}'


ROWS = [(number, "before " * 50) for number in range(500)]


@contextmanager
def half_committed(path: Path) -> Iterator[None]:
    """Hold a database like a process that is frozen within a commit: locked, half written."""
    with closing(sqlite3.connect(path, isolation_level=None)) as former:
        former.execute("PRAGMA journal_mode = TRUNCATE")
        former.execute("PRAGMA cache_size = 2")
        former.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
        former.execute("BEGIN")
        former.executemany("INSERT INTO rows VALUES (?, ?)", ROWS)
        former.execute("COMMIT")
        former.execute("BEGIN EXCLUSIVE")
        former.execute("UPDATE rows SET text = 'after ' || number")  # more than memory may hold
        yield


def test_half_a_commit_is_read_by_nobody(tmp_path: Path) -> None:
    """While its writer is frozen there is no reading; when it was killed, the commit is undone."""
    path, left = tmp_path / DATABASE, tmp_path / "left"
    left.mkdir()
    with half_committed(path):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            connected(path, write=False, patience=0.1)
        for name in (DATABASE, f"{DATABASE}-journal"):
            shutil.copyfile(tmp_path / name, left / name)
    assert b"after 400" in (left / DATABASE).read_bytes()
    with closing(connected(left / DATABASE, write=False)) as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM rows")] == ROWS


def test_a_holder_that_was_stopped_within_a_commit_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock keeps even readers out, and half of the commit is in the file."""
    monkeypatch.setattr(seizing, "PATIENCE", 0.1)
    path = tmp_path / DATABASE
    (tmp_path / "lock").touch()
    with half_committed(path):
        seize(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT * FROM rows").fetchall() == ROWS
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert sorted(one.name for one in tmp_path.iterdir()) == [DATABASE]
