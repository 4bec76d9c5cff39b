"""Pages per second of a fleet in one and in two processes, and what a fleet of one site costs.

    python -m bench.fleet [--pages 3000] [--sites 4] [--policy lodehound]

Static trees are served by nginx, each site on an address of its own, without delays. The time is
that of the whole command, with the start of Python; so a fleet of one site is compared with
``lodehound crawl`` of the same site.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from bench.live import CONCURRENCY, crawl_command
from bench.live_site import served, write_tree

OPTIONS = ["--delay", "0", "--concurrency", str(CONCURRENCY), "--quiet"]


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
            seconds = {
                jobs: fleet(urls, place / f"fleet-{jobs}", jobs, told.policy) for jobs in (1, 2)
            }
            pages = told.sites * told.pages
            for jobs, taken in seconds.items():
                print(f"{jobs} processes: {pages / taken:8.1f} pages a second")
            print(f"two processes are {seconds[1] / seconds[2]:.2f} times as fast as one")
            alone = timed([*crawl_command(urls[0], told.policy, place / "crawl"), "--quiet"])
            one = fleet(urls[:1], place / "one", 1, told.policy)
            print(f"one site: crawl {alone:.1f} s, fleet {one:.1f} s, {one / alone - 1:+.0%}")


def fleet(urls: list[str], out: Path, jobs: int, policy: str) -> float:
    sites = out.with_suffix(".txt")
    sites.write_text("\n".join(urls))
    command = [sys.executable, "-m", "lodehound", "fleet", str(sites), "--out", str(out)]
    return timed([*command, "--jobs", str(jobs), "--policy", policy, *OPTIONS])


def timed(command: list[str]) -> float:
    begun = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - begun


if __name__ == "__main__":
    main()
