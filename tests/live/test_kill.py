"""Killed at any moment and resumed, a crawl comes to the same finds by the same way."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from subprocess import Popen

import pytest

from tests.live import ENDLESS, Crawled, query, resume, run, start, wait_for
from tests.live.office import SEED, Office, open_office

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")


@pytest.fixture
def office() -> Iterator[Office]:
    with open_office(pages=100, files=40) as office:
        yield office


def first_words(office: Office, out: Path, concurrency: int) -> list[object]:
    """The command that the project promises this of."""
    flags = ["--delay", 0, "--seed", SEED, "--quiet", "--concurrency", concurrency]
    return ["crawl", office.server.url, "--out", out, *flags]


def has_come_to(office: Office, moment: int, child: Popen[str]) -> bool:
    return len(office.asked) > moment or child.poll() is not None


def crawl_with_kills(
    office: Office, out: Path, *, kills: int, concurrency: int, seed: int
) -> Crawled:
    """Crawl; kill it at random moments of the whole crawl, resume it each time."""
    rng = random.Random(seed)
    total = len(office.replayed()[0])
    moments = sorted(rng.randrange(total) for _ in range(kills))
    words = first_words(office, out, concurrency)
    for moment in moments:
        with start(*words) as child:
            wait_for(partial(has_come_to, office, moment, child))
            time.sleep(rng.uniform(0, 0.02))
            child.kill()
            _, complained = child.communicate(timeout=ENDLESS)
        assert (child.returncode, complained) in {(-9, ""), (0, "")}
        words = ["resume", out, "--quiet"]
    return resume(out, "--quiet") if kills else run(*words, out=out)


def is_as_undisturbed(office: Office, done: Crawled) -> None:
    """The same finds, each once, each with its file; nothing is left out."""
    order, finds = office.replayed()
    assert (done.code, done.said) == (0, "")
    assert done.finds == finds
    assert len(query(done.path, "SELECT 1 FROM finds")) == len(finds)
    assert gets(office.asked).keys() == gets(order).keys()
    kept = {path for path in (done.path / "files").rglob("*") if path.is_file()}
    assert kept == {done.path / file for (file,) in query(done.path, "SELECT file FROM finds")}


def gets(asked: list[tuple[str, str]]) -> Counter[str]:
    """Count the GETs; which HEADs are sent depends on the order of the answers."""
    return Counter(path for method, path in asked if method == "GET")


def test_one_at_a_time_a_crawl_is_its_replay(office: Office, tmp_path: Path) -> None:
    """The order of requests is that of the lab, with the same seed."""
    done = run(*first_words(office, tmp_path / "crawl", 1), out=tmp_path / "crawl")
    is_as_undisturbed(office, done)
    assert office.asked == office.replayed()[0]


def test_killed_five_times_one_at_a_time(office: Office, tmp_path: Path) -> None:
    """Even the order is the same; only what was in flight at a kill is asked for again."""
    done = crawl_with_kills(office, tmp_path / "crawl", kills=5, concurrency=1, seed=1)
    is_as_undisturbed(office, done)
    assert [request for request, _ in groupby(office.asked)] == office.replayed()[0]
    assert len(office.asked) <= len(office.replayed()[0]) + 5


@pytest.mark.parametrize(
    "kills",
    [pytest.param(kills, marks=pytest.mark.soak) for kills in (5, 30)],
    ids=lambda kills: f"{kills} kills",
)
def test_killed_again_and_again(tmp_path: Path, kills: int) -> None:
    """With eight requests in flight, no more than those are repeated after each kill."""
    with open_office(pages=20 * kills, files=8 * kills) as office:
        done = crawl_with_kills(office, tmp_path / "crawl", kills=kills, concurrency=8, seed=kills)
        is_as_undisturbed(office, done)
        asked, needed = gets(office.asked), gets(office.replayed()[0])
        assert asked.total() <= needed.total() + 8 * kills
        assert max(asked.values()) <= 1 + kills
