"""Runs many sites of a fleet in one event loop, for as long as it holds their leases.

The same code runs in a process of one machine and in an actor of a cluster.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.fleet_setup import site_config
from lodehound.core.errors import LodehoundError, text_of
from lodehound.drivers.fleet import open_files
from lodehound.drivers.fleet.budget import RENEW, pause_after
from lodehound.drivers.fleet.exchange import LinkExchange, WorkerExchange
from lodehound.drivers.fleet.shared_politeness import SharedPoliteness
from lodehound.drivers.fleet.site_run import SiteRun
from lodehound.drivers.fleet.uploads import Uploads
from lodehound.drivers.live.browser import Browsers
from lodehound.inspect import Options, Reader
from lodehound.inspect.limits import options_to_json
from lodehound.inspect.sharing import SharedReader
from lodehound.stores.errors import DiskFullError
from lodehound.stores.fleet import (
    SPENT,
    FleetSite,
    FleetStore,
    Lease,
    LeaseLostError,
    Progress,
    go_on,
)
from lodehound.stores.fleet.parts import name_of_part
from lodehound.stores.fleet.soundness import SITES
from lodehound.stores.remote.fleet import url_of

CLAIM_SHARE = 0.25  # of its fair share, claimed at a time, so that late workers get sites
LEAST = 8
FRESH = 0.01  # seconds for which a check of a lease holds: a fast crawl would check every 300 us


@dataclass(frozen=True, slots=True)
class HostOptions:
    """How sites are hosted.

    Args:
        sites: Most sites at a time; fewer if the system does not let it open enough files.
        files: How many files a site may have open.
        beat: Seconds between two signs of life.
        silence: Seconds without one after which a worker is given up.
        shared: The directory is on a network file system.
        workers: How many workers start together.
        url: Where the crawl directories are in an object store; "" if they are in the fleet
            directory.
    """

    sites: int = 300
    files: int = open_files.FILES + open_files.CONNECTIONS
    workers: int = 1
    beat: float = 2.0
    silence: float = 15.0
    shared: bool = False
    url: str = ""


class SiteHost:
    """A worker: it takes sites that nobody crawls until none is left.

    Args:
        folder: The fleet directory.
        options: How many sites, and how often it says that it lives.
        secrets: Options that are stored nowhere.
        worker: Its name; a new one unless given.
        mark: Told the site whose page is being read, then 0.
        store: The database of the fleet; the one in the folder unless given.
    """

    def __init__(
        self,
        folder: Path,
        options: HostOptions,
        secrets: Mapping[str, Any],
        *,
        worker: str = "",
        mark: Callable[[int], None] = lambda _: None,
        store: FleetStore | None = None,
    ) -> None:
        self.folder = folder
        self.options = options
        self.secrets = secrets
        self.worker = worker or uuid.uuid4().hex
        self._mark = mark
        self._store = store or FleetStore(folder, shared=options.shared)
        self._runs: dict[int, SiteRun] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        open_files.raise_limit()
        self._most = min(options.sites, open_files.sites_within(options.files))
        self._room = asyncio.Semaphore(self._most)
        self._readers: dict[str, SharedReader] = {}
        self._browsers = Browsers()
        self._alive_at = self._began_at = time.monotonic()
        self._checked_at: dict[int, float] = {}  # when the lease of a team was last checked
        self._beat_of: dict[str, tuple[int, float]] = {}  # the others': last beat, since when
        self._stopping = False
        self._full: DiskFullError | None = None

    def stop(self) -> None:
        """Ask for nothing more; what is in flight is received."""
        self._stopping = True
        for run in self._runs.values():
            run.stop.make()

    async def run(self) -> None:
        """Crawl until every site is done, or it is stopped or dismissed.

        Raises:
            DiskFullError: There is no space left; the sites wait for a fleet that goes on.
        """
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(open_files.threads()))
        place = f"process {os.getpid()} on {platform.node() or 'this machine'}"
        self._store.join(self.worker, place)
        exchange = asyncio.create_task(
            WorkerExchange(self._parts, self._store.sent_to, self._folder_of_part, self._fail).run()
        )
        try:
            while self._tasks or not (self._stopping or self._all_done()):
                if not self._turn():
                    break
                if exchange.done():  # by a mistake of ours, or because the list cannot be read
                    exchange.result()
                await self._pause()
        finally:
            exchange.cancel()
            self.stop()
            ended = await asyncio.gather(*self._tasks, return_exceptions=True)
            for reader in self._readers.values():
                reader.close()
            await self._browsers.close()
            with contextlib.suppress(LodehoundError):
                self._store.dismiss(self.worker)
            self._store.close()
        for failure in filter(None, ended):  # a mistake of ours: what was open is closed by now
            raise failure
        if self._full is not None:
            raise self._full

    def _meet_full_disk(self) -> None:
        """Stop: every other site will meet it, too."""
        cause = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._full = DiskFullError(self.folder, cause, go_on(self.options.url or self.folder))
        self.stop()

    def _all_done(self) -> bool:
        return not self._store.count("waiting", "running")

    def _turn(self) -> bool:
        """Report its progress, dismiss dead workers, take sites; False if it was dismissed."""
        progress = _progress(self._runs)
        sent = time.monotonic()  # before: the worker may be frozen until the answer comes
        if not self._store.beat(self.worker, progress):
            return False
        self._alive_at = sent
        self._dismiss_silent()
        self._share_budget()
        if any(now.idle for now in progress.values()) and self._store.is_quiet():
            for run in self._runs.values():
                run.finish()
        if not self._stopping:
            self._make_room()
            for lease in self._store.claim(self.worker, self._appetite()):
                team = asyncio.create_task(self._run_team(lease))
                self._tasks.add(team)
                team.add_done_callback(self._tasks.discard)
        return True

    def _make_room(self) -> None:
        """Pause sites that have used up their grants, if sites with a grant wait."""
        if len(self._tasks) < self._most or not self._store.has_free():
            return
        for run in self._runs.values():
            run.rest()

    def _appetite(self) -> int:
        """Return how many teams to take now: an even share, some of it at a time."""
        workers = len(self._beat_of) + 1
        if self._alive_at - self._began_at < self.options.silence:
            workers = max(workers, self.options.workers)  # not all have come yet
        share = self._store.share_of(self.worker, workers)
        room = self._most - len(self._tasks)
        return min(room, max(min(LEAST, share), int(CLAIM_SHARE * share)))

    async def _pause(self) -> None:
        """Wait for the next turn; it comes early when a team has ended."""
        until, pause = time.monotonic() + self.options.beat, RENEW
        if not self._tasks:
            await asyncio.sleep(self.options.beat / 4)
        while self._tasks and (left := until - time.monotonic()) > 0:
            ended, _ = await asyncio.wait(
                self._tasks, timeout=min(left, pause), return_when=asyncio.FIRST_COMPLETED
            )
            if ended:
                return
            pause = self._renew_grants()

    def _renew_grants(self) -> float:
        """Ask for more of a shared budget before it is used up; return when to ask again."""
        if all(run.granted is None for run in self._runs.values()):
            return self.options.beat
        begun = time.monotonic()
        moved = {number: run for number, run in self._runs.items() if run.has_moved}
        self._store.beat(self.worker, _progress(moved))
        self._share_budget()
        return pause_after(time.monotonic() - begun)

    def _dismiss_silent(self) -> None:
        now, beats = time.monotonic(), self._store.beats()
        beats.pop(self.worker, None)
        self._beat_of = {one: seen for one, seen in self._beat_of.items() if one in beats}
        for worker, beat in beats.items():
            last, since = self._beat_of.get(worker, (-1, now))
            if beat != last:
                self._beat_of[worker] = (beat, now)
            elif now - since > self.options.silence:
                self._store.dismiss(worker)

    def _share_budget(self) -> None:
        """Give the sites their grants of a shared budget."""
        if not self._runs:
            return
        granted = self._store.granted(list(self._runs))
        spent = SPENT in self._store.meta()
        for number, run in self._runs.items():
            if spent and granted[number] is not None:
                run.spend_no_more()
            else:
                run.allow(granted[number])

    # --- one team -----------------------------------------------------------------------------

    async def _run_team(self, lease: Lease) -> None:
        team: list[SharedPoliteness] = []
        async with asyncio.TaskGroup() as sites:
            for site in self._store.sites_of(lease):
                sites.create_task(self._run_site(lease, site, team))
        with contextlib.suppress(LodehoundError):
            self._store.release(lease)

    async def _run_site(self, lease: Lease, site: FleetSite, team: list[SharedPoliteness]) -> None:
        """Crawl one site; whatever becomes of it, the others go on."""
        async with self._room:
            state, reason, detail = "waiting", "", ""
            try:
                if not self._stopping:
                    ending = await self._crawl(lease, site, team)
                    state, reason, detail = _state_of(ending)
                    if ending.code == Exit.DISK_FULL:
                        self._meet_full_disk()
            except LeaseLostError:
                return
            except DiskFullError:
                self._meet_full_disk()
            except LodehoundError as error:
                state, reason, detail = "failed", type(error).__name__, str(error)
            except Exception as error:  # a mistake of a plug-in, or of ours: one site's matter
                state, reason, detail = "failed", type(error).__name__, text_of(error)
            with contextlib.suppress(LodehoundError):
                self._store.end_site(lease, site.number, state, reason, " ".join(detail.split()))

    async def _crawl(self, lease: Lease, site: FleetSite, team: list[SharedPoliteness]) -> Ending:
        config = site_config(site.options, self.secrets, uploads=bool(self.options.url))
        folder = self.folder / SITES / site.name
        check, uploads = partial(self._check, lease), None
        if self.options.url:
            folder = self.folder / self.worker / site.name
            uploads = Uploads(url_of(self.options.url, site.name), folder, check)
        run = SiteRun(
            site,
            folder,
            config,
            check=check,
            mark=self._mark,
            team=team,
            reader=self._reader,
            browsers=self._browsers,
            patience=self.options.silence / 5,
            shared=self.options.shared,
            divided=config.part[1] > 1,
            uploads=uploads,
        )
        self._runs[site.number] = run
        try:
            return await run.run()
        finally:
            del self._runs[site.number]
            if progress := run.progress():
                with contextlib.suppress(LodehoundError, sqlite3.Error):
                    self._store.beat(self.worker, {site.number: progress})

    def _parts(self) -> dict[int, LinkExchange]:
        """Return the parts of a divided crawl that run here, by their numbers."""
        links = {number - 1: run.exchange for number, run in self._runs.items()}
        return {part: one for part, one in links.items() if one is not None}

    def _fail(self, part: int, error: LodehoundError) -> None:
        if (run := self._runs.get(part + 1)) is not None:
            run.fail(error)

    def _folder_of_part(self, part: int) -> Path:
        return self.folder / SITES / name_of_part(part)

    def _check(self, lease: Lease) -> None:
        """Refuse to ask or write without the lease, or after a silence in which it may be lost."""
        if (now := time.monotonic()) - self._alive_at > self.options.silence / 2:
            if not self._store.beat(self.worker, {}):
                raise LeaseLostError("This worker was dismissed.")
            self._alive_at = now
        if now - self._checked_at.get(lease.team, 0.0) > FRESH:
            self._store.check(lease)
            self._checked_at[lease.team] = now

    def _reader(self, options: Options) -> Reader:
        key = options_to_json(options)
        if key not in self._readers:
            self._readers[key] = SharedReader(options)
        return self._readers[key].share()


def _progress(runs: Mapping[int, SiteRun]) -> dict[int, Progress]:
    return {number: now for number, run in runs.items() if (now := run.progress())}


def _state_of(ending: Ending) -> tuple[str, str, str]:
    """Return the state of a site that has ended so, and why."""
    if ending.code in {Exit.STOPPED, Exit.DISK_FULL}:
        return "waiting", ending.reason, ""
    failed = ending.code == Exit.NOTHING_REACHABLE
    return ("failed" if failed else "ended"), ending.reason, ending.detail
