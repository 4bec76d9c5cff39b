"""Names and contents that mean harm, through a real crawl: none escapes, none stops it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.inspect import hostile
from tests.live import Crawled, crawl_words, query, run

MANY = 3_000_000  # bytes: what is larger is tested where no server is needed

# Paths that servers may well send, as they stand in links.
NAMES = [
    "..%2f..%2fescape.csv", "%2e%2e/%2e%2e/escape2.csv", "..%5c..%5cescape3.csv", "%2fetc%2fx.csv",
    "a%00b.csv", "%00", "CON.csv", "aux", "NUL.txt.csv", "com1.csv", "lpt9", "conin$.csv",
    ".hidden.csv", ".ssh/config.csv", "trailing.csv.", "space%20.csv", "%20lead.csv", "-rf.csv",
    "%E2%80%AEfdp.csv", "%E2%80%8B.csv", "x" * 5000 + ".csv", "/".join(["deep"] * 60) + ".csv",
    "Case.csv", "case.csv", "CASE.CSV", "folder", "folder/inside.csv", "c:%5cwindows.csv",
    "a:b.csv", "pipe%7C.csv", "star*.csv", "quote%22.csv", "%0d%0anew.csv", "%1b%5b31m.csv",
    "caf%C3%A9.csv", "cafe%CC%81.csv", "%ff%fe.csv", "query.csv?a=../../b", "crawl.sqlite",
]  # fmt: skip
TYPES = {"zip": "application/zip", "gzip": "application/gzip", "pdf": "application/pdf",
         "json": "application/json", "xml": "application/xml", "xls": "application/vnd.ms-excel",
         "ods": "application/vnd.oasis.opendocument.spreadsheet"}  # fmt: skip


def contents() -> Iterator[tuple[str, str, bytes]]:
    """Give every hostile file that is small enough, with a name and a type."""
    for name, make in inspect.getmembers(hostile, inspect.isfunction):
        if make.__module__ != hostile.__name__ or inspect.signature(make).parameters:
            continue
        body = make()
        if isinstance(body, bytes) and len(body) < MANY:
            mime = next((mime for word, mime in TYPES.items() if word in name), "text/csv")
            yield f"content/{name}", mime, body


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder = tmp_path_factory.mktemp("hostile")
    found = [(name, "text/csv", f"a,b\n{number},2\n".encode()) for number, name in enumerate(NAMES)]
    found += contents()
    with SiteServer() as server:
        links = "".join(
            f'<a href="/{name}">{number}</a>' for number, (name, *_) in enumerate(found)
        )
        root = Record(server.url, 200, "text/html", links.encode())
        files = [Record(server.url + name, 200, mime, body) for name, mime, body in found]
        server.serve([root, *files])
        options = {"policy": "bfs", "inspect": True, "inspect_time": "1s"}
        words = crawl_words(server.url, out=folder / "crawl", **options)
        return run(*words, "--no-traps", out=folder / "crawl")


def test_the_crawl_goes_through(done: Crawled) -> None:
    assert done.code == 0
    assert len(done.finds) > 50


def test_nothing_lies_outside_of_the_folder(done: Crawled) -> None:
    inside = done.path / "files"
    for (file,) in query(done.path, "SELECT file FROM finds"):
        place = done.path / file
        assert place.resolve().is_relative_to(inside.resolve())
        assert place.is_file()
    beside = {entry.name.partition("-")[0] for entry in done.path.iterdir()}
    assert beside <= {"crawl.sqlite", "files", "lock", "metadata.json"}
    assert [entry.name for entry in done.path.parent.iterdir()] == ["crawl"]


def test_no_name_is_hidden_nor_longer_than_disks_take(done: Crawled) -> None:
    for place in (done.path / "files").rglob("*"):
        assert not place.name.startswith((".", " "))
        assert len(place.name.encode()) <= 255
        assert len(str(place.relative_to(done.path))) <= 240


def test_every_file_was_looked_into_or_says_why_not(done: Crawled) -> None:
    assert query(done.path, "SELECT file FROM finds EXCEPT SELECT file FROM inspections") == []
    [(errors,)] = query(done.path, "SELECT count(*) FROM inspections WHERE error <> ''")
    assert errors > 5
