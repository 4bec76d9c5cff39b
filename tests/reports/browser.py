"""A headless Chromium, driven through the DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PATIENCE = 60.0  # seconds; the machine may be busy
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--no-first-run",
    "--disable-sync", "--remote-debugging-port=0", "--hide-scrollbars",
)  # fmt: skip


def browser_path() -> str | None:
    """Return where a Chromium is, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """One page. It keeps what the page logs, throws, and asks the network for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loaded = asyncio.Event()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.dialogs: list[str] = []

    async def listen(self) -> None:
        async for message in self._socket:
            told = message.json()
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
            else:
                self._note(told["method"], told["params"])

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method in {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}:
            self.complaints.append(str(params))
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(params["message"])

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params})
        told = await asyncio.wait_for(answer, PATIENCE)
        if "error" in told:
            raise RuntimeError(f"{method}: {told['error']}")
        result: dict[str, Any] = told["result"]
        return result

    async def visit(self, page: Path, *, width: int = 1280, height: int = 900) -> Self:
        for domain in ("Page", "Network", "Log", "Runtime"):
            await self.call(f"{domain}.enable")
        await self.look(width=width, height=height)
        self._loaded.clear()
        await self.call("Page.navigate", url=page.resolve().as_uri())
        await asyncio.wait_for(self._loaded.wait(), PATIENCE)
        return self

    async def look(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Set the size of the window, and whether its user likes it dark."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        await self.call("Emulation.setDeviceMetricsOverride", **metrics)
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.call("Emulation.setEmulatedMedia", features=[wish])

    async def scripts(self, *, allowed: bool) -> None:
        await self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    async def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        told = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in told:
            raise RuntimeError(str(told["exceptionDetails"]))
        return told["result"].get("value")

    async def picture(self, path: Path, *, whole: bool = False) -> None:
        told = await self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(told["data"]))


@contextlib.asynccontextmanager
async def tab() -> AsyncIterator[Tab]:
    """Start a browser with one empty page; end it afterwards."""
    path = browser_path()
    assert path is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        process = await asyncio.create_subprocess_exec(
            path, *FLAGS, f"--user-data-dir={home}", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with aiohttp.ClientSession() as session:
                address = await asyncio.wait_for(_page(session, Path(home)), PATIENCE)
                async with session.ws_connect(address, max_msg_size=0) as socket:
                    opened = Tab(socket)
                    listening = asyncio.create_task(opened.listen())
                    yield opened
                    listening.cancel()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _page(session: aiohttp.ClientSession, home: Path) -> str:
    """Return the address of the empty page, once the browser listens."""
    port = home / "DevToolsActivePort"
    while not (port.exists() and "\n" in port.read_text()):
        await asyncio.sleep(0.05)
    place = f"http://127.0.0.1:{port.read_text().splitlines()[0]}/json/list"
    while True:
        with contextlib.suppress(aiohttp.ClientError):
            async with session.get(place) as reply:
                for one in await reply.json():
                    if one["type"] == "page":
                        return str(one["webSocketDebuggerUrl"])
        await asyncio.sleep(0.05)
