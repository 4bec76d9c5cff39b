"""What one request passes through: calls, files and changes of room.

    python -m bench.walk [--requests 40] [--files] [--json FILE]

A tree of pages with two links each is crawled by replay and live, over HTTP from this machine, one
request at a time. Every call of a function of the package is counted. A
request lasts until the next one is chosen; the figures are those of the median request.
A room is a folder of the package; those of drivers and stores are rooms of their own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import lodehound
from lodehound.api import CrawlRun
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.stop import Budget
from lodehound.drivers.replay import replay
from lodehound.registry import make_policy, parse
from lodehound.sites.server import SiteServer
from lodehound.stores.cache import open_site
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc
from lodehound.targets.files import Files

PACKAGE = Path(lodehound.__file__).parent
WARM = 10  # requests before the first that is measured: they import and learn


class Walk(NamedTuple):
    """What one request passed through."""

    calls: int
    files: int
    changes: int  # of room, in the order of the calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=40, help="that are measured")
    parser.add_argument("--policy", default="bfs")
    parser.add_argument("--files", action="store_true", help="also print the calls of each file")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    given = parser.parse_args()
    figures = {}
    for name, crawl in (("replay", crawl_replay), ("live", crawl_live)):
        walks = measured(partial(crawl, given.policy), given.requests)
        middle = Walk(
            *(round(statistics.median(part)) for part in zip(*map(_walk, walks), strict=True))
        )
        figures[name] = middle._asdict()
        print(
            f"{name:8} {middle.calls:4} calls, {middle.files:3} files, {middle.changes:4} changes"
        )
        if given.files:
            counts = Counter(file for walk in walks for file in walk)
            for file, count in counts.most_common():
                print(f"    {count / len(walks):6.1f}  {file}")
    if given.json:
        given.json.write_text(json.dumps(figures) + "\n")


def _walk(calls: list[str]) -> Walk:
    rooms = list(map(room_of, calls))
    changes = sum(one != other for one, other in pairwise(rooms))
    return Walk(len(calls), len(set(calls)), changes)


def room_of(file: str) -> str:
    """Return the room of a file.

    >>> room_of("core/crawl.py"), room_of("drivers/live/session.py"), room_of("config.py")
    ('core', 'drivers/live', 'config.py')
    """
    parts = file.split("/")
    return "/".join(parts[:-1][:2]) if parts[0] in {"drivers", "stores"} else parts[0]


def measured(crawl: Callable[[int], None], requests: int) -> list[list[str]]:
    """Return the files of the calls of each request, in order."""
    walks: list[list[str]] = [[]]
    with profiled(walks):
        crawl(WARM + requests + 1)
    return walks[WARM + 1 : WARM + 1 + requests]


@contextmanager
def profiled(walks: list[list[str]]) -> Iterator[None]:
    """Note the file of every call in the package; a new list begins with each choice."""
    folder, chosen = str(PACKAGE) + "/", Crawl.next.__code__
    crawling: set[int] = set()  # the thread that crawls; another one serves the pages

    def note(frame: FrameType, event: str, _: Any) -> None:
        code, thread = frame.f_code, threading.get_ident()
        if event == "return" and code is chosen:
            crawling.add(thread)
            walks.append([])
        elif event == "call" and thread in crawling and code.co_filename.startswith(folder):
            walks[-1].append(code.co_filename.removeprefix(folder))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def pages(root: str, number: int) -> Iterator[Record]:
    """Make a tree of pages with two links each."""
    for at in range(1, number + 1):
        links = "".join(f'<li><a href="/page/{2 * at + side}">More</a></li>' for side in (0, 1))
        body = f"<html><body><h1>Page {at}</h1><ul>{links}</ul></body></html>".encode()
        url = root if at == 1 else f"{root}page/{at}"
        yield Record(url, 200, "text/html", body)


def crawl_replay(policy: str, requests: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.warc.gz"
        write_warc(path, pages("https://tree.example/", 4 * requests))
        site = open_site([path], cache=Path(folder))
        budget = Budget(requests=requests)
        made = make_policy(parse("policy", policy))
        _, steps = replay(site, policy=made, target=Files.from_argument("paper"), budget=budget)
        for _ in steps:
            pass


def crawl_live(policy: str, requests: int) -> None:
    with SiteServer() as server, tempfile.TemporaryDirectory() as folder:
        server.serve(pages(server.url, 4 * requests))
        config = CrawlConfig(
            urls=(server.url,),
            policy=policy,
            requests=requests,
            delay=0.0,
            concurrency=1,
            render="never",
        )
        with CrawlRun(config, Path(folder) / "crawl") as crawl:
            crawl.wait()


if __name__ == "__main__":
    main()
