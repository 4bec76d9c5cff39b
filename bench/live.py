"""How fast a live crawl is beside a plain Scrapy spider, and what it keeps in memory.

    python -m bench.live [--pages 2000] [--rounds 3] [--memory-pages 50000] [--json FILE]

A static tree is served on this machine: by nginx where it is installed, else
by the demo server in another process. Spider and crawl follow the same links
with eight requests in flight and no delay, in turns; the time is that of the
crawl alone, without the start of Python. Memory is that of a crawl of the large
tree after 5,000 pages and at its end.
"""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

from bench.live_site import served, write_tree

CONCURRENCY = 8
POLICIES = ("bfs", "sb-classifier")
EARLY = 5000  # pages after which the memory is taken for the first time

Figures = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000, help="of the tree for speed")
    parser.add_argument("--rounds", type=int, default=3, help="every one runs so many times")
    parser.add_argument("--memory-pages", type=int, default=50_000, help="0: leave it out")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    told = parser.parse_args()
    figures: Figures = {"python": platform.python_version(), "concurrency": CONCURRENCY}
    figures |= measure_speed(told.pages, told.rounds)
    if told.memory_pages:
        figures |= measure_memory(told.memory_pages)
    if told.json:
        told.json.write_text(json.dumps(figures) + "\n")


# --- speed ------------------------------------------------------------------------------------


def measure_speed(pages: int, rounds: int) -> Figures:
    """Crawl the same tree in turns; print the medians."""
    rates: dict[str, list[float]] = {name: [] for name in ("scrapy", *POLICIES)}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_tree(place, pages)
        with served(place) as (url, server):
            print(f"{pages} pages from {server}, {rounds} rounds", flush=True)
            for turn in range(rounds):
                for name, known in rates.items():
                    run = spider(url) if name == "scrapy" else crawl(url, name, place / f"{turn}")
                    known.append(run["requests"] / run["seconds"])
                    print(f"  {name:14} {run['requests']:>7} requests {known[-1]:>8.1f} a second")
    middle = {name: statistics.median(known) for name, known in rates.items()}
    for name in POLICIES:
        ratio = middle[name] / middle["scrapy"]
        print(f"{name:14} {middle[name]:8.1f} pages a second, {ratio:.2f} of plain Scrapy")
    ratios = {f"{name} / scrapy": round(middle[name] / middle["scrapy"], 3) for name in POLICIES}
    rounded = {name: round(rate, 1) for name, rate in middle.items()}
    return {"server": server, "pages": pages, "pages a second": rounded, **ratios}


def spider(url: str) -> Figures:
    command = [sys.executable, "-m", "bench.live_spider", url, str(CONCURRENCY)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def crawl_command(url: str, policy: str, out: Path) -> list[str]:
    command = [sys.executable, "-m", "lodehound", "crawl", url, "--out", str(out)]
    return [*command, "--delay", "0", "--concurrency", str(CONCURRENCY), "--policy", policy]


def crawl(url: str, policy: str, folder: Path) -> Figures:
    out = folder.with_name(f"{policy}-{folder.name}")
    subprocess.run([*crawl_command(url, policy, out), "--quiet"], check=True)
    [(requests, seconds)] = ask(out, "SELECT count(*), max(at) FROM answers")
    return {"requests": requests, "seconds": seconds}


def ask(out: Path, query: str) -> list[tuple[Any, ...]]:
    database = sqlite3.connect(out / "crawl.sqlite")
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


# --- memory -----------------------------------------------------------------------------------


def measure_memory(pages: int) -> Figures:
    """Crawl a large tree; look at the process early on and at the end."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_tree(place, pages)
        out = place / "crawl"
        with served(place) as (url, _):
            seen = _watch([*crawl_command(url, "bfs", out), "--json-log"])
        known = {at: _known(out, at) for at in seen}
    return told_of_memory(seen, known)


def told_of_memory(seen: dict[int, int], known: dict[int, int]) -> Figures:
    """Print and return what the two looks at the process say."""
    early, late = min(seen), max(seen)
    urls = known[late] - known[early]
    growth = seen[late] - seen[early]
    own = _size_of_known(urls) if urls else 0
    rest = (growth - own) / seen[early]
    for at in (early, late):
        print(f"{at:>7} requests: {seen[at] / 2**20:6.1f} MiB, {known[at]} URLs known")
    print(
        f"{growth / max(urls, 1):.0f} bytes to a known URL; the set itself takes {own / urls:.0f}"
    )
    print(f"apart from that set memory grew by {rest:.1%}")
    return {
        "memory, MiB": {at: round(size / 2**20, 1) for at, size in seen.items()},
        "known URLs": known,
        "bytes to a known URL": round(growth / max(urls, 1)),
        "bytes of the set to a URL": round(own / max(urls, 1)),
        "growth apart from the set": round(rest, 4),
    }


def _watch(command: list[str]) -> dict[int, int]:
    """Return the resident bytes of a crawl, by the number of requests it had made."""
    seen: dict[int, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        steps = 0
        for line in child.stdout or ():
            steps += line.startswith('{"event": "step"')
            # The last answer is not awaited: after it the process may be gone.
            if steps == EARLY or steps % 1000 == 999:
                seen[steps] = _resident(child.pid)
    first = EARLY if EARLY in seen else min(seen)
    return {first: seen[first], max(seen): seen[max(seen)]}


def _resident(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"Nothing is known of the memory of process {process}.")


def _known(out: Path, requests: int) -> int:
    order = f"(SELECT new_links FROM answers ORDER BY seq LIMIT {int(requests)})"  # noqa: S608
    [(links,)] = ask(out, f"SELECT sum(new_links) FROM {order}")  # noqa: S608 - a number of ours
    return int(links)


def _size_of_known(count: int) -> int:
    """Return what a set of so many URLs takes by itself, as a crawl keeps it."""
    tracemalloc.start()
    known = {f"http://127.0.0.1:40000/pages/{n // 1000}/page-{n}.html": 2 for n in range(count)}
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size if known else 0


if __name__ == "__main__":
    main()
