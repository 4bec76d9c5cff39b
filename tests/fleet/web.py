"""Many small sites on this machine, one to an address of the loopback network, and their log.

``python -m tests.fleet.web SITES [PAGES]`` serves them in a process of its own, and prints a URL
per line, then an empty one.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

PAGES = 6
FILE_EVERY = 2  # pages to a file


@dataclass
class SmallWeb:
    """Serves sites of some pages and files each; it logs what is asked for, and when.

    Args:
        sites: How many sites.
        pages: Pages of each.
        network: First number of their addresses.
    """

    sites: int = 3
    pages: int = PAGES
    network: int = 127
    port: int = 0
    log: list[tuple[str, str, float]] = field(default_factory=list)  # host, path, when
    askers: list[str] = field(default_factory=list)  # who asked, for every line of the log
    slow: Mapping[str, float] = field(default_factory=dict)  # seconds that a host takes
    open: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)
    loop: asyncio.AbstractEventLoop | None = None
    task: asyncio.Task[None] | None = None

    def host(self, site: int) -> str:
        return f"{self.network}.{1 + site // 250}.0.{2 + site % 250}"

    def url(self, site: int, path: str = "/") -> str:
        return f"http://{self.host(site)}:{self.port}{path}"

    @property
    def urls(self) -> list[str]:
        return [self.url(site) for site in range(self.sites)]

    def finds(self) -> int:
        """Return how many files a site has."""
        return len(range(0, self.pages, FILE_EVERY))

    def everything(self) -> dict[str, list[str]]:
        """Return the URLs of the files of each site, by the name that it gets in a fleet."""
        numbers = range(0, self.pages, FILE_EVERY)
        return {
            f"{self.host(site)}-{self.port}": sorted(
                self.url(site, f"/table-{number}.csv") for number in numbers
            )
            for site in range(self.sites)
        }

    def asked(self, host: str = "") -> list[str]:
        """Return the paths that were asked for, robots.txt left out."""
        return [path for name, path, _ in self.log if host in {"", name} and path != "/robots.txt"]

    def gaps(self) -> dict[str, float]:
        """Return the shortest time between two requests to each host."""
        times = defaultdict(list)
        for name, _, when in self.log:
            times[name].append(when)
        return {
            name: min((b - a for a, b in pairwise(sorted(some))), default=float("inf"))
            for name, some in times.items()
        }

    def body(self, path: str, host: str) -> tuple[str, bytes] | None:
        """Return the type and the body of what is at a path; the type "" redirects there."""
        kind, _, number = path.strip("/").removesuffix(".csv").partition("-")
        at = int(number) if number.isdigit() else 0
        if (path != "/" and kind not in {"page", "table"}) or at >= self.pages:
            return None
        if kind == "table":
            return "text/csv", f"year,value\n2024,{at}\n2025,{at + 1}\n".encode()
        links = [f"page-{n}" for n in range(at + 1, min(at + 4, self.pages))]
        links += [f"table-{at}.csv"] if at % FILE_EVERY == 0 else []
        anchors = "".join(f'<li><a href="/{link}">{link}</a></li>' for link in links)
        return "text/html", f"<title>Page {at}</title><ul>{anchors}</ul>".encode()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                host = writer.get_extra_info("sockname")[0]
                self.log.append((host, path, time.monotonic()))
                self.askers.append(writer.get_extra_info("peername")[0])
                await asyncio.sleep(self.slow.get(host, 0))
                found = self.body(path, host)
                kind, body = found or ("text/plain", b"not here")
                status = "200 OK" if found else "404 Not Found"
                fields = f"Content-Type: {kind}\r\nContent-Length: {len(body)}"
                if not kind:
                    status, fields = "302 Found", f"Content-Length: 0\r\nLocation: {body.decode()}"
                    body = b""
                writer.write(f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n".encode() + body)
                await writer.drain()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._answer(reader, writer))
        self.open[task] = writer
        task.add_done_callback(self._close)

    def _close(self, task: asyncio.Task[None]) -> None:
        self.open.pop(task).transport.abort()

    async def serve(self, ready: threading.Event) -> None:
        """Serve until cancelled."""
        servers = []
        for site in range(self.sites):
            servers.append(await asyncio.start_server(self._accept, self.host(site), self.port))
            self.port = servers[0].sockets[0].getsockname()[1]
        self.loop, self.task = asyncio.get_running_loop(), asyncio.current_task()
        ready.set()
        try:
            await asyncio.Event().wait()
        finally:
            for server in servers:
                server.close()
            for task in self.open:
                task.cancel()
            while self.open:
                await asyncio.sleep(0)
            await asyncio.sleep(0.01)  # until the connections are closed


class LinkedWeb(SmallWeb):
    """Sites whose pages link to pages of other sites, and redirect to their files."""

    def body(self, path: str, host: str) -> tuple[str, bytes] | None:
        """Return what is at a path: every page is reached from other sites only."""
        site = next(one for one in range(self.sites) if self.host(one) == host)
        kind, _, number = path.strip("/").removesuffix(".csv").partition("-")
        at = int(number) if number.isdigit() else 0
        if at >= self.pages or kind not in {"", "page", "go", "table"}:
            return None
        if kind == "table":
            return "text/csv", f"year,value\n2024,{site}\n2025,{at}\n".encode()
        following = (site + 1) % self.sites
        if kind == "go":
            return "", self.url(following, f"/table-{at}.csv").encode()
        links = [f"/go-{at}", self.url((site + 3) % self.sites, f"/page-{at}")]
        links.append(self.url(following, f"/page-{at + 1}"))
        anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        return "text/html", f"<title>Page {at}</title><ul>{anchors}</ul>".encode()

    def tables(self) -> set[str]:
        """Return the URLs of all files."""
        numbers = range(self.pages)
        return {self.url(s, f"/table-{n}.csv") for s in range(self.sites) for n in numbers}


@contextmanager
def small_web(
    sites: int, pages: int = PAGES, *, network: int = 127, kind: Callable[..., SmallWeb] = SmallWeb
) -> Iterator[Any]:
    """Serve sites in a thread of this process."""
    web, ready = kind(sites, pages, network), threading.Event()

    def run() -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(web.serve(ready))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield web
    finally:
        assert web.loop is not None and web.task is not None  # noqa: PT018 - for mypy
        web.loop.call_soon_threadsafe(web.task.cancel)
        thread.join()


if __name__ == "__main__":
    with small_web(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else PAGES) as served:
        print(*served.urls, "", sep="\n", flush=True)  # noqa: T201
        sys.stdin.read()
