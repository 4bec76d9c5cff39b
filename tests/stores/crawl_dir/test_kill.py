"""A crawl killed at any instant is whole when it is opened again. So is one on a full disk."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lodehound.core.errors import LodehoundError
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError
from tests.stores.crawl_dir.driving import Driver, begin, outcome, records

KILLS = 6


def start(path: Path, *more: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.stores.crawl_dir.driving", path, *more]
    return subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )


def is_whole(directory: CrawlDir) -> None:
    """Every find has its file; every file is a whole one; nothing temporary is left."""
    whole = {hashlib.sha256(record.body).hexdigest() for record in records().values()}
    for find in directory.finds:
        body = (directory.path / find.file).read_bytes()
        assert hashlib.sha256(body).hexdigest() == find.sha256
    for path in (directory.path / "files").rglob("*"):
        assert path.is_dir() or hashlib.sha256(path.read_bytes()).hexdigest() in whole
        assert not path.name.startswith(".")


@pytest.fixture
def undisturbed(tmp_path: Path) -> object:
    with begin(tmp_path / "undisturbed") as directory:
        Driver(directory).run()
        return outcome(directory)


@pytest.mark.parametrize("seed", range(2))
def test_killed_again_and_again_it_comes_to_the_same(
    tmp_path: Path, undisturbed: object, seed: int
) -> None:
    """SIGKILL while it journals and saves: what was said to be committed is there."""
    rng = random.Random(seed)
    begin(tmp_path / "killed").close()
    answers = 0
    for number in range(KILLS):
        with start(tmp_path / "killed", number) as child:
            assert child.stdout is not None
            said = len(child.stdout.read(rng.randrange(1, 12)))
            time.sleep(rng.uniform(0, 0.01))
            child.kill()
            said += len(child.stdout.read())
        with CrawlDir.open(tmp_path / "killed") as directory:
            is_whole(directory)
            summary = directory.summary()
            answers, before = sum(summary.statuses.values()), answers
            assert answers >= before + said
    with CrawlDir.open(tmp_path / "killed") as directory:
        Driver(directory, in_flight=5, sleepy=True).run()
        is_whole(directory)
        assert outcome(directory) == undisturbed


def test_a_limit_of_the_system_is_a_full_disk(tmp_path: Path, undisturbed: object) -> None:
    """A file may not grow any more: the crawl stops and says so, and goes on later."""
    begin(tmp_path / "full").close()
    with start(tmp_path / "full", 1, 100_000) as child:
        _, said = child.communicate(timeout=60)
    assert child.returncode == 1
    assert b"There is no space left in" in said
    assert b"lodehound resume" in said
    with CrawlDir.open(tmp_path / "full") as directory:
        is_whole(directory)
        assert directory.summary().requests > 0
        Driver(directory, in_flight=5).run()
        assert outcome(directory) == undisturbed


@pytest.mark.parametrize("pages", [1, 4, 17])
def test_a_full_database(tmp_path: Path, undisturbed: object, pages: int) -> None:
    """Nothing is written behind the gap, closing does no harm, and the crawl goes on later."""
    with begin(tmp_path / "full") as directory:
        database = directory.database
        used = database._db.execute("PRAGMA page_count").fetchone()[0]
        database._db.execute(f"PRAGMA max_page_count = {used + pages}")
        driver = Driver(directory, in_flight=5, sleepy=True)
        with pytest.raises(DiskFullError, match="database or disk is full"):
            driver.run()
        with pytest.raises(DiskFullError):
            directory.journal.waited(())
        with pytest.raises(LodehoundError):
            database.flush()
    with CrawlDir.open(tmp_path / "full") as directory:
        is_whole(directory)
        Driver(directory, in_flight=5).run()
        assert outcome(directory) == undisturbed
