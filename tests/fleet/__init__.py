"""Fleets as a user runs them, against many small sites on this machine."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.live import query, run_many

# No pauses; on a busy machine any answer may take a while.
HASTE = ("--delay", 0, "--backoff", 0.05, "--no-inspect", "--quiet")


def listed(folder: Path, urls: Iterable[str], name: str = "sites.txt") -> Path:
    path = folder / name
    path.write_text("\n".join(urls) + "\n")
    return path


def status(out: Path) -> dict[str, dict[str, Any]]:
    """Return how the sites of a fleet stand, by their first start URL."""
    [done] = run_many([["fleet", "status", out, "--json"]], out)
    sites = [json.loads(line) for line in done.out.splitlines()]
    return {site["start"].split()[0]: site for site in sites}


def finds_of(out: Path) -> dict[str, list[str]]:
    """Return the finds in the crawl directory of each site, in order of their URLs."""
    return {
        folder.name: sorted(url for (url,) in query(folder, "SELECT final_url FROM finds"))
        for folder in sorted((out / "sites").iterdir())
    }


def workers_of(out: Path) -> list[int]:
    """Return the process numbers of the workers that have said that they live."""
    path = out / "fleet.sqlite"
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        try:
            places = db.execute("SELECT place FROM workers WHERE beat > 0").fetchall()
        except sqlite3.OperationalError:  # not made yet
            return []
    return [int(match[1]) for (place,) in places if (match := re.match(r"process (\d+)", place))]
