"""A process has a limit of open files: a fleet keeps within it, and says so."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.drivers.fleet.open_files import files_of
from tests.fleet import listed, status
from tests.fleet.web import small_web
from tests.live import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")
SITES = 150
SAID = (
    "at most 27 sites at once in each process, because it may have 256 files open: "
    "more with a higher 'ulimit -n'\n"
)


def limited(soft: int, hard: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(("soft", "hard", "said"), [(256, 256, SAID), (64, 4096, "")])
def test_many_sites_keep_within_the_limit(soft: int, hard: int, said: str, tmp_path: Path) -> None:
    """The lower limit is raised to the higher one; what does not fit into that waits."""
    out = tmp_path / "out"
    with small_web(sites=SITES, pages=1) as web:
        words = ["fleet", listed(tmp_path, web.urls), "--out", out, "--jobs", 1]
        words += ["--delay", 0.2, "--no-inspect"]
        done = run(*words, preexec_fn=limited(soft, hard))
    assert (done.code, done.err) == (0, said)
    stood = Counter((one["state"], one["reason"], one["finds"]) for one in status(out).values())
    assert stood == {("ended", "exhausted", 1): SITES}


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ([], 7),
        (['{"had_secrets": []}'], 7),
        (['{"concurrency": 1}'], 6),
        (['{"warc": true}', "{}"], 8),
        (['{"delay": 0}'], 13),
        (['{"delay": 0, "concurrency": 30}'], 35),
        (['{"part": [0, 4]}'], 13),
        (["damaged", '{"concurrency": "many"}'], 7),
    ],
)
def test_a_site_needs_files_and_connections(options: list[str], files: int) -> None:
    assert files_of(options) == files
