"""One page in a browser: it loads, settles, is scrolled and clicked, and says what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lodehound.core.urls import canonical
from lodehound.drivers.live.rendered import DocumentState, Rendered, RenderJob
from lodehound.drivers.live.replies import Reply

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request, Route, WebSocketRoute

QUIET = 0.25  # seconds without a request or a change after which a page has settled
LOOK = 0.05  # seconds between two looks
MAX_CLICKS = 40  # clicks and scrolls of one page
IDLE_CLICKS = 4  # of one kind in a row that bring nothing, before the next kind has its turn
MAX_PLACES = 500
MAX_SNAPSHOTS = 60
LOADED = frozenset({"script", "fetch", "xhr"})  # the rest shows no links
# Headers that no longer hold for a body that was unpacked, or that would load more.
DROPPED = frozenset({"content-encoding", "content-length", "transfer-encoding", "link", "refresh"})
CSS = {"content-type": "text/css"}

# Names that would let a page reach around the crawl.
INIT = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
  try { delete window[name]; } catch {}
}
"""


class BrowserPage:
    """Drives one page in a fresh context.

    Args:
        job: The page, as the crawl got it.
        load: Gets what the page asks for.
        patience: Seconds after which a page that never rests is looked at as it is.
    """

    def __init__(
        self, job: RenderJob, load: Callable[[str, str], Awaitable[Reply]], patience: float
    ) -> None:
        self.job = job
        self.patience = patience
        self.seconds = job.seconds  # counted by the browser
        self.crashed = False
        self._load = load
        self._pending = 0  # requests that wait for their reply
        self._asked = 0
        self._page: Page | None = None
        self._begun = False
        self._places: dict[str, None] = {}
        self._snapshots: list[DocumentState] = []
        self._seen: set[str] = set()  # what links looked like in earlier snapshots
        self._clicks = 0

    def rendered(self, error: str) -> Rendered:
        """Return what the page has shown so far."""
        return Rendered(
            tuple(self._snapshots), tuple(self._places), self.seconds, self._clicks, error
        )

    async def run(self, context: BrowserContext) -> None:
        """Load the page, look at it, click what shows more, and look again."""
        await context.add_init_script(INIT)
        await context.route_web_socket("**/*", _close_socket)
        await context.route("**/*", self._route)
        self._page = page = await context.new_page()
        page.on("crash", self._crash)
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        await page.goto(self.job.page.url, wait_until="commit", timeout=0)
        await self._settle(page)
        await self._look(page, clicked=False)
        if self.job.clicks:
            await self._explore(page)

    def _crash(self, _: Page) -> None:
        self.crashed = True

    # --- what the page asks for -----------------------------------------------------------------

    async def _route(self, route: Route) -> None:
        request = route.request
        if request.is_navigation_request():
            await self._navigate(route)
        elif request.resource_type == "stylesheet":
            await route.fulfill(status=200, headers=CSS, body="")  # scripts wait for it
        elif request.resource_type in LOADED and request.method == "GET":
            await self._answer(route, request)
        else:
            await route.abort("blockedbyclient")

    async def _navigate(self, route: Route) -> None:
        """Show the page itself; any other place that is to be gone to is only remembered."""
        request = route.request
        answer = self.job.answer
        if not self._begun and canonical(request.url) == canonical(self.job.page.url):
            self._begun = True
            headers = {n: v for n, v in answer.headers.items() if n not in DROPPED}
            headers.setdefault("content-type", "text/html")
            await route.fulfill(status=200, headers=headers, body=answer.body)
            return
        if request.method == "GET" and self._is_own(request) and len(self._places) < MAX_PLACES:
            self._places.setdefault(request.url)
        await route.fulfill(status=204)  # it stays where it is

    def _is_own(self, request: Request) -> bool:
        """Return whether the page itself, or a window that it opens, goes somewhere; no frame."""
        from playwright.async_api import Error  # noqa: PLC0415 - it is slow to import

        try:
            return request.frame.parent_frame is None
        except Error:  # a window that is not there yet
            return True

    async def _answer(self, route: Route, request: Request) -> None:
        self._pending += 1
        self._asked += 1
        try:
            reply = await self._load(request.url, request.resource_type)
        finally:
            self._pending -= 1
        if not reply.status or reply.cut:
            await route.abort("failed")
            return
        headers = {name: value for name, value in reply.headers.items() if name not in DROPPED}
        # No credentials are sent, so there is nothing to protect from other origins.
        headers["access-control-allow-origin"] = "*"
        await route.fulfill(status=reply.status, headers=headers, body=reply.body)

    async def _settle(self, page: Page) -> None:
        """Wait until the page asks for nothing and changes nothing, but not for ever."""
        quiet, before, until = 0.0, (-1, ""), self.seconds + self.patience
        while quiet < QUIET and self.seconds < until:
            await asyncio.sleep(LOOK)
            now = (self._asked, await page.evaluate(_script("state.js")))
            still = not self._pending and now == before
            quiet, before = (quiet + LOOK if still else 0.0), now

    # --- what it shows --------------------------------------------------------------------------

    async def _look(self, page: Page, *, clicked: bool) -> bool:
        """Keep the document if it shows other links than before."""
        said: dict[str, Any] = await page.evaluate(_script("snapshot.js"))
        links = str(said["links"])
        if links in self._seen or len(self._snapshots) >= MAX_SNAPSHOTS:
            return False
        self._seen.add(links)
        self._snapshots.append(DocumentState(str(said["url"]), str(said["html"]), clicked))
        return True

    async def _explore(self, page: Page) -> None:
        """Scroll and click while that shows more, within bounds."""
        fruitless = 0
        while self._clicks < MAX_CLICKS and fruitless < IDLE_CLICKS:
            if not await page.evaluate(_script("scroll.js")):
                break
            self._clicks += 1
            await self._settle(page)
            fruitless = 0 if await self._look(page, clicked=True) else fruitless + 1
        tried: set[str] = set()
        idle: dict[str, int] = {}
        while self._clicks < MAX_CLICKS:
            skipped = [kind for kind, count in idle.items() if count >= IDLE_CLICKS]
            clicked = await page.evaluate(_script("click.js"), [sorted(tried), skipped])
            if clicked is None:
                return
            self._clicks += 1
            places = len(self._places)
            await self._settle(page)
            new = await self._look(page, clicked=True) or len(self._places) > places
            kind = str(clicked["kind"])
            idle[kind] = 0 if new else idle.get(kind, 0) + 1
            if not (new and clicked["again"]):
                tried.add(str(clicked["key"]))


def _close_socket(socket: WebSocketRoute) -> None:
    asyncio.ensure_future(socket.close())  # noqa: RUF006 - it needs no answer


@cache
def _script(name: str) -> str:
    return (files("lodehound.drivers.live") / "browser_js" / name).read_text(encoding="utf-8")
