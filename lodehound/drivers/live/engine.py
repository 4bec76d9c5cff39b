"""The event loop of a live crawl: it starts requests, hands replies to the session, and sleeps.

The session decides what is asked for and when; a request starts as soon as the session
names it, so the order chosen is the order sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractContextManager
from functools import partial

from lodehound.core.holds import EXPECTING
from lodehound.core.lives import Life, State
from lodehound.core.messages import Ask
from lodehound.core.urls import origin_of
from lodehound.drivers.live.browser import Browser
from lodehound.drivers.live.fetch import Fetcher, Reply
from lodehound.drivers.live.inspecting import INSPECTION_TIMEOUT, SHORT_TIMEOUT
from lodehound.drivers.live.receiving import Seen
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.session import Session
from lodehound.read.robots import MAX_BYTES as MAX_ROBOTS

LONG_PAGE = 200_000  # bytes of a page that is read in a thread: it takes some 0.1 s
OK = 200
MAX_RESOURCE = 16 * 1024 * 1024  # bytes of a script, or of what a script loads
# Bytes that are read of what is no page, whatever --max-file says: a robots.txt that is cut
# short would allow what its end forbids.
MOST = {"robots": MAX_ROBOTS + 1, "resource": MAX_RESOURCE}
MAX_VALIDATOR = 1000  # characters of an ETag that are sent back
REDRAW = 1.0  # most seconds between two looks at what the crawl waits for
MARGIN = 0.01  # seconds slept beyond a waking, so that the clock has surely passed it


class Live:
    """One crawl on the network. Make it inside the running loop.

    Args:
        session: Says what to ask for, and takes in what came.
        fetcher: Makes the requests.
        headers: Sent with every request.
        secrets: Sent only to the places that the user named.
        secret_origins: Those places: scheme, host and port.
        blocks: Says of a type whether its body is not worth reading.
        guard: Entered before every request and before every reply is taken in; an exception it
            raises ends the crawl there.
        browser: Renders pages, if there is one.
    """

    def __init__(
        self,
        session: Session,
        *,
        fetcher: Fetcher,
        headers: dict[str, str],
        secrets: dict[str, str],
        secret_origins: Collection[str],
        blocks: Callable[[str], bool],
        guard: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
        browser: Browser | None = None,
    ) -> None:
        self.session = session
        self.fetcher = fetcher
        self.headers = headers
        self.secrets = secrets
        self.secret_origins = secret_origins
        self.blocks = blocks
        self.guard = guard
        self.browser = browser
        self.failure: Exception | None = None
        self._aborted = False
        self._turn = asyncio.Lock()  # held by the answer that is read and learned from
        self._changed = asyncio.Event()  # a reply came, or the crawl was halted
        session.on_change = self._changed.set
        self.on_wait: Callable[[], None] = lambda: None
        self._kept = session.rendering.resources.kept_replies
        self._requests: dict[asyncio.Task[None], Life] = {}  # in flight
        self._renders: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Crawl until the session is finished; raise what stopped it, if something did."""
        lives = self.session.crawl.lives
        for_browser = lives.by_state[State.BROWSER]
        try:
            async with asyncio.TaskGroup() as requests:  # waits for what is in flight
                while True:
                    # Jobs come first: pages that need no browser after all may bring requests.
                    if for_browser and (job := self._next_job()) is not None:
                        _start(requests, self._render(job), self._renders)
                    elif (life := self._next_task()) is not None:
                        request = requests.create_task(self._ask(life))
                        self._requests[request] = life
                        request.add_done_callback(self._requests.pop)
                    elif self.failure is not None or self._aborted or self.session.finished:
                        break
                    else:
                        if lives.kinds["robots"]:
                            self._drop_rules()
                        await self._sleep()
        finally:
            await self.close()
        if self.failure is not None:
            raise self.failure

    def halt(self) -> None:
        """Ask for nothing more; what is in flight is still received.

        The second time it is given up, and asked for again when the crawl is resumed. Pages in
        the browser are given up at once.
        """
        self._aborted = self.session.halted
        self.session.halt()
        self._drop_renders()
        self._changed.set()
        for request in self._requests if self._aborted else ():
            request.cancel()

    def _drop_rules(self) -> None:
        """Give up requests for robots.txt once nothing will be asked for by its rules."""
        if self.session.asks_no_more:
            for request, life in self._requests.items():
                if life.kind == "robots":
                    request.cancel()

    def _next_task(self) -> Life | None:
        try:
            with self.guard():
                return self.session.next_task()
        except Exception as error:  # a plug-in's mistake: stop in order
            self._fail(error)
            return None

    async def _ask(self, life: Life) -> None:
        try:
            reply = self._at_hand(life) if life.recorded or self._kept else None
            reply = reply or await self._fetch(life)
            async with self._turn:
                seen = await self._read(life, reply) if len(reply.body) >= LONG_PAGE else None
                with self.guard():
                    self.session.receive(life, reply, seen)
                if self.session.crawl.lanes.is_learning:
                    await self._learn()
        except asyncio.CancelledError:
            self.session.give_up(life)
        except Exception as error:  # a full disk, or a plug-in's mistake: stop in order
            self._fail(error)
        self._changed.set()

    async def _read(self, life: Life, reply: Reply) -> Seen | None:
        """Read a long page in a thread: the loop goes on meanwhile."""
        if life.kind != "page" or reply.status != OK:
            return None
        return await asyncio.to_thread(self.session.receiving.read, life, reply)

    async def _learn(self) -> None:
        """Learn from waiting links slice by slice; other tasks of the loop run in between."""
        while self.session.crawl.lanes.is_learning:
            await asyncio.sleep(0)
            self.session.crawl.lanes.learn_slice()

    def _next_job(self) -> RenderJob | None:
        if self._turn.locked():  # a page may need no browser, and only one is taken in at a time
            return None
        try:
            with self.guard():
                return self.session.rendering.next_job(self.session.conclude)
        except Exception as error:  # as above
            self._fail(error)
            return None

    async def _render(self, job: RenderJob) -> None:
        """Render a page; the session gets what it asks for, and what came of it."""
        if self.browser is None:
            raise RuntimeError("A page is to be rendered, and there is no browser.")

        async def load(url: str, kind: str) -> Reply:
            future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

            def done(reply: Reply) -> None:
                if not future.done():  # it is cancelled with the page
                    future.set_result(reply)

            with self.guard():
                self.session.rendering.resources.load(job, url, kind, done)
            self._changed.set()
            return await future

        try:
            rendered = await self.browser.render(job, load)
            async with self._turn:
                await self._conclude(job, rendered)
        except Exception as error:  # as above
            self._fail(error)
        self._changed.set()

    async def _conclude(self, job: RenderJob, rendered: Rendered) -> None:
        rendering = self.session.rendering
        with self.guard():
            if rendering.put_back(job):
                return
        shown = await asyncio.to_thread(rendering.read, job, rendered)
        if job.life.state is State.RENDERED:  # else the crawl was halted meanwhile
            with self.guard():
                self.session.conclude(job.life, *rendering.finish(job, rendered, shown))
            await self._learn()

    def _drop_renders(self) -> None:
        self.session.rendering.drop()
        for render in self._renders:
            render.cancel()

    def _sending(self, life: Life) -> None:
        """Take note that a request goes out only now: connecting took time."""
        with self.guard():
            self.session.politeness.sending(life.host, self.session.clock())

    def _fail(self, error: Exception) -> None:
        """Stop asking; the first failure is the one reported."""
        self.failure = self.failure or error
        self.session.halt()
        self._drop_renders()
        self._changed.set()

    async def _sleep(self) -> None:
        """Sleep until a reply comes, a host wakes, or the crawl is halted."""
        if self.session.choosing.needs_turn:
            await asyncio.sleep(0)
            return
        waking = self.session.next_waking()
        expects_links = EXPECTING in self.session.crawl.holds
        if waking is None and not (expects_links or self.session.in_flight):
            self._fail(RuntimeError("The crawl waits, but no request is in flight."))
        clock = self.session.clock
        until = math.inf if waking is None else max(waking, clock()) + MARGIN
        while not self._changed.is_set():
            self.on_wait()
            if (left := until - clock()) <= 0:
                self.session.woke()
                break
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, REDRAW)):
                    await self._changed.wait()
        self._changed.clear()

    def _at_hand(self, life: Life) -> Reply | None:
        """Return what a rendered page got already, or what the replica holds; else None."""
        kept = self._kept.get(life.url) if life.kind == "page" and life.method == "GET" else None
        replica = self.session.replica
        if kept is not None or not life.recorded or replica is None:
            return kept
        wanted = self.wanted if life.kind == "page" else None
        return replica.reply(life.url, method=life.method, wanted=wanted)

    def _fetch(self, life: Life) -> Awaitable[Reply]:
        """Ask the network."""
        return self.fetcher.fetch(
            life.url,
            method=life.method,
            headers=self.headers_for(life),
            wanted=self.wanted if life.kind == "page" else None,
            most=MOST.get(life.kind),
            sending=partial(self._sending, life),
        )

    def headers_for(self, life: Life) -> dict[str, str]:
        """Return a request's headers; credentials go to the places they were given for."""
        headers, origin = dict(self.headers), origin_of(life.url)
        if origin in self.secret_origins:
            headers |= self.secrets
        if life.source.startswith(f"{origin}/"):
            headers["Referer"] = life.source
        if life.ask is not None and (life.ask.etag or life.ask.modified):
            headers |= _conditions(life.ask)
        return headers

    def wanted(self, status: int, headers: Mapping[str, str]) -> bool:
        """Say, at the headers, whether a body is worth reading."""
        return not (200 <= status < 300 and self.blocks(headers.get("content-type", "").lower()))

    async def close(self) -> None:
        """Close the network and every file but the crawl directory."""
        if self.browser is not None:
            await self.browser.close()
        await self.fetcher.close()
        if self.session.replica is not None:
            self.session.replica.replica.close()
        self.session.responses.close()
        inspector = self.session.recorder.inspector
        if inspector is not None and self.failure is None:
            wait = SHORT_TIMEOUT if self.session.halted else INSPECTION_TIMEOUT
            try:  # in a thread: other crawls may run in this loop
                await asyncio.to_thread(inspector.close, wait=wait)
            except RuntimeError:  # the program ends, and starts no more threads
                inspector.close(wait=wait)


def _conditions(ask: Ask) -> dict[str, str]:
    """Return the headers that ask for another version than the known one (RFC 9110, 13.1).

    What a server sent as a validator may be anything; only what a header can hold is sent back.
    """
    conditions = {"If-None-Match": ask.etag, "If-Modified-Since": ask.modified}
    return {
        name: text
        for name, text in conditions.items()
        if text and len(text) <= MAX_VALIDATOR and text.isascii() and text.isprintable()
    }


def _start(
    group: asyncio.TaskGroup, work: Coroutine[None, None, None], under_way: set[asyncio.Task[None]]
) -> None:
    task = group.create_task(work)
    under_way.add(task)
    task.add_done_callback(under_way.discard)
