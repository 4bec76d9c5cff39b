"""A fleet on a Ray cluster of three nodes: whatever becomes of one of them, nothing is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lodehound.drivers.fleet.host import FRESH, HostOptions, SiteHost
from lodehound.stores.fleet import FleetStore, Lease, LeaseLostError
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


class Actor:
    """Stands for an actor of Ray."""

    def __init__(self, name: str) -> None:
        self.answers = SimpleNamespace(remote=lambda: f"call to {name}")


def test_a_worker_that_does_not_answer_is_dismissed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if its row in the database changes: it is cut off from everything else."""
    ray = pytest.importorskip("ray")
    from lodehound.drivers.fleet import cluster  # noqa: PLC0415 - only with the extra

    answered = {"call to quick"}
    monkeypatch.setattr(ray, "wait", lambda calls, timeout: [[*{*calls} & answered], []])
    with FleetStore.create(tmp_path, version="1") as store:
        options = HostOptions(silence=-1.0)
        fleet = cluster.ClusterFleet(store, jobs=2, options=options, secrets={}, address="")
        for name in ("quick", "mute"):
            store.join(name, "here")
            fleet._runs[Actor(name)] = name, None
        fleet._dismiss_unreachable()  # calls them
        assert list(store.beats()) == ["quick", "mute"]
        fleet._dismiss_unreachable()
        assert list(store.beats()) == ["quick"]


def test_a_worker_that_was_frozen_asks_whether_it_was_dismissed(tmp_path: Path) -> None:
    """Its lease is not checked on another machine before every request; that it lives is."""
    beats = iter([True, False])
    store: Any = SimpleNamespace(beat=lambda *_: next(beats), check=lambda _: None)
    host = SiteHost(tmp_path, HostOptions(silence=10.0), {}, store=store)
    lease = Lease(1, host.worker, 1)
    host._check(lease)  # it was heard a moment ago
    host._alive_at -= 5.1
    host._check(lease)
    host._alive_at -= 5.1
    with pytest.raises(LeaseLostError):
        host._check(lease)


def test_a_lease_is_checked_again_after_a_moment(tmp_path: Path) -> None:
    """Not seven times for every page of a fast crawl."""
    checked: list[Lease] = []
    store: Any = SimpleNamespace(check=checked.append)
    host = SiteHost(tmp_path, HostOptions(), {}, store=store)
    lease, other = Lease(1, host.worker, 1), Lease(2, host.worker, 1)
    for one in (lease, lease, other, lease):
        host._check(one)
    assert checked == [lease, other]
    host._checked_at[lease.team] -= FRESH
    host._check(lease)
    assert checked == [lease, other, lease]


def test_a_machine_that_does_not_answer_is_no_fault_of_the_fleet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = pytest.importorskip("ray")
    from lodehound.drivers.fleet import cluster  # noqa: PLC0415 - only with the extra

    def get(_: object, timeout: float) -> None:
        raise ray.exceptions.GetTimeoutError(str(timeout))

    call = SimpleNamespace(call=SimpleNamespace(remote=lambda *_: None))
    monkeypatch.setattr(ray, "get_actor", lambda *_: call)
    monkeypatch.setattr(ray, "get", get)
    with pytest.raises(cluster.DeskLostError, match="does not answer"):
        cluster.DistantStore("desk", 1.0).beat("worker", {})


@pytest.mark.soak
@pytest.mark.parametrize(
    ("how", "kind"),
    [
        *((how, "folder") for how in ("kill", "freeze", "partition", "head")),
        *((how, "store") for how in ("kill", "freeze", "partition")),
        *((how, "divided") for how in ("kill", "freeze")),
    ],
)
def test_a_node_that_is_lost_loses_nothing(tmp_path: Path, how: str, kind: str) -> None:
    """Its sites go on elsewhere within 30 s; when it comes back, its worker asks for nothing."""
    pytest.importorskip("ray")
    if why_not := obstacle():
        pytest.skip(why_not)
    command = [*SPACES, sys.executable, "-m", "tests.fleet.cluster", str(tmp_path), how, kind]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    came = json.loads(done.stdout.splitlines()[-1])
    assert (came["code"], came["complete"], came["late"]) == (0, True, 0), came
    assert came["repeats"] <= (12 if kind == "store" else 6), came  # one is in flight per site
    assert came["taken_over"] <= 30, came
    assert came["shortest_gap"] >= 0.6, came
