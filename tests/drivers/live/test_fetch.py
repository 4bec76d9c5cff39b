"""One request against a server that misbehaves: everything is bounded, nothing is raised."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.fetch import Fetcher, Limits, Reply, _headers
from tests.servers.hostile import HostileServer

# On a busy machine any answer may be late; each kind of slowness has a short limit of its own.
LIMITS = Limits(connect=20, first_byte=20, total=40, header=65536, body=1_000_000)
SLOW_BODY = replace(LIMITS, slowest=1000, patience=0.2)
SLOW_HEADERS = replace(LIMITS, connect=0.5, first_byte=0.4)


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer() as running:
        yield running


def fetch(
    url: str,
    *,
    guard: AddressGuard | None = None,
    limits: Limits = LIMITS,
    proxy: str | None = None,
    **options: object,
) -> Reply:
    async def run() -> Reply:
        guard_ = guard or AddressGuard.made_of([url])
        fetcher = Fetcher(limits=limits, guard=guard_, proxy=proxy)
        try:
            return await fetcher.fetch(url, **options)  # type: ignore[arg-type]
        finally:
            await fetcher.close()

    return asyncio.run(run())


def path(server: HostileServer, name: str) -> str:
    return server.url.rstrip("/") + name


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("/too-short", "ClientPayloadError"),
        ("/reset", "Client"),
        ("/reset-first", "Client"),
        ("/huge-header", "ClientResponseError"),
        ("/many-headers", "ClientResponseError"),
        ("/bad-status", "ClientResponseError"),
        ("/zstd-bomb", "ValueError: content encoding 'zstd' was not asked for"),
    ],
)
def test_failures_are_replies_with_a_reason(server: HostileServer, name: str, error: str) -> None:
    reply = fetch(path(server, name))

    assert reply.status == 0
    assert reply.error.startswith(error)


@pytest.mark.parametrize(
    ("name", "limits", "error"),
    [
        ("/slow-bytes?pause=0.05", SLOW_BODY, "timeout: slower than 1000 bytes per second"),
        ("/slow-headers?pause=0.05", SLOW_HEADERS, "timeout"),
        ("/no-answer", SLOW_HEADERS, "timeout"),
    ],
)
def test_slowness_has_limits(server: HostileServer, name: str, limits: Limits, error: str) -> None:
    reply = fetch(path(server, name), limits=limits)

    assert (reply.status, reply.error[: len(error)]) == (0, error)


@pytest.mark.parametrize("name", ["/endless", "/big-file", "/gzip-bomb", "/gzip-bomb-redirect"])
def test_bodies_are_cut_at_the_limit(server: HostileServer, name: str) -> None:
    reply = fetch(path(server, name))

    assert (len(reply.body), reply.cut) == (LIMITS.body, True)
    assert reply.size < 3 * LIMITS.body


def test_a_body_longer_than_declared_ends_where_declared(server: HostileServer) -> None:
    reply = fetch(path(server, "/too-long"))

    assert reply.status == 200
    assert b"HTTP/1.1" not in reply.body


def test_an_unwanted_body_is_not_read(server: HostileServer) -> None:
    reply = fetch(
        path(server, "/image?case=unread"),
        wanted=lambda status, headers: headers["content-type"] != "image/png",
    )

    assert (reply.status, reply.body, reply.cut) == (200, b"", True)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="not on this system")
def test_a_request_arrives_soon_or_never(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that was cut off must not deliver it when it is back."""
    options: list[tuple[int, int, int]] = []
    setsockopt = socket.socket.setsockopt

    def noted(self: socket.socket, *option: int) -> None:
        options.append(option)  # type: ignore[arg-type]
        setsockopt(self, *option)

    monkeypatch.setattr(socket.socket, "setsockopt", noted)
    assert fetch(path(server, "/")).status > 0
    assert (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 10_000) in options


def test_redirects_are_not_followed(server: HostileServer) -> None:
    reply = fetch(path(server, "/redirect-file"))

    assert (reply.status, reply.headers["location"]) == (302, "file:///etc/passwd")


def test_a_url_that_cannot_be_requested_is_a_failure() -> None:
    assert fetch("http://127.0.0.1:7x/").error.startswith("ValueError: Invalid URL")


def test_http_1_0_is_understood(server: HostileServer) -> None:
    assert fetch(path(server, "/http10")).status == 200


@pytest.mark.parametrize(
    "url",
    ["http://10.255.255.1/", "http://169.254.169.254/latest", "http://[::1]:9/"],
)
def test_private_literals_are_refused_before_any_packet(url: str) -> None:
    reply = fetch(url, guard=AddressGuard())

    assert reply.status == 0
    assert "private address" in reply.error


def test_a_name_that_leads_to_a_private_address_is_refused() -> None:
    """The name localhost stands for any name whose owner points it into our network."""
    reply = fetch("http://localhost:9/", guard=AddressGuard())

    assert reply.error.startswith("private address: localhost leads to")


def test_an_unknown_name_is_a_dns_error() -> None:
    assert fetch("http://no-such-name.invalid/").error.startswith("DNS: ")


def test_head_has_headers_and_no_body(server: HostileServer) -> None:
    reply = fetch(path(server, "/data/1.csv"), method="HEAD")

    assert (reply.status, reply.body) == (200, b"")
    assert reply.headers["content-type"].startswith("text/csv")


def test_headers_that_are_lists_are_put_together() -> None:
    pairs = [
        ("X-Robots-Tag", "noindex"),
        ("Link", "</a>; rel=item"),
        ("link", "</b>; rel=item"),
        ("ETag", "1"),
        ("x-robots-tag", "nofollow"),
        ("etag", "2"),
    ]

    assert _headers(pairs) == {
        "x-robots-tag": "noindex, nofollow",
        "link": "</a>; rel=item, </b>; rel=item",
        "etag": "2",
    }


def test_a_proxy_may_be_on_this_machine(server: HostileServer) -> None:
    proxy = server.url.replace("127.0.0.1", "localhost")
    assert fetch("http://e.example/page/1", guard=AddressGuard(), proxy=proxy).status == 200


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "10.0.0.1", "[::ffff:10.0.0.1]", "localhost", "a.LocalHost."]
)
def test_a_proxy_is_not_asked_for_private_addresses(server: HostileServer, place: str) -> None:
    """It may be on this machine, or within the same network."""
    asked = len(server.log)
    reply = fetch(f"http://{place}/", guard=AddressGuard(), proxy=server.url)

    assert reply.error == f"private address {place.strip('[]').lower()} is refused"
    assert len(server.log) == asked
