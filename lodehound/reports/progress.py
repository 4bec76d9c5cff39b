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

from lodehound.core.messages import Step, YieldEstimate
from lodehound.drivers.live.run import Ending, Watcher
from lodehound.drivers.live.session import Session

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

    def stepped(self, session: Session, step: Step) -> None:
        if session.clock() >= self._next:
            self._next = session.clock() + self.every
            self.console.print(line_of(session), markup=False, highlight=False, soft_wrap=True)


class JsonLines(Watcher):
    """One JSON object per request, for programs."""

    def stepped(self, session: Session, step: Step) -> None:
        record = {"event": "step", **dataclasses.asdict(step), "at": round(session.clock(), 3)}
        del record["details"]  # they may be long, and stand in the find
        if step.found and session.keeper.last_find is not None:
            record["find"] = dataclasses.asdict(session.keeper.last_find)
        self._write(record)

    def ended(self, session: Session, ending: Ending) -> None:
        self._write(
            {
                "event": "end",
                "reason": ending.reason,
                "detail": ending.detail,
                "exit_code": int(ending.code),
                "requests": session.crawl.requests,
                "finds": session.crawl.finds,
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
        self._estimate: YieldEstimate | None = None
        self._look = 0  # requests at which the estimate is made anew: it goes through all links

    def began(self, session: Session) -> None:
        self._screen.start()

    def stepped(self, session: Session, step: Step) -> None:
        if step.found:
            self._recent = [*self._recent[-4:], step]
        if time.monotonic() - self._drawn > 0.2:
            self._drawn = time.monotonic()
            self._screen.update(self._draw(session))

    def ended(self, session: Session, ending: Ending) -> None:
        self._screen.stop()

    def _draw(self, session: Session) -> Group:
        table = Table(box=None, show_header=False, padding=(0, 2))
        if session.crawl.requests >= self._look:
            self._look = session.crawl.requests + max(10, session.crawl.requests // 50)
            self._estimate = session.crawl.policy.remaining_yield()
        for name, value in facts_of(session, self._estimate):
            table.add_row(Text(name, style="dim"), Text(value))
        finds = [
            Text(f"  found {step.url}", overflow="ellipsis", no_wrap=True) for step in self._recent
        ]
        return Group(table, *finds)


def facts_of(session: Session, estimate: YieldEstimate | None = None) -> list[tuple[str, str]]:
    """Return what there is to know of a running crawl."""
    crawl, seconds = session.crawl, max(session.clock(), 0.001)
    rate = crawl.requests / seconds
    facts = [
        ("requests", f"{crawl.requests:,} ({rate:.2f} per second)"),
        ("finds", f"{crawl.finds:,} ({100 * crawl.finds / max(crawl.requests, 1):.1f} per 100)"),
        ("volume", f"{crawl.bytes / 1e6:,.1f} MB"),
        ("known URLs", f"{crawl.known:,}"),
        ("in flight", f"{session.in_flight}, waiting for manners {session.waiting}"),
        ("budget", budget_of(session)),
    ]
    if estimate is not None and crawl.finds:
        text = f"about {estimate.left:,.0f} by estimate, at most {estimate.high:,.0f}"
        facts.append(("still to find", text))
    facts += [("best", text) for text in crawl.policy.insights()[:3]]
    return facts


def budget_of(session: Session) -> str:
    """Say what is left, and how long it will take at this rate."""
    budget, crawl = session.crawl.budget, session.crawl
    seconds = max(session.clock(), 0.001)
    parts = []
    if budget.requests is not None:
        left = max(budget.requests - crawl.requests, 0)
        eta = left * seconds / max(crawl.requests, 1)
        parts.append(f"{left:,} requests, about {eta / 60:.1f} min")
    if budget.finds is not None:
        parts.append(f"{max(budget.finds - crawl.finds, 0):,} finds")
    if budget.bytes is not None:
        parts.append(f"{max(budget.bytes - crawl.bytes, 0) / 1e6:,.0f} MB")
    if budget.seconds is not None:
        parts.append(f"{max(budget.seconds - seconds, 0) / 60:.1f} min")
    return "; ".join(parts) or "no limit"


def line_of(session: Session) -> str:
    """Return one plain line."""
    crawl = session.crawl
    return (
        f"{session.clock():8.1f} s  {crawl.requests} requests  {crawl.finds} finds  "
        f"{crawl.bytes / 1e6:.1f} MB  {crawl.known} URLs known  left: {budget_of(session)}"
    )
