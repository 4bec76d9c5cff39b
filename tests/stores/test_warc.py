"""Reading WARC files, whole and torn."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, Record, read_records
from tests.helpers import ROOT, http, url, warc

HOME = warc(ROOT, http(b"<a href=x>y</a>", Content_Type="text/html"))
DATA = warc(url("x"), http(b"a,b", Content_Type="text/csv"))
OLD = warc(url("old"), http(status="301 Moved", Location="/x"))
THREE = [
    Record(ROOT, 200, "text/html", b"<a href=x>y</a>", size=15, head_size=44),
    Record(url("x"), 200, "text/csv", b"a,b", size=3, head_size=43),
    Record(url("old"), 301, location="/x", head_size=36),
]


def read(tmp_path: Path, content: bytes) -> tuple[list[Record], Damage]:
    path, damage = tmp_path / "site.warc", Damage()
    path.write_bytes(content)
    return list(read_records(path, damage)), damage


def test_the_size_of_a_head_is_that_of_its_lines() -> None:
    """What a HEAD costs: status line, headers and the empty line."""
    assert [len(http(Content_Type="text/html")), len(http(status="301 Moved", Location="/x"))] == [
        44,
        36,
    ]


def test_plain(tmp_path: Path) -> None:
    """Every field of every response, in the order of the file."""
    assert read(tmp_path, HOME + DATA + OLD) == (THREE, Damage())


def test_gzip_by_record(tmp_path: Path) -> None:
    """As the standard recommends."""
    assert read(tmp_path, b"".join(map(gzip.compress, (HOME, DATA, OLD)))) == (THREE, Damage())


def test_gzip_as_a_whole(tmp_path: Path) -> None:
    """As people do who compress a plain file."""
    assert read(tmp_path, gzip.compress(HOME + DATA + OLD)) == (THREE, Damage())


@pytest.mark.parametrize("by_record", [True, False])
def test_zstd(tmp_path: Path, by_record: bool) -> None:
    """As one stream, or one frame to a record."""
    stream_io = pytest.importorskip("fastwarc.stream_io")
    if not hasattr(stream_io, "ZstdWriter"):
        pytest.skip("nothing here writes zstd")
    path = tmp_path / "part.zst"
    content = b""
    for part in (HOME, DATA, OLD) if by_record else (HOME + DATA + OLD,):
        with path.open("wb") as file, stream_io.ZstdWriter(file) as writer:
            writer.write(part)
        content += path.read_bytes()

    assert content.startswith(b"\x28\xb5\x2f\xfd")
    assert read(tmp_path, content) == (THREE, Damage())


def test_only_responses_count(tmp_path: Path) -> None:
    """Requests, metadata and the like are passed over."""
    others = [
        warc(ROOT, b"GET / HTTP/1.1\r\n\r\n", kind) for kind in ("request", "metadata", "warcinfo")
    ]

    assert read(tmp_path, others[2] + HOME + others[0] + DATA + others[1] + OLD) == (
        THREE,
        Damage(),
    )


def test_addresses_in_angle_brackets(tmp_path: Path) -> None:
    """As old writers put them."""
    records, _ = read(tmp_path, warc(f"<{ROOT}>", http()))

    assert [record.url for record in records] == [ROOT]


def test_several_link_headers_are_one_list(tmp_path: Path) -> None:
    """RFC 9110, 5.3; of any other header the first counts."""
    block = b"HTTP/1.1 200 OK\r\nLink: </a>; rel=item\r\nContent-Type: text/csv\r\n"
    block += b"link: </b>; rel=item\r\nContent-Type: text/html\r\n\r\na,b"
    records, damage = read(tmp_path, warc(url("a"), block))

    assert not damage.notes
    assert [(r.link_header, r.content_type) for r in records] == [
        ("</a>; rel=item, </b>; rel=item", "text/csv")
    ]


def test_headers_without_a_value(tmp_path: Path) -> None:
    """No type, no location, any case of names."""
    records, _ = read(
        tmp_path, warc(ROOT, http(b"x", CONTENT_TYPE="Text/CSV; x=y")) + warc(url("b"), http(b"x"))
    )

    assert [(record.content_type, record.location) for record in records] == [
        ("Text/CSV; x=y", ""),
        ("", ""),
    ]


@pytest.mark.parametrize(
    ("declared", "truncated", "size"),
    [
        ("999", "length", 999),
        (" 999 ", "length", 999),
        ("999", "", 3),
        ("", "unspecified", 3),
        ("many", "length", 3),
        ("-5", "length", 3),
        ("²", "length", 3),
        ("9" * 30, "length", 3),
        ("9" * 5000, "length", 3),
    ],
)
def test_the_size_of_a_body_that_was_cut(
    tmp_path: Path, declared: str, truncated: str, size: int
) -> None:
    """What the server declared, if it can be; of a whole body, what is there."""
    cut = {"WARC_Truncated": truncated} if truncated else {}
    block = http(b"abc", **({"Content_Length": declared} if declared else {}))

    records, damage = read(tmp_path, HOME + warc(url("big"), block, **cut) + DATA)

    assert [record.size for record in records] == [15, size, 3]
    assert (records[1].body, damage) == (b"abc", Damage())


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"4\r\n<a h\r\n6\r\nref=x>\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}),
        (gzip.compress(b"<a href=x>"), {"Content_Encoding": "gzip"}),
        (b"<a href=x>", {"Content_Encoding": "gzip"}),
        (b"<a href=x>", {"Transfer_Encoding": "chunked"}),
    ],
    ids=["chunked", "gzip", "no gzip after all", "not chunked after all"],
)
def test_bodies_are_unpacked(tmp_path: Path, body: bytes, headers: dict[str, str]) -> None:
    """Recorders keep what went over the wire; some unpack it and leave the headers as they were."""
    records, damage = read(tmp_path, HOME + warc(url("a"), http(body, **headers)) + DATA)

    assert (records[1].body, records[1].size, damage) == (b"<a href=x>", 10, Damage())
    assert len(records) == 3


# --- torn files --------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [12, 20, 60, 150, 250])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_that_is_cut_off(tmp_path: Path, lost: int, zipped: bool) -> None:
    """What is whole is read, and the rest is one record of damage."""
    parts = [HOME, DATA, warc(url("z"), http(bytes(range(256)), Content_Type="text/csv"))]
    content = b"".join(map(gzip.compress, parts) if zipped else parts)

    records, damage = read(tmp_path, content[:-lost])

    assert records == THREE[:2]
    assert damage.lost == 1
    assert damage.notes[0].startswith("site.warc: ")


@pytest.mark.parametrize(
    "middle",
    [
        b"@@@ not a record @@@\r\n" * 5,
        DATA.replace(b"WARC/1.1", b"XXXX/1.1"),
        gzip.compress(DATA)[:50] + bytes(20) + gzip.compress(DATA)[70:],
        DATA.replace(b"Content-Length", b"Content-Langth"),
    ],
    ids=["junk", "bad version", "bad gzip", "no length"],
)
def test_a_file_damaged_in_the_middle(tmp_path: Path, middle: bytes) -> None:
    """What comes before is used, nothing is made up, and the damage is told."""
    zipped = middle.startswith(b"\x1f\x8b")
    before, after = (gzip.compress(part) if zipped else part for part in (HOME, OLD))

    records, damage = read(tmp_path, before + middle + after)

    assert records[0] == THREE[0]
    assert all(record in THREE for record in records)
    assert damage.lost >= 1


@pytest.mark.parametrize(
    "block",
    [b"", b"no http at all", b"HTTP/1.1 abc OK\r\n\r\nx", http(b"x").replace(b"HTTP", b"NTTP")],
)
def test_a_response_that_is_none_is_left_out(tmp_path: Path, block: bytes) -> None:
    """A record without an HTTP response in it is damage; those after it are read."""
    records, damage = read(tmp_path, HOME + warc(url("bad"), block) + DATA + OLD)

    assert records == THREE
    assert damage == Damage(["site.warc: response 2 is incomplete or not an HTTP response"], 1)


@pytest.mark.parametrize(
    "content",
    [b"junk " * 1000, bytes(5000), b"PK\x03\x04 some zip", gzip.compress(b"junk")],
    ids=["text", "zeros", "zip", "gzip"],
)
def test_junk_is_damage(tmp_path: Path, content: bytes) -> None:
    """Nothing is read, nothing is raised here: other files of the site may be good."""
    records, damage = read(tmp_path, content)

    assert (records, damage.lost) == ([], 1)


@pytest.mark.parametrize(
    "content", [b"", warc(ROOT, b"x: y", "warcinfo")], ids=["empty", "no response"]
)
def test_a_file_without_responses(tmp_path: Path, content: bytes) -> None:
    """Undamaged, but no site."""
    with pytest.raises(SiteError, match="has no WARC response records: it is not a recorded site"):
        read(tmp_path, content)
