"""Limits on hosts: the end, the list of skipped URLs and the explanation name the option."""

from __future__ import annotations

import json
from pathlib import Path

from tests.live import crawl, run
from tests.servers.hostile import HostileServer


def test_a_cap_is_named_wherever_it_keeps_links_out(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with HostileServer() as server:
        done = crawl(server.url, out=out, per_host=3, policy="bfs", concurrency=1)
    skipped = run("skipped", out)
    explained = run("explain", out, f"{server.url}page/2")
    assert "--per-host 3 left out" in done.out
    assert "cap" in skipped.out
    assert "--per-host 3" in skipped.out
    assert "--per-host 3 is reached; a new crawl with a larger one fetches it" in explained.out


def test_links_beyond_a_cap_do_not_wait(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with HostileServer() as server:
        crawl(server.url, out=out, per_host=3, policy="bfs", concurrency=1)
    status = json.loads(run("status", out, "--json").out)
    assert (status["ended"], status["waiting"]) == ("exhausted", 0)
