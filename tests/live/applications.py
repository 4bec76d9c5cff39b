"""A server for small web applications: a function answers, and a log says what was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lodehound.drivers.live.browser import find_browser, is_installed

NEEDS_BROWSER = pytest.mark.skipif(
    not (is_installed() and find_browser()), reason="no Chromium to render pages with"
)

Said = tuple[str, bytes] | None  # type and body; None is a 404


@dataclass
class Application:
    """A running server."""

    url: str
    log: list[str] = field(default_factory=list)  # method and path, in order

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for, without robots.txt."""
        return [line.partition(" ")[2] for line in self.log if not line.endswith("/robots.txt")]


@contextmanager
def served(answer: Callable[[str], Said], robots: str = "") -> Iterator[Application]:
    """Serve an application at a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Keep the terminal clean."""

        def do_GET(self) -> None:
            application.log.append(f"{self.command} {self.path}")
            said = ("text/plain", robots.encode()) if self.path == "/robots.txt" else None
            said = said or answer(self.path)
            kind, body = said or ("text/plain", b"not here")
            self.send_response(200 if said else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - its name

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    application = Application(f"http://127.0.0.1:{server.server_port}/")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield application
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


SHELL = b"""<!doctype html><title>Data</title><div id="app"></div><script>
const app = document.getElementById("app");
async function show() {
  const path = location.pathname;
  if (path === "/") {
    const { sets } = await (await fetch("/api/sets")).json();
    app.innerHTML = sets.map((id) => `<a href="/sets/${id}">Set ${id}</a>`).join(" ");
  } else {
    const set = await (await fetch("/api" + path)).json();
    app.innerHTML = set.files.map((file) => `<a href="${file.url}">${file.name}</a>`).join(" ");
  }
}
show();
</script>"""
CSV = ("text/csv", b"year,value\n2024,1\n2025,2\n")
SETS = 6


def catalogue(path: str) -> Said:
    """Answer as a single-page application: a list of sets by an API, and an API for each set."""
    parts = path.strip("/").split("/")
    match parts:
        case ["api", "sets"]:
            return _json({"sets": list(range(SETS))})
        case ["api", "sets", number]:
            files = [{"name": name, "url": f"/files/{number}{name}.csv"} for name in "ab"]
            return _json({"files": files})
        case ["files", _]:
            return CSV
        case [""] | ["sets", _]:
            return "text/html", SHELL
    return None


def _json(value: object) -> Said:
    return "application/json", json.dumps(value).encode()
