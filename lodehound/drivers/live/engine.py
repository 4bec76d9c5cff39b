"""Scrapy as the engine: its scheduler asks the session, its download handler is our fetcher.

Exactly one component decides the order. The order chosen is the order sent,
because a request leaves the scheduler only when its host is ready for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.http import Response

from lodehound.drivers.live.fetch import Fetcher, Reply
from lodehound.drivers.live.inspecting import SHORT_WAIT, WAIT
from lodehound.drivers.live.robots import origin_of
from lodehound.drivers.live.session import Session
from lodehound.drivers.live.tasks import Task
from lodehound.read.robots import MAX_BYTES as MAX_ROBOTS
from lodehound.read.sitemaps import MAX_BYTES as MAX_SITEMAP

# Bytes that are read of what is no page, whatever --max-file says: a robots.txt that is cut
# short would allow what its end forbids.
MOST = {"robots": MAX_ROBOTS + 1, "sitemap": MAX_SITEMAP}
PATIENCE = 0.01  # seconds added to a waking, so that the clock has surely passed it


class LiveSpider(Spider):
    """Hands every reply to the session.

    Args:
        live: The crawl.
    """

    name = "lodehound"

    def __init__(self, *, live: Live, **options: Any) -> None:
        super().__init__(**options)
        self.live = live

    async def start(self) -> Any:
        """Yield nothing: the start URLs are in the crawl, and the scheduler asks it."""
        return
        yield

    def parse(self, response: Response, **options: Any) -> None:  # noqa: ARG002 - Scrapy's contract
        """Report a reply; what it leads to is the session's business."""
        if isinstance(response, ReplyResponse):
            self.live.received(response.task, response.reply)


class Live:
    """One crawl on Scrapy: what its parts share.

    Args:
        session: The crawl.
        make_fetcher: Opens the fetcher, inside the running loop.
        headers: Sent with every request.
        secrets: Sent only to the places that the user named.
        secret_origins: Those places: scheme, host and port.
        blocks: Says of a type whether its body is not worth reading.
    """

    def __init__(
        self,
        session: Session,
        *,
        make_fetcher: Callable[[], Fetcher],
        headers: dict[str, str],
        secrets: dict[str, str],
        secret_origins: Collection[str],
        blocks: Callable[[str], bool],
    ) -> None:
        self.session = session
        self.headers = headers
        self.secrets = secrets
        self.secret_origins = secret_origins
        self.blocks = blocks
        self.fetcher: Fetcher = make_fetcher()
        self.failure: BaseException | None = None
        self.crawler: Crawler | None = None
        self._alarm: asyncio.TimerHandle | None = None

    def received(self, task: Task, reply: Reply) -> None:
        try:
            self.session.receive(task, reply)
        except Exception as error:  # a full disk, or a plug-in's mistake: stop in order
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Stop asking; the first failure is the one reported."""
        self.failure = self.failure or error
        self.session.halted = True

    def halt(self) -> None:
        """Ask for nothing more; what is in flight is still received."""
        self.session.halted = True
        self.poll()

    async def fetch(self, task: Task) -> Reply:
        """Ask the replica where it answers, else the network."""
        replica = self.session.replica
        wanted = self.wanted if task.kind == "page" else None
        if task.recorded and replica is not None:
            return replica.reply(task.url, method=task.method, wanted=wanted)
        return await self.fetcher.fetch(
            task.url,
            method=task.method,
            headers=self.headers_for(task),
            wanted=wanted,
            most=MOST.get(task.kind),
        )

    async def close(self) -> None:
        """Let go of the network and of every file but the crawl directory."""
        await self.fetcher.close()
        if self.session.replica is not None:
            self.session.replica.replica.close()
        self.session.responses.close()
        inspector = self.session.keeper.inspector
        if inspector is not None and self.failure is None:
            inspector.close(wait=SHORT_WAIT if self.session.halted else WAIT)

    def poll(self) -> None:
        """Let Scrapy ask its scheduler again now, and not at its next heartbeat."""
        engine = self.crawler.engine if self.crawler is not None else None
        if engine is not None and engine._slot is not None:  # noqa: SLF001 - Scrapy offers no other way
            engine._slot.nextcall.schedule()  # noqa: SLF001

    def set_alarm(self) -> None:
        """Poll again when the next host wakes."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        waking = self.session.next_waking()
        if waking is not None and not self.session.finished:
            wait = max(waking - self.session.clock(), 0) + PATIENCE
            self._alarm = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self.session.woke()
        self.poll()

    def headers_for(self, task: Task) -> dict[str, str]:
        """Return a request's headers; credentials go to the places they were given for."""
        headers = dict(self.headers)
        if origin_of(task.url) in self.secret_origins:
            headers |= self.secrets
        if task.source and origin_of(task.source) == origin_of(task.url):
            headers["Referer"] = task.source
        return headers

    def wanted(self, status: int, headers: Any) -> bool:
        """Say, at the headers, whether a body is worth reading."""
        return not (200 <= status < 300 and self.blocks(headers.get("content-type", "").lower()))


class ReplyResponse(Response):
    """A Scrapy response that carries the reply it was made from."""

    def __init__(self, task: Task, reply: Reply) -> None:
        super().__init__(task.url, status=reply.status or 599)
        self.task = task
        self.reply = reply


class LiveScheduler(BaseScheduler):
    """Asks the session what is next."""

    def __init__(self, live: Live) -> None:
        self.live = live

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        spider = crawler.spider
        if not isinstance(spider, LiveSpider):
            raise TypeError("LiveScheduler serves the LiveSpider only.")
        return cls(spider.live)

    def has_pending_requests(self) -> bool:
        return not self.live.session.finished

    def enqueue_request(self, request: Request) -> bool:  # noqa: ARG002 - Scrapy's contract
        """Take no requests from elsewhere: the crawl knows every link already."""
        return False

    def next_request(self) -> Request | None:
        try:
            task = self.live.session.next_task()
        except Exception as error:  # as in Live.received
            self.live.fail(error)
            return None
        if task is None:
            self.live.set_alarm()
            return None
        return Request(
            task.url,
            method=task.method,
            meta={"task": task},
            dont_filter=True,
        )


class LiveHandler(BaseDownloadHandler):
    """Downloads by our own bounded fetcher."""

    async def download_request(self, request: Request) -> Response:
        spider = self.crawler.spider
        if not isinstance(spider, LiveSpider):
            raise TypeError("LiveHandler serves the LiveSpider only.")
        live = spider.live
        task: Task = request.meta["task"]
        return ReplyResponse(task, await live.fetch(task))


def scrapy_settings(concurrency: int) -> dict[str, Any]:
    """Return Scrapy's settings: everything we do ourselves is off."""
    handler = f"{__name__}.LiveHandler"
    return {
        "SCHEDULER": f"{__name__}.LiveScheduler",
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
        "TWISTED_REACTOR_ENABLED": False,
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "CONCURRENT_ITEMS": 1,  # Scrapy starts that many tasks for each response
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,  # the session does, by RFC 9309
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "SPIDER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "STATS_DUMP": False,
    }


async def run_live(live: Live) -> None:
    """Crawl until the session is finished; raise what stopped it, if something did."""
    runner = AsyncCrawlerRunner(scrapy_settings(live.session.concurrency))
    crawler = runner.create_crawler(LiveSpider)
    live.crawler = crawler
    try:
        await runner.crawl(crawler, live=live)
    finally:
        await live.close()
    if live.failure is not None:
        raise live.failure
