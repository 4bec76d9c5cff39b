"""One crawl of everything a web server should not do: it ends, and finds what there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.live import Crawled, Row, crawl, paths
from tests.servers import PIECE, Knobs
from tests.servers.hostile import ROWS, HostileServer

MOST = 300_000  # bytes of one body: --max-file
KNOBS = Knobs(big=4 * MOST, bomb=8 * 2**20, header=200_000, headers=5000)

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
    "/huge-header": (0, "bad response", 0),
    "/many-headers": (0, "bad response", 0),
    "/bad-status": (0, "bad response", 0),
    "/image": (200, "", 1),
    "/big-file": (200, "", 1),
    "/echo": (200, "", 0),
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
    with HostileServer(links=list(WRITTEN), knobs=KNOBS) as server:
        out = tmp_path_factory.mktemp("hostile") / "crawl"
        yield Seen(crawl(server.url, out=out, policy="bfs", max_file=MOST, total_timeout=1), server)


def test_the_crawl_ends_by_itself(seen: Seen) -> None:
    """Nothing a server does is the crawler's failure, or worth a word on stderr."""
    assert (seen.crawled.code, seen.crawled.err) == (0, "")
    assert "every link was followed" in seen.crawled.out


def test_ordinary_files_are_found_all_the_same(seen: Seen) -> None:
    """A site that misbehaves here and there is crawled to its last file."""
    root = seen.server.url.removesuffix("/")
    assert ORDINARY <= {url.removeprefix(root) for url in seen.crawled.finds}


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
