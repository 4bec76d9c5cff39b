"""Sound rows of a database, also of one that an earlier version made."""

from __future__ import annotations

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.stores.repair.salvage import salvage

CRAWLS = Path(__file__).parents[2] / "live" / "data" / "crawls-0.1.0.tar.xz"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The database of a crawl that version 0.1.0 began."""
    with tarfile.open(CRAWLS) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "scratch").mkdir()
    return tmp_path / "lodehound" / "crawl.sqlite"


def test_a_crawl_of_an_earlier_version_is_brought_up_to_date(old: Path) -> None:
    """In a copy: the file itself stays as it is."""
    before = old.read_bytes()
    saved = salvage(old, old.parents[1] / "scratch")
    assert not saved.damaged
    assert len(saved.tables["asks"]) > 40
    assert [row["policy"] for row in saved.tables["runs"].values()] == ["lodehound"]
    assert len(saved.tables["rounds"]) == 1
    assert old.read_bytes() == before


@pytest.mark.parametrize("value", ["abc", "99", ""])
def test_a_format_that_is_damaged_is_no_reason_to_lose_the_rows(old: Path, value: str) -> None:
    with closing(sqlite3.connect(old)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (value,))
    saved = salvage(old, old.parents[1] / "scratch")
    assert len(saved.tables["answers"]) > 20
    assert not saved.tables["runs"]
