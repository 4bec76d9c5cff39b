"""A recording as a server: every kind of file, whole and torn."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.stores.errors import DiskFullError
from lodehound.stores.records import Damage
from lodehound.stores.replica import Recorded, Replica, root_of
from lodehound.stores.warc import MAX_BODY
from lodehound.stores.warc_append import WarcAppender
from tests.helpers import ROOT, http, url, warc
from tests.stores.test_kit import CSV, HTML, MOVED
from tests.stores.test_kit import replica as write_kit

HOME = warc(ROOT, http(b"<a href=x>y</a>", Content_Type="text/html", Content_Length="15"))
DATA = warc(url("x"), http(b"a,b", Content_Type="text/csv", ETag='"1"', Content_Length="3"))
OLD = warc(url("old"), http(status="301 Moved", Location="/x"))
INFO = warc("", b"software: x\r\n", "warcinfo")
THREE = {
    ROOT: Recorded(
        200, {"content-type": "text/html", "content-length": "15"}, b"<a href=x>y</a>", 15, False
    ),
    url("x"): Recorded(
        200, {"content-type": "text/csv", "etag": '"1"', "content-length": "3"}, b"a,b", 3, False
    ),
    url("old"): Recorded(301, {"location": "/x"}, b"", 0, False),
}


def recorded(path: Path, *parts: bytes, limit: int = MAX_BODY) -> dict[str, Recorded | None]:
    """Write a WARC file of these parts; return what a replica of it says."""
    path.write_bytes(b"".join(parts))
    with Replica.open([path], limit=limit) as replica:
        assert replica.damage == Damage()
        return {address: replica.get(address) for address in replica._places}


def only(path: Path, part: bytes, limit: int = MAX_BODY) -> Recorded:
    (response,) = recorded(path, part, limit=limit).values()
    assert response is not None
    return response


def packed_as_zstd(content: bytes) -> bytes:
    stream_io = pytest.importorskip("fastwarc.stream_io")
    with tempfile.TemporaryFile() as file:
        with stream_io.ZstdWriter(file) as writer:
            writer.write(content)
        file.seek(0)
        return file.read()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.warc"


# --- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [bytes, gzip.compress, packed_as_zstd])
def test_warc_files_of_every_kind(path: Path, pack: Callable[[bytes], bytes]) -> None:
    """Plain, gzip, and zstd as a single stream: the same responses."""
    assert recorded(path, pack(INFO + HOME + DATA + OLD)) == THREE


def test_the_kits_sqlite(tmp_path: Path) -> None:
    """What the kit's reader passes on: type and place, and the length where it is known."""
    rows = [
        (ROOT, "200", HTML, b"<a href=x>", "10"),
        (url("old"), "301", MOVED, None, None),
        (url("x"), "200", CSV, b"a,b", "99"),
        (url("gone"), "200", CSV, None, None),
        (url("failed"), None, None, None, None),
    ]
    with Replica.open([write_kit(tmp_path / "kit.db", rows)]) as replica:
        assert [replica.get(url(at)) for at in ("", "old", "x", "gone", "failed")] == [
            Recorded(200, {"content-type": "text/html; charset=utf-8"}, b"<a href=x>", 10, False),
            Recorded(301, {"location": "/new"}, b"", 0, False),
            Recorded(200, {"content-type": "text/csv"}, b"a,b", 99, True),
            Recorded(200, {"content-type": "text/csv"}, b"", 0, True),
            Recorded(0, {}, b"", 0, False),
        ]


def test_what_was_appended_comes_back(tmp_path: Path) -> None:
    """Header by header and byte by byte, whatever the bytes were."""
    path = tmp_path / "site.warc.gz"
    headers = {"content-type": "text/csv", "location": "/\udce9t\udce9", "x-robots-tag": "none"}
    with WarcAppender(path) as warc_file:
        for at, cut in (("a", False), ("b", True)):
            warc_file.add(
                url(at), status=200, headers=headers, body=b"\0\xff", cut=cut, fetched_at="2024"
            )
    with Replica.open([path]) as replica:
        whole, cut_off = replica.get(url("a")), replica.get(url("b"))

    assert whole == Recorded(200, headers | {"content-length": "2"}, b"\0\xff", 2, False)
    assert cut_off == Recorded(200, headers, b"\0\xff", 2, True)


def test_several_files_are_one_replica(tmp_path: Path) -> None:
    """In their order: of a URL recorded twice the first counts."""
    paths = [tmp_path / "a.warc", tmp_path / "b.warc.gz"]
    paths[0].write_bytes(DATA)
    paths[1].write_bytes(gzip.compress(warc(url("x"), http(b"other")) + HOME))
    with Replica.open(paths) as replica:
        assert (replica.root, len(replica)) == (url("x"), 2)
        assert [replica.get(ROOT), replica.get(url("x"))] == [THREE[ROOT], THREE[url("x")]]
        assert replica.get(url("y")) is None
        assert url("x") in replica
        assert url("y") not in replica
    assert root_of(paths) == url("x")


def test_hosts_and_urls_that_were_left_out(path: Path, tmp_path: Path) -> None:
    path.write_bytes(HOME + warc("HTTP://Other.example:80/a#b", http(b"x")))
    (tmp_path / "site.cut.txt.gz").write_bytes(gzip.compress(f"{ROOT}left out\n".encode()))
    with Replica.open([path]) as replica:
        assert replica.hosts == {"s.example", "other.example"}
        assert replica.without == {url("left%20out")}


def test_bodies_lie_in_a_file_without_a_name(path: Path, tmp_path: Path) -> None:
    """Whatever ends the process, nothing is left behind."""
    path.write_bytes(HOME)
    with Replica.open([path], folder=tmp_path) as replica:
        assert [file.name for file in tmp_path.iterdir()] == ["site.warc"]
        assert replica.get(ROOT) == THREE[ROOT]


# --- bodies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(b"<p>text"), {"Content_Encoding": "gzip"}),
        (zlib.compress(b"<p>text"), {"Content_Encoding": "deflate"}),
        (b"3\r\n<p>\r\n4\r\ntext\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}),
        (b"<p>text", {"Content_Encoding": "gzip"}),
        (b"<p>text", {"Transfer_Encoding": "chunked"}),
        (b"<p>text", {}),
    ],
    ids=["gzip", "deflate", "chunked", "said to be gzip", "said to be chunked", "plain"],
)
def test_bodies_are_unpacked(path: Path, body: bytes, headers: dict[str, str]) -> None:
    """As a browser would see them; some tools unpack and do not say so."""
    response = only(path, warc(ROOT, http(body, Content_Type="text/html", **headers)))

    assert response == Recorded(200, {"content-type": "text/html"}, b"<p>text", 7, False)


@pytest.mark.parametrize(
    ("declared", "truncated", "body", "size"),
    [
        ("999", "length", b"abc", 999),
        ("", "unspecified", b"", 0),
        ("", "", b"", 0),
        ("999", "", b"", 0),
    ],
    ids=["cut", "length unknown", "nothing known", "not kept"],
)
def test_bodies_that_are_not_whole(
    path: Path, declared: str, truncated: str, body: bytes, size: int
) -> None:
    """Cut, or left away: a find of it is marked, and its length is the true one if known."""
    block = http(body, **({"Content_Length": declared} if declared else {}))
    response = only(path, warc(ROOT, block, **({"WARC_Truncated": truncated} if truncated else {})))

    assert (response.body, response.size, response.cut) == (body, size, True)


@pytest.mark.parametrize("status", ["200 OK", "204 No Content", "404 Not Found", "301 Moved"])
def test_bodies_that_are_empty(path: Path, status: str) -> None:
    """Nothing is missing where there was nothing."""
    block = http(status=status, Content_Length="0") if "OK" in status else http(status=status)

    assert not only(path, warc(ROOT, block)).cut


def test_long_bodies_are_cut(path: Path) -> None:
    """As a live crawl would cut them; their length stays the true one."""
    response = only(path, warc(ROOT, http(b"a" * 100)), limit=10)

    assert (response.body, response.size, response.cut) == (b"a" * 10, 100, True)


def test_long_heads_do_no_harm(path: Path) -> None:
    long = warc(url("long"), http(b"x", X_Long="v" * 100_000))

    assert list(recorded(path, long, HOME)) == [url("long"), ROOT]


# --- what cannot be read -----------------------------------------------------------------------


def test_a_torn_file_is_used_up_to_the_tear(path: Path) -> None:
    path.write_bytes(warc(url("no"), b"not http") + HOME + DATA[:-30])
    with Replica.open([path]) as replica:
        assert list(replica._places) == [ROOT]
        assert replica.damage.lost == 2


@pytest.mark.parametrize("content", [b"", b"no WARC at all", INFO], ids=["", "text", "no response"])
def test_a_file_without_a_response(path: Path, content: bytes) -> None:
    """Refused, unless it may still get some."""
    path.write_bytes(content)

    with pytest.raises(SiteError, match="has no readable response"):
        Replica.open([path])
    with pytest.raises(SiteError, match="has no response"):
        root_of([path])
    with Replica.open([path], may_be_empty=True) as replica:
        assert (len(replica), replica.root) == (0, "")


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="no recorded site"):
        Replica.open([tmp_path / "none.warc"])


def test_no_room_for_the_bodies(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said as of any full disk, with the way out: only a crawl can be resumed."""

    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:  # as a file with a buffer does
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("lodehound.stores.replica.tempfile.TemporaryFile", lambda **_: Full())
    path.write_bytes(HOME)
    with pytest.raises(DiskFullError, match=r"no space left.* with 'lodehound resume "):
        Replica.open([path], folder=path.parent)
    with pytest.raises(DiskFullError, match=r"no space left.* try again, or choose another place"):
        Replica.open([path])
