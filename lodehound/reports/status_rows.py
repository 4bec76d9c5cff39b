"""How a crawl stands: where it began, what it may use, what is left. Read in an instant."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lodehound.assembly.ending import MEANINGS
from lodehound.assembly.resuming import next_command, update_command
from lodehound.config import CrawlConfig
from lodehound.reports.figures import budget_words, figure_rows
from lodehound.reports.forecast import forecast_of, rows_of
from lodehound.reports.next_update import next_update
from lodehound.reports.rendering import render_rows
from lodehound.reports.round_report import round_report, round_rows
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted

Rows = list[tuple[str, str]]
SHOWN = 3  # start URLs
BUDGETS = ("requests", "bytes", "time", "finds", "early_stop")


def standing_rows(directory: CrawlDir) -> Rows:
    """Return everything that ``lodehound status`` says, as names and texts."""
    summary = directory.summary()
    config = CrawlConfig.without_secrets(directory.config)
    ended, command = directory.ended, _next(directory, summary)
    return [
        *([("ended", MEANINGS.get(ended, ended))] if ended else []),
        *_start_rows(config),
        ("budget", budget_words(config)),
        *_round_rows(directory),
        *figure_rows(summary),
        *_link_rows(directory),
        *render_rows(directory.renders.totals()),
        *((name, f"{count:,}") for name, count in summary.statuses.items()),
        *(("error", f"{count:,} x {name}") for name, count in summary.errors.items()),
        *([("next", command)] if command else []),
        *_update_rows(directory),
    ]


def standing_of(directory: CrawlDir) -> dict[str, Any]:
    """Return the same for programs: numbers as they are, null for what is not known."""
    summary = directory.summary()
    config = CrawlConfig.without_secrets(directory.config)
    waiting = directory.facts.meta().get("waiting")
    return {
        "state": directory.state,
        "ended": directory.ended,
        "start": config.urls,
        "budget": {name: getattr(config, name) for name in BUDGETS}
        | {"early_stop": config.stop_rule},
        "requests": summary.requests,
        "seconds": summary.at,
        "requests_per_minute": summary.per_minute,
        "finds": summary.finds,
        "bytes": summary.bytes,
        "files": summary.files,
        "distinct_files": summary.distinct_files,
        "datasets": summary.datasets,
        "listed_files": summary.listed,
        "contents": asdict(summary.contents),
        "waiting": int(waiting) if waiting and waiting.isdecimal() else None,
        "drought": directory.drought(),
        "estimates": [asdict(one) for one in directory.estimates()],
        **forecast_of(directory),
        "rendering": asdict(directory.renders.totals()),
        "statuses": summary.statuses,
        "errors": summary.errors,
        "next": _next(directory, summary),
        "rounds": len(directory.facts.rounds()),
        "next_update": asdict(update) if (update := next_update(directory)) else None,
    }


def _next(directory: CrawlDir, summary: Summary) -> str:
    return next_command(directory, summary) if directory.state == "not running" else ""


def _round_rows(directory: CrawlDir) -> Rows:
    """Return the last round of several."""
    if len(directory.facts.rounds()) == 1:
        return []
    return round_rows(round_report(directory))


def _update_rows(directory: CrawlDir) -> Rows:
    """Return when an update pays, if the crawl has found anything."""
    if directory.state != "not running" or (update := next_update(directory)) is None:
        return []
    return [("update", f"{update_command(directory)}: {update.sentence}")]


def _start_rows(config: CrawlConfig) -> Rows:
    """Return the start URLs, the first few of many."""
    rows = [("start", url) for url in config.urls[:SHOWN]]
    left = len(config.urls) - SHOWN
    return [*rows, ("start", f"and {left:,} more")] if left > 0 else rows


def _link_rows(directory: CrawlDir) -> Rows:
    """Return how many links wait, how long nothing was found, and what is expected."""
    waiting = directory.facts.meta().get("waiting", "")
    rows = [("waiting", counted(int(waiting), "link"))] if waiting.isdecimal() else []
    drought = ("drought", f"{counted(directory.drought(), 'request')} since the last find")
    return [*rows, drought, *rows_of(directory)]
