"""How long a large crawl takes to look at, to list and to export, and how much memory.

    python -m bench.catalogue [--finds 100000] [--json FILE]

A crawl directory is made by hand: finds with titles, anchors and reasons as long as those of
real sites, one of ten a duplicate, one of fifty truncated, each other with a small CSV file that
was inspected, and three answers to a find. Every command runs in a process of its own, as a
user's would.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lodehound.config import CrawlConfig
from lodehound.inspect import Inspection, Table
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.catalogue.find_store import FIND, NEW_FIND, NEW_INSPECTION
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.journal import NEW_ANSWER

HOST = "https://stats.example/"
TITLE = "Employment by sector and region, quarterly figures - Office of Statistics"
WHY = "group 6 like html/body/div#main/div.content/ul.files/li/a.download: 3.20 targets a page"
HEADER = ("region", "sector", "year", "quarter", "persons employed", "change in per cent")
COMMANDS = {
    "status": ["status", "{crawl}"],
    "list": ["list", "{crawl}"],
    "list --like": ["list", "{crawl}", "--like", "region 77", "--type", "csv", "--min-rows", "2"],
    **{
        name: ["export", "{crawl}", "--to", name, "--output", "{out}/" + name]
        for name in ("csv", "jsonl", "parquet", "dcat", "warc")
    },
    "datapackage, in place": ["export", "{crawl}", "--to", "datapackage", "--output", "{crawl}"],
    "datapackage, copied": [
        "export",
        "{crawl}",
        "--to",
        "datapackage",
        "--output",
        "{out}/package",
    ],
    "ro-crate, in place": ["export", "{crawl}", "--to", "ro-crate", "--output", "{crawl}"],
    "diff": ["diff", "{crawl}", "{crawl}"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finds", type=int, default=100_000)
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder, "crawl"), told.finds)
        figures = [measure(name, command, folder) for name, command in COMMANDS.items()]
    if told.json:
        told.json.write_text(json.dumps({"finds": told.finds, "commands": figures}) + "\n")


def measure(name: str, command: list[str], folder: str) -> dict[str, Any]:
    places = {"crawl": f"{folder}/crawl", "out": folder}
    arguments = [sys.executable, "-c", CHILD, *(part.format(**places) for part in command)]
    begun = time.perf_counter()
    done = subprocess.run(arguments, check=True, capture_output=True)
    seconds = time.perf_counter() - begun
    *_, cpu, kibibytes = done.stderr.split()
    figures = {
        "command": name,
        "seconds": round(seconds, 1),
        "CPU seconds": round(float(cpu), 1),
        "MiB": round(int(kibibytes) / 1024),
    }
    print("{:24} {:6} s {:6} s of CPU {:6} MiB".format(*figures.values()), flush=True)
    return figures


# A process of its own knows its own peak; that of all children together would hide all but one.
CHILD = """
import resource, sys
from lodehound.cli import main
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
"""


def make(path: Path, count: int) -> None:
    """Write a crawl directory with so many finds."""
    begun = time.perf_counter()
    with CrawlDir.create(
        path, config=CrawlConfig(urls=(HOST,)).as_json(), version="bench"
    ) as directory:
        db = directory.database._db  # noqa: SLF001 - a hundred thousand commits take minutes
        db.execute("BEGIN")
        for find in finds(path, count):
            db.execute(NEW_FIND, dataclasses.astuple(find)[: len(FIND)])
            if not find.truncated:
                db.execute(NEW_INSPECTION, dataclasses.astuple(inspected(find)))
            db.executemany(NEW_ANSWER, answers(find))
        db.execute("COMMIT")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'made':24} {time.perf_counter() - begun:6.1f} s {peak:7.0f} MiB")


def finds(path: Path, count: int) -> Iterator[FindRow]:
    file, body = "", b""
    for number in range(1, count + 1):
        place = f"data/{number // 200}/employment-region {number}.csv"
        truncated = number % 50 == 0
        if number % 10 != 1 or not file or truncated:
            file, body = f"files/stats.example/{place}", text(number)
            target = path / file
            if not target.parent.is_dir():
                target.parent.mkdir(parents=True)
            target.write_bytes(body)
        url = HOST + place.replace(" ", "%20")
        yield FindRow(
            number, url, url, file, "text/csv", "text/csv; charset=utf-8",
            len(body), len(body) * (1 + truncated), truncated,
            "" if truncated else hashlib.sha256(body).hexdigest(),
            "Sun, 06 Nov 1994 08:49:37 GMT", f'"{number:x}"', "", "2026-01-02T03:04:05+00:00",
            f"{HOST}topics/{number // 20}/", TITLE, f"Employment, region {number}",
            "html/body/div/a", 5, WHY,
        )  # fmt: skip


def answers(find: FindRow) -> Iterator[tuple[Any, ...]]:
    """Three answers to a find: two pages with links, then the file."""
    links = zlib.compress(find.url.encode() * 20)
    for number in range(3 * find.number - 2, 3 * find.number + 1):
        found = number % 3 == 0
        yield (
            number, number, find.url if found else f"{HOST}page/{number}", 200, "text/html",
            "text/html", 20_000, "", "", "utf-8", "", 0, 1, 1, found, 1.0, "", 3, float(number),
            find.fetched_at, None if found else links, None, TITLE,
        )  # fmt: skip


def text(number: int) -> bytes:
    rows = "".join(f"region {number},sector {row},2024,{row % 4},{row * number},0.{row}\n"
                   for row in range(12))  # fmt: skip
    return (",".join(HEADER) + "\n" + rows).encode()


def inspected(find: FindRow) -> Inspected:
    seen = Inspection("csv", charset="utf-8", dialect="comma")
    seen = seen.with_tables([Table("", 12, 6, HEADER, statistics=True)], kept=1)
    return Inspected(find.file, "csv", 1, 12, 6, json.dumps(HEADER), 0, 1, "", seen.to_json())


if __name__ == "__main__":
    main()
