"""When the next update pays, by estimate."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from lodehound.reports import next_update as module
from lodehound.reports.next_update import next_update
from lodehound.stores.crawl_dir import CrawlDir

DAY = "Mon, 01 Jun 2026 12:00:00 GMT"


@pytest.fixture
def dated(office_crawl: Path, tmp_path: Path) -> Path:
    """A crawl whose files were all modified 30 days before."""
    path = tmp_path / "crawl"
    shutil.copytree(office_crawl, path)
    with sqlite3.connect(path / "crawl.sqlite") as db:
        db.execute(
            "UPDATE finds SET last_modified = ?, fetched_at = '2026-07-01T12:00:00+00:00'", (DAY,)
        )
        db.execute("UPDATE rounds SET began_at = '2026-07-01T12:00:00+00:00'")
    return path


def files(path: Path) -> int:
    with sqlite3.connect(path / "crawl.sqlite") as db:
        return int(db.execute("SELECT count(*) FROM finds").fetchone()[0])


def test_files_of_the_last_ninety_days_make_a_rate(dated: Path) -> None:
    """Something is new with 95 % probability after ln(20) times the mean interval."""
    with CrawlDir.open(dated) as directory:
        update = next_update(directory)

    assert update is not None
    assert update.per_day == pytest.approx((files(dated) + 0.5) / 90)
    days = (
        datetime.fromisoformat(update.at) - datetime.fromisoformat("2026-07-01T12:00+00:00")
    ).days
    assert days == int(2.9957 / update.per_day)
    assert update.basis == "the dates of the files"


def test_rounds_within_an_hour_make_no_rate(dated: Path) -> None:
    """Two rounds within a minute and a new file made thousands of files a day."""
    with CrawlDir.open(dated) as directory:
        directory.begin_round()
    for hours, basis in ((0.5, "the dates of the files"), (2, "the last update")):
        later = datetime.fromisoformat("2026-07-01T12:00+00:00") + timedelta(hours=hours)
        with sqlite3.connect(dated / "crawl.sqlite") as db:
            db.execute("UPDATE rounds SET began_at = ? WHERE number = 2", (later.isoformat(),))
        with CrawlDir.open(dated) as directory:
            update = next_update(directory)
        assert (update and update.basis) == basis


def test_a_sample_of_a_large_crawl_gives_about_the_same_rate(
    dated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every third request is looked at, and its finds count three times."""
    monkeypatch.setattr(module, "SAMPLE", 40)
    with CrawlDir.open(dated) as directory:
        update = next_update(directory)

    assert update is not None
    assert update.per_day == pytest.approx((files(dated) + 0.5) / 90, rel=0.4)
    assert update.per_day != pytest.approx((files(dated) + 0.5) / 90, rel=1e-6)


def test_a_clock_at_the_end_of_time_allows_no_estimate(dated: Path) -> None:
    with sqlite3.connect(dated / "crawl.sqlite") as db:
        db.execute("UPDATE rounds SET began_at = '9999-12-31T23:59:59+00:00'")
    with CrawlDir.open(dated, write=False) as directory:
        assert next_update(directory) is None


def test_dates_without_a_time_zone_are_those_of_utc(dated: Path) -> None:
    """A tool may have written them."""
    with sqlite3.connect(dated / "crawl.sqlite") as db:
        db.execute("UPDATE rounds SET began_at = '2026-07-01T12:00:00'")
        db.execute("INSERT INTO rounds VALUES (2, 9999, 0, 0.0, '2026-07-11T12:00:00+00:00', '')")
    with CrawlDir.open(dated, write=False) as directory:
        update = next_update(directory)
    assert update is not None
    assert update.basis == "the last update"
