"""Serves records over HTTP/1.1 on this machine: a generated site for a real crawl."""

from __future__ import annotations

import socketserver
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any, NamedTuple, Self

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Ask
from lodehound.core.urls import canonical
from lodehound.read.conditions import not_modified
from lodehound.stores.records import Record
from lodehound.stores.warc import http_head

MAX_LOG = 100_000  # requests; the oldest are dropped, so that a long crawl fits in memory
IDLE = 60.0  # seconds that a connection may be idle between two requests
POLL = 0.02  # seconds until the server notices that it should stop
PATIENCE = 10.0  # seconds that a connection has to end
ABSENT = Record("", 404)
Responder = Callable[[str], Record]  # from path and query
BODILESS = {204, 304}  # RFC 9110, 6.4.1


class ServedRequest(NamedTuple):
    """One request as received."""

    time: float  # monotonic
    method: str
    path: str  # with the query
    headers: dict[str, str]  # names in lower case


class SiteServer:
    """Serves records from its construction until its context ends.

    A record is served at its path and query, whatever its host. If two records have
    the same path and query, the first is served; all other requests get a 404. Only
    records with a final status (200 to 999) can be served. Links and redirects are sent
    unchanged, so a site with absolute links must be generated for the URL of the
    server: create the server first, then call ``serve``.

    Args:
        records: The records to serve; ``serve`` replaces them.
        host: Address to listen on.
        port: Port to listen on; 0 chooses a free one.

    >>> from lodehound.sites import StatsOffice
    >>> from urllib.request import urlopen
    >>> with SiteServer() as server:
    ...     server.serve(StatsOffice(pages=60, files=12, host=server.url).records())
    ...     with urlopen(server.url) as response:
    ...         print(response.status, response.headers["Content-Type"])
    200 text/html; charset=utf-8
    """

    def __init__(
        self, records: Iterable[Record] = (), *, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.host = host
        self.port = port
        site = _by_place(records)
        try:
            self._http = _Http((host, port), _Connection)
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"Cannot listen on {host}:{port} ({error}): choose another port."
            ) from error
        self._http.site = site
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(POLL,), name="site-server", daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """The root URL of the site, with the actual port."""
        address, port = self._http.server_address[:2]
        return f"http://{address!s}:{port}/"

    @property
    def log(self) -> list[ServedRequest]:
        """The requests so far, in order of arrival."""
        with self._http.lock:
            return list(self._http.log)

    def serve(self, site: Iterable[Record] | Responder) -> None:
        """Serve these records from now on, or those that a function returns for path and query."""
        self._http.site = site if callable(site) else _by_place(site)

    def close(self) -> None:
        """Close every connection and end every thread."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], connection: type[_Connection]) -> None:
        self.site: Responder = _by_place(())
        self.log: deque[ServedRequest] = deque(maxlen=MAX_LOG)
        self.lock = threading.Lock()
        self._open: dict[threading.Thread, socket] = {}
        super().__init__(address, connection)

    def server_bind(self) -> None:
        # HTTPServer would look up our host name, which is not needed.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread that ``server_close`` can join."""
        self._open = {one: at for one, at in self._open.items() if one.is_alive()}
        thread = threading.Thread(
            target=self.process_request_thread, args=(request, client_address), daemon=True
        )
        thread.start()
        self._open[thread] = request

    def server_close(self) -> None:
        super().server_close()
        for connection in self._open.values():
            with suppress(OSError):  # closed already
                connection.shutdown(SHUT_RDWR)
        for thread in self._open:
            thread.join(PATIENCE)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report our own errors, but not connections closed by the client."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Connection(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    timeout = IDLE
    wbufsize = -1  # send headers and body together
    disable_nagle_algorithm = True

    def parse_request(self) -> bool:
        """Read a request and log it; continue only for GET and HEAD."""
        if not super().parse_request():
            return False
        self._note()
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # the body that follows is not read
        if self.command in {"GET", "HEAD"}:
            return True
        self.close_connection = True
        self.send_response_only(405)
        self.send_header("Allow", "GET, HEAD")
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()
        return False

    def do_GET(self) -> None:
        """Send the record with the same headers as in a recording, so that it costs the same."""
        record = self.server.site(_place(_address(self._target)))
        if 200 <= record.status < 300 and self._has_it(record):
            record = replace(record, status=304, content_type="")
        body = b"" if record.status in BODILESS else record.body
        self.wfile.write(http_head(replace(record, body=body, size=len(body))))
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        """Do the same as for GET, which leaves out the body."""
        self.do_GET()

    def _has_it(self, record: Record) -> bool:
        """Return whether the client says that it has this version."""
        etag = self.headers.get("If-None-Match", "")
        modified = self.headers.get("If-Modified-Since", "")
        validators = {"etag": record.etag, "last-modified": record.modified}
        sent = {name: value for name, value in validators.items() if value}
        return not_modified(Ask(0, record.url, etag=etag, modified=modified), sent)

    @property
    def _target(self) -> str:
        # Not self.path, which collapses leading slashes.
        return self.requestline.split()[1]

    def _note(self) -> None:
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            known = headers.get(name.lower())
            headers[name.lower()] = value if known is None else f"{known}, {value}"
        with self.server.lock:
            self.server.log.append(
                ServedRequest(time.monotonic(), self.command, self._target, headers)
            )

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
        """Print nothing: the requests are in ``SiteServer.log``."""


def _by_place(records: Iterable[Record]) -> Responder:
    site: dict[str, Record] = {}
    for record in records:
        place = _place(canonical(record.url))
        if place and 200 <= record.status <= 999:
            site.setdefault(place, record)
    return lambda place: site.get(place, ABSENT)


def _address(target: str) -> str:
    """Return the canonical URL of a request line; requests to a proxy have absolute URLs."""
    return canonical(f"http://localhost{target}" if target.startswith("/") else target)


def _place(url: str) -> str:
    """Return path and query of a canonical URL, or "" if it is ""."""
    return "/" + url.split("/", 3)[3] if url else ""
