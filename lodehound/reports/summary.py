"""The last screen of a crawl: what came of it, and where things are."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from lodehound.drivers.live.run import Ending, Exit
from lodehound.stores.crawl_dir import CrawlDir, Summary

MEANINGS = {
    "exhausted": "every link was followed",
    "requests": "the budget of requests is spent",
    "bytes": "the budget of volume is spent",
    "seconds": "the time is up",
    "finds": "as many finds as wanted",
    "early-stop": "finds had become rare",
    "unreachable": "the links that are left wait for hosts that do not answer",
}

RESUMABLE = {"requests", "seconds", "unreachable"}


def print_summary(console: Console, directory: CrawlDir, ending: Ending) -> None:
    """Print one screen."""
    summary = directory.journal.summary()
    per_hundred = 100 * summary.finds / max(summary.requests, 1)
    rows = [
        ("ended", _ended(ending)),
        ("requests", f"{summary.requests:,} in {summary.at:,.0f} s"),
        ("finds", f"{summary.finds:,} ({per_hundred:.1f} per 100 requests)"),
        ("volume", f"{summary.bytes / 1e6:,.1f} MB"),
        *_inspected(summary),
        *((f"status {name}", f"{count:,}") for name, count in summary.statuses.items()),
        *(("errors", f"{count:,} x {name}") for name, count in summary.errors.items()),
        *ending.notes,
        ("files", str(directory.path / "files")),
        ("catalogue", str(directory.path / "crawl.sqlite")),
    ]
    if ending.code in {Exit.STOPPED, Exit.DISK_FULL} or ending.reason in RESUMABLE:
        rows.append(("go on with", f"lodehound resume {directory.path}"))
    print_rows(console, rows)


def _inspected(summary: Summary) -> list[tuple[str, str]]:
    if not summary.inspected:
        return []
    told = f"{summary.with_tables:,} of {summary.inspected:,} files hold tables"
    return [("tables", f"{told}, {summary.with_statistics:,} look like statistics")]


def print_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Print names and values. A table would cut a path that is longer than its column."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        line = Text.assemble((f"  {name:{width}}  ", "dim"), value)
        console.print(line, soft_wrap=True, highlight=False)


def _ended(ending: Ending) -> str:
    meaning = MEANINGS.get(ending.reason, ending.reason)
    return f"{meaning}: {ending.detail}" if ending.detail else meaning
