"""A thousand hosts of which one hangs; a hundred thousand pages in flat memory."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.live import query, run, start

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="a loopback network, /proc"),
]
HOSTS, HUNG = 1000, 500
PAGES = int(os.environ.get("LODEHOUND_SOAK_PAGES", "100000"))
WIDTH = 20  # links of a page
BYTES_PER_URL = 3000  # most that a known URL may add to the memory
FLAT = 32 << 20  # bytes that a crawl may grow by when it gets to know no more URLs


def address(host: int) -> str:
    return f"127.{1 + host // 250}.0.{1 + host % 250}"


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Serve all addresses of the loopback network; give the port."""
    server = ThreadingHTTPServer(("0.0.0.0", 0), handler)  # noqa: S104 - the test ends it
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, body: bytes, kind: str = "text/html", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class ManyHosts(Quiet):
    """The first host links to all; each has one file; one never answers."""

    def do_GET(self) -> None:
        host, port = (self.headers["Host"] or "").split(":")
        if host == address(HUNG):
            time.sleep(600)
        elif self.path == "/robots.txt":
            self.answer(b"", "text/plain", 404)
        elif self.path.endswith(".csv"):
            self.answer(f"host,year\n{host},2020\n{host},2021\n".encode(), "text/csv")
        else:
            others = range(HOSTS) if host == address(0) else ()
            links = [f"http://{address(other)}:{port}/" for other in others]
            page = "".join(f'<a href="{link}">x</a>' for link in [*links, "data.csv"])
            self.answer(page.encode())


def test_a_thousand_hosts_of_which_one_hangs(tmp_path: Path) -> None:
    """The others are crawled meanwhile; what hangs is left for resume."""
    with served(ManyHosts) as port:
        words = ["crawl", f"http://{address(0)}:{port}/", "--out", tmp_path / "crawl", "--quiet"]
        words += [
            "--scope",
            "web",
            "--delay",
            0,
            "--read-timeout",
            5,
            "--retries",
            1,
            "--no-inspect",
        ]
        words += ["--allow-private", "127.0.0.0/8", "--backoff", 0.1, "--policy", "bfs"]
        done = run(*words)
    assert done.code in {0, 6}
    assert query(tmp_path / "crawl", "SELECT count(*) FROM finds") == [(HOSTS - 1,)]


class Tree(Quiet):
    """Pages by number; each links to its children."""

    def do_GET(self) -> None:
        if not self.path.strip("/").isdigit() and self.path != "/":
            self.answer(b"", "text/plain", 404)
            return
        number = int(self.path.strip("/") or 0)
        children = [n for n in range(number * WIDTH + 1, number * WIDTH + WIDTH + 1) if n < PAGES]
        text = "".join(f'<p>entry <a href="/{child}">page {child}</a></p>' for child in children)
        self.answer(f"<title>{number}</title>{text}".encode())


def memory_of(process: int) -> int:
    """Return the bytes of memory that a process has now."""
    with Path(f"/proc/{process}/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_very_many_pages(tmp_path: Path) -> None:
    """Memory grows with the known URLs only, and by little for each."""
    out, samples = tmp_path / "crawl", list[tuple[int, int]]()
    with served(Tree) as port:
        words = ["crawl", f"http://127.0.0.1:{port}/", "--out", out, "--quiet", "--delay", 0]
        with start(*words, "--policy", "bfs") as child:
            while child.poll() is None:
                time.sleep(2)
                # The last file that a crawl makes before it begins.
                if (out / "metadata.json").exists() and child.poll() is None:
                    [(count,)] = query(out, "SELECT count(*) FROM answers")
                    samples.append((count, memory_of(child.pid)))
            said = child.communicate()
    assert (child.returncode, said) == (0, ("", ""))
    assert query(out, "SELECT count(*) FROM answers") == [(PAGES,)]
    known = [min(PAGES, count * WIDTH + 1) for count, _ in samples]  # breadth first
    memory = samples[-1][1] - samples[0][1]
    per_url = memory / max(known[-1] - known[0], 1)
    sys.stderr.write(
        f"\n{PAGES:,} pages: {samples[0][1] / 2**20:,.0f} MiB with {known[0]:,} URLs, "
    )
    sys.stderr.write(
        f"{samples[-1][1] / 2**20:,.0f} MiB in the end: {per_url:,.0f} bytes per URL\n"
    )
    assert per_url < BYTES_PER_URL
    begun = next(sample for sample in samples if sample[0] >= PAGES // 10)
    assert samples[-1][1] - begun[1] < FLAT  # all URLs are known by then
