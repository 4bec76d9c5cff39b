"""Making, opening and refusing crawl directories."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.crawl_dir import CrawlDir, existing
from lodehound.stores.database import connect, crawl_database
from lodehound.stores.database.schema import FORMAT
from tests.stores.crawl_dir.driving import Driver, begin


def test_what_a_crawl_is_told_is_kept(tmp_path: Path) -> None:
    """Config, version and time; the folders above are made."""
    path = tmp_path / "a" / "b"
    with CrawlDir.create(path, config='{"é": 1}', version="1.2") as made:
        assert (made.path, made.config, made.version) == (path, '{"é": 1}', "1.2")
        since = datetime.now(UTC) - datetime.fromisoformat(made.created_at)
        assert abs(since.total_seconds()) < 3600
    with CrawlDir.open(path) as opened:
        kept = (opened.config, opened.version, opened.created_at)
        assert kept == ('{"é": 1}', "1.2", made.created_at)
        opened.keep_config("{}")
    with CrawlDir.open(path, write=False) as opened:
        assert (opened.config, opened.version) == ("{}", "1.2")


def test_a_crawl_is_not_begun_twice(tmp_path: Path) -> None:
    """The message says how to continue it, whether it runs or not."""
    with begin(tmp_path / "c") as directory:
        Driver(directory).run()
        with pytest.raises(ConfigError, match="is a crawl already: continue it"):
            begin(tmp_path / "c")
    with pytest.raises(ConfigError, match=f"lodehound resume {tmp_path / 'c'}"):
        begin(tmp_path / "c")


def test_a_crawl_that_reached_nothing_is_replaced_unless_it_runs(tmp_path: Path) -> None:
    with begin(tmp_path), pytest.raises(ConfigError, match="is being crawled by process"):
        begin(tmp_path)
    begin(tmp_path).close()


def test_other_peoples_folders_are_left_alone(tmp_path: Path) -> None:
    """Neither a folder with something in it nor a file becomes a crawl."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is not empty"):
        begin(tmp_path)
    with pytest.raises(ConfigError, match="is a file"):
        begin(tmp_path / "notes.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_files_without_a_journal_are_somebodys(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "x.csv").touch()
    with pytest.raises(ConfigError, match="is not empty"):
        begin(tmp_path)


def test_a_crawl_that_was_never_begun_is_begun(tmp_path: Path) -> None:
    """Killed while it was made, a directory holds no crawl: make it again."""
    (tmp_path / "lock").touch()
    (tmp_path / "files").mkdir()
    sqlite3.connect(tmp_path / "crawl.sqlite").close()
    with pytest.raises(ConfigError, match="There is no crawl in"):
        CrawlDir.open(tmp_path)
    begin(tmp_path).close()
    CrawlDir.open(tmp_path).close()


@pytest.mark.parametrize("write", [True, False])
def test_no_crawl_is_no_crawl(tmp_path: Path, write: bool) -> None:
    """Looking for a crawl makes nothing."""
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match="There is no crawl in"):
            CrawlDir.open(path, write=write)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SiteError, match="cannot be written"):
        begin(tmp_path / "file" / "below")


def test_looking_on_while_somebody_crawls(tmp_path: Path) -> None:
    """What is committed is seen at once, and nothing is disturbed."""
    with begin(tmp_path) as directory:
        driver = Driver(directory, in_flight=3)
        for committed in driver.turns():
            if committed and len(driver.steps) % 20 == 0:
                with CrawlDir.open(tmp_path, write=False) as seen:
                    summary = seen.summary()
                    assert summary.finds == driver.crawl.finds
                    assert summary.requests + len(driver.flying) == driver.crawl.requests
                    assert len(list(seen.finds)) == summary.finds


# --- other formats ---------------------------------------------------------------------------


def in_format(path: Path, number: int) -> None:
    with begin(path) as directory:
        directory.facts.change_meta("format", str(number))


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    in_format(tmp_path, FORMAT + 1)
    with pytest.raises(ConfigError, match=r"newer than this version's \d+: update lodehound"):
        CrawlDir.open(tmp_path)
    with pytest.raises(ConfigError, match="is a crawl already"):
        begin(tmp_path)


def test_an_older_format_nobody_knows_is_refused(tmp_path: Path) -> None:
    in_format(tmp_path, 0)
    with pytest.raises(ConfigError, match=r"pip install lodehound==1\.0"):
        CrawlDir.open(tmp_path)


def add_colour(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE finds ADD COLUMN colour TEXT DEFAULT 'red'")


def spoil(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE waits")
    db.execute("this is no SQL")


def change_formats(patched: pytest.MonkeyPatch, name: str, value: object) -> None:
    for module in (existing, crawl_database):
        patched.setattr(module, name, value)


def test_an_older_format_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step by step, once, also for somebody who only looks on."""
    begin(tmp_path).close()
    now = FORMAT
    change_formats(monkeypatch, "FORMAT", now + 2)
    change_formats(monkeypatch, "MIGRATIONS", {now: add_colour, now + 1: lambda db: None})
    for write in (False, True):
        with CrawlDir.open(tmp_path, write=write) as directory:
            assert directory.facts.meta()["format"] == str(now + 2)
            names = directory.database._db.execute("PRAGMA table_info(finds)")
            assert [row["name"] for row in names].count("colour") == 1


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path).close()
    now = FORMAT
    with monkeypatch.context() as patched:
        change_formats(patched, "FORMAT", now + 1)
        change_formats(patched, "MIGRATIONS", {now: spoil})
        with pytest.raises(SiteError, match="syntax error"):
            CrawlDir.open(tmp_path)
    with CrawlDir.open(tmp_path) as directory:
        assert list(directory.journal.events()) == []


def test_a_crawl_that_cannot_be_written_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk where SQLite may make no file beside it, it is read as it lies there."""
    begin(tmp_path).close()
    opened = connect._opened

    def refused(name: str, *, write: bool, patience: float) -> sqlite3.Connection:
        if "immutable" not in name:
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return opened(name, write=write, patience=patience)

    monkeypatch.setattr(connect, "_opened", refused)
    with CrawlDir.open(tmp_path, write=False) as directory:
        assert list(directory.finds) == []
    (tmp_path / "crawl.sqlite-wal").write_bytes(b"not yet in the file")
    with pytest.raises(SiteError, match="readonly"):
        CrawlDir.open(tmp_path, write=False)
