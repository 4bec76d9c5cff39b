"""A .warc.gz that grows, and what is left of it when its process is killed."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType, is_warc_11
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.errors import DiskFullError
from lodehound.stores.records import Damage, Record
from lodehound.stores.warc import read_warc
from lodehound.stores.warc_append import WarcAppender
from tests.helpers import ROOT, url
from tests.stores.test_warc_write import members

DATE = "2024-05-06T07:08:09+00:00"
HTML = {"content-type": "text/html; charset=utf-8"}
CSV = {"content-type": "text/csv", "etag": '"1"'}


def add(
    warc: WarcAppender,
    at: str = "",
    headers: Mapping[str, str] = HTML,
    body: bytes = b"<a href=x>y</a>",
    *,
    status: int = 200,
    cut: bool = False,
) -> None:
    warc.add(url(at), status=status, headers=headers, body=body, cut=cut, fetched_at=DATE)


def read(path: Path) -> list[Record]:
    damage = Damage()
    records = list(read_warc(path, damage))
    assert damage == Damage()
    return records


def kept(path: Path) -> list[tuple[str, int, str, bytes, int, str]]:
    return [
        (one.url, one.status, one.content_type, one.body, one.size, one.location)
        for one in read(path)
    ]


def heads(path: Path) -> list[dict[str, str]]:
    with path.open("rb") as file:
        return [
            {name.lower(): value for name, value in record.http_headers}
            for record in ArchiveIterator(file, record_types=WarcRecordType.response)
        ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.warc.gz"


def test_what_was_added_is_read_again(path: Path) -> None:
    """Pages, files, redirects and errors, over several openings."""
    with WarcAppender(path) as warc:
        add(warc)
        add(warc, "a.csv", CSV, b"a,b\r\n")
    with WarcAppender(path) as warc:
        add(warc, "old", {"location": "/new"}, b"", status=301)
        add(warc, "gone", {}, b"no", status=404)
        add(warc, "odd", {}, b"", status=799)

    assert kept(path) == [
        (ROOT, 200, "text/html; charset=utf-8", b"<a href=x>y</a>", 15, ""),
        (url("a.csv"), 200, "text/csv", b"a,b\r\n", 5, ""),
        (url("old"), 301, "", b"", 0, "/new"),
        (url("gone"), 404, "", b"no", 2, ""),
        (url("odd"), 799, "", b"", 0, ""),
    ]


def test_every_record_is_a_whole_member(path: Path) -> None:
    """A warcinfo first, WARC 1.1, dates in its form, digests that hold, ids of their own."""
    with WarcAppender(path) as warc:
        assert warc.members == 1
        add(warc)
        add(warc, "b", body=os.urandom(3_000_000))
        assert warc.members == 3

    parts = members(path.read_bytes())
    assert [part.startswith(b"WARC/1.1\r\n") for part in parts] == [True] * 3
    assert b"WARC-Type: warcinfo" in parts[0]
    with path.open("rb") as file:
        records = list(ArchiveIterator(file, parse_http=False, func_filter=is_warc_11))
        assert len({record.record_id for record in records}) == 3
    with path.open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            assert record.verify_block_digest()
            assert record.headers["WARC-Date"].endswith("Z")
            assert "+" not in record.headers["WARC-Date"]


def test_warcio_reads_it_too(path: Path) -> None:
    """The most used reader, where it is installed."""
    warcio = pytest.importorskip("warcio.archiveiterator")
    with WarcAppender(path) as warc:
        add(warc)
        add(warc, "a.csv", CSV, b"a,b", cut=True)
    with path.open("rb") as file:
        read_back = [
            (record.rec_type, record.content_stream().read() if record.http_headers else b"")
            for record in warcio.ArchiveIterator(file)
        ]

    assert read_back == [("warcinfo", b""), ("response", b"<a href=x>y</a>"), ("response", b"a,b")]


# --- headers and lengths -----------------------------------------------------------------------


def test_codings_are_gone_and_the_length_is_true(path: Path) -> None:
    """The body is unpacked, so nothing may say that it is packed."""
    packed = HTML | {
        "content-encoding": "gzip",
        "transfer-encoding": "chunked",
        "content-length": "7",
        "server": "x",
    }
    with WarcAppender(path) as warc:
        add(warc, headers=packed, body=b"unpacked")

    assert heads(path) == [HTML | {"content-length": "8", "server": "x"}]


@pytest.mark.parametrize(
    ("headers", "size", "length"),
    [
        ({"content-length": "5000"}, 5000, "5000"),
        ({"content-length": "5000", "content-encoding": "identity"}, 5000, "5000"),
        ({"content-length": "5000", "content-encoding": "gzip"}, 3, None),
        ({"content-length": "2"}, 3, None),
        ({"content-length": "many"}, 3, None),
        ({}, 3, None),
    ],
    ids=["declared", "identity", "packed", "too short", "no number", "unknown"],
)
def test_a_body_that_was_cut(
    path: Path, headers: dict[str, str], size: int, length: str | None
) -> None:
    """Its length is the declared one, unless that is of something else; it is marked."""
    with WarcAppender(path) as warc:
        add(warc, headers=headers, body=b"abc", cut=True)

    assert [record.size for record in read(path)] == [size]
    assert heads(path)[0].get("content-length") == length
    assert b"WARC-Truncated: length\r\n" in members(path.read_bytes())[1]


def test_no_header_can_begin_another(path: Path) -> None:
    with WarcAppender(path) as warc:
        add(warc, headers={"content-type": "a/b\r\nX-Evil: 1", "x-b": "1\0\n2"})

    assert heads(path) == [{"content-length": "15", "content-type": "a/b X-Evil: 1", "x-b": "1 2"}]


def test_headers_that_are_too_long_are_left_out(path: Path) -> None:
    """Readers give up at long heads, and lose what follows; type and place are never the ones."""
    long = {f"x-{number}": "v" * 9000 for number in range(9)}
    with WarcAppender(path) as warc:
        add(warc, headers=long | {"location": "/x", "content-type": "text/html"}, status=301)
        add(warc, "b")

    first, second = read(path)
    assert (first.content_type, first.location, second.url) == ("text/html", "/x", url("b"))
    assert len(heads(path)[0]) == 4


@pytest.mark.parametrize("text", ["/données", "/\udce9t\udce9", "/\ud800"])
def test_headers_beyond_ascii(path: Path, text: str) -> None:
    """Bytes stay as they came, whatever they meant; what cannot come from a wire does no harm."""
    with WarcAppender(path) as warc:
        add(warc, headers={"location": text}, status=301)

    with path.open("rb") as file:
        (record,) = ArchiveIterator(file, record_types=WarcRecordType.response)
        sent = record.http_headers.get_bytes(b"location")
    assert (
        sent
        == {
            "/données": "/données".encode(),
            "/\udce9t\udce9": b"/\xe9t\xe9",
            "/\ud800": b"/?",
        }[text]
    )


@given(body=st.binary(max_size=300), status=st.integers(100, 999), cut=st.booleans())
@settings(max_examples=50, deadline=None)
def test_any_body_survives(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, status: int, cut: bool
) -> None:
    """No byte of a body and no status is lost, whatever they are."""
    path = tmp_path_factory.mktemp("any") / "site.warc.gz"
    with WarcAppender(path) as warc:
        add(warc, body=body, status=status, cut=cut)

    assert [(one.status, one.body, one.size) for one in read(path)] == [(status, body, len(body))]


# --- what others left --------------------------------------------------------------------------


def two_members(path: Path) -> tuple[bytes, int]:
    """Write two responses; return the file and where the last of them begins."""
    with WarcAppender(path) as warc:
        add(warc)
        middle = path.stat().st_size
        add(warc, "b", body=bytes(range(256)))
    return path.read_bytes(), middle


def test_half_a_record_at_the_end_is_cut_off(path: Path) -> None:
    """Killed at any byte of a write: what was whole stays, and the file goes on growing."""
    whole, middle = two_members(path)
    for end in (*range(middle, len(whole), 11), len(whole) - 1):
        path.write_bytes(whole[:end])
        with WarcAppender(path) as warc:
            assert (warc.members, path.stat().st_size) == (2, middle)
            add(warc, "c")
        assert [record.url for record in read(path)] == [ROOT, url("c")]


def test_killed_while_it_was_made(path: Path) -> None:
    """A warcinfo that is not whole is written anew."""
    WarcAppender(path).close()
    whole = path.read_bytes()
    for end in (*range(0, len(whole), 17), len(whole) - 1):
        path.write_bytes(whole[:end])
        with WarcAppender(path) as warc:
            add(warc)
        assert [record.url for record in read(path)] == [ROOT]


def test_damage_within_is_left_alone(path: Path) -> None:
    """What is behind the damage may be worth more than what we would add."""
    whole, middle = two_members(path)
    spoiled = whole[:middle] + b"\0\0\0\0" + whole[middle:]
    path.write_bytes(spoiled)

    with pytest.raises(SiteError, match=f"damaged after byte {middle}.*truncate -s {middle}"):
        WarcAppender(path)
    assert path.read_bytes() == spoiled


@pytest.mark.parametrize(
    "content",
    [b"a text", gzip.compress(b"a text"), gzip.compress(os.urandom(9000))[:5000], b"WARC/1.1\r\n"],
    ids=["text", "another .gz", "half of another .gz", "not packed"],
)
def test_a_file_of_another_kind_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(SiteError, match="choose another"):
        WarcAppender(path)
    assert path.read_bytes() == content


def test_a_recording_packed_as_a_whole_is_continued(path: Path) -> None:
    """As people do who compress a plain file."""
    two_members(path)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())))
    with WarcAppender(path) as warc:
        add(warc, "c")

    assert [record.url for record in read(path)] == [ROOT, url("b"), url("c")]


@pytest.mark.skipif(os.name == "nt", reason="Windows would lock readers out as well")
def test_one_writer_at_a_time(path: Path) -> None:
    """Two would cut off each other's records."""
    with WarcAppender(path), pytest.raises(ConfigError, match="written by another process"):
        WarcAppender(path)
    WarcAppender(path).close()


class Full:
    """A file on a disk that has room for so many bytes more."""

    def __init__(self, inner: Any, room: int) -> None:
        self.inner, self.room = inner, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = int(self.inner.write(data[: self.room]))
        self.room -= taken
        return taken


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk(path: Path, room: int, tmp_path: Path) -> None:
    """Said by name of the crawl to continue; the file is as it was before, and goes on later."""
    with WarcAppender(path, crawl=tmp_path / "state") as warc:
        add(warc)
        before, inner = path.read_bytes(), warc._file
        warc._file = Full(inner, room)  # type: ignore[assignment]
        with pytest.raises(DiskFullError, match=r"lodehound resume .*/state'"):
            add(warc, "b")
        assert path.read_bytes() == before
        warc._file = inner
        add(warc, "c")
    assert [record.url for record in read(path)] == [ROOT, url("c")]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="cannot be written"):
        WarcAppender(tmp_path / "nowhere" / "site.warc.gz")
