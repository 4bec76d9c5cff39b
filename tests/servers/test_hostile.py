"""The hostile server misbehaves as it says: seen through raw sockets."""

from __future__ import annotations

import codecs
import gc
import gzip
import io
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest
from fastwarc.stream_io import BrotliReader, ZstdReader

from tests.servers import MIB, Case, Entry, Exchange, Knobs, RawServer, page
from tests.servers.hostile import CASES, LINKED, ROWS, RULES, HostileServer

KNOBS = Knobs(pause=0.005, bomb=4 * MIB, big=8 * MIB)
DEADLINE = 60.0  # seconds; nothing here takes one
HANGING = ["/slow-bytes", "/slow-headers", "/no-answer", "/endless"]
BROKEN = ["/slow-headers", "/no-answer", "/reset", "/reset-first", "/http10", "/bad-status"]


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer(links=list(CASES), knobs=KNOBS) as serving:
        yield serving


def asked(server: RawServer, path: str, method: str = "GET", *headers: str) -> socket.socket:
    """Send a request; the answer is the caller's to read, and the socket to close."""
    host, port = server.url.removeprefix("http://")[:-1].split(":")
    wire = socket.create_connection((host, int(port)), timeout=DEADLINE)
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]
    wire.sendall("\r\n".join(lines).encode())
    return wire


def read(wire: socket.socket, most: int = 2**40) -> bytes:
    """Read until there is nothing more, or enough."""
    got = bytearray()
    while len(got) < most and (piece := wire.recv(65536)):
        got += piece
    return bytes(got)


def said(server: RawServer, path: str, method: str = "GET") -> tuple[str, bytes]:
    """Return the head and the body of an answer that ends with the connection."""
    with asked(server, path, method, "Connection: close") as wire:
        head, _, body = read(wire).partition(b"\r\n\r\n")
        return head.decode("latin-1"), body


def header(head: str, name: str) -> str:
    found = re.search(rf"^{name}: (.*?)\r?$", head, re.MULTILINE)
    return found[1] if found else ""


def status(head: str) -> int:
    return int(head.split(" ")[1])


def entry_of(server: RawServer, path: str) -> Entry:
    """Return the newest entry of a path, once there is one."""
    wait(lambda: any(entry.path == path for entry in server.log))
    return next(entry for entry in reversed(server.log) if entry.path == path)


def wait(true: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


# --- the server itself ----------------------------------------------------------------------------


def test_every_case_is_described_in_a_line() -> None:
    assert all(re.fullmatch(r"[^\n]+\.", case.doc) for case in CASES.values())


def test_the_index_links_to_what_it_is_told(server: HostileServer) -> None:
    head, body = said(server, "/")
    assert status(head) == 200
    assert re.findall(rb'href="([^"]+)"', body) == [*map(str.encode, CASES), b"/page/1"]


def test_there_is_something_ordinary_to_find(server: HostileServer) -> None:
    """Pages lead to files and to the next page; beyond the last there is nothing."""
    assert said(server, "/page/1")[1] == page("page 1", "/data/1.csv", "/page/2")
    assert said(server, "/page/5")[1] == page("page 5", "/data/5.csv")
    head, body = said(server, "/data/5.csv")
    assert (header(head, "Content-Type"), body) == ("text/csv", ROWS)
    for path in ("/page/6", "/page/x", "/page", "/data/0.csv", "/nothing"):
        assert status(said(server, path)[0]) == 404


def test_connections_are_kept() -> None:
    with HostileServer() as server, asked(server, "/page/1") as wire:
        wire.sendall(b"HEAD /page/1 HTTP/1.1\r\n\r\n")
        wire.sendall(b"GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert re.findall(rb"HTTP/1.1 (\d+)", read(wire)) == [b"200", b"200", b"404"]
        assert (server.connections, len(server.log)) == (1, 3)


@pytest.mark.parametrize("path", [path for path in CASES if path not in BROKEN])
def test_a_head_has_no_body(server: HostileServer, path: str) -> None:
    head, body = said(server, path, "HEAD")
    assert (head[:9], body) == ("HTTP/1.1 ", b"")


def test_other_methods_are_refused(server: HostileServer) -> None:
    assert status(said(server, "/page/1", "POST")[0]) == 405


def test_the_log_tells_what_came_in(server: HostileServer) -> None:
    before = time.monotonic()
    with asked(server, "/echo?x=1", "GET", "X-Mark: a b", "Connection: close") as wire:
        whole = read(wire)
    entry = entry_of(server, "/echo?x=1")
    assert (entry.method, entry.sent, entry.done) == ("GET", len(whole), True)
    assert entry.headers == {"host": "127.0.0.1", "x-mark": "a b", "connection": "close"}
    assert json.loads(whole.partition(b"\r\n\r\n")[2]) == entry.headers
    assert before <= entry.time <= time.monotonic()


def test_everything_ends_with_the_context() -> None:
    """No thread and no socket outlives it, whatever is under way."""
    threads = set(threading.enumerate())
    with HostileServer(knobs=KNOBS, robots="timeout", host="127.0.0.2") as server:
        assert server.url.startswith("http://127.0.0.2:")
        wires = [
            asked(server, path) for path in [*HANGING, "/robots.txt", "/big-file", "/gzip-bomb"]
        ]
        wires.append(socket.create_connection(wires[0].getpeername()))
        wait(lambda: len(server.log) == len(wires) - 1)
    assert set(threading.enumerate()) == threads
    for wire in wires:
        wire.close()
    gc.collect()  # a socket left open would warn now


def test_an_error_of_ours_is_no_misdeed() -> None:
    async def fail(x: Exchange) -> None:
        raise LookupError(x.name)

    failing = RawServer({"/fail": Case("Fails.", fail)}, knobs=KNOBS, host="127.0.0.1", port=0)
    with pytest.raises(ExceptionGroup, match="cases failed"), failing:
        assert said(failing, "/fail") == ("", b"")


# --- its misdeeds ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "heads"), [("/slow-bytes", 1), ("/slow-headers", 0)])
def test_bytes_that_drip(server: HostileServer, path: str, heads: int) -> None:
    """They come one by one and do not end; the server notices when the client leaves."""
    with asked(server, path) as wire:
        got = read(wire, 90)
        assert got.count(b"\r\n\r\n") == heads
        dots = len(got) - len(got.rstrip(b"."))
        entry = entry_of(server, path)
        assert not entry.done
        assert time.monotonic() - entry.time > KNOBS.pause * dots / 2
    wait(lambda: entry.done)


def test_no_answer(server: HostileServer) -> None:
    with asked(server, "/no-answer") as wire:
        wire.settimeout(0.1)
        with pytest.raises(TimeoutError):
            wire.recv(1)
        assert not entry_of(server, "/no-answer").done
    wait(lambda: entry_of(server, "/no-answer").done)
    assert entry_of(server, "/no-answer").sent == 0


def test_endless(server: HostileServer) -> None:
    """Well-formed chunks, as many as one likes."""
    with asked(server, "/endless") as wire:
        head, _, body = read(wire, 4 * MIB).partition(b"\r\n\r\n")
        assert b"\r\nTransfer-Encoding: chunked" in head
        size = int(body.partition(b"\r\n")[0], 16)
        assert body.count(b"\r\n%x\r\n" % size) >= 4 * MIB // size - 2
    wait(lambda: entry_of(server, "/endless").done)


def test_wrong_lengths(server: HostileServer) -> None:
    head, body = said(server, "/too-short")
    assert int(header(head, "Content-Length")) == 2 * len(body)
    head, body = said(server, "/too-long")
    surplus = body[int(header(head, "Content-Length")) :]
    assert surplus.startswith(b"HTTP/1.1 200 OK\r\n")
    assert surplus.endswith(b"forged")


def test_resets(server: HostileServer) -> None:
    with asked(server, "/reset") as wire:
        assert read(wire, 1).startswith(b"HTTP/1.1 200 OK\r\n")
        with pytest.raises(ConnectionResetError):
            read(wire)
    with asked(server, "/reset-first") as wire, pytest.raises(ConnectionResetError):
        wire.recv(1)


def test_headers_without_measure(server: HostileServer) -> None:
    head, body = said(server, "/huge-header")
    assert (len(header(head, "X-Huge")), body) == (MIB, page("huge"))
    head, body = said(server, "/many-headers")
    assert (head.count("\r\nX-"), body) == (100_000, page("many"))
    assert said(server, "/many-headers?headers=3")[0].count("\r\nX-") == 3


@pytest.mark.parametrize("path", ["/image", "/big-file", "/image.png", "/big-file.csv?again"])
def test_bytes_sent_are_counted(server: HostileServer, path: str) -> None:
    """Whole when read whole; of an answer that is left at the head, little was sent."""
    head, body = said(server, path)
    assert header(head, "Content-Type") == ("image/png" if "image" in path else "text/csv")
    assert int(header(head, "Content-Length")) == len(body) == KNOBS.big
    assert entry_of(server, path).sent == len(head) + 4 + len(body)
    with asked(server, path) as wire:
        wire.recv(len(head))
    wait(lambda: entry_of(server, path).done)
    assert entry_of(server, path).sent < KNOBS.big // 2


OPENERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "br": lambda packed: bytes(BrotliReader(io.BytesIO(packed)).read()),
    "zstd": lambda packed: bytes(ZstdReader(io.BytesIO(packed)).read()),
}


@pytest.mark.parametrize(
    "path", ["/gzip-bomb", "/brotli-bomb", "/zstd-bomb", "/gzip-bomb-redirect"]
)
def test_bombs(server: HostileServer, path: str) -> None:
    """Small on the way, large in the end, and valid."""
    if path in server.missing:
        pytest.skip(f"{path} cannot be built here")
    head, body = said(server, path)
    assert header(head, "Location") == ("/page/1" if "redirect" in path else "")
    assert len(body) < KNOBS.bomb // 500
    assert OPENERS[header(head, "Content-Encoding")](body) == b"0" * KNOBS.bomb
    assert len(said(server, f"{path}?bomb={MIB}")[1]) < max(200, len(body) // 2)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/redirect-loop", "/redirect-pool"),
        ("/redirect-pool", "/redirect-loop"),
        ("/redirect-self", "/redirect-self"),
        ("/redirect-chain/3", "/redirect-chain/2"),
        ("/redirect-chain/1", "/page/1"),
        ("/redirect-file", "file:///etc/passwd"),
        ("/redirect-ftp", "ftp://127.0.0.1/data.csv"),
        ("/redirect-private", "http://10.255.255.1/"),
        ("/redirect-host?to=http://127.0.0.2:99/a%3Fb", "http://127.0.0.2:99/a?b"),
    ],
)
def test_redirects(server: HostileServer, path: str, to: str) -> None:
    for more, code in (("", 302), (("&" if "?" in path else "?") + "status=308", 308)):
        head, _ = said(server, path + more)
        assert (status(head), header(head, "Location")) == (code, to)


def test_the_calendar_has_no_last_month(server: HostileServer) -> None:
    path = "/calendar/2024/11"
    seen = []
    for _ in range(15):
        path = re.findall(r'href="([^"]+)"', said(server, path)[1].decode())[0]
        seen.append(path)
    assert seen[:3] == ["/calendar/2024/12", "/calendar/2025/01", "/calendar/2025/02"]
    assert len(set(seen)) == 15


def test_sessions_have_few_pages_and_many_addresses(server: HostileServer) -> None:
    """No address comes twice, however far one goes."""
    queue = ["/session"]
    for path in queue:
        links = re.findall(r'href="(/session/\d\?sid=\w{32})"', said(server, path)[1].decode())
        assert len(links) == KNOBS.pages
        queue += links if len(queue) < 50 else []
    assert len(set(queue)) == len(queue) >= 50
    assert len({path.partition("?")[0] for path in queue}) == KNOBS.pages + 1


def test_refusals_end(server: HostileServer) -> None:
    """Each address counts for itself."""
    asked_for = {"/429?a": 429, "/429?b": 429, "/503-burst?a": 503, "/503-burst?status=500": 500}
    for path, code in asked_for.items():
        assert [status(said(server, path)[0]) for _ in range(4)] == [code, code, 200, 200]
    assert [status(said(server, "/429?tries=0&after=0")[0]) for _ in range(2)] == [200, 200]


def test_when_to_come_again(server: HostileServer) -> None:
    assert header(said(server, "/429?after=7")[0], "Retry-After") == "7"
    written = header(said(server, "/429?after=600&date")[0], "Retry-After")
    left = parsedate_to_datetime(written) - datetime.now(UTC)
    assert written.endswith(" GMT")
    assert 300 < left.total_seconds() <= 600


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/pdf-that-is-html.pdf", "application/pdf", LINKED),
        ("/pdf-that-is-html", "application/pdf", LINKED),
        ("/html-named.csv", "text/html; charset=utf-8", LINKED),
        ("/csv-as-html", "text/html; charset=utf-8", ROWS),
        ("/empty", "", b""),
        ("/no-type", "", LINKED),
    ],
)
def test_types_that_lie(server: HostileServer, path: str, kind: str, body: bytes) -> None:
    head, got = said(server, path)
    assert (status(head), header(head, "Content-Type"), got) == (200, kind, body)


def test_broken_charset(server: HostileServer) -> None:
    head, body = said(server, "/broken-charset")
    name = header(head, "Content-Type").partition("charset=")[2]
    with pytest.raises(LookupError):
        codecs.lookup(name)
    with pytest.raises(UnicodeDecodeError):
        body.decode()
    assert b'href="/page/1"' in body


def test_odd_protocols(server: HostileServer) -> None:
    """No connection is kept, though it was not asked to be closed."""
    with asked(server, "/http10") as wire:
        head, _, body = read(wire).partition(b"\r\n\r\n")
        assert head == b"HTTP/1.0 200 OK\r\nContent-Type: text/html"
        assert body == LINKED
    with asked(server, "/bad-status") as wire:
        assert not read(wire).startswith(b"HTTP/")


@pytest.mark.parametrize(
    ("robots", "code", "kind", "text"),
    [
        (None, 404, "text/html; charset=utf-8", page("not found")),
        ("403", 403, "text/plain", b"no"),
        ("500", 500, "text/plain", b"no"),
        ("utf16", 200, "text/plain", RULES.decode().encode("utf-16")),
        ("html", 200, "text/html; charset=utf-8", page("robots", "/page/1")),
        (b"Disallow: /", 200, "text/plain", b"Disallow: /"),
        (b"", 200, "text/plain", b""),
    ],
)
def test_robots(robots: str | bytes | None, code: int, kind: str, text: bytes) -> None:
    with HostileServer(robots=robots) as server:
        head, body = said(server, "/robots.txt")
    assert (status(head), header(head, "Content-Type"), body) == (code, kind, text)


@pytest.mark.parametrize(("robots", "hops"), [("redirect", 1), ("redirect-far", 6)])
def test_robots_elsewhere(robots: str, hops: int) -> None:
    with HostileServer(robots=robots) as server:
        path = "/robots.txt"
        for _ in range(hops):
            path = header(said(server, path)[0], "Location")
        assert path == "/real-robots.txt"
        assert said(server, path)[1] == RULES


def test_robots_that_time_out() -> None:
    with HostileServer(robots="timeout") as server, asked(server, "/robots.txt") as wire:
        wire.settimeout(0.1)
        with pytest.raises(TimeoutError):
            wire.recv(1)


@pytest.mark.parametrize("robots", ["huge", "huge-chunked"])
def test_robots_without_measure(robots: str) -> None:
    """A gigabyte is offered, and no more is made of it than is read."""
    with HostileServer(robots=robots) as server:
        with asked(server, "/robots.txt") as wire:
            head, _, body = read(wire, MIB).partition(b"\r\n\r\n")
        wait(lambda: server.log[0].done)
        declared = header(head.decode(), "Content-Length")
        assert declared == ("" if "chunked" in robots else str(2**30))
        assert RULES in body[:100]
        assert MIB <= server.log[0].sent < 16 * MIB
        short = said(server, "/robots.txt?robots=20000")[1]
        assert short.endswith(b"\r\n0\r\n\r\n") if "chunked" in robots else len(short) == 20000


def test_unknown_robots_are_named() -> None:
    with pytest.raises(ValueError, match="robots is 'gone'; known: 403"):
        HostileServer(robots="gone")
