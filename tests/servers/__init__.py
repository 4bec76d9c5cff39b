"""Web servers for tests that hold every byte of their answers in their own hands.

``RawServer`` is the wire and the log; what is answered are its cases (``hostile``).
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import NamedTuple, Self
from urllib.parse import parse_qsl, urlsplit

MIB = 2**20
PIECE = 2**14  # bytes written at a time
ACCEPTING = 5  # most turns of the event loop from a connection to its handler
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """Speeds and sizes; a query such as ``?pause=0.01`` sets one for a single request."""

    pause: float = 0.05  # seconds between two bytes of what is slow
    bomb: int = 64 * MIB  # bytes of a bomb when it is unpacked, in whole MiB
    big: int = 8 * MIB  # bytes of /big-file and /image
    header: int = MIB  # bytes of the header of /huge-header
    headers: int = 100_000  # of /many-headers
    robots: int = 2**30  # bytes of a huge robots.txt
    after: int = 1  # seconds that /429 asks to wait
    tries: int = 2  # requests that /429 and /503-burst refuse before they answer
    pages: int = 5  # ordinary pages, and files; also those of /session


@dataclass(slots=True)
class Entry:
    """One request and what became of it."""

    time: float  # monotonic
    method: str
    path: str  # with the query
    headers: dict[str, str]  # names in lower case
    sent: int = 0  # bytes of the answer that the system has taken, its header included
    done: bool = False  # nothing more will be sent


class Case(NamedTuple):
    """One way to answer."""

    doc: str
    play: Callable[[Exchange], Awaitable[None]]


class HeadersOnlyError(Exception):
    """The request was a HEAD, so its answer ends here."""


class Exchange:
    """A request, and the wire that its answer goes to."""

    def __init__(
        self,
        server: RawServer,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        entry: Entry,
    ) -> None:
        self.server, self.reader, self.writer, self.entry = server, reader, writer, entry
        path, _, query = entry.path.partition("?")
        self.query = dict(parse_qsl(query, keep_blank_values=True))
        self.name, *self.steps = urlsplit(path).path.removeprefix("/").split("/")
        self.keep = False  # the connection, for another request

    def knob(self, name: str) -> float:
        return float(self.query.get(name, getattr(self.server.knobs, name)))

    def step(self, index: int, default: int) -> int:
        """Return a number out of the path: of /calendar/2024/12, 12 is step 1."""
        written = self.steps[index].partition(".")[0] if index < len(self.steps) else ""
        return int(written) if written.isdecimal() else default

    async def send(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self.writer.write(piece)
            await self.writer.drain()
            self.entry.sent += len(piece)

    async def head(self, status: int, headers: Iterable[str]) -> None:
        first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
        await self.send("\r\n".join([first, *headers, "", ""]).encode("latin-1"))
        if self.entry.method == "HEAD":
            self.keep = True
            raise HeadersOnlyError

    async def answer(
        self, body: bytes, kind: str = HTML, *, status: int = 200, headers: Sequence[str] = ()
    ) -> None:
        """Answer as one should."""
        typed = [f"Content-Type: {kind}"] if kind else []
        await self.head(status, [*typed, f"Content-Length: {len(body)}", *headers])
        await self.send(body)
        self.keep = True

    async def page(self, title: str, *links: str) -> None:
        await self.answer(page(title, *links))

    async def missing(self) -> None:
        await self.answer(page("not found"), status=404)

    async def redirect(self, to: str, body: bytes = b"", *headers: str) -> None:
        status = int(self.query.get("status", 302))
        await self.answer(body, status=status, headers=[f"Location: {to}", *headers])


class RawServer:
    """Answers by cases on loopback, in a thread, within its context.

    The case is that of the path's first part, with or without an ending; other
    paths are 404. An error in a case is raised at the end of the context.

    Args:
        cases: By the first part of the path.
        knobs: Speeds and sizes.
        host: Address in 127.0.0.0/8.
        port: Port to listen on; 0 takes a free one.
    """

    def __init__(self, cases: Mapping[str, Case], *, knobs: Knobs, host: str, port: int) -> None:
        self.cases = cases
        self.knobs = knobs
        self.host = host
        self.port = port
        self.url = ""  # within the context
        self.log: list[Entry] = []
        self.hits: Counter[str] = Counter()  # requests by path and query
        self.connections = 0
        self._errors: list[Exception] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="raw-server", daemon=True)

    def __enter__(self) -> Self:
        self._socket = socket.create_server((self.host, self.port), backlog=128)
        # Little is under way, so that what was sent is about what was read.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIECE)
        self.url = f"http://{self.host}:{self._socket.getsockname()[1]}/"
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._errors:
            raise ExceptionGroup("cases failed", self._errors)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, sock=self._socket, backlog=128)
        self._ready.set()
        await self._stop.wait()
        self._loop.remove_reader(self._socket)  # accepts nothing more
        for _ in range(ACCEPTING):  # what was just accepted gets its task, and is ended with it
            await asyncio.sleep(0)
        server.close()  # not before: it would leave such a connection open
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._talk(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before it began closes nothing.
        task.add_done_callback(lambda _: writer.transport.abort())

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(high=0)  # drain() waits for every byte
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client left, or is no client
        except Exception as error:
            self._errors.append(error)
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether another may follow."""
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, version = lines[0].split(" ")
        fields = (line.partition(":") for line in lines[1:-2])
        headers = {name.lower(): value.strip() for name, _, value in fields}
        entry = Entry(time.monotonic(), method, target, headers)
        self.log.append(entry)
        self.hits[target] += 1
        exchange = Exchange(self, reader, writer, entry)
        try:
            with suppress(HeadersOnlyError):
                await self._play(exchange)
        finally:
            entry.done = True
        return exchange.keep and version == "HTTP/1.1" and headers.get("connection") != "close"

    async def _play(self, exchange: Exchange) -> None:
        path = f"/{exchange.name}"
        case = self.cases.get(path) or self.cases.get(path.rpartition(".")[0])
        if exchange.entry.method not in {"GET", "HEAD"}:
            await exchange.answer(b"", status=405, headers=["Connection: close"])
            exchange.keep = False  # a body may follow, and we do not read it
        elif case:
            await case.play(exchange)
        else:
            await exchange.missing()


def page(title: str, *links: str) -> bytes:
    """Write a page."""
    anchors = (f'<p><a href="{escape(link)}">{escape(link)}</a></p>\n' for link in links)
    return f"<!DOCTYPE html>\n<title>{title}</title>\n<h1>{title}</h1>\n{''.join(anchors)}".encode()
