"""Two hundred sites, workers and parents killed at random instants: as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fleet import finds_of, listed, workers_of
from tests.fleet.web import small_web
from tests.live import ENDLESS, run, start, wait_for

SITES, PAGES, KILLS = 200, 40, 10
DELAY = 1.0

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses"),
]


def memory_of(process: int) -> int:
    """Return the bytes that a process and its children hold, shared ones divided between them."""
    total = 0
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            total += int(line.split()[1]) * 1024 if line.startswith("Pss:") else 0
        for task in Path(f"/proc/{process}/task").iterdir():
            total += sum(map(memory_of, map(int, (task / "children").read_text().split())))
    return total


def watched(child: subprocess.Popen[str], until: float) -> int:
    """Return the most bytes that a fleet held until it ended, or until a time."""
    most = 0
    while child.poll() is None and time.monotonic() < until:
        most = max(most, memory_of(child.pid))
        time.sleep(1)
    return most


def test_two_hundred_sites_and_ten_kills(tmp_path: Path) -> None:
    """All finds, few repeats, no host above its rate, less than 1.5 GiB."""
    rng = random.Random(1)
    with small_web(SITES, PAGES) as web:
        words = ["fleet", listed(tmp_path, web.urls), "--out", tmp_path / "out", "--jobs", 2]
        words += ["--delay", DELAY, "--no-inspect", "--quiet"]
        most = 0
        for kill in range(KILLS):
            with start(*words) as child:
                before = len(web.log)
                wait_for(lambda b=before: len(web.log) > b + SITES)  # type: ignore[misc]
                most = max(most, watched(child, time.monotonic() + rng.uniform(0, 5)))
                workers = workers_of(tmp_path / "out")
                parent = kill % 2
                victim = child.pid if parent or not workers else rng.choice(workers)
                os.kill(victim, signal.SIGKILL)
                if not parent:
                    most = max(most, watched(child, time.monotonic() + 5))
                    child.kill()
                child.communicate(timeout=ENDLESS)
        with start(*words) as child:
            most = max(most, watched(child, time.monotonic() + 1200))
            child.communicate(timeout=ENDLESS)
        assert child.returncode == 0
        assert finds_of(tmp_path / "out") == web.everything()
        counts = Counter((host, path) for host, path, _ in web.log if path != "/robots.txt")
        repeats = sum(count - 1 for count in counts.values())
        assert repeats <= SITES * (KILLS + KILLS // 2)  # one in flight per site at every kill
        assert min(web.gaps().values()) >= 0.5 * DELAY  # the server, too, may get to run late
        assert most < 1.5 * 2**30
        gap = min(web.gaps().values())
        said = f"{most / 2**20:.0f} MiB, {repeats} repeats of {len(web.log)}, {gap:.2f} s apart"
        sys.stdout.write(said + "\n")


def test_a_fleet_that_is_done_has_nothing_to_do(tmp_path: Path) -> None:
    with small_web(20, 4) as web:
        words = ["fleet", listed(tmp_path, web.urls), "--out", tmp_path / "out", "--quiet"]
        assert run(*words, "--delay", 0, "--no-inspect").code == 0
        asked = len(web.log)
        assert run("fleet", "resume", tmp_path / "out", "--quiet").code == 0
        assert len(web.log) == asked
