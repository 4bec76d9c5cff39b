"""The server of generated sites keeps to HTTP, and its records are what it serves."""

from __future__ import annotations

import gc
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.urls import host_of, resolve
from lodehound.read.links import read_links
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from lodehound.stores.warc import http_head

HOME = Record("https://s.example/", 200, "text/html; charset=utf-8", b"<a href=a?b>a</a>")
DATA = Record("https://s.example/a?b", 200, "text/csv", b"x,y\n1,2\n")
MOVED = Record("https://s.example/old", 301, location="/a?b")
SITE = [HOME, DATA, MOVED]


@contextmanager
def connected(server: SiteServer) -> Iterator[HTTPConnection]:
    with closing(HTTPConnection(host_of(server.url), timeout=60)) as connection:
        yield connection


def ask(server: SiteServer, path: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    """Ask on a connection of its own."""
    with connected(server) as connection:
        connection.request(method, path)
        response = connection.getresponse()
        return response, response.read()


def said(server: SiteServer, request: bytes) -> bytes:
    """Return all that is answered until the server closes."""
    with socket.create_connection(
        ("127.0.0.1", int(server.url[:-1].rpartition(":")[2])), 10
    ) as raw:
        raw.sendall(request)
        return b"".join(iter(lambda: raw.recv(65536), b""))


def test_records_are_served_by_path_and_query() -> None:
    """Status, type, length and body are the record's, and the query belongs to the place."""
    with SiteServer(SITE) as server:
        response, body = ask(server, "/a?b")
        assert (response.status, response.version, body) == (200, 11, DATA.body)
        assert dict(response.getheaders()) == {"Content-Type": "text/csv", "Content-Length": "8"}
        assert ask(server, "/a")[0].status == 404
        assert ask(server, "/a?b&c")[0].status == 404


def test_what_is_absent_is_a_404() -> None:
    with SiteServer(SITE) as server:
        for path in ("/robots.txt", "/nothing", "/%zz"):
            response, body = ask(server, path)
            assert (response.status, response.headers["Content-Length"], body) == (404, "0", b"")


def test_robots_are_served_if_recorded() -> None:
    rules = Record("https://s.example/robots.txt", 200, "text/plain", b"User-agent: *\n")
    with SiteServer([rules]) as server:
        assert ask(server, "/robots.txt")[1] == rules.body


def test_redirects_say_where_to() -> None:
    with SiteServer(SITE) as server:
        response, body = ask(server, "/old")
        assert (response.status, response.headers["Location"], body) == (301, "/a?b", b"")
        assert ask(server, response.headers["Location"])[1] == DATA.body


def test_head_is_get_without_the_body() -> None:
    with SiteServer(SITE) as server:
        for path in ("/", "/a?b", "/old", "/nothing"):
            head, body = ask(server, path, "HEAD")
            whole, _ = ask(server, path)
            assert (head.status, head.getheaders(), body) == (whole.status, whole.getheaders(), b"")


def test_the_head_is_that_of_a_recording() -> None:
    """A live crawl pays for a HEAD what a replay pays."""
    request = b"HEAD /a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with SiteServer(SITE) as server:
        assert said(server, request) == http_head(DATA)


def test_one_connection_carries_many_requests() -> None:
    """The connection is kept after pages, HEADs, redirects and absent pages."""
    asked = [("GET", "/"), ("HEAD", "/a?b"), ("GET", "/nothing"), ("GET", "/old"), ("GET", "/a?b")]
    with SiteServer(SITE) as server, connected(server) as connection:
        statuses = []
        sockets = set()
        for method, path in asked:
            connection.request(method, path)
            sockets.add(connection.sock)
            response = connection.getresponse()
            response.read()
            statuses.append(response.status)
        assert statuses == [200, 200, 404, 301, 200]
        assert len(sockets) == 1


def test_requests_may_come_together() -> None:
    one = b"GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET /a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with SiteServer(SITE) as server:
        assert said(server, one + one + last) == (http_head(DATA) + DATA.body) * 3


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
def test_only_get_and_head_are_answered(method: str) -> None:
    """Anything else is refused, and its body is not taken for the next request."""
    body = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"{method} / HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    with SiteServer(SITE) as server:
        answer = said(server, head.encode() + body)
        assert answer.startswith(b"HTTP/1.1 405 ")
        assert b"\r\nAllow: GET, HEAD\r\n" in answer
        assert [request.method for request in server.log] == [method]


def test_the_body_of_a_get_is_no_request() -> None:
    body = b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
    head = b"GET /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    with SiteServer(SITE) as server:
        assert said(server, head + body) == http_head(DATA) + DATA.body


def test_garbage_is_a_bad_request() -> None:
    with SiteServer(SITE) as server:
        assert b" 400 " in said(server, b"one two three four five\r\n\r\n")
        assert server.log == []


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://s.example/ä b?ö", "/%C3%A4%20b?%C3%B6"),
        ("https://s.example//twice", "//twice"),
        ("https://s.example/a/../b", "/b"),
        ("https://s.example/b", "/a/../b"),
        ("https://s.example/c#top", "/c"),
        ("https://s.example", "http://proxied.example/"),
    ],
)
def test_places_are_those_of_canonical_addresses(url: str, target: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with SiteServer([Record(url, 200, "text/plain", b"here")]) as server:
        assert said(server, request.encode()).endswith(b"\r\n\r\nhere")
        assert [asked.path for asked in server.log] == [target]


def test_the_first_record_of_a_place_counts() -> None:
    """The host is no part of the place."""
    others = [Record("http://t.example/a?b", 200, "text/csv", b"other"), Record("", 200)]
    with SiteServer([*SITE, *others]) as server:
        assert ask(server, "/a?b")[1] == DATA.body


def test_odd_records_do_not_break_the_framing() -> None:
    """A body that was cut is as long as what is left of it; some statuses have none."""
    cut = Record("https://s.example/cut", 200, "text/csv", b"x,y", size=1000)
    bare = Record("https://s.example/bare", 204, "text/csv", b"x,y")
    early = Record("https://s.example/early", 103)
    with SiteServer([cut, bare, early]) as server:
        assert ask(server, "/cut")[1] == b"x,y"
        assert ask(server, "/bare")[1] == b""
        assert ask(server, "/early")[0].status == 404


def test_the_log_tells_what_came_in() -> None:
    before = time.monotonic()
    with SiteServer(SITE) as server:
        request = (
            "HEAD /a?b HTTP/1.1\r\nUser-Agent: u\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n"
        )
        said(server, request.encode())
        assert len(server.log) == 1
        asked = server.log[0]
    assert asked[1:3] == ("HEAD", "/a?b")
    assert asked.headers == {"user-agent": "u", "x-a": "1, 2", "connection": "close"}
    assert before <= asked.time <= time.monotonic()


def test_many_clients_at_once() -> None:
    """Every client gets its own answer, and every request is noted."""
    records = [Record(f"https://s.example/{n}", 200, "text/plain", b"%d" % n) for n in range(200)]
    with SiteServer(records) as server, ThreadPoolExecutor(20) as pool:
        bodies = list(pool.map(lambda n: ask(server, f"/{n}")[1], range(200)))
        assert bodies == [record.body for record in records]
        assert sorted(request.path for request in server.log) == sorted(f"/{n}" for n in range(200))


def test_a_generated_site_is_served_whole() -> None:
    """The site is made for the server's address, and its links lead back to the server."""
    with SiteServer() as server, connected(server) as connection:
        assert ask(server, "/")[0].status == 404
        office = StatsOffice(pages=60, files=12, redirects=5, host=server.url)
        server.serve(office.records())
        linked = {server.url}
        for record in office.records():
            connection.request("GET", record.url.removeprefix(server.url[:-1]))
            response = connection.getresponse()
            assert (response.status, response.read()) == (record.status, record.body)
            linked.add(resolve(server.url, response.headers["Location"] or ""))
            linked |= {link.url for link in read_links(record.body, url=record.url).links}
        assert {record.url for record in office.records()} < linked


def test_a_taken_port_is_named() -> None:
    with SiteServer() as server:
        port = int(server.url[:-1].rpartition(":")[2])
        with pytest.raises(ConfigError, match=f"127.0.0.1:{port} "):
            SiteServer(port=port)
    with pytest.raises(ConfigError, match="choose another port"):
        SiteServer(port=70_000)


def test_everything_ends_with_the_context() -> None:
    """Threads end and sockets close, even those of clients that stay."""
    threads = set(threading.enumerate())
    with SiteServer(SITE) as server, connected(server) as idle, connected(server) as silent:
        idle.request("GET", "/")
        idle.getresponse().read()
        silent.connect()
        server.close()
        assert set(threading.enumerate()) == threads
        assert idle.sock.recv(1) == b""
        with pytest.raises(ConnectionRefusedError):
            ask(server, "/")
    gc.collect()  # a socket left open would warn now
