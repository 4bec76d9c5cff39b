"""A damaged crawl directory: what is sound is kept, and what is lost is said."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.repair import NothingSoundError, obstacle, repair
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.crawl_dir import CrawlDir
from tests.assembly.crawls import ROOT, begun, config_of, go_on


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl of the tiny site, to its end."""
    with begun(tmp_path / "c") as directory:
        go_on(make_crawl(config_of()), directory)
        directory.keep_end("exhausted")
    return tmp_path / "c"


def change(crawl: Path, *statements: str) -> None:
    with closing(sqlite3.connect(crawl / "crawl.sqlite")) as db, db:
        for statement in statements:
            db.execute(statement)


def test_a_sound_crawl_is_left_alone(crawl: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in crawl.rglob("*") if path.is_file()}
    done = repair(crawl)
    assert (done.damage, done.losses, done.notes) == ([], [], [])
    assert obstacle(crawl) == ""
    after = {path: path.stat().st_mtime_ns for path in crawl.rglob("*") if path.is_file()}
    assert {path for path in before if before[path] != after.get(path)} <= {crawl / "lock"}


def test_a_damaged_answer_is_asked_for_again(crawl: Path) -> None:
    change(crawl, "UPDATE answers SET links = x'00' WHERE number = 2")
    done = repair(crawl)
    assert "request 2" in done.damage[0]
    assert (done.requests, done.answers, done.finds) == (5, 4, 2)
    assert done.losses == ["answers: 1 damaged or left out"]
    with CrawlDir.open(crawl) as directory:
        assert directory.ended == ""
        assert len(directory.facts.rounds()) == 1
    assert obstacle(crawl) == ""
    assert repair(crawl).damage == []


def test_the_damaged_database_is_kept_and_its_log_is_not_read(crawl: Path) -> None:
    change(crawl, "UPDATE answers SET links = x'00' WHERE number = 2")
    (crawl / "crawl.sqlite-journal").touch()
    damaged = (crawl / "crawl.sqlite").read_bytes()
    (crawl / ".repair-left").mkdir()
    done = repair(crawl)
    assert done.original.parent == crawl
    assert done.original.name.startswith("damaged-")
    assert (done.original / "crawl.sqlite").read_bytes() == damaged
    assert not (crawl / "crawl.sqlite-journal").exists()
    assert not (crawl / ".repair-left").exists()  # of a repair that was killed
    assert (crawl / "metadata.json").is_file()


def test_files_that_are_lost_or_strange_are_named(crawl: Path) -> None:
    files = sorted(path for path in (crawl / "files").rglob("*") if path.is_file())
    files[0].unlink()
    (crawl / "files" / "mine.txt").write_text("mine")
    name = files[0].relative_to(crawl).as_posix()
    done = repair(crawl)
    assert done.damage == [f"{name} is missing"]
    assert f"{name}: lost or changed, requested again by resume" in done.losses
    assert done.notes == ["files that belong to no find, and are kept: 1"]
    assert done.finds == 1


def test_facts_that_are_lost_are_replaced(crawl: Path) -> None:
    change(crawl, "DELETE FROM meta WHERE key IN ('version', 'created_at')",
           "UPDATE meta SET value = '{' WHERE key = 'config'")  # fmt: skip
    done = repair(crawl)
    assert [one.partition(":")[0] for one in done.losses] == [
        "version", "created_at", "the options of the crawl",
    ]  # fmt: skip
    with CrawlDir.open(crawl, write=False) as directory:
        config = CrawlConfig.from_json(directory.config)
    assert (config.urls, config.policy) == ((ROOT,), "")


def test_where_nothing_is_sound_nothing_is_changed(crawl: Path) -> None:
    (crawl / "crawl.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(NothingSoundError, match="--begin-again"):
        repair(crawl)
    assert (crawl / "crawl.sqlite").read_bytes().endswith(b"xxx")
    assert not list(crawl.glob("damaged-*"))
    with pytest.raises(ConfigError, match="There is no crawl in"):
        repair(crawl / "files")


def test_what_keeps_a_repaired_crawl_from_going_on_is_said(crawl: Path) -> None:
    """But for code of others, which a repair does not run."""
    policy = "UPDATE meta SET value = json_set(value, '$.policy', '{}') WHERE key = 'config'"
    change(crawl, policy.format("nobody"), "UPDATE runs SET policy = 'nobody'")
    assert obstacle(crawl).startswith("the crawl cannot be resumed as it is: There is no policy")
    change(crawl, policy.format("mine:Deep"))
    assert obstacle(crawl) == ""


def test_a_folder_that_cannot_be_written_names_the_command(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    change(crawl, "UPDATE answers SET links = x'00' WHERE number = 2")
    monkeypatch.setattr("shutil.copy2", refuse)
    with pytest.raises(LodehoundError, match=f"run 'lodehound repair {crawl}' again"):
        repair(crawl)
