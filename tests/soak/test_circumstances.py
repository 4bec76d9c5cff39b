"""Stopped, without disk, descriptors or memory, with a clock that jumps: nothing is lost."""

from __future__ import annotations

import re
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.starting import is_begun
from tests.live import Crawled, crawl_words, limited, query, run, start, wait_for
from tests.live.office import Office, open_office

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
MIB = 1 << 20
COUNT = "SELECT count(*), count(DISTINCT final_url) FROM finds"


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with open_office(pages=100, files=40) as office:
        yield office


@pytest.fixture(scope="module")
def finds(office: Office) -> int:
    return len(office.replayed()[1])


def crawl(office: Office, out: Path, *words: object, **options: object) -> Crawled:
    delay = options.pop("delay", 0)
    given = crawl_words(office.server.url, "--quiet", *words, out=out, delay=delay)
    return run(*given, out=out, **options)


def is_complete(out: Path, finds: int) -> None:
    assert query(out, COUNT) == [(finds, finds)]


@pytest.mark.soak
@pytest.mark.parametrize("pause", [60])
def test_stopped_for_a_while(office: Office, finds: int, tmp_path: Path, pause: float) -> None:
    """SIGSTOP, as when a laptop sleeps: the crawl goes on where it was."""
    before = len(office.server.log)
    words = crawl_words(office.server.url, "--quiet", out=tmp_path / "crawl")
    with start(*words) as child:
        wait_for(lambda: len(office.server.log) > before + 30)
        child.send_signal(signal.SIGSTOP)
        time.sleep(pause)
        child.send_signal(signal.SIGCONT)
        said = child.communicate(timeout=180)
    assert (child.returncode, said) == (0, ("", ""))
    is_complete(tmp_path / "crawl", finds)


SIZES = (100_000, 250_000, 400_000, 500_000)


@pytest.mark.parametrize(
    "size", [300_000, *(pytest.param(size, marks=pytest.mark.soak) for size in SIZES)]
)
def test_a_full_disk(office: Office, finds: int, tmp_path: Path, size: int) -> None:
    """No file may grow beyond a size: the crawl ends with code 5 and is resumed with space."""
    out = tmp_path / "crawl"
    done = crawl(office, out, preexec_fn=limited(resource.RLIMIT_FSIZE, size))
    assert (done.code, done.err.count("\n")) == (5, 1)
    assert "There is no space left" in done.err
    done = run("resume", out, "--quiet") if is_begun(out) else crawl(office, out)
    assert (done.code, done.said) == (0, "")
    is_complete(out, finds)


def test_few_file_descriptors(office: Office, finds: int, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    done = crawl(office, out, preexec_fn=limited(resource.RLIMIT_NOFILE, 32))
    assert (done.code, done.said) == (0, "")
    is_complete(out, finds)


@pytest.mark.soak
def test_little_memory(office: Office, finds: int, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    done = crawl(office, out, preexec_fn=limited(resource.RLIMIT_AS, 2048 * MIB))
    assert (done.code, done.said) == (0, "")
    is_complete(out, finds)


@pytest.mark.soak
def test_a_clock_that_is_set(office: Office, finds: int, tmp_path: Path) -> None:
    """Delays and deadlines go by a clock that cannot be set: no stall, no haste."""
    out, program = tmp_path / "crawl", ("-m", "tests.soak.odd_clock")
    begun, before = time.monotonic(), len(office.server.log)
    done = crawl(office, out, "--requests", 40, delay=0.05, program=program)
    assert (done.code, done.said) == (0, "")
    times = [entry.time for entry in list(office.server.log)[before:]]
    assert len(times) >= 40
    assert times[-1] - times[0] >= 30 * 0.05
    assert time.monotonic() - begun < 120
    done = run("resume", out, "--requests", "none", "--quiet", program=program)
    assert (done.code, done.said) == (0, "")
    is_complete(out, finds)
    stamps = [stamp for (stamp,) in query(out, "SELECT fetched_at FROM answers")]
    assert all(re.match(r"\d{4}-\d\d-\d\dT", stamp) for stamp in stamps)
