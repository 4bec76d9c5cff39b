"""What rendering costs and brings.

    python -m bench.rendering                           sites of seven frameworks, auto and always
    python -m bench.rendering FILE.warc... [--times N]  recorded sites, auto and never

The first form prints one line per site and mode. The second serves recorded sites that need no
browser, crawls each with 500 requests, in turns with and without rendering, and prints the pages
rendered, the CPU time, and the share of it that looking for signs takes (which both modes do). It
needs Chromium and the development packages.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from lodehound.core.messages import Page
from lodehound.core.urls import host_of
from lodehound.read.scripts import script_signs
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Damage, Record, read_records
from tests.live import Crawled, crawl, query
from tests.live.frameworks import FINDS, site

REQUESTS = 500
WORDS = ("--want", "files:csv", "--no-inspect")
FIGURES = """
    SELECT count(*) FILTER (WHERE outcome = 'rendered'), coalesce(sum(seconds), 0),
        (SELECT count(*) FROM answers WHERE status = 200 AND mime LIKE '%html%'),
        (SELECT count(*) FROM answers WHERE sent) + (SELECT count(*) FROM page_requests WHERE sent)
    FROM renders"""


def frameworks() -> None:
    print("site        mode    finds  pages  rendered  requests  seconds a page")
    for name in FINDS:
        for mode in ("auto", "always"):
            with site(name) as application, tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "crawl"
                done = crawl(application.url, *WORDS, render=mode, out=out)
                [(rendered, seconds, pages, requests)] = query(done.path, FIGURES)
                print(
                    f"{name:11} {mode:7} {len(done.finds):5} {pages:6} {rendered:9} {requests:9} "
                    f"{seconds / max(rendered, 1):15.2f}"
                )


def plain_sites(paths: list[Path], times: int) -> None:
    print("site            requests  candidates  rendered  CPU never  CPU auto  ratio  signs %")
    for path in paths:
        with SiteServer() as server:
            start, records = _moved(path, server.url)
            server.serve(records)
            used: dict[str, list[float]] = {"never": [], "auto": []}
            for _ in range(times):
                for mode, seconds in used.items():
                    seconds.append(_crawl(start, mode))
            never, auto = (statistics.median(seconds) for seconds in used.values())
            with tempfile.TemporaryDirectory() as folder:
                done = _crawled(start, "auto", Path(folder) / "crawl")
                [(rendered, _, _, requests)] = query(done.path, FIGURES)
                [(candidates,)] = query(done.path, "SELECT count(*) FROM renders")
        print(
            f"{path.name.partition('.')[0]:15} {requests:8} {candidates:11} {rendered:9} "
            f"{never:10.2f} {auto:9.2f} {auto / never:6.3f} {100 * _looking(records) / auto:8.2f}",
            flush=True,
        )


def _looking(records: list[Record]) -> float:
    """Return the CPU time of looking for signs in as many pages as a crawl fetches at most."""
    html = [one for one in records if "html" in one.content_type][:REQUESTS]
    pages = [Page(one.url, "GET", 200, "text/html", one.body) for one in html]
    times = []
    for _ in range(5):
        begun = time.process_time()
        for page in pages:
            script_signs(page)
        times.append(time.process_time() - begun)
    return min(times)


def _moved(path: Path, url: str) -> tuple[str, list[Record]]:
    """Return the start URL and the records of a recorded site, as if it stood at another URL."""
    records = list(read_records(path, Damage()))
    host = re.escape(host_of(records[0].url).encode())
    own, place = re.compile(rb"https?://" + host + rb"/"), url.encode()
    moved = [
        replace(
            one,
            body=own.sub(place, one.body),
            location=own.sub(place, one.location.encode()).decode(),
        )
        for one in records
    ]
    return own.sub(place, records[0].url.encode()).decode(), moved


def _crawl(start: str, mode: str) -> float:
    """Crawl, and return the CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        before = _cpu()
        _crawled(start, mode, Path(folder) / "crawl")
        return _cpu() - before


def _crawled(start: str, mode: str, out: Path) -> Crawled:
    words = ("--requests", REQUESTS, "--no-inspect", "--concurrency", 1)
    return crawl(start, *words, render=mode, out=out)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="What rendering costs and brings.")
    parser.add_argument("recordings", nargs="*", type=Path)
    parser.add_argument("--times", type=int, default=3)
    told = parser.parse_args()
    if told.recordings:
        plain_sites(told.recordings, told.times)
    else:
        frameworks()


if __name__ == "__main__":
    main()
