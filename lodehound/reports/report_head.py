"""The first lines of a report: what was crawled, how, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.assembly.build import budget_of
from lodehound.assembly.ending import MEANINGS
from lodehound.assembly.resuming import next_command
from lodehound.config import CrawlConfig
from lodehound.core.urls import host_of
from lodehound.reports.figures import budget_words, distinct_of, pace_of
from lodehound.reports.forecast import rows_of
from lodehound.reports.rendering import render_rows
from lodehound.reports.screen_text import clean, in_bytes, in_time
from lodehound.reports.skipped import Skips
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted

LONG = 500  # characters of a command


@dataclass(frozen=True, slots=True)
class Headline:
    """What stands above everything else."""

    site: str
    ended: str
    running: bool
    starts: tuple[str, ...]
    figures: list[tuple[str, str, str]]  # value, name, note
    facts: list[tuple[str, str]]


def headline_of(
    directory: CrawlDir, config: CrawlConfig, skips: Skips, summary: Summary
) -> Headline:
    """Return the head of the report: the site, how the crawl ended, and its figures."""
    hosts = list(dict.fromkeys(host_of(url) for url in config.urls))
    site = clean(", ".join(hosts[:3]), 120) + (f" and {len(hosts) - 3} more" if hosts[3:] else "")
    fetched = skips.seen - sum(skips.counts.values())
    figures = [
        (*_words(summary.finds, "find"), f"{summary.per_hundred:.1f} per 100 requests"),
        (*_words(summary.files, "file"), distinct_of(summary)),
        (*_words(summary.requests, "request"), pace_of(summary.per_minute)),
        (in_bytes(summary.bytes), "received", ""),
        (in_time(summary.at), "of crawling", ""),
        (*_words(skips.seen, "URL seen", "URLs seen"), f"{fetched:,} fetched"),
    ]
    running = directory.state.startswith("running")
    ended = "It is still running."
    if not running:
        ended = how_it_ended(config, summary, skips, said=directory.ended)
    return Headline(site, ended, running, config.urls, figures, _facts(directory, config, summary))


def _words(count: int, noun: str, plural: str = "") -> tuple[str, str]:
    """Return a number, and what it counts."""
    number, _, what = counted(count, noun, plural).partition(" ")
    return number, what


def how_it_ended(config: CrawlConfig, summary: Summary, skips: Skips, said: str = "") -> str:
    """Return how a crawl ended: as it recorded, or else by its budget and the links left.

    A crawl that was killed recorded nothing.
    """
    by_reason = skips.by_reason()
    left = by_reason.get("budget", 0)
    spent = budget_of(config).spent(
        requests=summary.requests, finds=summary.finds, bytes=summary.bytes, seconds=summary.at
    )
    reason = "exhausted"
    if said in MEANINGS:
        reason = said
    elif spent is not None:
        reason = spent.reason
    elif by_reason.get("unanswered") or left:
        return f"It was stopped before its end; URLs that still wait: {left:,}."
    meaning = MEANINGS[reason]
    rest = f"; URLs that still wait: {left:,}." if left else "."
    return f"{meaning[0].upper()}{meaning[1:]}{rest}"


def _facts(directory: CrawlDir, config: CrawlConfig, summary: Summary) -> list[tuple[str, str]]:
    facts = [
        ("Wanted", clean(config.want)),
        ("Policy", f"{clean(config.policy)}, seed {config.seed}"),
        ("Budget", budget_words(config)),
        ("Recording", clean(config.replica.rpartition("/")[2]) if config.replica else ""),
        ("Begun", directory.created_at.replace("T", " ").replace("+00:00", " UTC")),
        ("Made with", f"lodehound {directory.version}"),
        ("Drought", f"{counted(directory.drought(), 'request')} since the last find"),
        *((name.capitalize(), text) for name, text in rows_of(directory)),
        *((n.capitalize(), text) for n, text in render_rows(directory.renders.totals())),
        ("Continue with", clean(next_command(directory, summary), LONG)),
    ]
    return [(name, text) for name, text in facts if text]
