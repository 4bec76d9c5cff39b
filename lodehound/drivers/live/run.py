"""Runs a live crawl to its end in this process, and says how it ended."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum

from lodehound.core.messages import Step
from lodehound.drivers.live.engine import Live, run_live
from lodehound.drivers.live.session import Session
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.errors import DiskFullError


class Exit(IntEnum):
    """Exit codes of ``lodehound crawl`` and ``resume``: a contract, see docs/exit-codes.md."""

    FINISHED = 0
    FAILED = 1
    BAD_INPUT = 2
    NOTHING_REACHABLE = 3
    STOPPED = 4
    DISK_FULL = 5


@dataclass(frozen=True, slots=True)
class Ending:
    """How a crawl ended."""

    code: Exit
    reason: str  # exhausted, requests, ..., user, nothing reachable, disk full
    detail: str = ""
    notes: tuple[tuple[str, str], ...] = ()  # what else the user should know


class Watcher:
    """Sees a crawl while it runs. This one looks away."""

    def began(self, session: Session) -> None:
        """Take note of the crawl before its first request."""

    def stepped(self, session: Session, step: Step) -> None:
        """Take note of one request and what came of it."""

    def ended(self, session: Session, ending: Ending) -> None:
        """Take note of the end."""


def run_crawl(
    open_live: Callable[[], Live], directory: CrawlDir, watcher: Watcher | None = None
) -> Ending:
    """Crawl until there is nothing left, a budget is spent, or the user stops it."""
    return asyncio.run(_run(open_live, directory, watcher or Watcher()))


async def _run(open_live: Callable[[], Live], directory: CrawlDir, watcher: Watcher) -> Ending:
    live = open_live()
    session = live.session
    session.on_step = lambda step: watcher.stepped(session, step)
    stops = _catch_signals(live)
    watcher.began(session)
    try:
        await run_live(live)
        ending = _ending(session, directory, stopped=bool(stops))
    except DiskFullError as error:
        ending = Ending(Exit.DISK_FULL, "disk full", str(error))
    ending = replace(ending, notes=_notes(session))
    watcher.ended(session, ending)
    return ending


def _ending(session: Session, directory: CrawlDir, *, stopped: bool) -> Ending:
    if session.stop is None and stopped:
        return Ending(Exit.STOPPED, "user", "stopped by the user; what was in flight is kept")
    summary = directory.journal.summary()
    if not summary.reached:
        return Ending(Exit.NOTHING_REACHABLE, "nothing reachable", _obstacles(session))
    stop = session.stop
    return Ending(Exit.FINISHED, stop.reason if stop else "exhausted", stop.detail if stop else "")


def _notes(session: Session) -> tuple[tuple[str, str], ...]:
    """Say what this session saw and the journal does not tell."""
    notes = []
    if session.sitemaps is not None:
        count = session.tally.from_sitemaps
        notes.append(("sitemaps", f"{count:,} links first seen in sitemaps and feeds"))
    if scripts := session.reader.needing_script:
        notes.append(("scripts", f"{scripts:,} pages show no link without JavaScript"))
    return tuple(notes)


def _obstacles(session: Session) -> str:
    """Say what stood in the way."""
    tally = session.tally
    plain = [status for status in tally.statuses if status and not 300 <= status < 400]
    found = [*tally.details, *(f"status {status}" for status in plain)]
    return "; ".join(dict.fromkeys(found)) or "no start URL answered"


def _catch_signals(live: Live) -> list[int]:
    """Finish what is in flight at the first signal, stop now at the second."""
    stops: list[int] = []

    def stop(number: int) -> None:
        stops.append(number)
        if len(stops) > 1:
            os._exit(Exit.STOPPED)  # every answer so far is committed: nothing is lost
        live.halt()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop, number)
        except (NotImplementedError, RuntimeError, ValueError):
            continue  # not the main thread, or Windows: Ctrl-C is KeyboardInterrupt there
    return stops
