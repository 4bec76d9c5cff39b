"""Runs a fleet on a Ray cluster of three nodes, and kills or freezes one of its workers.

``python -m tests.fleet.cluster FOLDER kill|freeze`` runs inside a network namespace of its own (see
test_cluster.py) and prints a JSON object with what came of it. Everything ends with the namespace.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.fleet import finds_of, listed, workers_of
from tests.fleet.web import SmallWeb, small_web
from tests.live import start, wait_for

PORT = 6399
FROZEN = 60.0  # seconds
DELAY = 1.0
RAY = [sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats"]
NODE = ["--node-ip-address", "127.0.0.1", "--num-cpus", "1", "--object-store-memory", "80000000"]


def start_nodes() -> None:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    head = ["--head", "--port", str(PORT), "--include-dashboard=false"]
    join = ["--address", f"127.0.0.1:{PORT}"]
    for words in (head, join, join):
        subprocess.run([*RAY, *words, *NODE], check=True, stdout=subprocess.DEVNULL)


def asked_by_time(web: SmallWeb, since: float) -> int:
    return sum(when >= since for _, _, when in web.log)


def disturbed(web: SmallWeb, folder: Path, how: str) -> dict[str, object]:
    """Run the fleet; disturb a worker in the middle."""
    out = folder / "out"
    words = ["fleet", listed(folder, web.urls), "--out", out, "--cluster", f"127.0.0.1:{PORT}"]
    options = ["--jobs", 2, "--delay", DELAY, "--no-inspect", "--quiet", "--backoff", 0.1]
    with start(*words, *options) as child:
        wait_for(lambda: len(workers_of(out)) == 2 and len(web.asked()) > 3 * web.sites)
        victim = workers_of(out)[0]
        began = time.monotonic()
        os.kill(victim, signal.SIGKILL if how == "kill" else signal.SIGSTOP)
        hosts = {web.host(site) for site in range(web.sites)}
        # Every site is asked again.
        wait_for(lambda: {host for host, _, when in web.log if when > began + DELAY} == hosts)
        taken_over = time.monotonic() - began
        if how == "freeze":
            time.sleep(max(0.0, began + FROZEN - time.monotonic()))
            os.kill(victim, signal.SIGCONT)
        said, complained = child.communicate(timeout=300)
    asked = web.asked()
    pages = [(host, path) for host, path, _ in web.log if path != "/robots.txt"]
    return {
        "code": child.returncode,
        "said": said + complained,
        "finds": sum(map(len, finds_of(out).values())),
        "wanted": web.sites * web.finds(),
        "repeats": len(asked) - len(set(pages)),
        "sites": web.sites,
        "taken_over": taken_over,
        "shortest_gap": min(web.gaps().values()),
    }


if __name__ == "__main__":
    start_nodes()
    with small_web(sites=6, pages=50) as served:
        json.dump(disturbed(served, Path(sys.argv[1]), sys.argv[2]), sys.stdout)
