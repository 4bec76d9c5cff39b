"""The figures of a crawl as text, for status, the summary and the report."""

from __future__ import annotations

from collections.abc import Mapping

from lodehound.config import CrawlConfig
from lodehound.reports.screen_text import clean, in_bytes, in_time
from lodehound.stores.catalogue.totals import Summary
from lodehound.text.counts import counted

REASONS = 3  # most frequent reasons why files could not be read


def figure_rows(summary: Summary) -> list[tuple[str, str]]:
    """Return the names and values of a crawl's figures."""
    if not summary.requests:
        return [("requests", "0")]
    rows = [
        ("requests", f"{summary.requests:,} in {in_time(summary.at)}{_pace(summary)}"),
        ("finds", f"{summary.finds:,} ({summary.per_hundred:.1f} per 100 requests)"),
        ("volume", in_bytes(summary.bytes)),
    ]
    if summary.datasets:
        listed = counted(summary.listed, "file")
        rows.append(("datasets", f"{summary.datasets:,} with {listed}, listed and not fetched"))
    if summary.files:
        different = distinct_of(summary)
        rows.append(("files", f"{summary.files:,}{f' ({different})' if different else ''}"))
    return rows + (_content_rows(summary) if summary.contents.inspected else [])


def budget_words(config: CrawlConfig) -> str:
    """Return the budgets of a crawl, or of its last round."""
    parts = [
        counted(config.requests, "request") if config.requests is not None else "",
        in_bytes(config.bytes) if config.bytes is not None else "",
        in_time(config.time) if config.time is not None else "",
        counted(config.finds, "find") if config.finds is not None else "",
        f"--early-stop {config.early_stop}" if config.early_stop not in {"", "off"} else "",
    ]
    return ", ".join(filter(None, parts)) or "no limit"


def _content_rows(summary: Summary) -> list[tuple[str, str]]:
    counts = summary.contents
    classes = {
        "with tables": counts.with_tables,
        "with headers only": counts.no_rows,
        "without tables": counts.no_tables,
    }
    left = _listed({"truncated": counts.truncated, "not looked into": counts.not_inspected})
    reasons = [clean(reason, 60) for reason in list(summary.unreadable)[:REASONS]]
    why = f" ({', '.join(reasons)})" if reasons else ""
    tables = counted(counts.statistics, "table")
    return [
        ("readable", ": ".join(filter(None, (counted(counts.readable, "file"), _listed(classes))))),
        *([("empty", f"{counted(counts.empty, 'file')} of 0 bytes")] if counts.empty else []),
        ("unreadable", counted(counts.unreadable, "file") + why),
        *([("uninspected", left)] if left else []),
        ("tables", f"{counts.tables:,} in {counted(counts.with_tables, 'file')}"),
        ("statistics", f"{tables} in {counted(counts.with_statistics, 'file')}"),
    ]


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)


def distinct_of(summary: Summary) -> str:
    """Return how many files are distinct as text; "" if all of them are."""
    distinct = summary.distinct_files
    return f"{distinct:,} distinct" if distinct != summary.files else ""


def pace_of(per_minute: float | None) -> str:
    """Return a request rate as text, or "" if there is none.

    >>> pace_of(839.4), pace_of(2.5), pace_of(None)
    ('839 per minute', '2.5 per minute', '')
    """
    return "" if per_minute is None else f"{rate_of(per_minute)} per minute"


def rate_of(per_minute: float) -> str:
    """Return a request rate as a number of as many digits as count."""
    return f"{per_minute:,.{0 if per_minute >= 10 else 1}f}"


def _pace(summary: Summary) -> str:
    text = pace_of(summary.per_minute)
    return f" ({text})" if text else ""
