"""Renders pages in Chromium: one process, and a fresh context for every page.

The browser never reaches the network. What a page asks for is intercepted and loaded by the
crawl, or refused; anything that is not intercepted meets a proxy that does not exist.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lodehound.core.errors import ConfigError, without_secrets
from lodehound.drivers.live.browser_folder import BrowserFolder, place_of_sockets
from lodehound.drivers.live.browser_guard import BrowserGuard
from lodehound.drivers.live.browser_page import BrowserPage
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.replies import Reply
from lodehound.extras import extra

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Playwright

Load = Callable[[str, str], Awaitable[Reply]]

SECONDS = 20.0  # of one page, without waiting for politeness
PATIENCE = 0.2  # of these: after that, a page that never rests is looked at as it is
MEMORY = 512 * 1024 * 1024  # bytes of the processes of one page
TICK = 0.1  # seconds between two looks at the time
LATE = 1.0  # seconds that the event loop may be late before the browser is killed
START = 30.0  # seconds that the browser may take to start
CLOSE = 5.0  # seconds that a page or the browser may take to close
DRIVER_GONE = "Connection closed while reading from the driver"  # as Playwright says
CRASHES = 3  # pages in a row without a browser after which rendering is given up
NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge",
)  # fmt: skip
INSTALL = "install Chromium or Chrome (apt-get install chromium, or: playwright install chromium)"
# The last three: pages share no process, names are not resolved, and nothing is connected to.
FLAGS = (
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--disable-features=WebRtcHideLocalIpsWithMdns,Translate,MediaRouter,DialMediaRouteProvider",
    "--disable-notifications",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--mute-audio",
    "--no-pings",
    "--js-flags=--max-old-space-size=512",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
)


def is_installed() -> bool:
    """Return whether the extra is installed that drives a browser."""
    return find_spec("playwright") is not None


def find_browser(path: str = "") -> str:
    """Return the program of a Chromium; "" if there is none.

    Args:
        path: Where the user says that it is.
    """
    if path:
        found = shutil.which(path)
        if found is None:
            raise ConfigError(f"--browser {path!r} is no program: {INSTALL}.")
        return found
    return next(filter(None, map(shutil.which, NAMES)), "") or _playwrights_own()


def _playwrights_own() -> str:
    """Return the newest Chromium that Playwright has installed, if any."""
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    places = [Path(given)] if given else []
    places += [Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright"]
    programs = [
        program
        for place in places
        for name in ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*")
        for program in place.glob(f"chromium-*/{name}")
    ]
    return str(max(programs, default=""))


def check_browser(path: str = "") -> str:
    """Return the program of a Chromium, or say what to install."""
    if not is_installed():
        with extra("browser"):
            import playwright  # noqa: F401, PLC0415 - only to say that it is missing
    if not (found := find_browser(path)):
        raise ConfigError(f"There is no browser to render pages with: {INSTALL}.")
    return found


class BrowserProcess:
    """A Chromium that starts with its first page. Crawls may share it: it shows one page at a time.

    Args:
        program: A Chromium.
    """

    def __init__(self, program: str) -> None:
        self.program = program
        self.turn = asyncio.Lock()
        self.wanted = 0  # pages that wait for their turn
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None
        self._folder: BrowserFolder | None = None
        self.pid = 0

    async def start(self) -> Chromium:
        """Return the running browser; start it if it does not run."""
        if self._chromium is not None and self._chromium.is_connected():
            return self._chromium
        from playwright.async_api import async_playwright  # noqa: PLC0415 - it is slow to import

        await self.stop()
        self._folder = BrowserFolder()
        with self._folder.as_temporary():
            self._playwright = await async_playwright().start()
        _expect_the_end()
        self._chromium = await self._playwright.chromium.launch(
            executable_path=self.program,
            args=list(FLAGS),
            chromium_sandbox=not _is_root(),  # for root, Chromium starts only without
            env={**os.environ, "TMPDIR": str(place_of_sockets())},
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=START * 1000,
        )
        self._folder.note_sockets()
        session = await self._chromium.new_browser_cdp_session()
        said = await session.send("SystemInfo.getProcessInfo")
        self.pid = next(one["id"] for one in said["processInfo"] if one["type"] == "browser")
        return self._chromium

    async def stop(self) -> None:
        """End the browser, if it was started."""
        chromium, driver, folder = self._chromium, self._playwright, self._folder
        self._chromium = self._playwright = self._folder = None
        if driver is not None:
            await self._end(chromium, driver)
        if folder is not None:
            folder.close()

    async def _end(self, chromium: Chromium | None, driver: Playwright) -> None:
        from playwright.async_api import Error  # noqa: PLC0415 - as above

        for end in (chromium and chromium.close, driver.stop):
            if end:
                with contextlib.suppress(Error, OSError, TimeoutError):
                    async with asyncio.timeout(CLOSE):
                        await end()


class Browser:
    """Renders the pages of one crawl.

    Args:
        program: A Chromium, or one that other crawls use too.
        user_agent: Told to scripts too: they may know who asks.
        seconds: The most that one page may take.
        memory: The most that one page may use, in bytes.
    """

    def __init__(
        self,
        program: str | BrowserProcess,
        *,
        user_agent: str,
        seconds: float = SECONDS,
        memory: int = MEMORY,
    ) -> None:
        self._owned = isinstance(program, str)
        self.process = BrowserProcess(program) if isinstance(program, str) else program
        self.user_agent = user_agent
        self.seconds = seconds
        self.memory = memory
        self._crashes = 0

    async def render(self, job: RenderJob, load: Load) -> Rendered:
        """Render a page. Whatever happens, there is an answer within the time.

        Args:
            job: The page.
            load: Gets what the page asks for.
        """
        if self._crashes >= CRASHES:
            return Rendered(error="browser: it failed too often")
        self.process.wanted += 1
        try:
            await self.process.turn.acquire()
        finally:
            self.process.wanted -= 1
        try:
            return await self._render(job, load)
        finally:
            self.process.turn.release()

    async def _render(self, job: RenderJob, load: Load) -> Rendered:
        from playwright.async_api import Error  # noqa: PLC0415 - as above

        begun = time.monotonic()
        try:
            async with asyncio.timeout(START):
                chromium = await self.process.start()
        except (Error, OSError, TimeoutError) as error:
            self._crashes += 1
            await self.process.stop()
            return Rendered(error=f"browser: it did not start: {_first_line(error)}")
        try:
            rendered = await self._rendered(chromium, job, load)
        except (Error, OSError) as error:
            self._crashes += not chromium.is_connected()
            rendered = Rendered(
                error=f"browser: {_first_line(error)}", seconds=time.monotonic() - begun
            )
        else:
            self._crashes = 0
        # A page that had to be stopped may go on costing: it takes its browser with it.
        if rendered.error or not chromium.is_connected():
            await self.process.stop()
        return rendered

    async def _rendered(self, chromium: Chromium, job: RenderJob, load: Load) -> Rendered:
        context = await chromium.new_context(
            user_agent=self.user_agent,
            service_workers="block",
            accept_downloads=False,
            viewport={"width": 1280, "height": 2000},
        )
        page = BrowserPage(job, load, patience=PATIENCE * self.seconds)
        guard = BrowserGuard(self.process.pid, self.memory)
        guard.start()
        work, error = asyncio.create_task(page.run(context)), ""
        try:
            error = await self._watch(work, job, page, guard)
        finally:
            job.seconds = page.seconds
            work.cancel()
            if error:  # such a page takes seconds to close: its browser ends with it
                guard.end(error)
            await self._close(context)
            guard.stop()
        try:
            await work  # raises what went wrong in it
        except asyncio.CancelledError:
            pass
        except Exception:
            if not guard.reason:
                raise
        return page.rendered(guard.reason or error)

    async def _watch(
        self, work: asyncio.Task[None], job: RenderJob, page: BrowserPage, guard: BrowserGuard
    ) -> str:
        """Wait for a page; return why it was stopped, or ""."""
        last = time.monotonic()
        while not work.done():
            guard.kill_at(last + self.seconds - page.seconds + LATE, self._too_long)
            await asyncio.wait([work], timeout=TICK)
            now = time.monotonic()
            if not job.waits:
                page.seconds += now - last
            last = now
            if page.crashed:
                return "the page crashed"
            if job.is_paused and self.process.wanted:
                job.yielded = True  # else both would wait: this page for the budget of the other
                return ""
            if page.seconds > self.seconds:
                return self._too_long
        return ""

    @property
    def _too_long(self) -> str:
        return f"stopped after {self.seconds:g} s"

    async def _close(self, context: BrowserContext) -> None:
        """Close a context; a browser that does not do so in time is ended."""
        from playwright.async_api import Error  # noqa: PLC0415 - as above

        try:
            async with asyncio.timeout(CLOSE):
                await context.close()
        except TimeoutError:
            await self.process.stop()
        except Error:
            pass  # it is gone already

    async def close(self) -> None:
        """End the browser, unless other crawls use it."""
        if self._owned:
            await self.process.stop()


class Browsers:
    """The browsers that the crawls of one process share: one for each program."""

    def __init__(self) -> None:
        self._known: dict[str, BrowserProcess] = {}

    def get(self, program: str) -> BrowserProcess:
        return self._known.setdefault(program, BrowserProcess(program))

    async def close(self) -> None:
        for process in self._known.values():
            await process.stop()


def _expect_the_end() -> None:
    """Keep asyncio from reporting that the driver of a browser was killed: we do that."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    if before is not None and before.__name__ == "unless_expected":
        return

    def unless_expected(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if str(context.get("exception")) != DRIVER_GONE:
            (before or type(loop).default_exception_handler)(loop, context)

    loop.set_exception_handler(unless_expected)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0  # there is no root on Windows


def _first_line(error: BaseException) -> str:
    line = without_secrets(" ".join(str(error).strip().split("\n")[0].split()))
    return line[:200] or type(error).__name__
