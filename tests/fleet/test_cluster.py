"""A fleet on a Ray cluster of three nodes: whatever becomes of one of them, nothing is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT, run_many

SPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc"]
MAKE_NODE = (
    "mkdir -p /run/netns && mount -t tmpfs none /run/netns && ip netns add node && "
    "ip netns exec node true"
)


def obstacle() -> str:
    """Say why there can be no cluster of network namespaces here; "" if there can."""
    for program in ("unshare", "ip", "redis-server"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    tried = subprocess.run([*SPACES, "sh", "-c", MAKE_NODE], capture_output=True, check=False)
    return "network namespaces are not allowed here" if tried.returncode else ""


def test_a_cluster_that_is_not_there_is_named(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "sites.txt").write_text("http://127.0.0.1:9/\n")
    words = ["fleet", tmp_path / "sites.txt", "--out", tmp_path / "out", "--cluster", "nowhere"]
    [refused] = run_many([words], tmp_path)
    assert refused.code == 2
    assert "There is no Ray cluster at 'nowhere'" in refused.err


@pytest.mark.soak
@pytest.mark.parametrize("how", ["kill", "freeze", "partition", "head"])
def test_a_node_that_is_lost_loses_nothing(tmp_path: Path, how: str) -> None:
    """Its sites go on elsewhere within 30 s; when it comes back, its worker asks for nothing."""
    pytest.importorskip("ray")
    if why_not := obstacle():
        pytest.skip(why_not)
    command = [*SPACES, sys.executable, "-m", "tests.fleet.cluster", str(tmp_path), how]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    came = json.loads(done.stdout.splitlines()[-1])
    assert (came["code"], came["finds"]) == (0, came["wanted"]), came
    assert (came["lost"], came["late"]) == (1, 0), came
    assert came["repeats"] <= 6, came  # one request is in flight per site
    assert came["taken_over"] <= 30, came
    assert came["shortest_gap"] >= 0.6, came
