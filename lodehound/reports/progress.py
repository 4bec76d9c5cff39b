"""What a crawl shows while it runs: a live screen, plain lines, or lines of JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
import time

from rich.console import Console, Group
from rich.live import Live as Screen
from rich.table import Table
from rich.text import Text

from lodehound.assembly.ending import Ending
from lodehound.assembly.running import RunningCrawl, Watcher
from lodehound.core.auto_stop import AutoStop, advice
from lodehound.core.forecasts import Forecaster
from lodehound.core.messages import Step
from lodehound.core.stop import EarlyStop
from lodehound.reports.figures import pace_of
from lodehound.reports.forecast import forecast_rows
from lodehound.reports.screen_text import in_bytes, in_time
from lodehound.stores.catalogue.totals import finds_per_hundred, requests_per_minute
from lodehound.text.counts import counted

EVERY = 10.0  # seconds between plain lines


class PlainLines(Watcher):
    """One line now and then, for logs and pipes.

    Args:
        console: Where to.
        every: Seconds between two lines.
    """

    def __init__(self, console: Console, *, every: float = EVERY) -> None:
        self.console = console
        self.every = every
        self._next = 0.0

    def stepped(self, running: RunningCrawl, step: Step) -> None:
        if running.clock() >= self._next:
            self._next = running.clock() + self.every
            self.console.print(line_of(running), markup=False, highlight=False, soft_wrap=True)

    def waits(self, running: RunningCrawl) -> None:
        if running.obstacle and running.clock() >= self._next:
            self._next = running.clock() + self.every
            line = f"{running.clock():8.1f} s  waiting: {running.obstacle}"
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)


class JsonLines(Watcher):
    """One JSON object per request, for programs."""

    def stepped(self, running: RunningCrawl, step: Step) -> None:
        record = {"event": "step", **dataclasses.asdict(step), "at": round(running.clock(), 3)}
        del record["details"]  # they may be long, and stand in the find
        if step.found and running.last_find is not None:
            record["find"] = dataclasses.asdict(running.last_find)
        self._write(record)

    def ended(self, running: RunningCrawl, ending: Ending) -> None:
        self._write(
            {
                "event": "end",
                "reason": ending.reason,
                "detail": ending.detail,
                "exit_code": int(ending.code),
                "requests": running.crawl.requests,
                "finds": running.crawl.finds,
            }
        )

    def _write(self, record: dict[str, object]) -> None:
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()


class LiveScreen(Watcher):
    """A screen that is redrawn a few times a second.

    Args:
        console: A terminal.
    """

    def __init__(self, console: Console) -> None:
        self._screen = Screen(console=console, refresh_per_second=4, transient=True)
        self._drawn = 0.0
        self._recent: list[Step] = []

    def began(self, running: RunningCrawl) -> None:
        self._screen.start()

    def stepped(self, running: RunningCrawl, step: Step) -> None:
        if step.found:
            self._recent = [*self._recent[-4:], step]
        self.waits(running)

    def waits(self, running: RunningCrawl) -> None:
        if time.monotonic() - self._drawn > 0.2:
            self._drawn = time.monotonic()
            self._screen.update(self._draw(running))

    def ended(self, running: RunningCrawl, ending: Ending) -> None:
        self._screen.stop()

    def _draw(self, running: RunningCrawl) -> Group:
        table = Table(box=None, show_header=False, padding=(0, 2))
        for name, value in facts_of(running):
            table.add_row(Text(name, style="dim"), Text(value))
        finds = [
            Text(f"  found {step.url}", overflow="ellipsis", no_wrap=True) for step in self._recent
        ]
        return Group(table, *finds)


def facts_of(running: RunningCrawl) -> list[tuple[str, str]]:
    """Return what there is to know of a running crawl."""
    crawl, seconds = running.crawl, running.clock()
    per_hundred = finds_per_hundred(crawl.finds, crawl.requests)
    pace = pace_of(requests_per_minute(crawl.requests, seconds))
    facts = [
        ("requests", f"{crawl.requests:,}{f' ({pace})' if pace else ''}"),
        ("finds", f"{crawl.finds:,} ({per_hundred:.1f} per 100 requests)"),
        ("volume", in_bytes(crawl.bytes)),
        ("known URLs", f"{crawl.known:,}"),
        ("in flight", f"{running.in_flight}, waiting for robots.txt or a delay {running.waiting}"),
        ("budget", budget_of(running)),
    ]
    if crawl.drought:
        facts.append(("drought", f"{counted(crawl.drought, 'request')} since the last find"))
    if running.obstacle:
        facts.append(("waiting", running.obstacle))
    facts += forecast_facts(running)
    facts += [("best", text) for text in crawl.lanes.insights()[:3]]
    return facts


def forecast_facts(running: RunningCrawl) -> list[tuple[str, str]]:
    """Return what is expected, and propose to stop if that is little and no rule will."""
    crawl = running.crawl
    if not running.estimates:
        return []
    forecaster = Forecaster.among(crawl.rules)
    seen = forecaster.last if forecaster is not None else None
    rows = forecast_rows(seen, running.estimates)
    now = {"requests": crawl.requests, "finds": crawl.finds, "dry": crawl.drought}
    if not any(isinstance(rule, AutoStop | EarlyStop) for rule in crawl.rules):
        rows += [("advice", text)] if (text := advice(seen, **now)) else []
    return rows


def budget_of(running: RunningCrawl) -> str:
    """Return what is left of the budget, and how long it will take at this rate."""
    budget, crawl = running.crawl.budget, running.crawl
    seconds = max(running.clock(), 0.001)
    parts = []
    if budget.requests is not None:
        left = max(budget.requests - crawl.requests, 0)
        eta = max(round(left * seconds / max(crawl.requests, 1)), 1)
        parts.append(counted(left, "request") + (f", about {in_time(eta)}" if left else ""))
    if budget.finds is not None:
        parts.append(counted(max(budget.finds - crawl.finds, 0), "find"))
    if budget.bytes is not None:
        parts.append(in_bytes(max(budget.bytes - crawl.bytes, 0)))
    if budget.seconds is not None:
        parts.append(in_time(round(max(budget.seconds - seconds, 0))))
    return "; ".join(parts) or "no limit"


def line_of(running: RunningCrawl) -> str:
    """Return one plain line."""
    crawl = running.crawl
    return (
        f"{running.clock():8.1f} s  {counted(crawl.requests, 'request')}  "
        f"{counted(crawl.finds, 'find')}  {in_bytes(crawl.bytes)}  "
        f"{counted(crawl.known, 'URL')} known  left: {budget_of(running)}"
    )
