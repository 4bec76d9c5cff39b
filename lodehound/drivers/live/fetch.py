"""One bounded HTTP request: sizes, times, headers and addresses have limits.

The body is read as it comes and cut at the limit; it is decompressed piece by
piece, so that a bomb costs no more than the limit. Redirects are not followed:
the crawl decides.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from lodehound.core.errors import text_of
from lodehound.core.messages import IGNORED_ENCODING
from lodehound.drivers.live.addresses import AddressGuard, is_literal
from lodehound.drivers.live.replies import Reply
from lodehound.drivers.live.unpacking import Unpacker
from lodehound.extras import extra

with extra("live"):
    import aiohttp
    import yarl
    from aiohttp.abc import AbstractResolver, ResolveResult
    from aiohttp.connector import Connection
    from aiohttp.resolver import ThreadedResolver

LISTS = {"content-encoding", "link", "x-robots-tag"}  # headers whose repetitions are one list
ACCEPT_ENCODING = "gzip, deflate"
OVERHEAD = 64 * 1024  # bytes by which packed content may be longer than unpacked


@dataclass(frozen=True, slots=True)
class Limits:
    """What one response may cost."""

    connect: float = 15.0  # seconds
    first_byte: float = 30.0  # seconds to the headers, and between two pieces of a body
    total: float = 600.0  # seconds
    slowest: int = 100  # bytes per second, once ``patience`` is over
    patience: float = 20.0  # seconds
    header: int = 64 * 1024  # bytes of one header line
    body: int = 100 * 1024 * 1024  # bytes, decompressed


class RefusedAddressError(OSError):
    """The address behind a name may not be connected to."""


class _GuardedResolver(AbstractResolver):
    """Resolves names, and leaves out what may not be connected to."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._inner = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        permitted = self._guard.permitted(host, [place["host"] for place in found])
        if found and not permitted:
            text = f"{host} leads to the private address {found[0]['host']}"
            if self._guard.was_public(host):  # a fault of today's: what waits is kept for resume
                raise OSError(f"{text}, but led to a public one at first; see --allow-private")
            raise RefusedAddressError(text)
        return [place for place in found if place["host"] in permitted]

    async def close(self) -> None:
        await self._inner.close()


# Called before a request is written, in the task that makes it.
SENDING: ContextVar[Callable[[], None]] = ContextVar("SENDING", default=lambda: None)


# Milliseconds in which a request must have arrived. A machine that is cut off would otherwise
# deliver it minutes later, when its site may be crawled by another one.
DELIVERY = 10_000


class _Connector(aiohttp.TCPConnector):
    """Tells when there is a connection to send a request on.

    Leaves a kept connection on which something came that nobody had asked for.

    It would be taken for the answer to the next request, and that one's for the
    answer to the one after it.
    """

    async def connect(self, *args: Any, **options: Any) -> Connection:
        connection = await super().connect(*args, **options)
        try:
            _bound_delivery(connection)
            SENDING.get()()
        except BaseException:
            connection.close()
            raise
        return connection

    async def _get(self, key: Any, traces: Any) -> Any:
        connection = await super()._get(key, traces)
        while connection is not None and _is_spoilt(connection):
            connection.close()
            connection = await super()._get(key, traces)
        return connection


def _bound_delivery(connection: Connection) -> None:
    """Set how long the system waits for data to be acknowledged (Linux only, RFC 5482)."""
    transport = connection.transport
    socket_ = transport.get_extra_info("socket") if transport is not None else None
    if socket_ is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        with contextlib.suppress(OSError):  # already closed
            socket_.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DELIVERY)


def _is_spoilt(connection: Connection) -> bool:
    return connection.protocol is None or connection.protocol.should_close


class Fetcher:
    """Makes bounded requests over kept connections. Open it inside a running loop.

    Args:
        limits: What one response may cost.
        guard: Which addresses may be connected to.
        insecure: Accept any certificate.
        proxy: Address of a proxy for every request; it may hold credentials.
        secrets: Texts that no error may repeat.
        resolver: Another resolver, for tests.
    """

    def __init__(
        self,
        *,
        limits: Limits,
        guard: AddressGuard,
        insecure: bool = False,
        proxy: str | None = None,
        secrets: Collection[str] = (),
        resolver: AbstractResolver | None = None,
    ) -> None:
        self.limits = limits
        self.guard = guard
        self.secrets = secrets
        self.proxy, self._proxy_headers = _without_credentials(proxy)
        self._session = aiohttp.ClientSession(
            connector=_Connector(
                limit=0,
                # The only name that is resolved for a proxy is its own, and the user named it.
                resolver=resolver or (ThreadedResolver() if proxy else _GuardedResolver(guard)),
                ssl=not insecure,
                ttl_dns_cache=300,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=limits.header,
            max_field_size=limits.header,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
            timeout=aiohttp.ClientTimeout(
                total=limits.total, sock_connect=limits.connect, sock_read=limits.first_byte
            ),
        )
        # It would make some requests twice and not tell: we try again ourselves, and count it.
        self._session._retry_connection = False  # noqa: SLF001 - aiohttp offers no other way

    async def close(self) -> None:
        await self._session.close()

    async def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        wanted: Callable[[int, Mapping[str, str]], bool] | None = None,
        most: int | None = None,
        sending: Callable[[], None] = lambda: None,
    ) -> Reply:
        """Make one request.

        Args:
            url: Where to.
            method: GET or HEAD.
            headers: What to send.
            wanted: Looks at status and headers before the body is read.
            most: Bytes of the body that are taken; those of the limits unless given.
            sending: Called when there is a connection, right before the request is written; an
                exception it raises stops that.
        """
        SENDING.set(sending)
        try:
            place = yarl.URL(url, encoded=True)
            name = place.host or ""  # raises if the port is no number
            if (address := self._address_in(name)) and not self.guard.permitted(name, [address]):
                return Reply(0, error=f"private address {name} is refused")
            # aiohttp knows no end of headers that come byte by byte, nor of a name service.
            async with asyncio.timeout(self.limits.connect + self.limits.first_byte):
                tunnelled = place.scheme == "https"  # then its headers are not for the proxy
                own = {} if tunnelled else self._proxy_headers
                response = await self._session.request(
                    method,
                    place,
                    headers={"Accept-Encoding": ACCEPT_ENCODING, **(headers or {}), **own},
                    allow_redirects=False,
                    proxy=self.proxy,
                    proxy_headers=self._proxy_headers if tunnelled else None,
                )
            async with response:
                limit = self.limits.body if most is None else most
                return await self._read(response, method, wanted, limit)
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            return Reply(0, error=explain(error, self.secrets))

    def _address_in(self, name: str) -> str:
        """Return the address that a name is or surely means; "" if one must be resolved.

        What a proxy makes of other names is up to the proxy.
        """
        if self.proxy and f".{name.rstrip('.').lower()}".endswith(".localhost"):  # RFC 6761, 6.3
            return "127.0.0.1"
        return name if is_literal(name) else ""

    async def _read(
        self,
        response: aiohttp.ClientResponse,
        method: str,
        wanted: Callable[[int, Mapping[str, str]], bool] | None,
        limit: int,
    ) -> Reply:
        headers = _headers(response.headers.items())
        headers.pop(IGNORED_ENCODING, None)
        peer = (
            response.connection.transport.get_extra_info("peername")
            if response.connection and response.connection.transport
            else None
        )
        reply = Reply(response.status, headers, address=peer[0] if peer else "")
        if method == "HEAD":
            return reply
        if wanted is not None and not wanted(response.status, headers):
            response.close()
            return Reply(response.status, headers, cut=True, address=reply.address)
        coding = headers.get("content-encoding")
        unpack = Unpacker(coding, limit) if coding is not None else None
        body, size, cut = await self._body(response, unpack, limit)
        if cut:
            response.close()
        if unpack is not None and unpack.ignored:
            del headers["content-encoding"]  # it says nothing of the body that we have
            headers[IGNORED_ENCODING] = unpack.ignored
        return Reply(response.status, headers, body, size, cut, reply.address)

    async def _body(
        self, response: aiohttp.ClientResponse, unpack: Unpacker | None, limit: int
    ) -> tuple[bytes, int, bool]:
        begun = time.monotonic()
        size, parts = 0, []
        async for chunk in response.content.iter_any():
            size += len(chunk)
            if unpack is None:
                parts.append(chunk)
                if size > limit:
                    return b"".join(parts)[:limit], size, True
            # What unpacks to nothing, or follows the end of what is packed, has a limit too.
            elif not unpack.feed(chunk) or size > limit + OVERHEAD:
                return unpack.body(), size, True
            spent = time.monotonic() - begun
            if spent > self.limits.patience and size < self.limits.slowest * spent:
                raise TimeoutError(f"slower than {self.limits.slowest} bytes per second")
        if unpack is None:
            return b"".join(parts), size, False
        whole = unpack.feed(b"", last=True)
        return unpack.body(), size, not whole or (size > 0 and not unpack.ended)


# What OpenSSL, depending on its version, says of a server that answers without TLS.
SPEAKS_HTTP = "this port speaks http, not https: give the address with http://"
PLAIN_HTTP = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "wrong version number")


def explain(error: BaseException, secrets: Collection[str] = ()) -> str:
    """Return in a few words what went wrong, for the journal."""
    text = text_of(error, secrets)
    if isinstance(error, TimeoutError):
        return f"timeout: {text}" if str(error) else "timeout"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        cause = error.os_error
        refused = any(isinstance(e, RefusedAddressError) for e in (cause, error.__cause__))
        return f"{'private address' if refused else 'DNS'}: {text_of(cause, secrets)}"
    if isinstance(error, aiohttp.ClientSSLError | aiohttp.ClientConnectorCertificateError):
        plain = any(sign in str(error) for sign in PLAIN_HTTP)
        return f"TLS: {SPEAKS_HTTP if plain else text}"
    if isinstance(error, RefusedAddressError):
        return f"private address: {text}"
    text = text.replace(" ssl:default", "")  # aiohttp writes it of plain http too
    return f"{type(error).__name__}: {text}" if str(error) else text


def _without_credentials(proxy: str | None) -> tuple[yarl.URL | None, dict[str, str]]:
    """Return the address of a proxy, which may be repeated, and the header with its credentials."""
    if not proxy:
        return None, {}
    place = yarl.URL(proxy)
    if place.user is None and place.password is None:
        return place, {}
    pair = f"{place.user or ''}:{place.password or ''}"
    encoded = base64.b64encode(pair.encode()).decode("ascii")
    return place.with_user(None), {"Proxy-Authorization": f"Basic {encoded}"}


__all__ = ["Fetcher", "Limits", "RefusedAddressError", "Reply"]


def _headers(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return headers by name in lower case; of one that comes again the last counts.

    Those that are lists are put together (RFC 9110, 5.3).
    """
    headers: dict[str, str] = {}
    for written, value in pairs:
        name = written.lower()
        again = name in LISTS and name in headers
        headers[name] = f"{headers[name]}, {value}" if again else value
    return headers
