"""The last screen of a recording."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from lodehound.assembly.endings import Ending
from lodehound.reports.summary import print_rows
from lodehound.stores.crawl_dir import Summary


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
        ("ended", ending.sentence),
        ("requests", f"{summary.requests:,} in {summary.at:,.0f} s"),
        ("files seen", f"{summary.finds:,}"),
        ("volume", f"{summary.bytes / 1e6:,.1f} MB"),
        *((f"status {name}", f"{count:,}") for name, count in summary.statuses.items()),
        *(("errors", f"{count:,} x {name}") for name, count in summary.errors.items()),
        *ending.notes,
        ("not asked for", f"{left_out:,} URLs"),
    ]
    if out.exists():
        rows.append(("recording", f"{out} ({out.stat().st_size / 1e6:,.1f} MB)"))
    if state.exists():
        rows.append(("go on with", "the same command, and a larger budget if it is spent"))
    print_rows(console, rows)
