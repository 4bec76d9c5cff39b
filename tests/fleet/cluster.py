"""Runs a fleet on a Ray cluster of three nodes, and disturbs one of them.

``python -m tests.fleet.cluster FOLDER kill|freeze|partition|head folder|store|divided`` runs in
namespaces of its own (see test_cluster.py) and prints a JSON object with what came of it. Every
node has a network namespace and an address; a bridge connects them, the sites and the object
store. Everything ends with the namespaces.

"folder" is a fleet of sites on a shared file system, "store" one in an object store, "divided" one
crawl of many hosts.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import s3fs

from lodehound.stores.remote.fleet import local_copy
from tests.fleet import finds_of, listed
from tests.fleet.web import LinkedWeb, SmallWeb, small_web
from tests.live import wait_for

HEAD, DRIVER, VICTIM = "head", "driver", "victim"
ADDRESSES = {HEAD: "10.0.0.11", DRIVER: "10.0.0.12", VICTIM: "10.0.0.13"}
BRIDGE = "10.0.0.1"
NAMES, FILES = "/run/netns", "/tmp/ray"  # where ip and Ray keep their files  # noqa: S108
OWN_FILES = f'mount -t tmpfs none {FILES} && exec "$@"'
PORT, REDIS, S3 = 6399, 6390, 6391
WEB = 8080  # both parts get hosts
DISTURBED, HEADLESS = 60.0, 20.0  # seconds; Ray itself waits for its head for 60
DELAY = 1.0
SITES, PAGES = 6, 70
DIVIDED = 5, 40  # of six sites, a page would reach only every third
RAY = [sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats"]


def ip(*words: object) -> str:
    command = ["ip", *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def make_network() -> None:
    """Make a bridge with the addresses of the sites, and a namespace for every node."""
    for folder in (NAMES, FILES):  # for us alone
        Path(folder).mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    ip("link", "set", "lo", "up")
    ip("link", "add", "bridge", "type", "bridge")
    ip("link", "set", "bridge", "up")
    ip("address", "add", f"{BRIDGE}/8", "dev", "bridge")
    for site in range(SITES):
        ip("address", "add", f"{SmallWeb(network=10).host(site)}/32", "dev", "bridge")
    for node, address in ADDRESSES.items():
        ip("netns", "add", node)
        ip("link", "add", f"to-{node}", "type", "veth", "peer", "eth0", "netns", node)
        ip("link", "set", f"to-{node}", "master", "bridge", "up")
        for words in ("link set lo up", "link set eth0 up", f"address add {address}/8 dev eth0"):
            ip("-n", node, *words.split())
        ip("-n", node, "route", "add", "default", "via", BRIDGE)


def start_node(node: str) -> None:
    """Start a node: the head keeps Ray's state in Redis and runs no workers."""
    words = ["--node-ip-address", ADDRESSES[node], "--object-store-memory", "80000000"]
    environment = dict(os.environ)
    if node == HEAD:
        words += ["--head", "--port", str(PORT), "--include-dashboard=false", "--num-cpus", "0"]
        environment["RAY_REDIS_ADDRESS"] = f"{BRIDGE}:{REDIS}"
    else:
        words += ["--address", f"{ADDRESSES[HEAD]}:{PORT}", "--num-cpus", "1"]
    command = ["ip", "netns", "exec", node, "sh", "-c", OWN_FILES, "sh", *RAY, *words]
    if node == HEAD:
        # On a machine of its own it sees no processes of other nodes.
        stay = f"{shlex.join(command)} >&2 && echo up && exec sleep infinity"
        command = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", stay]
        head = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        assert head.stdout is not None
        assert head.stdout.readline() == b"up\n"
    else:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


@contextmanager
def cluster() -> Iterator[None]:
    make_network()
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    options = ["--bind", BRIDGE, "--port", str(REDIS), "--save", "", "--protected-mode", "no"]
    with subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL) as redis:
        try:
            for node in ADDRESSES:
                start_node(node)
            yield
        finally:
            redis.kill()


def processes_of(node: str) -> list[int]:
    return [int(number) for number in ip("netns", "pids", node).split()]


def signal_all(node: str, number: signal.Signals) -> None:
    for process in processes_of(node):
        os.kill(process, number)


def disturb(how: str) -> None:
    if how == "partition":
        ip("link", "set", f"to-{VICTIM}", "down")
    elif how == "head":
        signal_all(HEAD, signal.SIGKILL)
    else:
        signal_all(VICTIM, signal.SIGKILL if how == "kill" else signal.SIGSTOP)


def mend(how: str) -> None:
    if how == "partition":
        ip("link", "set", f"to-{VICTIM}", "up")
    elif how == "head":
        start_node(HEAD)
    elif how == "freeze":
        signal_all(VICTIM, signal.SIGCONT)


def options_of(kind: str) -> list[object]:
    divided = ["--scope", "web", "--allow-private", "10.0.0.0/8", "--policy", "bfs"]
    return ["--jobs", 2, "--delay", DELAY, *(divided if kind == "divided" else ())]


def disturbed(web: Any, folder: Path, how: str, kind: str) -> dict[str, object]:
    """Run the fleet; disturb a node in the middle."""
    out = serve_bucket(folder) if kind == "store" else str(folder / "out")
    urls = [web.url(0)] if kind == "divided" else web.urls
    words = ["fleet", listed(folder, urls), "--out", out, *options_of(kind)]
    words += ["--cluster", f"{ADDRESSES[HEAD]}:{PORT}", "--no-inspect", "--quiet"]
    inside = ["nsenter", "-t", str(processes_of(DRIVER)[0]), "--net", "--mount"]
    command = [*inside, sys.executable, "-m", "lodehound", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        askers = {ADDRESSES[DRIVER], ADDRESSES[VICTIM]}
        wait_for(lambda: set(web.askers) == askers and len(web.asked()) > 3 * web.sites)
        began = time.monotonic()
        disturb(how)
        hosts = {web.host(site) for site in range(web.sites)}
        # Every site is asked again.
        wait_for(lambda: {host for host, _, when in web.log if when > began + DELAY} == hosts)
        taken_over = time.monotonic() - began
        until = began + (HEADLESS if how == "head" else DISTURBED)
        time.sleep(max(0.0, until - time.monotonic()))
        mend(how)
        said = child.communicate(timeout=400)[0].decode()
    with local_copy(out, crawls=True) as copy:
        finds = sorted(url for urls in finds_of(copy).values() for url in urls)
    pages = [(host, path) for host, path, _ in web.log if path != "/robots.txt"]
    late = [when for (_, _, when), asker in zip(web.log, web.askers, strict=True)
            if asker == ADDRESSES[VICTIM] and when > began + DELAY]  # fmt: skip
    wanted = web.tables() if kind == "divided" else chain(*web.everything().values())
    return {
        "code": child.returncode,
        "said": said,
        "finds": len(finds),
        "complete": finds == sorted(wanted),
        "repeats": len(pages) - len(set(pages)),
        "late": len(late) if how != "head" else 0,
        "taken_over": taken_over,
        "shortest_gap": min(web.gaps().values()),
    }


def serve_bucket(folder: Path) -> str:
    """Serve S3 to all nodes; return a URL in a bucket."""
    with (folder / "moto.log").open("w") as log:
        subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", BRIDGE, "-p", str(S3)],
            stdout=log, stderr=log,
        )  # fmt: skip
    wait_for(lambda: socket.socket().connect_ex((BRIDGE, S3)) == 0)
    s3fs.S3FileSystem().mkdir("bucket")
    return "s3://bucket/offices"


if __name__ == "__main__":
    place, how, kind = Path(sys.argv[1]), *sys.argv[2:]
    os.environ |= dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "anything")
    os.environ |= {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://{BRIDGE}:{S3}"}
    if kind == "divided":
        web = small_web(*DIVIDED, network=10, kind=partial(LinkedWeb, port=WEB))
    else:
        web = small_web(SITES, PAGES, network=10)
    with cluster(), web as served:
        json.dump(disturbed(served, place, how, kind), sys.stdout)
