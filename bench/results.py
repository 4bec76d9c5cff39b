"""Every page of results, one after the other, at one state of the program.

    python -m bench.results [--quick] [--corpora DIR] [--cache DIR] [--rows FOLDER] [--out FOLDER]
                            [--sites NAME,...] [--only PAGE,...]

``--quick`` takes few seeds and the sites under 7,000 requests, leaves out the pages that take
hours, and writes to build/results: docs/research keeps what was measured in full. With ``--rows``
runs are kept in a folder as they end and are not made again: use one folder per state of the
program. Every page says with which version and when it was measured.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from bench.pages import RESEARCH

QUICK_OUT = Path("build/results")


class Page(NamedTuple):
    """One page: what writes it, and how it is asked to be quick; None if it cannot be."""

    module: str
    quick: tuple[str, ...] | None = None
    takes_sites: bool = False


PAGES = {
    "results": Page("bench.policies", ("--quick",), takes_sites=True),
    "sb-results": Page("bench.sb_tables", ("--seeds", "3"), takes_sites=True),
    "anthelion-results": Page("bench.anthelion_tables", ("--seeds", "1")),
    "ldcoc-results": Page("bench.ldcoc_tables", ("--seeds", "1", "--no-features")),
    "topics-results": Page("bench.topics"),
    "topics-policies": Page("bench.topic_policies", ("--seeds", "1")),
    "topics-rewards": Page("bench.topic_rewards"),
    "early-stop": Page("bench.early_stop"),
    "ablation": Page("bench.ablation", takes_sites=True),
}


def main() -> int:
    given = _arguments().parse_args()
    out: Path = given.out or (QUICK_OUT if given.quick else RESEARCH)
    for folder in filter(None, (out, given.rows)):
        folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in given.only.split(",") if given.only else PAGES:
        if given.quick and PAGES[name].quick is None:
            print(f"{name}: left out, it takes hours", flush=True)
            continue
        print(f"{name}: {out / name}.md", flush=True)
        if subprocess.run(command(name, given, out), check=False).returncode:
            failed.append(name)  # the others do not depend on it
    print(f"failed: {', '.join(failed)}" if failed else "all pages are written")
    return bool(failed)


def command(name: str, given: argparse.Namespace, out: Path) -> list[str]:
    """Return the command that writes a page."""
    page = PAGES[name]
    words = [sys.executable, "-m", page.module, "--out", str(out / f"{name}.md")]
    words += page.quick or () if given.quick else ()
    for option in ("corpora", "cache"):
        if getattr(given, option) is not None:
            words += [f"--{option}", str(getattr(given, option))]
    if given.rows is not None:
        words += ["--rows", str(given.rows / f"{name}.jsonl")]
    if given.sites and page.takes_sites:
        words += ["--sites", given.sites]
    return words


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--quick", action="store_true", help="few seeds, small sites")
    parser.add_argument("--rows", type=Path, help="folder where runs are kept, and looked for")
    parser.add_argument("--out", type=Path, help=f"else {RESEARCH.name}, or {QUICK_OUT}")
    parser.add_argument("--sites", default="", help="names, with commas; else all")
    parser.add_argument("--only", default="", help=f"pages, with commas: {', '.join(PAGES)}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
