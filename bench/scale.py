"""How the cost of a crawl grows with the size of the site.

    python -m bench.scale [--pages 10000,100000,1000000] [--json FILE] [--plot FILE.svg]

Every size runs in a child process of its own: a generated graph of 20 links to
a page is crawled to its end by replay with sb-classifier. CPU time is the
crawl's alone; the peak of the memory holds site and crawl.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.sites import graph
from lodehound.targets.files import Files

LINKS = 20
SIZES = "10000,100000,1000000"
COLUMNS = (
    "pages", "files", "requests", "links", "build_s", "crawl_cpu_s", "us_per_request",
    "us_per_new_link", "peak_mib", "ratio",
)  # fmt: skip

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", default=SIZES, help="sizes, parted by commas")
    parser.add_argument("--json", type=Path, help="write one line of JSON to a size")
    parser.add_argument("--plot", type=Path, help="draw the cost against the size")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one)))
        return
    rows: list[Row] = []
    print("  ".join(f"{name:>15}" for name in COLUMNS))
    for size in sorted(map(int, arguments.pages.split(","))):
        row = _child(size)
        smallest = rows[0] if rows else row
        row["ratio"] = round(row["us_per_request"] / smallest["us_per_request"], 2)
        rows.append(row)
        print("  ".join(f"{row[name]:>15}" for name in COLUMNS), flush=True)
    if arguments.json:
        arguments.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if arguments.plot:
        plot(rows, arguments.plot)


def _child(pages: int) -> Row:
    command = [sys.executable, "-m", "bench.scale", "--one", str(pages)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    row: Row = json.loads(answer.stdout)
    return row


def measure(pages: int) -> Row:
    """Build a graph and crawl all of it in this process."""
    begun = time.perf_counter()
    site = graph(pages, links=LINKS)
    built = time.perf_counter() - begun
    cpu = time.process_time()
    crawl, steps = replay(site, policy=SbClassifier(), target=Files.from_argument("paper"))
    for _ in steps:
        pass
    cpu = time.process_time() - cpu
    return {
        "pages": pages,
        "files": crawl.finds,
        "requests": crawl.requests,
        "links": len(site.link_url),
        "build_s": round(built, 2),
        "crawl_cpu_s": round(cpu, 2),
        "us_per_request": round(cpu / crawl.requests * 1e6, 1),
        "us_per_new_link": round(cpu / crawl.known * 1e6, 1),
        "peak_mib": _peak_mib(),
    }


def _peak_mib() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)  # bytes there, KiB elsewhere


def plot(rows: list[Row], path: Path) -> None:
    """Draw cost per request and peak memory against the number of pages."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    sizes = [row["pages"] for row in rows]
    for axes, name, label in (
        (left, "us_per_request", "CPU µs per request"),
        (right, "peak_mib", "peak memory, MiB"),
    ):
        values = [row[name] for row in rows]
        axes.plot(sizes, values, marker="o")
        axes.set(xscale="log", xlabel=f"pages, {LINKS} links each", ylabel=label)
        axes.set_ylim(0, 1.15 * max(values))
        axes.grid(visible=True, alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The same numbers make the same file.
    with mpl.rc_context({"svg.hashsalt": "lodehound", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
