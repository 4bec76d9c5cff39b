"""One crawl of everything a web server should not do: it ends, and finds what there is."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.live import Crawled, Row, crawl, paths, query
from tests.servers import HTML, Case, Exchange, Knobs, page
from tests.servers.hostile import LINKED, ROWS, HostileServer

pytestmark = pytest.mark.serial  # what hangs is left soon, and the rest must be faster

MOST = 300_000  # bytes of one body: --max-file
KNOBS = Knobs(big=40 * MOST, bomb=8 * 2**20, header=200_000, headers=5000)

# What is written down of each: status, how the error begins, whether it is cut.
WRITTEN = {
    "/slow-bytes": (0, "timeout: slower than 100 bytes per second", 0),
    "/slow-headers": (0, "timeout", 0),
    "/no-answer": (0, "timeout", 0),
    "/endless": (200, "", 1),
    "/too-short": (0, "ClientPayloadError", 0),
    "/too-long": (200, "", 0),
    "/gzip-bomb": (200, "", 1),
    "/brotli-bomb": (0, "ValueError: content encoding 'br' was not asked for", 0),
    "/zstd-bomb": (0, "ValueError: content encoding 'zstd' was not asked for", 0),
    "/gzip-bomb-redirect": (302, "", 1),
    "/gzip-tail": (200, "", 1),
    "/gzip-hollow": (200, "", 1),
    "/gzip-parts": (200, "", 0),
    "/gzip-half": (200, "", 1),
    "/redirect-loop": (302, "", 0),
    "/redirect-pool": (302, "", 0),
    "/redirect-self": (302, "", 0),
    "/redirect-file": (302, "", 0),
    "/redirect-ftp": (302, "", 0),
    "/redirect-private": (302, "", 0),
    "/redirect-chain/8": (302, "", 0),
    "/redirect-chain/99": (302, "", 0),
    "/pdf-that-is-html": (200, "", 0),
    "/html-named.csv": (200, "", 0),
    "/csv-as-html": (200, "", 0),
    "/broken-charset": (200, "", 0),
    "/empty": (200, "", 0),
    "/no-type": (200, "", 0),
    "/reset": (0, "ClientPayloadError", 0),
    "/reset-first": (0, "ClientOSError: [Errno 104]", 0),
    "/http10": (200, "", 0),
    "/huge-header": (0, "ClientResponseError", 0),
    "/many-headers": (0, "ClientResponseError", 0),
    "/bad-status": (0, "ClientResponseError", 0),
    "/image": (200, "", 1),
    "/big-file": (200, "", 1),
    "/echo": (200, "", 0),
}
PACKED = gzip.compress(page("packed", "/page/1"))


async def tail(x: Exchange) -> None:
    """Send a packed page, and behind its end what is none, without end."""
    await x.head(200, [f"Content-Type: {HTML}", "Content-Encoding: gzip"])
    await x.send(PACKED)
    while True:
        await x.send(b"tail" * 4096)


async def hollow(x: Exchange) -> None:
    """Send what unpacks to nothing (RFC 1951, 3.2.4: empty stored blocks), without end."""
    await x.head(200, [f"Content-Type: {HTML}", "Content-Encoding: gzip"])
    await x.send(PACKED[:10])
    while True:
        await x.send(b"\0\0\0\xff\xff" * 3000)


class Unpacking(HostileServer):
    """Knows more about packing, also that a page may be packed in two parts."""

    def __init__(self) -> None:
        super().__init__(links=list(WRITTEN), knobs=KNOBS)
        parts = gzip.compress(LINKED[:50]) + gzip.compress(LINKED[50:])
        headers = ["Content-Encoding: gzip"]
        self.cases = {
            **self.cases,
            "/gzip-tail": Case("", tail),
            "/gzip-hollow": Case("", hollow),
            "/gzip-parts": Case("", lambda x: x.answer(parts, headers=headers)),
            "/gzip-half": Case("", lambda x: x.answer(parts[:40], headers=headers)),
        }


ORDINARY = {f"/data/{number}.csv" for number in range(1, KNOBS.pages + 1)}


@dataclass(frozen=True)
class Seen:
    """The crawl, and the server it was of."""

    crawled: Crawled
    server: HostileServer

    def row(self, path: str) -> Row:
        return self.crawled.rows[self.server.url + path.removeprefix("/")]

    def asked(self, path: str) -> int:
        return paths(self.server.log).count(path)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    with Unpacking() as server:
        out = tmp_path_factory.mktemp("hostile") / "crawl"
        patience = {"read_timeout": 0.5, "total_timeout": 1}
        yield Seen(crawl(server.url, out=out, policy="bfs", max_file=MOST, **patience), server)


def test_the_crawl_ends_by_itself(seen: Seen) -> None:
    """Nothing a server does is the crawler's failure, or worth a word on stderr."""
    assert (seen.crawled.code, seen.crawled.err) == (0, "")
    assert "every link was followed" in seen.crawled.out


def test_ordinary_files_are_found_all_the_same(seen: Seen) -> None:
    """A site that misbehaves here and there is crawled to its last file."""
    root = seen.server.url.removesuffix("/")
    assert {url.removeprefix(root) for url in seen.crawled.finds} >= ORDINARY


@pytest.mark.parametrize("path", WRITTEN)
def test_what_became_of_it_is_written_down(seen: Seen, path: str) -> None:
    """Every misdeed has its line in the journal, with what went wrong."""
    status, error, cut = WRITTEN[path]
    row = seen.row(path)
    assert (row.status, row.cut, row.sent) == (status, cut, 1)
    assert row.error.startswith(error) if error else not row.error


@pytest.mark.parametrize("path", WRITTEN)
def test_every_request_is_counted(seen: Seen, path: str) -> None:
    """The journal has as many tries as the server has seen, and they have an end."""
    assert seen.row(path).tries == seen.asked(path) <= 3


def test_a_body_is_cut_at_the_limit(seen: Seen) -> None:
    """A file longer than --max-file is kept up to there, and the catalogue says so."""
    wanted = "SELECT file, bytes, truncated FROM finds WHERE truncated"
    [(file, size, cut)] = query(seen.crawled.path, wanted)
    assert (size, cut) == (MOST, 1)
    assert (seen.crawled.path / file).stat().st_size == MOST


@pytest.mark.parametrize(
    "path", ["/endless", "/big-file", "/image", "/huge-header", "/gzip-tail", "/gzip-hollow"]
)
def test_no_more_is_read_than_wanted(seen: Seen, path: str) -> None:
    """Who talks too much is hung up on; what the two systems have under way is extra."""
    assert 0 < max(entry.sent for entry in seen.server.log if entry.path == path) < 8 * MOST


def test_a_blocked_type_is_interrupted_at_the_headers(seen: Seen) -> None:
    """Of a picture nothing is read."""
    assert (seen.row("/image").size, seen.row("/image").mime) == (0, "image/png")


def test_redirects_have_an_end(seen: Seen) -> None:
    """Loops are walked once, chains for ten hops; what lies behind them is found otherwise."""
    hops = [path for path in paths(seen.server.log) if path.startswith("/redirect-chain/")]
    short = [f"/redirect-chain/{left}" for left in range(8, 0, -1)]
    long = [f"/redirect-chain/{left}" for left in range(99, 88, -1)]
    assert sorted(hops) == sorted(short + long)


@pytest.mark.parametrize("path", ["/redirect-file", "/redirect-ftp", "/redirect-private"])
def test_redirects_elsewhere_are_not_followed(seen: Seen, path: str) -> None:
    """They are written down and nothing is asked, of no other scheme and no other site."""
    place = seen.row(path).location
    assert place.startswith(("file:", "ftp:", "http://10."))
    assert place not in {url for (url,) in query(seen.crawled.path, "SELECT url FROM asks")}


def test_a_forged_answer_is_nobodys_answer(seen: Seen) -> None:
    """What follows an answer on the same connection is not taken for the next one."""
    digest = hashlib.sha256(ROWS).hexdigest()
    root = seen.server.url.removesuffix("/")
    assert {seen.crawled.finds[root + path] for path in ORDINARY} == {digest}
    assert hashlib.sha256(b"forged").hexdigest() not in seen.crawled.finds.values()
