"""How fast the workbench answers on a large crawl, and how much memory it takes.

    python -m bench.workbench [--finds 100000] [--folder DIR] [--json FILE] [--watch]

A crawl directory is made by hand: the finds of `bench.catalogue`, and as many pages with twenty
links each, to these and to a fifth as many files that were not fetched. The workbench runs in a
process of its own, as a user's would. Every page is asked for three times after its figures are
counted; the slowest answer counts.

With --watch, a generated site is crawled instead, alone and with the workbench beside it, whose
live page is asked for every two seconds as a browser does.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.catalogue import HOST, TITLE, WHY, make
from lodehound.core.link import Link
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.packed import pack_links
from lodehound.stores.log.journal import NEW_ANSWER
from lodehound.workbench.crawls import WatchedCrawl

LINKS = 20  # on a page
TIMES = 3
SCREENS = {
    "crawls": "/",
    "live": "{crawl}/",
    "finds": "{crawl}/finds",
    "finds, last page": "{crawl}/finds?page=2000",
    "finds, by rows": "{crawl}/finds?order=rows&type=csv&statistics=yes",
    "search, one word": "{crawl}/finds?words=region+77",
    "search, all finds": "{crawl}/finds?words=employ",
    "search, column name": "{crawl}/finds?words=quarter+persons&order=title",
    "find": "{crawl}/finds/77777",
    "preview": "{crawl}/finds/77777/preview",
    "site map": "{crawl}/map",
    "learned": "{crawl}/learned",
    "skipped": "{crawl}/skipped",
    "skipped, last page": "{crawl}/skipped?page=2000",
    "control": "{crawl}/control",
    "exports": "{crawl}/exports",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finds", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="a crawl directory, made unless it exists")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    parser.add_argument("--watch", action="store_true", help="what watching costs a crawl")
    told = parser.parse_args()
    if told.watch:
        watch()
        return
    with tempfile.TemporaryDirectory() as folder:
        place = told.folder or Path(folder) / "crawl"
        if not place.exists():
            make(place, told.finds)
            complete(place, told.finds)
        figures = measured(place)
    if told.json:
        told.json.write_text(json.dumps(figures) + "\n")


def complete(path: Path, finds: int) -> None:
    """Give every find its request, and add as many pages that link to them."""
    with CrawlDir.open(path) as directory:
        db = directory.database._db  # noqa: SLF001 - a hundred thousand commits take minutes
        db.execute("BEGIN")
        db.execute("DELETE FROM answers")
        db.execute("DELETE FROM asks")
        marks = ", ".join("?" * 11)
        for ask, answer in requests(finds):
            db.execute(f"INSERT INTO asks VALUES ({marks})", ask)  # noqa: S608 - marks only
            db.execute(NEW_ANSWER, answer)
        db.execute("COMMIT")


def requests(finds: int) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    for number in range(1, 2 * finds + 1):
        found = number <= finds
        place = f"data/{number // 200}/employment-region%20{number}.csv"
        url = HOST + (place if found else f"topics/{number - finds}/")
        source = f"{HOST}topics/{number // 20}/" if found else HOST
        group = f"group {number % 400}"
        at, when = 0.1 * number, f"2026-01-02T{number // 3600 % 24:02}:{number // 60 % 60:02}:00Z"
        links = None if found else pack_links(list(_links(number - finds, finds)), url, 3)
        yield (
            (2 * number - 1, number, url, "GET", source, 2, WHY, 0.5, None, when, group),
            (2 * number, number, url, 200, "text/csv" if found else "text/html", "text/html",
             20_000, "", "", "utf-8", "", 0, 1, 1, found, 1.0, "", LINKS, at, when, links, None,
             TITLE),
        )  # fmt: skip


def _links(page: int, finds: int) -> Iterator[Link]:
    """Yield links to finds, and to a fifth as many files that were not fetched."""
    for at in range(LINKS):
        number = (LINKS * page + at) % (finds * 6 // 5) + 1
        place = f"data/{number // 200}/employment-region%20{number}.csv"
        yield Link(
            f"{HOST}{place}", f"{HOST}topics/{page}/", "html/body/ul/li/a", f"Region {at}", depth=3
        )


def measured(place: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "lodehound", "ui", str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        opener, root = _visitor(process)
        try:
            figures = _asked(opener, root, f"crawl/{WatchedCrawl(place).id}", process.pid)
            figures["peak memory, MiB"] = _peak(process.pid)
        finally:
            process.terminate()
    print(f"{'peak memory':24} {figures['peak memory, MiB']:6} MiB")
    return figures


def watch() -> None:
    """Crawl a site alone and watched, twice each, and print the rates and the CPU it takes."""
    for at in range(4):
        with tempfile.TemporaryDirectory() as folder, SiteServer() as server:
            server.serve(StatsOffice(pages=2500, files=500, host=server.url).records())
            out = Path(folder) / "crawl"
            command = [sys.executable, "-m", "lodehound", "crawl", server.url, "--out", str(out),
                       "--delay", "0", "--requests", "1500", "--quiet"]  # fmt: skip
            used, beside = _children(), ""
            if at % 2:
                share, cpu = _watched(out, command)
                beside = f", the workbench took {100 * share:.1f} % of a core"
            else:
                subprocess.run(command, check=True)
                cpu = _children() - used
            with CrawlDir.open(out, write=False) as directory:
                summary = directory.summary()
        rate, each = summary.requests / summary.at, 1000 * cpu / summary.requests
        print(f"{rate:6.1f} requests a second, {each:.2f} ms of CPU each{beside}", flush=True)


def _children() -> float:
    """Return the seconds of CPU of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watched(out: Path, command: list[str]) -> tuple[float, float]:
    """Crawl, and look at the live page meanwhile.

    Returns:
        The share of a core that looking took, and the seconds of CPU of the crawl.
    """
    before = _children()
    with subprocess.Popen(
        [sys.executable, "-m", "lodehound", "ui", str(out.parent)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        opener, root = _visitor(process)
        live = f"{root}crawl/{WatchedCrawl(out).id}/"
        with subprocess.Popen(command) as crawl:
            while not (out / "metadata.json").exists():
                time.sleep(0.1)
            begun, used = time.perf_counter(), _cpu(process.pid)
            while crawl.poll() is None:
                time.sleep(2.0)
                _time(opener, live)
        share = (_cpu(process.pid) - used) / (time.perf_counter() - begun)
        crawl_cpu = _children() - before
        process.terminate()
    return share, crawl_cpu


def _visitor(process: subprocess.Popen[str]) -> tuple[urllib.request.OpenerDirector, str]:
    """Return what opens the pages of a workbench, and its address."""
    assert process.stdout is not None  # noqa: S101 - for the type checker
    printed = [process.stdout.readline() for _ in range(3)]
    root, *_, password = printed[-1].split()
    told = base64.b64encode(f"lodehound:{password}".encode()).decode()
    opener = urllib.request.build_opener()
    opener.addheaders = [("Authorization", f"Basic {told}")]
    return opener, root


def _asked(
    opener: urllib.request.OpenerDirector, root: str, crawl: str, process: int
) -> dict[str, Any]:
    figures = dict[str, Any]()
    for name, path in SCREENS.items():
        place = root + path.format(crawl=crawl).lstrip("/")
        begun = time.perf_counter()
        first = _time(opener, place)[0]
        while re.search("Counting.|being read", _time(opener, place)[1]):
            time.sleep(0.5)
        counted = time.perf_counter() - begun
        used = _cpu(process)
        slowest = max(_time(opener, place)[0] for _ in range(TIMES))
        cpu = (_cpu(process) - used) / TIMES
        figures[name] = {"first": round(first, 3), "counted after": round(counted, 1),
                         "slowest": round(slowest, 3), "CPU": round(cpu, 3)}  # fmt: skip
        print(f"{name:24} first {first:6.3f} s, counted after {counted:5.1f} s, "
              f"then {slowest:6.3f} s, {cpu:6.3f} s of CPU", flush=True)  # fmt: skip
    return figures


def _time(opener: urllib.request.OpenerDirector, url: str) -> tuple[float, str]:
    begun = time.perf_counter()
    with opener.open(url) as response:
        text = response.read().decode("utf-8", "replace")
    return time.perf_counter() - begun, text


def _cpu(process: int) -> float:
    """Return the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(process: int) -> int:
    """Return the peak memory of a process and of its children in MiB."""
    own = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+)", own)
    return int(found[1]) // 1024 + sum(map(_peak, map(int, children.split()))) if found else 0


if __name__ == "__main__":
    main()
