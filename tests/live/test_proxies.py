"""A proxy gets what it was given, and nobody else does, whatever it answers."""

from __future__ import annotations

import base64
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.live import crawl, everything_in

USER, PASSWORD = "me%2F", "pa%20ss%40word"
PAIR = "me/:pa ss@word"
ENCODED = base64.b64encode(PAIR.encode()).decode()
TOLD = [PASSWORD, PAIR, "pa ss@word", ENCODED]  # forms of the secret
PAGE = b'<a href="https://office.test/secret">locked</a>'


class Proxy(socketserver.ThreadingTCPServer):
    """Answers plain requests itself; refuses tunnels, and repeats the credentials as it does."""

    daemon_threads = True

    def __init__(self, status: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = status
        self.heads: list[str] = []

    @property
    def url(self) -> str:
        return f"http://{USER}:{PASSWORD}@127.0.0.1:{self.server_address[1]}"


class Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Proxy)
        lines: list[str] = []
        while line := self.rfile.readline().decode().strip():
            lines.append(line)
        self.server.heads.append("\n".join(lines))
        if lines and lines[0].startswith("CONNECT"):
            said = f"{PAIR} {ENCODED} http://{USER}:{PASSWORD}@10.0.0.1/ x://other:hush@e.example"
            head, body = f"HTTP/1.1 {self.server.status} {said}", b""
        else:
            head, body = "HTTP/1.1 200 OK\r\nContent-Type: text/html", PAGE
        length = f"\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self.wfile.write((head + length).encode() + body)


@contextmanager
def proxy_that_refuses(status: int) -> Iterator[Proxy]:
    with Proxy(status) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield proxy
        proxy.shutdown()


@pytest.mark.parametrize("status", [407, 502])
@pytest.mark.parametrize("start", ["http", "https"])
def test_what_a_proxy_says_when_it_refuses_is_stored_without_secrets(
    tmp_path: Path, status: int, start: str
) -> None:
    """Neither the directory nor the terminal shows the password, in any of its forms."""
    with proxy_that_refuses(status) as proxy:
        words = [f"{start}://office.test/", "--proxy", proxy.url, "--json-log"]
        ignore = ["--ignore-robots", "--yes-ignore-robots", "--retries", 0]
        done = crawl(*words, *ignore, out=tmp_path / "crawl")
    error = done.rows["https://office.test/" + "secret" * (start == "http")].error
    assert error.startswith(f"ClientHttpProxyError: {status}, message='*** *** http://***@10.0.0.")
    assert error in done.out
    everything = everything_in(tmp_path).decode("latin-1") + done.said
    assert [secret for secret in (*TOLD, "hush") if secret in everything] == []
    assert all(f"Proxy-Authorization: Basic {ENCODED}" in head for head in proxy.heads)
    assert {head.split()[0] for head in proxy.heads} == {"CONNECT", "GET"} - (
        {"GET"} if start == "https" else set()
    )
