"""Killed at random instants, every command can be given again and comes to the same result."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.live import ENDLESS, crawl_words, query, run, start, wait_for
from tests.live.office import Office, open_office
from tests.live.test_kill import has_come_to
from tests.stores.repair.attacks import run as run_here

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
LONGEST = 2.0  # seconds until a kill: from the start of Python to the end of an export
OPTIONS = ("--delay", 0, "--quiet", "--concurrency", 8)


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with open_office(pages=150, files=60) as office:
        yield office


@pytest.fixture(scope="module")
def crawled(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crawled") / "crawl"
    done = run(*crawl_words(office.server.url, "--quiet", out=out), out=out)
    assert (done.code, done.err) == (0, "")
    return out


def killed(
    words: Sequence[object],
    kills: int,
    *,
    office: Office | None = None,
    again: Sequence[object] = (),
) -> None:
    """Give a command and kill it, again and again.

    Args:
        words: The command.
        kills: How often.
        office: Kill it after some requests to this site; otherwise after some time.
        again: The command after the first kill, if it is another one.
    """
    rng = random.Random(kills)
    for _ in range(kills):
        with start(*words) as child:
            if office is not None:
                wait_for(partial(has_come_to, office, len(office.asked) + rng.randrange(30), child))
            time.sleep(rng.uniform(0, 0.05 if office else LONGEST))
            child.kill()
            _, complained = child.communicate(timeout=ENDLESS)
        assert "Traceback" not in complained
        words = again or words


FEW = pytest.param(1, id="1 kill")
MANY = pytest.param(40, marks=pytest.mark.soak, id="40 kills")
FOUND = "SELECT final_url, sha256 FROM finds ORDER BY 1"


@pytest.mark.soak
@pytest.mark.parametrize("kills", [80], ids=["80 kills"])
def test_crawl_and_resume(office: Office, crawled: Path, tmp_path: Path, kills: int) -> None:
    out = tmp_path / "crawl"
    words = ["crawl", office.server.url, "--out", out, *OPTIONS]
    killed(words, 1, office=office)
    killed(["resume", out, "--quiet"], kills - 1, office=office)
    done = run("resume", out, "--quiet")
    assert (done.code, done.err) == (0, "")
    assert query(out, FOUND) == query(crawled, FOUND)
    assert run_here("repair", out).out == f"{out}: nothing is damaged\n"


@pytest.mark.parametrize("kills", [MANY])
def test_record(office: Office, tmp_path: Path, kills: int) -> None:
    out = tmp_path / "site.warc.gz"
    words = ["record", office.server.url, "--out", out, *OPTIONS]
    killed(words, kills, office=office)
    run(*words)
    raced = run("race", out, "--policy", "bfs", "--seeds", 1)
    assert raced.code == 0
    assert len(list(tmp_path.iterdir())) == 1  # the recording, and nothing beside it


@pytest.mark.parametrize("kills", [FEW, MANY])
def test_update(office: Office, crawled: Path, kills: int) -> None:
    """A round that is killed is resumed; the catalogue stays what it was."""
    before = query(crawled, FOUND)
    resume = ["resume", crawled, "--quiet"]
    killed(["update", crawled, "--quiet"], kills, office=office, again=resume)
    done = run(*resume)
    assert (done.code, done.err) == (0, "")
    assert query(crawled, FOUND) == before
    assert run_here("repair", crawled).out == f"{crawled}: nothing is damaged\n"


@pytest.mark.parametrize("kills", [FEW, MANY])
def test_export(crawled: Path, tmp_path: Path, kills: int) -> None:
    """What is there is whole, and nothing is left beside it."""
    out = tmp_path / "package"
    words = ["export", crawled, "--to", "datapackage", "--output", out, "--force"]
    killed(words, kills)
    done = run(*words)
    assert done.code == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["package"]
    assert (out / "datapackage.json").stat().st_size > 0
