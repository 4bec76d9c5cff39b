"""One site of a fleet: an ordinary crawl that runs only while its worker holds the lease."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.replicas import with_replica
from lodehound.assembly.resuming import nothing_to_do
from lodehound.assembly.running import StopRequest, Watcher
from lodehound.assembly.starting import begin, go_on, is_begun
from lodehound.assembly.updating import begin_round
from lodehound.config import CrawlConfig
from lodehound.core.errors import LodehoundError
from lodehound.core.holds import HALT
from lodehound.drivers.fleet.exchange import LinkExchange
from lodehound.drivers.fleet.shared_politeness import SharedPoliteness
from lodehound.drivers.fleet.uploads import Uploads
from lodehound.drivers.live.assemble import SharedParts, make_session, politeness_options, prepare
from lodehound.drivers.live.browser import Browsers
from lodehound.drivers.live.run import run_session
from lodehound.drivers.live.session import Session
from lodehound.inspect import Options, Reader
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.fleet import FleetSite, Progress
from lodehound.stores.locks.lock import holder
from lodehound.stores.locks.seizing import seize

LOCKED = 0.2  # seconds between two tries to open a directory that another process holds
# Reasons for Crawl.hold.
GRANT = "the grant of a shared budget"
STORE = "the object store"
RECENT = 60.0  # seconds over which the rate of requests is measured


class SiteRun:
    """Crawls one site to its end.

    Args:
        site: The site.
        folder: Its crawl directory.
        config: Its config.
        check: Raises LeaseLostError once the lease is lost.
        mark: Told the number of the site while one of its pages is read, then 0.
        team: The politeness of the crawls that may ask the same hosts.
        reader: Gives a reader of files.
        browsers: Render the pages of all sites.
        patience: Seconds that a former worker may keep the lock of the directory.
        shared: The directory is on a network file system.
        divided: It is a part of a divided crawl.
        uploads: Keep the directory in an object store, if it is there.
    """

    def __init__(
        self,
        site: FleetSite,
        folder: Path,
        config: CrawlConfig,
        *,
        check: Callable[[], None],
        mark: Callable[[int], None],
        team: list[SharedPoliteness],
        reader: Callable[[Options], Reader],
        browsers: Browsers | None = None,
        patience: float = 20.0,
        shared: bool = False,
        divided: bool = False,
        uploads: Uploads | None = None,
    ) -> None:
        self.site = site
        self.folder = folder
        self.config = config
        self.stop = StopRequest()
        self.granted = site.granted
        self._check = check if uploads is None else uploads.check
        self._uploads = uploads
        self._mark = mark
        self._team = team
        self._reader = reader
        self._browsers = browsers
        self.patience = patience
        self.shared = shared
        self._divided = divided
        self._session: Session | None = None
        self._exchange: LinkExchange | None = None
        self._failure: LodehoundError | None = None
        self._left_out = False  # nothing of a shared budget was left for it
        self._finished = False  # nothing is left to spend a budget on
        self._paces: deque[tuple[float, int]] = deque()  # when, and requests until then
        self._reported = -1  # requests, when its progress was last asked for

    async def run(self) -> Ending:
        """Crawl until the site is done, its budget is spent, or it is stopped."""
        self._check()
        # In threads: a long journal, a slow disk or a page to fetch must not stop other crawls.
        directory, config, resumed = await self._opened()
        politeness = SharedPoliteness(self._team, **politeness_options(config))
        try:
            if resumed and self._is_done(config, directory):
                return Ending(Exit.FINISHED, directory.ended)
            if resumed:  # whoever crawled here before may have asked a moment ago
                await asyncio.sleep(config.delay)
            shared = SharedParts(politeness, self._reader)
            self._session = session = await asyncio.to_thread(
                make_session, config, directory, resumed=resumed, shared=shared
            )
            politeness.join(session.clock)
            if self._divided:
                self._exchange = await asyncio.to_thread(LinkExchange, session, directory.exchange)
            self.allow(self.granted)
            async with self._stored(session):
                ending = await run_session(
                    config,
                    session,
                    directory,
                    Watcher(),
                    self.stop,
                    guard=self._guard,
                    browsers=self._browsers,
                )
            if self._failure is not None:
                raise self._failure
            if self._left_out:
                return Ending(Exit.FINISHED, "requests")
            if self._exchange is not None and not session.crawl.known:
                return Ending(Exit.FINISHED, "exhausted")  # none of the hosts is in this part
            return ending
        finally:
            politeness.leave()
            await asyncio.to_thread(directory.close)
            if self._uploads is not None and self._failure is None:
                await self._uploads.end()

    @asynccontextmanager
    async def _stored(self, session: Session) -> AsyncIterator[None]:
        """Keep the crawl in the object store while it runs, if it is there."""
        if (uploads := self._uploads) is None:
            yield
            return
        running = asyncio.create_task(self._store(uploads, session))
        try:
            yield
        finally:
            uploads.stop()
            await running

    async def _store(self, uploads: Uploads, session: Session) -> None:
        try:
            await uploads.run(session, lambda: self.allow(self.granted))
        except LodehoundError as error:  # the store cannot be written, or belongs to another
            self.fail(error)

    def _is_done(self, config: CrawlConfig, directory: CrawlDir) -> bool:
        """Return whether there is nothing to do; a part may have links to take."""
        if self._divided:
            return False
        return bool(nothing_to_do(config, directory, directory.round_summary(), {}))

    @property
    def exchange(self) -> LinkExchange | None:
        """The links that it sends and takes, if it is a part of a divided crawl that runs."""
        return None if self._failure is not None else self._exchange

    def fail(self, error: LodehoundError) -> None:
        """End with an error, in order."""
        self._failure = error
        self.stop.make()

    def finish(self) -> None:
        """End a part of a divided crawl: all parts have done their work."""
        if self._exchange is not None:
            self._finished = True
            self.allow(self.granted)
            self._exchange.finish()

    def allow(self, granted: int | None) -> None:
        """Set how many requests of a shared budget the site may make in all."""
        self.granted = granted
        if (session := self._session) is None:
            return
        crawl, waited = session.crawl, self.paused
        if self._finished or granted is None:
            crawl.release(GRANT)
        else:
            crawl.hold(GRANT, after=granted)
        if self._uploads is not None:
            crawl.hold(STORE, after=self._uploads.limit)
        if waited and not self.paused:  # otherwise the policy would be asked in vain
            session.woke()

    @property
    def paused(self) -> bool:
        """Whether it waits for a grant, or for an object store."""
        crawl = self._session.crawl if self._session is not None else None
        return crawl is not None and crawl.is_held and HALT not in crawl.holds

    def spend_no_more(self) -> None:
        """End the site: the shared budget is spent."""
        if self._session is None:
            return
        crawl = self._session.crawl
        if crawl.requests:
            crawl.close_budget()
            crawl.release(GRANT)
            self._session.woke()
        elif not self._left_out:
            self._left_out = True
            self.stop.make()

    def rest(self) -> None:
        """End for now, if it has used up its grant or waits for links: others wait for its place.

        It goes on when it gets more, or when there are links for it.
        """
        if self._exchange is not None and self._exchange.idle:
            self.finish()
        elif self.granted is not None and self._uploads is None and self.paused:
            self.stop.make()

    @property
    def has_moved(self) -> bool:
        """Whether it has made requests since its progress was last asked for."""
        return self._session is not None and self._session.crawl.requests != self._reported

    def progress(self) -> Progress | None:
        """Return how the site stands; None before it has begun."""
        if (session := self._session) is None:
            return None
        crawl, now = session.crawl, time.monotonic()
        self._reported = crawl.requests
        while self._paces and now - self._paces[0][0] > RECENT:
            self._paces.popleft()
        if not self._paces or now - self._paces[-1][0] > 1:
            self._paces.append((now, crawl.requests))
        since, before = self._paces[0]
        rate = 60 * (crawl.requests - before) / (now - since) if now > since else 0.0
        progress = Progress(
            crawl.requests, crawl.finds, crawl.bytes, crawl.drought, crawl.waiting, rate,
            session.obstacle,
        )  # fmt: skip
        links = self._exchange
        if links is None:
            return progress
        sent, taken = links.report()
        return replace(progress, idle=links.idle, sent=sent, taken=taken)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        self._check()
        self._mark(self.site.number)
        try:
            yield
        finally:
            self._mark(0)

    async def _opened(self) -> tuple[CrawlDir, CrawlConfig, bool]:
        """Open or make the crawl directory, once a former worker has let go of it."""
        if self._uploads is not None:
            await self._uploads.fetch()
        waited = 0.0
        while holder(self.folder):
            self._check()
            if waited > self.patience:  # whoever it is, the lease is ours
                await asyncio.to_thread(seize, self.folder)
            await asyncio.sleep(LOCKED)
            waited += LOCKED
        opened = await asyncio.to_thread(open_site, self.config, self.folder)
        directory, config, resumed = opened
        directory.database.fence = self._check
        if self.shared:
            directory.database.share()
        if resumed and len(directory.facts.rounds()) < self.site.rounds:
            begin_round(directory, config)
            directory.keep_end("")
        if self._uploads is not None:
            await self._uploads.begin(directory)
        return opened


def open_site(config: CrawlConfig, folder: Path) -> tuple[CrawlDir, CrawlConfig, bool]:
    """Open the crawl directory of a site, or make it; say whether there is a crawl to continue."""
    if is_begun(folder):
        directory, config = go_on(with_replica(_as_before(config, folder)), folder)
        return directory, config, True
    config = prepare(config)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return begin(config, folder), config, False


def _as_before(config: CrawlConfig, folder: Path) -> CrawlConfig:
    """Name the policy that the crawl was begun with, where the list names none."""
    if config.policy:
        return config
    with CrawlDir.open(folder, write=False) as before:
        return replace(config, policy=CrawlConfig.from_json(before.config).policy)
