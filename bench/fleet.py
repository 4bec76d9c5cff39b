"""Pages per second of a fleet in one and in two processes, and what a fleet of one site costs.

    python -m bench.fleet [--pages 3000] [--sites 4] [--policy lodehound]

Static trees are served by nginx on the same machine, each site on an address of its own, without
delays. All sites are alike and the processes share them evenly.

A rate is that of the steady state: answers per second while every site is being crawled, from
the moment when the last site has its first answer until the first site has its last one, by the
times in the journals. The start of Python and the end of the command are not in it; the rate of
the whole command is printed beside it. "crawler" is the processor time of the fleet with all its
processes, "rest" that of everything else on the machine: the server, the network between the two,
and whatever else runs (keep the machine quiet).

Two processes can at best be as much faster than one as two independent crawls are. So the same is
measured for ``lodehound crawl``: once alone, and twice at the same time.

At last, the sites get one budget for all of them, and the same number of requests in equal shares:
how much longer the shared budget takes, without delays and with small ones.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from bench.live import CONCURRENCY, crawl_command
from bench.live_site import served, write_tree

OPTIONS = ["--delay", "0", "--concurrency", str(CONCURRENCY), "--quiet"]
# Fields of /proc/stat: all but idle, waiting for a disk, and stolen.
BUSY = (slice(1, 4), slice(6, 8))
PR_SET_CHILD_SUBREAPER = 36  # from linux/prctl.h


@dataclass(frozen=True, slots=True)
class Run:
    """What one command, or several at the same time, took.

    Args:
        pages: Answers in all.
        rate: Per second, in the steady state.
        seconds: From start to end.
        crawler: Processor seconds of the commands.
        rest: Processor seconds of everything else on the machine.
    """

    pages: int
    rate: float
    seconds: float
    crawler: float
    rest: float

    def __str__(self) -> str:
        crawler, rest = (1000 * used / self.pages for used in (self.crawler, self.rest))
        return (
            f"{self.rate:7.1f} pages a second; with start and end "
            f"{self.pages / self.seconds:7.1f}; "
            f"per page: crawler {crawler:.2f} ms, rest {rest:.2f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000, help="of each site")
    parser.add_argument("--sites", type=int, default=4)
    parser.add_argument("--policy", default="lodehound")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_tree(place, told.pages)
        with served(place) as (url, server):
            port = urlsplit(url).port
            urls = [f"http://127.0.0.{number + 1}:{port}/" for number in range(told.sites)]
            print(f"{told.sites} sites of {told.pages} pages from {server}", flush=True)
            measure(urls, place, told.policy)
            share(urls, place, told.policy, told.pages // 4)


def measure(urls: list[str], place: Path, policy: str) -> None:
    """Run everything once, and print it."""
    fleets = [fleet(urls, place / f"fleet-{jobs}", jobs, policy) for jobs in (1, 2)]
    crawls = [crawl(urls[:count], place / f"crawl-{count}", policy) for count in (1, 2)]
    one = fleet(urls[:1], place / "one", 1, policy)
    for name, (alone, both) in {"fleet": fleets, "crawl": crawls}.items():
        print(f"{name}, 1 process:   {alone}\n{name}, 2 processes: {both}")
        print(f"{name}: two processes are {both.rate / alone.rate:.2f} times as fast as one")
    alone = crawls[0]
    print(
        f"one site: crawl {alone.seconds:.1f} s, fleet {one.seconds:.1f} s "
        f"({one.seconds / alone.seconds - 1:+.0%}); "
        f"processor {alone.crawler:.1f} s and {one.crawler:.1f} s"
    )


def share(urls: list[str], place: Path, policy: str, each: int) -> None:
    """Compare one budget for all sites with equal shares of it, and print how long both take."""
    for delay in ("0", "0.01", "0.05"):
        budgets = {"shared": ["--requests", str(each * len(urls))]}
        budgets["equal"] = ["--requests-per-site", str(each)]
        runs = {
            name: fleet(urls, place / f"{name}-{delay}", 2, policy, [*budget, "--delay", delay])
            for name, budget in budgets.items()
        }
        shared, equal = runs["shared"].seconds, runs["equal"].seconds
        print(
            f"{each * len(urls):,} requests, delay {delay} s: one budget {shared:.1f} s, "
            f"equal shares {equal:.1f} s ({shared / equal:.2f} times as long)",
            flush=True,
        )


def fleet(urls: list[str], out: Path, jobs: int, policy: str, more: Sequence[str] = ()) -> Run:
    sites = out.with_name(f"{out.name}.txt")
    sites.write_text("\n".join(urls))
    command = [sys.executable, "-m", "lodehound", "fleet", str(sites), "--out", str(out)]
    return timed([[*command, "--jobs", str(jobs), "--policy", policy, *OPTIONS, *more]], out)


def crawl(urls: list[str], out: Path, policy: str) -> Run:
    """Crawl every site in a process of its own, all at the same time."""
    places = [out / str(number) for number in range(len(urls))]
    commands = [crawl_command(url, policy, to) for url, to in zip(urls, places, strict=True)]
    return timed([[*command, "--quiet"] for command in commands], out)


def timed(commands: Sequence[list[str]], out: Path) -> Run:
    _adopt_orphans()
    begun, own, busy = time.monotonic(), _of_children(), _of_machine()
    children = [subprocess.Popen(command, process_group=0) for command in commands]
    if any(child.wait() for child in children):
        raise SystemExit("A crawl has failed.")
    seconds = time.monotonic() - begun
    for child in children:
        _wait_for_group(child.pid)
    own, busy = _of_children() - own, _of_machine() - busy
    times = [_answered(path) for path in sorted(out.rglob("crawl.sqlite"))]
    return Run(sum(map(len, times)), _steady(times), seconds, own, busy - own)


def _answered(path: Path) -> list[datetime]:
    with contextlib.closing(sqlite3.connect(path)) as journal:
        rows = journal.execute("SELECT fetched_at FROM answers ORDER BY seq").fetchall()
    return [datetime.fromisoformat(when) for (when,) in rows]


def _steady(times: Sequence[Sequence[datetime]]) -> float:
    """Return the answers per second of all crawls while none of them has ended."""
    begin, end = max(some[0] for some in times), min(some[-1] for some in times)
    within = sum(begin < when <= end for some in times for when in some)
    return within / (end - begin).total_seconds()


def _adopt_orphans() -> None:
    """Become the parent of processes whose parent ends first, so that their time is counted."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def _wait_for_group(group: int) -> None:
    with contextlib.suppress(ChildProcessError):  # there are no more
        while True:
            os.waitpid(-group, 0)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_machine() -> float:
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    ticks = sum(int(field) for part in BUSY for field in fields[part])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
