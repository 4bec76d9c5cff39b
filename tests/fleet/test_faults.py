"""Sites that kill, hang or fill their worker, and lists without end: the others go on."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet import HASTE, finds_of, listed, status
from tests.fleet.web import SmallWeb, small_web
from tests.live import ENDLESS, interrupt, run, start, wait_for

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses"),
]
GIB = 2**30
WAY = "give http:// or https://."
# What one site makes of its worker when a page is read.
FAULTS = {
    "kill": ("os.kill(os.getpid(), 9)", "worker died"),
    "hang": ("time.sleep(1000)", "worker died"),
    "memory": ("bytearray(64 * 2**30)", "MemoryError"),
}


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with small_web(sites=4, pages=12) as web:
        yield web


@pytest.mark.parametrize("fault", FAULTS)
def test_a_site_that_ruins_its_worker_is_left_alone(
    web: SmallWeb, tmp_path: Path, fault: str
) -> None:
    """After three workers it is given up; all others are crawled to their end."""
    statement, reason = FAULTS[fault]
    (tmp_path / "ruinous.py").write_text(
        "import os, time\n"
        "from lodehound.policies.bfs import Bfs\n"
        "class Ruinous(Bfs):\n"
        "    def learn(self, outcome):\n"
        "        if outcome.choice is not None:\n"
        f"            {statement}\n"
        "        super().learn(outcome)\n"
    )
    rows = ["url,policy", f"{web.url(0)},ruinous:Ruinous", *(f"{url}," for url in web.urls[1:])]
    sites = listed(tmp_path, rows, "sites.csv")
    done = run(
        "fleet", sites, "--out", tmp_path / "out", "--jobs", 2, *HASTE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (16 * GIB, 16 * GIB)),
    )  # fmt: skip
    stood = {url: (one["state"], one["reason"]) for url, one in status(tmp_path / "out").items()}
    others = dict.fromkeys(web.urls[1:], ("ended", "exhausted"))
    assert (done.code, stood) == (1, {web.url(0): ("failed", reason), **others})
    assert sorted(map(len, finds_of(tmp_path / "out").values()))[1:] == [web.finds()] * 3


def test_a_list_of_a_hundred_thousand_lines(web: SmallWeb, tmp_path: Path) -> None:
    """Dead hosts, doubles and nonsense: the living are crawled, and Ctrl-C ends it in order."""
    dead = [f"http://127.{n // 65536 + 9}.{n // 256 % 256}.{n % 256}:9/" for n in range(99_000)]
    lines = [*web.urls, *dead, *dead[:900], *["nonsense"] * 100]
    words = ["fleet", listed(tmp_path, lines), "--out", tmp_path / "out", "--jobs", 2, *HASTE]
    with start(*words, "--skip-bad", "--retries", 0) as child:
        wait_for(lambda: len(web.asked()) == web.sites * (web.pages + web.finds()))
        interrupt(child)
        said, complained = child.communicate(timeout=ENDLESS)
    assert (child.returncode, said) == (4, "")
    assert complained.splitlines() == [
        "left out: 900 sites that the list names twice",
        f"left out: 100 sites, first line {len(lines) - 99}: 'nonsense' is no web address: {WAY}",
    ]
    stood = status(tmp_path / "out")
    assert len(stood) == 99_004
    assert {stood[url]["finds"] for url in web.urls} == {web.finds()}
