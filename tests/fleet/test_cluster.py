"""A fleet on a Ray cluster: a worker that is killed or frozen loses nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT, run_many

SPACE = ["unshare", "--net", "--pid", "--fork", "--mount-proc"]


def allowed() -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run([*SPACE, "true"], capture_output=True, check=False).returncode == 0


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "sites.txt").write_text("http://127.0.0.1:9/\n")
    words = ["fleet", tmp_path / "sites.txt", "--out", tmp_path / "out", "--cluster", "nowhere"]
    [refused] = run_many([words], tmp_path)
    assert refused.code == 2
    assert "There is no Ray cluster at 'nowhere'" in refused.err


@pytest.mark.soak
@pytest.mark.skipif(not allowed(), reason="network namespaces are not allowed here")
@pytest.mark.parametrize("how", ["kill", "freeze"])
def test_a_worker_that_is_killed_or_frozen_loses_nothing(tmp_path: Path, how: str) -> None:
    """Its sites go on elsewhere within 30 s; thawed, it neither asks nor writes."""
    pytest.importorskip("ray")
    command = [*SPACE, sys.executable, "-m", "tests.fleet.cluster", str(tmp_path), how]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    came = json.loads(done.stdout.splitlines()[-1])
    assert (came["code"], came["finds"]) == (0, came["wanted"]), came
    assert came["repeats"] <= came["sites"], came  # one request is in flight per site
    assert came["taken_over"] <= 30, came
    assert came["shortest_gap"] >= 0.6, came
