"""A web server that does what web servers should not, each misdeed under a path of its own."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import importlib.util
import json
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache

from tests.servers import HTML, MIB, PIECE, Case, Exchange, Knobs, RawServer, page

Play = Callable[[Exchange], Awaitable[None]]

ROBOTS = "403 500 timeout huge huge-chunked utf16 html redirect redirect-far".split()
RULES = b"User-agent: *\nDisallow: /page/2\n"  # of every robots.txt that has some
FAR = 6  # redirects to robots.txt: RFC 9309, 2.3.1.2 wants five to be followed
ROWS = b"period,value\n2024,1\n2025,2\n"
PNG = b"\x89PNG\r\n\x1a\n"
RLE = 2**17  # bytes that one block of a zstd bomb stands for: the most there may be
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close at once, throwing away what is under way


class HostileServer(RawServer):
    """Serves ``CASES``, an index, and ordinary pages and files for a crawl to find.

    ``/`` links to ``links`` and to ``/page/1``; every ``/page/N`` links to
    ``/data/N.csv`` and to the next page.

    Args:
        links: What the index links to besides.
        robots: None for a 404, one of ``ROBOTS``, or the body of robots.txt.
        knobs: Speeds and sizes.
        host: Address in 127.0.0.0/8.
        port: Port to listen on; 0 takes a free one.
    """

    def __init__(
        self,
        *,
        links: Sequence[str] = (),
        robots: str | bytes | None = None,
        knobs: Knobs | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        if isinstance(robots, str) and robots not in ROBOTS:
            raise ValueError(f"robots is {robots!r}; known: {', '.join(ROBOTS)}, None, bytes.")
        self.links = links
        self.robots = robots
        self.missing = set() if importlib.util.find_spec("brotli") else {"/brotli-bomb"}
        cases = {path: case for path, case in CASES.items() if path not in self.missing}
        cases["/"] = Case("The index.", lambda x: x.page("index", *links, "/page/1"))
        cases["/robots.txt"] = Case("As the constructor says.", self._robots)
        super().__init__(cases | ORDINARY, knobs=knobs or Knobs(), host=host, port=port)

    async def _robots(self, x: Exchange) -> None:
        match self.robots:
            case None:
                await x.missing()
            case bytes(body):
                await x.answer(body, "text/plain")
            case "403" | "500" as status:
                await x.answer(b"no", "text/plain", status=int(status))
            case "timeout":
                await no_answer(x)
            case "huge" | "huge-chunked" as name:
                block = RULES + b"# padding\n" * 1000
                await stream(x, int(x.knob("robots")), block, "text/plain", "chunked" in name)
            case "utf16":
                await x.answer(RULES.decode().encode("utf-16"), "text/plain")
            case "html":
                await x.page("robots", "/page/1")
            case "redirect":
                await x.redirect("/real-robots.txt")
            case _:
                await x.redirect(f"/robots-hop/{FAR - 1}")


# --- slow, endless, cut, too much -----------------------------------------------------------------


async def drip(x: Exchange) -> None:
    while True:
        await x.send(b".")
        await asyncio.sleep(x.knob("pause"))


async def slow_bytes(x: Exchange) -> None:
    await x.head(200, [f"Content-Type: {HTML}"])
    await drip(x)


async def slow_headers(x: Exchange) -> None:
    await x.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    await drip(x)


async def no_answer(x: Exchange) -> None:
    await x.reader.read()  # until the client leaves


async def endless(x: Exchange) -> None:
    await stream(x, 2**60, b"<p>more</p>\n" * 1000, HTML, chunked=True)


async def stream(x: Exchange, size: int, block: bytes, kind: str, chunked: bool = False) -> None:
    """Send a block again and again, as fast as it is read."""
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
    await x.head(200, [f"Content-Type: {kind}", length])
    for start in range(0, size, len(block)):
        part = block[: size - start]
        await x.send(b"%x\r\n%b\r\n" % (len(part), part) if chunked else part)
    await x.send(b"0\r\n\r\n" if chunked else b"")
    x.keep = True


async def too_short(x: Exchange) -> None:
    body = page("too short", "/page/1")
    await x.head(200, [f"Content-Type: {HTML}", f"Content-Length: {2 * len(body)}"])
    await x.send(body)


async def too_long(x: Exchange) -> None:
    await x.page("too long", "/page/1")
    await x.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 6\r\n\r\nforged")


async def reset(x: Exchange) -> None:
    await too_short(x)
    await asyncio.sleep(x.knob("pause"))  # for the client to take what was sent
    await reset_first(x)


async def reset_first(x: Exchange) -> None:
    x.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    x.writer.transport.abort()


async def huge_header(x: Exchange) -> None:
    await x.answer(page("huge"), headers=["X-Huge: " + "x" * int(x.knob("header"))])


async def many_headers(x: Exchange) -> None:
    numbers = range(int(x.knob("headers")))
    await x.answer(page("many"), headers=[f"X-{number}: x" for number in numbers])


def big(block: bytes, kind: str) -> Play:
    return lambda x: stream(x, int(x.knob("big")), block, kind)


# --- bombs ----------------------------------------------------------------------------------------


@cache
def gzip_bomb(size: int) -> bytes:
    """Write one deflate block again and again: full flushes make it stand alone."""
    block = b"0" * MIB
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(size // MIB):
        checksum = zlib.crc32(block, checksum)
    tail = packer.flush() + struct.pack("<II", checksum, size // MIB * MIB % 2**32)
    return b"\x1f\x8b\x08" + bytes(6) + b"\xff" + packed * (size // MIB) + tail


@cache
def brotli_bomb(size: int) -> bytes:
    return bytes(importlib.import_module("brotli").compress(b"0" * size, quality=5))


@cache
def zstd_bomb(size: int) -> bytes:
    """Write blocks that say "so many times this byte" (RFC 8878, 3.1.1.2.2): needs no library."""
    block = (RLE << 3 | 1 << 1).to_bytes(3, "little") + b"0"
    last = (1).to_bytes(3, "little")  # it is empty
    return bytes.fromhex("28B52FFD 00 68") + block * (size // RLE) + last


def bomb(build: Callable[[int], bytes], coding: str, to: str = "") -> Play:
    async def play(x: Exchange) -> None:
        body = await asyncio.to_thread(build, int(x.knob("bomb")))
        coded = f"Content-Encoding: {coding}"
        await (x.redirect(to, body, coded) if to else x.answer(body, headers=[coded]))

    return play


# --- ways that do not end, or end elsewhere -------------------------------------------------------


def redirect(to: str) -> Play:
    """Redirect there, or to what the query says."""
    return lambda x: x.redirect(x.query.get("to", to))


def chain(end: str) -> Play:
    """Redirect as many times as the path says, lastly to the end."""

    async def play(x: Exchange) -> None:
        left = x.step(0, 3)
        await x.redirect(f"/{x.name}/{left - 1}" if left > 1 else end)

    return play


async def calendar(x: Exchange) -> None:
    year, month = x.step(0, 2024), x.step(1, 1)
    await x.page(f"{year}/{month:02}", f"/calendar/{year + month // 12}/{month % 12 + 1:02}")


async def session(x: Exchange) -> None:
    links = []
    for number in range(1, int(x.knob("pages")) + 1):
        sid = hashlib.sha256(f"{x.entry.path} {number}".encode()).hexdigest()[:32]
        links.append(f"/session/{number}?sid={sid}")
    await x.page(f"session, page {x.step(0, 1)}", *links)


# --- refusals, lies, and what is as it should be --------------------------------------------------


async def refuse(x: Exchange, status: int, *headers: str) -> None:
    """Refuse the first tries at this very address, then give a page."""
    if x.server.hits[x.entry.path] > x.knob("tries"):
        await x.page("at last", "/page/1")
    else:
        await x.answer(b"not now", "text/plain", status=status, headers=headers)


async def too_many(x: Exchange) -> None:
    after = int(x.knob("after"))
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=after), usegmt=True)
    await refuse(x, 429, f"Retry-After: {until if 'date' in x.query else after}")


async def burst(x: Exchange) -> None:
    await refuse(x, int(x.query.get("status", 503)))


def fixed(body: bytes, kind: str = HTML) -> Play:
    return lambda x: x.answer(body, kind)


def raw(answer: bytes) -> Play:
    return lambda x: x.send(answer)


async def echo(x: Exchange) -> None:
    await x.answer(json.dumps(x.entry.headers).encode(), "application/json")


async def ordinary_page(x: Exchange) -> None:
    number, pages = x.step(0, 0), int(x.knob("pages"))
    following = [f"/page/{number + 1}"] if number < pages else []
    known = 1 <= number <= pages
    await (x.page(f"page {number}", f"/data/{number}.csv", *following) if known else x.missing())


async def ordinary_file(x: Exchange) -> None:
    known = 1 <= x.step(0, 0) <= x.knob("pages")
    await (x.answer(ROWS, "text/csv") if known else x.missing())


LINKED = page("not what it seems", "/page/1")
BROKEN = LINKED.replace(b"seems", b"s\xffe\xfe\x81ems")

CASES = {
    "/slow-bytes": Case("A page that comes a byte every ``pause`` seconds, for ever.", slow_bytes),
    "/slow-headers": Case("A header that comes so, and never ends.", slow_headers),
    "/no-answer": Case("Reads the request and says nothing.", no_answer),
    "/endless": Case("Chunks without end, as fast as they are read.", endless),
    "/too-short": Case("Half of the bytes that Content-Length says, then closes.", too_short),
    "/too-long": Case("A forged answer behind the bytes that Content-Length says.", too_long),
    "/gzip-bomb": Case("``bomb`` bytes in a thousandth.", bomb(gzip_bomb, "gzip")),
    "/brotli-bomb": Case("``bomb`` bytes in some hundred.", bomb(brotli_bomb, "br")),
    "/zstd-bomb": Case("``bomb`` bytes in a 30,000th.", bomb(zstd_bomb, "zstd")),
    "/gzip-bomb-redirect": Case(
        "A bomb as the body of a redirect to /page/1.", bomb(gzip_bomb, "gzip", "/page/1")
    ),
    "/redirect-loop": Case(
        "Redirects to /redirect-pool and from there back.", redirect("/redirect-pool")
    ),
    "/redirect-pool": Case("The other half of /redirect-loop.", redirect("/redirect-loop")),
    "/redirect-self": Case("Redirects to itself.", redirect("/redirect-self")),
    "/redirect-chain": Case(
        "/redirect-chain/N is N redirects away from /page/1.", chain("/page/1")
    ),
    "/redirect-file": Case("Redirects to a file of the client.", redirect("file:///etc/passwd")),
    "/redirect-ftp": Case("Redirects to another scheme.", redirect("ftp://127.0.0.1/data.csv")),
    "/redirect-private": Case("Redirects to a private address.", redirect("http://10.255.255.1/")),
    "/redirect-host": Case("Redirects to the URL ``to``.", redirect("/page/1")),
    "/429": Case("429 for ``tries`` times; Retry-After in seconds, or as a date.", too_many),
    "/503-burst": Case("503, or ``status``, for ``tries`` times.", burst),
    "/calendar": Case("/calendar/YYYY/MM links to the next month, for ever.", calendar),
    "/session": Case("A few pages, with a new session id in every link to them.", session),
    "/pdf-that-is-html": Case("HTML that says it is PDF.", fixed(LINKED, "application/pdf")),
    "/html-named.csv": Case("HTML that is named as CSV.", fixed(LINKED)),
    "/csv-as-html": Case("CSV that says it is HTML.", fixed(ROWS, HTML)),
    "/broken-charset": Case(
        "An unknown charset and bytes of none.", fixed(BROKEN, "text/html; charset=x-no-such")
    ),
    "/empty": Case("200 without a body and without a type.", fixed(b"", "")),
    "/no-type": Case("A page without a type.", fixed(LINKED, "")),
    "/reset": Case("Resets the connection in the middle of the body.", reset),
    "/reset-first": Case("Resets the connection before any byte.", reset_first),
    "/http10": Case(
        "HTTP/1.0: the body ends with the connection.",
        raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + LINKED),
    ),
    "/huge-header": Case("A header of ``header`` bytes.", huge_header),
    "/many-headers": Case("``headers`` headers.", many_headers),
    "/bad-status": Case("No status line.", raw(b"what do you want?\r\n\r\n" + LINKED)),
    "/image": Case("A picture of ``big`` bytes.", big(PNG + bytes(PIECE - len(PNG)), "image/png")),
    "/big-file": Case("A CSV file of ``big`` bytes.", big(b"2024,1\n" * 1000, "text/csv")),
    "/echo": Case("The headers of the request as JSON.", echo),
}

ORDINARY = {
    "/page": Case("/page/N, for N up to ``pages``.", ordinary_page),
    "/data": Case("/data/N.csv, likewise.", ordinary_file),
    "/real-robots.txt": Case("Where robots.txt redirects to.", fixed(RULES, "text/plain")),
    "/robots-hop": Case("One of many redirects there.", chain("/real-robots.txt")),
}
