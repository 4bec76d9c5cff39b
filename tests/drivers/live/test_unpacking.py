"""Bodies are unpacked as browsers do it: what is declared and not true is ignored."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.drivers.live.unpacking import Unpacker
from tests.live import crawl
from tests.servers import Case, Exchange, Knobs, RawServer

TABLE = b"region,year,births\n" + b"North,2020,512\n" * 200
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
RAW_DEFLATE = RAW.compress(TABLE) + RAW.flush()
PACKED = gzip.compress(TABLE, mtime=0)


def unpacked(declared: str, body: bytes, piece: int = 7) -> tuple[bytes, str, bool]:
    """Feed a body in pieces; return what came of it, what was ignored, and whether it is whole."""
    unpack = Unpacker(declared, 10**6)
    for start in range(0, len(body), piece):
        if not unpack.feed(body[start : start + piece]):
            break
    unpack.feed(b"", last=True)
    return unpack.body(), unpack.ignored, unpack.ended


@pytest.mark.parametrize("piece", [1, 7, 10**6])
@pytest.mark.parametrize(
    ("declared", "body", "ignored"),
    [
        ("", TABLE, ""),
        ("identity", TABLE, ""),
        ("gzip", PACKED, ""),
        ("X-GZIP", PACKED, ""),
        ("identity, gzip", PACKED, ""),
        ("deflate", zlib.compress(TABLE), ""),
        ("deflate", RAW_DEFLATE, ""),
        ("deflate", PACKED, ""),
        ("utf-8", TABLE, "utf-8"),
        ("none", TABLE, "none"),
        ("UTF-8, gzip", PACKED, ""),
        ("gzip", TABLE, "gzip"),
        ("deflate", TABLE, "deflate"),
    ],
)
def test_what_is_declared_and_what_is_sent(
    declared: str, body: bytes, ignored: str, piece: int
) -> None:
    assert unpacked(declared, body, piece) == (TABLE, ignored, True)


@pytest.mark.parametrize("text", ["hC,1\n", "X\tY\n", "x", ""])
def test_texts_that_begin_like_zlib(text: str) -> None:
    body, _, _ = unpacked("gzip", text.encode(), 100)
    assert body == text.encode()


@pytest.mark.parametrize("end", [20, 40, len(PACKED) - 9, len(PACKED) - 1])
def test_a_body_that_is_cut_off_is_kept_as_cut(end: int) -> None:
    body, ignored, whole = unpacked("gzip", PACKED[:end])
    assert TABLE.startswith(body)
    assert (ignored, whole) == ("", False)


def test_a_body_that_is_damaged_is_kept_up_to_there() -> None:
    noise = bytes(range(256)) * 300
    packed = bytearray(gzip.compress(TABLE + noise, compresslevel=0))
    packed[-8] ^= 1  # the checksum
    body, _, whole = unpacked("gzip", bytes(packed))
    assert (body, whole) == (TABLE + noise, False)


@pytest.mark.parametrize("declared", ["br", "zstd", "gzip, br", "gzip, gzip", "compress"])
def test_real_codings_that_were_not_asked_for(declared: str) -> None:
    with pytest.raises(ValueError, match="was not asked for"):
        Unpacker(declared, 10)


def saying(body: bytes, mime: str, coding: str) -> Case:
    async def play(exchange: Exchange) -> None:
        await exchange.answer(body, mime, headers=[f"Content-Encoding: {coding}"])

    return Case("", play)


PAGE = b'<a href="/utf8.csv">a</a> <a href="/gzip.csv">b</a> <a href="/cut.csv">c</a>'
MISUSES = {
    "/": saying(PAGE, "text/html", "utf-8"),
    "/utf8.csv": saying(TABLE, "text/csv", "utf-8"),
    "/gzip.csv": saying(TABLE + b"South,2020,1\n", "text/csv", "gzip"),
    "/cut.csv": saying(PACKED[:60], "text/csv", "gzip"),
}


@pytest.fixture
def misuser() -> Iterator[RawServer]:
    with RawServer(MISUSES, knobs=Knobs(), host="127.0.0.1", port=0) as server:
        yield server


def test_a_crawl_records_what_it_ignored(misuser: RawServer, tmp_path: Path) -> None:
    done = crawl(misuser.url, "--quiet", out=tmp_path / "crawl")
    assert (done.code, done.err) == (0, "")
    with sqlite3.connect(tmp_path / "crawl" / "crawl.sqlite") as db:
        ignored = dict(
            db.execute("SELECT url, declared FROM ignored_encodings JOIN asks USING (number)")
        )
        cut = dict(db.execute("SELECT final_url, truncated FROM finds"))
    db.close()
    root = misuser.url
    assert ignored == {root: "utf-8", f"{root}utf8.csv": "utf-8", f"{root}gzip.csv": "gzip"}
    assert cut == {f"{root}utf8.csv": 0, f"{root}gzip.csv": 0, f"{root}cut.csv": 1}
