"""Runs a live crawl to its end, in the thread it is called in."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from lodehound.assembly.ending import Ending, Exit, cap_notes, catalogue_notes, ending_of
from lodehound.assembly.left_out_notes import with_left_out
from lodehound.assembly.running import StopRequest, Watcher
from lodehound.assembly.topic_files import keep_weights
from lodehound.config import CrawlConfig
from lodehound.core.errors import LodehoundError
from lodehound.drivers.live.assemble import make_live, make_session
from lodehound.drivers.live.browser import Browsers
from lodehound.drivers.live.engine import Live
from lodehound.drivers.live.session import Session
from lodehound.search.indexing import index_finds
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError
from lodehound.stores.locks.stopping import is_asked_to_stop

LOOK = 0.5  # seconds between two looks for a request to stop


def run_crawl(
    config: CrawlConfig,
    directory: CrawlDir,
    *,
    resumed: bool,
    watcher: Watcher | None = None,
    stop: StopRequest | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> Ending:
    """Crawl until there is nothing left, a budget is spent, or somebody stops it.

    Args:
        config: What the user said, prepared (lodehound.drivers.live.assemble).
        directory: Where the crawl is kept.
        resumed: There is a journal to go on from.
        watcher: Sees every step.
        stop: Stops the crawl, from a signal handler or another thread.
        warn: Takes what the user should know of a damaged replica.
    """
    session = make_session(config, directory, resumed=resumed, warn=warn)
    watcher, stop = watcher or Watcher(), stop or StopRequest()

    async def run() -> Ending:
        asked = asyncio.create_task(_stop_when_asked(directory.path, stop))
        try:
            return await run_session(config, session, directory, watcher, stop)
        finally:
            asked.cancel()

    ending = asyncio.run(run())
    with contextlib.suppress(LodehoundError):  # no disk space: 'lodehound search' tries again
        index_finds(directory)
    return ending


async def _stop_when_asked(folder: Path, stop: StopRequest) -> None:
    """Stop the crawl when somebody asks for it in its directory, as the workbench does."""
    while not is_asked_to_stop(folder):
        await asyncio.sleep(LOOK)
    if not stop.made:
        stop.make()


async def run_session(
    config: CrawlConfig,
    session: Session,
    directory: CrawlDir,
    watcher: Watcher,
    stop: StopRequest,
    *,
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
    browsers: Browsers | None = None,
) -> Ending:
    """Run a crawl in this event loop, which may run others.

    Args:
        config: What the user said, prepared.
        session: Made of it.
        directory: Where the crawl is kept.
        watcher: Sees every step.
        stop: Stops it.
        guard: Entered before every request, and before every reply is taken in.
        browsers: Shared with the others.
    """
    directory.keep_end("")
    watcher.began(session)
    try:
        live = make_live(config, session, guard, browsers)
        return await _run_session(live, config, directory, watcher, stop)
    finally:
        keep_weights(config, session.crawl.policy)


async def _run_session(
    live: Live, config: CrawlConfig, directory: CrawlDir, watcher: Watcher, stop: StopRequest
) -> Ending:
    session = live.session
    loop = asyncio.get_running_loop()
    session.receiving.on_step = partial(watcher.stepped, session)
    live.on_wait = partial(watcher.waits, session)
    stop.attach(lambda: loop.call_soon_threadsafe(live.halt))
    try:
        await live.run()
        ending = ending_of(session.stop, session.tally, directory, stopped=stop.made)
        crawl = session.crawl
        caps = cap_notes(config, dropped=crawl.dropped, refused=crawl.refused)
        empty = catalogue_notes(config, directory)
        ending = replace(ending, notes=(*ending.notes, *caps, *empty))
        ending = with_left_out(ending, config, crawl, directory)
        directory.keep_end(ending.reason)
    except DiskFullError as error:
        ending = Ending(Exit.DISK_FULL, "disk full", str(error))
    finally:
        stop.attach(None)
    watcher.ended(session, ending)
    return ending
