"""Whether the right file comes first when a crawl is asked in plain words, and how long that takes.

    python -m bench.search [--folder DIR] [--corpora DIR] [--sites NAME,...] [--finds 100000]
                           [--json FILE] [--misses]

The questions are in bench/questions: one file per recorded site. A question names the files that
answer it, by patterns of their URLs. A site is crawled into the folder unless it is there already.
With --finds, a directory of so many generated finds is searched as well.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from bench.catalogue import make
from lodehound.search.engine import Found, search
from lodehound.search.indexing import index_finds
from lodehound.stores.crawl_dir import CrawlDir

QUESTIONS = Path(__file__).parent / "questions"
GENERATED = (
    "employment by region",
    "persons employed in sector 7",
    "quarterly change in region 77777",
    "unemployment rate of women in 2024",
    "csv",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--folder", type=Path, help="where crawls are kept, and looked for")
    parser.add_argument("--sites", default="", help="names, with commas; else all")
    parser.add_argument("--finds", type=int, default=0, help="size of a generated directory")
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    parser.add_argument("--misses", action="store_true", help="say which questions fail")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        figures = list(_measured(told, told.folder or Path(scratch)))
        if told.finds:
            figures.append(generated(Path(scratch, "generated"), told.finds))
    if told.json:
        told.json.write_text(json.dumps(figures, indent=2) + "\n")


def _measured(told: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    names = told.sites.split(",") if told.sites else sorted(f.stem for f in QUESTIONS.iterdir())
    for name in names:
        asked = json.loads((QUESTIONS / f"{name}.json").read_text())
        crawl = folder / name
        cpu = 0.0 if crawl.exists() else crawled(asked["start"], name, crawl, told.corpora)
        figures = {"site": name, **indexed(crawl, cpu), **answered(crawl, asked, told.misses)}
        print(json.dumps(figures), flush=True)
        yield figures


def crawled(start: str, name: str, crawl: Path, corpora: Path | None) -> float:
    """Crawl a recorded site; return the seconds of CPU that it took."""
    if corpora is None:
        sys.exit("Name the folder of recorded sites: --corpora, or LODEHOUND_CORPORA.")
    site = Path(corpora, "sites", f"{name}.warc.zst")
    command = [
        *(sys.executable, "-m", "lodehound", "crawl", start, "--replica", str(site)),
        *("--out", str(crawl), "--delay", "0", "--render", "never", "--no-traps", "--quiet"),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def indexed(crawl: Path, cpu: float) -> dict[str, Any]:
    """Index a crawl anew; return how long that takes, and its share of the CPU of the crawl."""
    with CrawlDir.open(crawl) as directory:
        finds = sum(1 for _ in directory.finds)
        begun = time.process_time()
        index_finds(directory, anew=True)
        spent = time.process_time() - begun
    share = round(100 * spent / cpu, 1) if cpu else None
    return {"finds": finds, "indexing, CPU s": round(spent, 2), "indexing, % of crawl": share}


def answered(crawl: Path, asked: dict[str, Any], misses: bool) -> dict[str, Any]:
    """Return which share of the questions has a right file first, and among the first five."""
    places, times = [], []
    for question in asked["questions"]:
        begun = time.perf_counter()
        found = search(question["ask"], [crawl], limit=5)
        times.append(time.perf_counter() - begun)
        places.append(place_of(question["right"], found))
        if misses and places[-1] != 1:
            titles = "; ".join(f"{one.entry.title[:60]}" for one in found[:2])
            print(f"   {places[-1] or '-'} {question['ask']} -> {titles}")
    return {
        "questions": len(places),
        "first, %": round(100 * places.count(1) / len(places)),
        "first five, %": round(100 * sum(map(bool, places)) / len(places)),
        **_milliseconds(times),
    }


def place_of(patterns: list[str], found: list[Found]) -> int:
    """Return the place of the first right file, from 1; 0 if there is none."""
    urls = [one.entry.find.final_url for one in found]
    right = [any(fnmatchcase(url, pattern) for pattern in patterns) for url in urls]
    return right.index(True) + 1 if True in right else 0


def generated(crawl: Path, count: int) -> dict[str, Any]:
    """Search in a large directory."""
    make(crawl, count)
    figures: dict[str, Any] = {"site": "generated", **indexed(crawl, 0.0)}
    times = []
    for question in GENERATED:
        begun = time.perf_counter()
        search(question, [crawl])
        times.append(time.perf_counter() - begun)
        print(f"   {1000 * times[-1]:.0f} ms: {question}")
    print(json.dumps(figures := figures | _milliseconds(times)), flush=True)
    return figures


def _milliseconds(times: list[float]) -> dict[str, int]:
    return {
        "search, median ms": round(1000 * statistics.median(times)),
        "search, longest ms": round(1000 * max(times)),
    }


if __name__ == "__main__":
    main()
