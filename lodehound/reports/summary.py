"""The last screen of a crawl or a recording: what came of it, and where things are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from lodehound.assembly.ending import Ending
from lodehound.assembly.resuming import next_command
from lodehound.reports.figures import figure_rows
from lodehound.reports.rendering import render_rows
from lodehound.reports.round_report import round_report, round_rows
from lodehound.reports.screen_text import in_bytes
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted
from lodehound.text.shell import shown

PARTS = 10  # of a crawl whose relevance is told over time


def print_summary(console: Console, directory: CrawlDir, ending: Ending) -> None:
    """Print one screen."""
    further = len(directory.facts.rounds()) > 1
    summary = directory.round_summary()
    rows = [
        *(round_rows(round_report(directory)) if further else ()),
        *_figures(summary, ending),
        *relevance_over_time(directory),
        *render_rows(directory.renders.totals()),
        *ending.notes,
        ("folder", shown(directory.path / "files")),
        ("catalogue", shown(directory.path / "crawl.sqlite")),
    ]
    if command := next_command(directory, summary):
        rows.append(("go on with", command))
    print_rows(console, rows)


def print_recording(
    console: Console, out: Path, summary: Summary, ending: Ending, *, left_out: int, state: Path
) -> None:
    """Print what was recorded, and how to go on if there is more.

    Args:
        console: Where to.
        out: The recording.
        summary: What it cost.
        ending: How it ended.
        left_out: URLs seen and not asked for.
        state: Where the state is, if it is kept.
    """
    rows = [
        *_figures(summary, ending),
        *ending.notes,
        ("not asked for", counted(left_out, "URL")),
    ]
    if out.exists():
        rows.append(("recording", f"{shown(out)} ({in_bytes(out.stat().st_size)})"))
    if state.exists():
        rows.append(("go on with", "the same command, and a larger budget if it is spent"))
    print_rows(console, rows)


def _figures(summary: Summary, ending: Ending) -> list[tuple[str, str]]:
    return [
        ("ended", ending.sentence),
        *figure_rows(summary),
        *((f"status {name}", f"{count:,}") for name, count in summary.statuses.items()),
        *(("errors", f"{count:,} x {name}") for name, count in summary.errors.items()),
    ]


def relevance_over_time(directory: CrawlDir) -> list[tuple[str, str]]:
    """Return how many pages were on the topic, and how near, in each tenth of the crawl."""
    if not json.loads(directory.config).get("want", "").startswith("topic"):
        return []
    values = directory.journal.values()
    rows = []
    for part in range(PARTS):
        mine = values[len(values) * part // PARTS : len(values) * (part + 1) // PARTS]
        found = [value for value in mine if value is not None]
        if mine:
            mean = sum(found) / len(found) if found else 0.0
            share = f"{100 * len(found) / len(mine):3.0f} % on the topic"
            rows.append((f"tenth {part + 1}", f"{share}, mean relevance {mean:.2f}"))
    return rows


def print_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Print names and values. A table would cut a path that is longer than its column."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        line = Text.assemble((f"  {name:{width}}  ", "dim"), value.replace("\n", " "))
        console.print(line, soft_wrap=True, highlight=False)
