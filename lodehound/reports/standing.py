"""How a crawl stands: where it began, what it may use, what is left. Read in an instant."""

from __future__ import annotations

from lodehound.assembly.rebuild import config_of
from lodehound.config import written_size, written_time
from lodehound.stores.crawl_dir import CrawlDir

Rows = list[tuple[str, str]]
SHOWN = 3  # start URLs


def start_rows(directory: CrawlDir) -> Rows:
    """Return the start URLs, the first few of many."""
    urls = config_of(directory).urls
    rows = [("start", url) for url in urls[:SHOWN]]
    return [*rows, ("start", f"and {len(urls) - SHOWN:,} more")] if urls[SHOWN:] else rows


def budget_rows(directory: CrawlDir) -> Rows:
    """Return the budgets, if there are any."""
    config = config_of(directory)
    parts = [
        f"{config.requests:,} requests" if config.requests is not None else "",
        written_size(config.bytes) if config.bytes is not None else "",
        written_time(config.time) if config.time is not None else "",
        f"{config.finds:,} finds" if config.finds is not None else "",
        f"--early-stop {config.early_stop}" if config.early_stop != "off" else "",
    ]
    return [("budget", ", ".join(filter(None, parts)) or "no limit")]


def link_rows(directory: CrawlDir) -> Rows:
    """Return how many links wait, and how long nothing was found."""
    waiting = directory.journal.meta().get("waiting", "")
    rows = [("waiting", f"{int(waiting):,} links")] if waiting else []
    return [*rows, ("drought", f"{directory.journal.drought():,} requests since the last find")]
