"""Runs a live crawl to its end in this process, and says how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from lodehound.core.messages import Step, Stop
from lodehound.drivers.live.engine import Live
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
    UNREACHABLE = 6


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
    with StopSignals() as stops:
        return asyncio.run(_run(open_live, directory, watcher or Watcher(), stops))


async def _run(
    open_live: Callable[[], Live], directory: CrawlDir, watcher: Watcher, stops: StopSignals
) -> Ending:
    live = open_live()
    session = live.session
    session.on_step = lambda step: watcher.stepped(session, step)
    stops.attach(live)
    watcher.began(session)
    directory.keep_end("")
    try:
        await live.run()
        ending = _ending(session, directory, stopped=bool(stops.count))
        directory.keep_end(ending.reason)
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
    stop = session.stop or Stop("exhausted")
    code = Exit.FINISHED
    if stop.reason == "unreachable":
        # Some hosts are always dead. One that did answer fell silent, and its links with it.
        silent = session.tally.silent.keys() & directory.journal.answering_hosts()
        code = Exit.UNREACHABLE if silent else code
    return Ending(code, stop.reason, stop.detail)


def _notes(session: Session) -> tuple[tuple[str, str], ...]:
    """Say what this session saw and the journal does not tell."""
    notes = []
    if session.sitemaps is not None:
        count = session.tally.from_sitemaps
        notes.append(("sitemaps", f"{count:,} links first seen in sitemaps and feeds"))
    if scripts := session.tally.needing_script:
        notes.append(("scripts", f"{scripts:,} pages show no link without JavaScript"))
    return tuple(notes)


def _obstacles(session: Session) -> str:
    """Say what stood in the way."""
    tally = session.tally
    plain = [status for status in tally.statuses if status and not 300 <= status < 400]
    found = [*tally.details, *(f"status {status}" for status in plain)]
    return "; ".join(dict.fromkeys(found)) or "no start URL answered"


class StopSignals:
    """Catches Ctrl-C and SIGTERM: the first finishes what is in flight, the second stops now.

    It stands before the event loop does, and the command enters it before anything is made:
    an exception raised in the middle of an import, or a cancelled task, might be lost.
    """

    def __init__(self) -> None:
        self.count = 0
        self._live: Live | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> StopSignals:
        outer = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
        if isinstance(outer, StopSignals):
            return outer  # the command caught them before the crawl did
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(ValueError):  # not the main thread: signals go elsewhere
                self._before[number] = signal.signal(number, self._came)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def attach(self, live: Live) -> None:
        """Let signals halt this crawl; one that came earlier does so now."""
        self._live, self._loop = live, asyncio.get_running_loop()
        if self.count:
            live.halt()

    def _came(self, *_: object) -> None:
        self.count += 1
        if self.count > 1:
            os._exit(Exit.STOPPED)  # every answer so far is committed: nothing is lost
        if self._live is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._live.halt)
