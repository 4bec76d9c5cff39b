"""What a response is, is judged by its content where the header lies."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.live import Crawled, Row, crawl, run
from tests.servers import HTML, Case, Exchange, page
from tests.servers.hostile import ROWS, HostileServer, fixed, raw

TABLE = b"".join(b"%d,%d\n" % (year, year % 7) for year in range(1990, 2025))
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"


def linked(name: str) -> bytes:
    """A page that alone leads to a file."""
    return page(name, f"/hidden/{name}.csv")


def garbled(name: str) -> bytes:
    return linked(name).replace(b"<h1>", b"<h1>\xff\xfe\x81")


# Pages that do not look like pages; each leads to a file of its own.
PAGES = {
    "/pdf": fixed(linked("pdf"), "application/pdf"),
    "/octets": fixed(linked("octets"), "application/octet-stream"),
    "/named.csv": fixed(linked("named")),
    "/untyped": fixed(linked("untyped"), ""),
    "/charset": fixed(garbled("charset"), "text/html; charset=x-no-such"),
    "/garbled": fixed(garbled("garbled"), "text/html; charset=utf-8"),
    "/utf16": fixed(linked("utf16").decode().encode("utf-16"), "text/html"),
    "/http10": raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + linked("http10")),
}
# Files that do not look like files, and what they are.
FILES = {
    "/table": (fixed(TABLE, HTML), "text/csv"),
    "/document": (fixed(PDF, HTML), "application/pdf"),
    "/untyped-document": (fixed(PDF, ""), "application/pdf"),
}


class Misnaming(HostileServer):
    """Serves those pages and files, with a file behind each page."""

    def __init__(self, cases: Mapping[str, Case]) -> None:
        super().__init__(links=list(cases))
        hidden = {"/hidden": Case("A file.", fixed(ROWS, "text/csv"))}
        self.cases = {**self.cases, **cases, **hidden}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    plays = {**PAGES, **{path: play for path, (play, _) in FILES.items()}}
    with Misnaming({path: Case("", play) for path, play in plays.items()}) as server:
        yield crawl(server.url, out=tmp_path_factory.mktemp("types") / "crawl", policy="bfs")


def row(crawled: Crawled, path: str) -> Row:
    return next(row for url, row in crawled.rows.items() if url.split("/", 3)[3] == path[1:])


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_a_page_whatever_it_says(crawled: Crawled, path: str) -> None:
    """It is no find, and its links are followed."""
    name = path.strip("/").partition(".")[0]
    assert (row(crawled, path).mime, row(crawled, path).found) == ("text/html", 0)
    assert row(crawled, f"/hidden/{name}.csv").found == 1


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_a_find_whatever_it_says(crawled: Crawled, path: str) -> None:
    """A table or a document that is sent as a page, or as nothing, is kept."""
    assert (row(crawled, path).mime, row(crawled, path).found) == (FILES[path][1], 1)


def test_the_header_is_kept_beside_the_truth(crawled: Crawled) -> None:
    """Who reads the journal sees both."""
    assert crawled.code == 0
    assert row(crawled, "/pdf").declared_mime == "application/pdf"


def test_a_download_without_an_ending_gets_the_one_that_its_server_proposes(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n"
    named = b'Content-Disposition: attachment; filename="../The births.CSV"\r\n\r\n'
    with Misnaming({"/get.php": Case("", raw(head + named + TABLE))}) as server:
        done = crawl(f"{server.url}get.php", out=tmp_path / "c", requests=2)
    files = [path.name for path in (done.path / "files").rglob("*") if path.is_file()]
    assert files == ["get.php.csv"]
    [line] = run("list", done.path, "--wide").out.splitlines()[1:-1]
    assert "get.php.csv" in line


async def forge(x: Exchange) -> None:
    """Answer, and answer once more when nobody has asked."""
    await x.page("two answers")
    await asyncio.sleep(0.05)
    await x.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 6\r\n\r\nforged")


@pytest.mark.serial
def test_an_answer_nobody_asked_for_is_not_taken_for_the_next(tmp_path: Path) -> None:
    """A kept connection on which something came meanwhile is left."""
    with Misnaming({"/forge": Case("", forge)}) as server:
        done = crawl(
            server.url, out=tmp_path / "c", policy="bfs", delay=0.2, concurrency=1, requests=4
        )
    assert done.finds == {server.url + "data/1.csv": hashlib.sha256(ROWS).hexdigest()}
