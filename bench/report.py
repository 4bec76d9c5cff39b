"""What it costs to look back at a large crawl: report, skipped, explain.

    python -m bench.report [--finds 100000] [--requests 200000] [--links 40] [--json FILE]

A generated graph is crawled by replay into a crawl directory, with a line in the
catalogue and an inspection for every find (there are no files). Every command runs
in a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.resume import ANCHOR, AROUND, ROOT
from lodehound.assembly.build import make_crawl
from lodehound.cli.report import explain, report, skipped
from lodehound.config import CrawlConfig
from lodehound.core.link import Link
from lodehound.core.messages import Ask, Step
from lodehound.drivers.replay import answerer, reader
from lodehound.sites import graph
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.catalogue.find_store import FindStore
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader

PARTS = ("report", "skipped", "skipped --counts", "explain", "explain --quick", "explain unseen")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finds", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--links", type=int, default=40, help="on a page")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.part:
        print(json.dumps(write(told) if told.part == "write" else measure(told)))
        return
    with tempfile.TemporaryDirectory() as folder:
        place = told.folder or Path(folder) / "crawl"
        figures: dict[str, Any] = {} if place.exists() else _child("write", place)
        for part in PARTS:
            figures |= _child(part, place)
        figures["report, MB"] = round((place / "report.html").stat().st_size / 1e6, 1)
    for name, value in figures.items():
        print(f"{name:26} {value:>10}")
    if told.json:
        told.json.write_text(json.dumps(figures) + "\n")


def _child(part: str, folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.report", *sys.argv[1:]]
    command += ["--part", part, "--folder", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


# --- writing ----------------------------------------------------------------------------------


def write(told: argparse.Namespace) -> dict[str, Any]:
    """Crawl and keep the journal and the catalogue."""
    config = CrawlConfig(urls=(ROOT,), requests=told.requests)
    site = graph(told.requests - told.finds, links=told.links, files=told.finds)
    site.anchors[0], site.arounds[0] = ANCHOR, AROUND
    crawl = make_crawl(config)
    answer, read = answerer(site, crawl.scope), reader(site)
    begun = time.perf_counter()
    with CrawlDir.create(told.folder, config=config.as_json(), version="bench") as directory:
        while isinstance(ask := crawl.next(), Ask):
            choice = crawl.choice_of(ask.number)
            directory.journal.asked(ask, choice, ())
            reply = answer(ask)
            page = replace(read(reply, choice.link), title=f"Page {ask.number} of the office")
            step = crawl.receive(reply, page)
            find = _find(step, choice.link) if step.found else None
            if find is not None:
                _inspected(directory.finds, find)
            directory.answered(reply, page, step, at=0.1 * ask.number, find=find)
    return {
        "requests": crawl.requests,
        "finds": crawl.finds,
        "addresses known": crawl.known,
        "write, s": round(time.perf_counter() - begun, 1),
        "journal, MB": round((told.folder / "crawl.sqlite").stat().st_size / 1e6),
    }


def _find(step: Step, link: Link) -> FindRow:
    return FindRow(
        step.number, link.url, step.url, f"files/graph.example/{step.number}.csv", step.mime,
        step.mime, step.size, step.size, truncated=False,
        sha256=hashlib.sha256(link.url.encode()).hexdigest(), last_modified="", etag="",
        content_disposition="", fetched_at="2024-01-01T00:00:00+00:00", found_on=link.source,
        page_title="Employment by sector - Office for Statistics", anchor=link.anchor,
        tag_path=link.tag_path, depth=link.depth, why=step.why,
    )  # fmt: skip


def _inspected(finds: FindStore, find: FindRow) -> None:
    statistics = find.number % 3
    finds.inspected(
        Inspected(find.file, "csv", 3, 300, 12, '["year", "value"]', 0, statistics, "", "{}")
    )


# --- measuring --------------------------------------------------------------------------------


def measure(told: argparse.Namespace) -> dict[str, Any]:
    """Run one command as a user does, save that its output goes nowhere."""
    url = _unseen(told.folder) if told.part == "explain unseen" else _last_find(told.folder)
    begun, worked = time.perf_counter(), time.process_time()
    out = io.StringIO()
    with redirect_stdout(out if told.part.startswith("explain") else _Nowhere()):
        if told.part == "report":
            report(told.folder)
        elif told.part.startswith("skipped"):
            skipped(told.folder, counts="counts" in told.part)
        else:
            explain(told.folder, url, quick="quick" in told.part)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        f"{told.part}, s": round(seconds, 1),
        f"{told.part}, CPU s": round(cpu, 1),
        f"{told.part}, MiB": round(peak),
    }


class _Nowhere(io.StringIO):
    def write(self, text: str, /) -> int:
        return len(text)


def _last_find(folder: Path) -> str:
    with CrawlReader(folder) as look:
        row = look.one("SELECT url FROM finds ORDER BY number DESC LIMIT 1")
    return str(row["url"]) if row is not None else ROOT


def _unseen(folder: Path) -> str:
    """Return an address that no page shows: every page is read to find that out."""
    return f"{ROOT}page/never-{folder.name}"


if __name__ == "__main__":
    main()
