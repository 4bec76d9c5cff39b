"""Writing WARC files."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, is_warc_11
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.urls import resolve
from lodehound.stores.records import Damage, Record
from lodehound.stores.warc import http_head, read_warc, write_warc

ROOT = "https://stats.example/"


def sized(record: Record) -> Record:
    """Fill in what a Record holds of its header block and of its length."""
    whole = replace(record, size=max(record.size, len(record.body)))
    return replace(whole, head_size=len(http_head(whole)))


RECORDS = [
    sized(record)
    for record in (
        Record(ROOT, 200, "text/html; charset=utf-8", b"<a href=/data.csv>data</a>"),
        Record(ROOT + "data.csv", 200, "text/csv", b"a,b\r\n1,2\r\n"),
        Record(ROOT + "old", 301, location="/new?a=%20b&c=[1]"),
        Record(ROOT + "gone", 410, "text/plain"),
        Record(ROOT + "described", 200, "text/csv", link_header="</a>; rel=item, </b>; rel=next"),
        Record(ROOT + "failed", 0),
        Record(ROOT + "large.zip", 200, "application/zip", b"PK\x03\x04", size=5_000_000),
    )
]


def read(path: Path) -> list[Record]:
    damage = Damage()
    records = list(read_warc(path, damage))
    assert damage == Damage()
    return records


def members(data: bytes) -> list[bytes]:
    """Part a file into its gzip members, decompressed."""
    parts = []
    while data:
        one = zlib.decompressobj(wbits=31)
        parts.append(one.decompress(data))
        data = one.unused_data
    return parts


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    """Every field of a record survives a round trip."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, RECORDS)
    assert read(path) == RECORDS


def test_same_records_make_the_same_bytes(tmp_path: Path) -> None:
    """The bytes depend on the records only, not on the time and the name of the file."""
    for name in ("one.warc.gz", "two.warc.gz"):
        write_warc(tmp_path / name, iter(RECORDS))
    assert (tmp_path / "one.warc.gz").read_bytes() == (tmp_path / "two.warc.gz").read_bytes()


def test_every_record_is_a_gzip_member_of_its_own(tmp_path: Path) -> None:
    """Readers that jump to an offset (WARC 1.1, annex D) find a whole record there."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, RECORDS)
    parts = members(path.read_bytes())
    assert len(parts) == 1 + len(RECORDS)
    assert all(part.startswith(b"WARC/1.1\r\n") for part in parts)
    assert b"WARC-Type: warcinfo" in parts[0]


def test_mandatory_fields_are_there_and_digests_hold(tmp_path: Path) -> None:
    """Every record has the four mandatory fields, an id of its own and a true digest."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, RECORDS)
    ids = set()
    with path.open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False, func_filter=is_warc_11):
            assert record.verify_block_digest()
            assert record.headers["WARC-Date"] == "1970-01-01T00:00:00Z"
            assert {"WARC-Type", "Content-Length", "Content-Type"} <= set(record.headers.keys())
            ids.add(record.record_id)
    assert len(ids) == 1 + len(RECORDS)


def test_no_header_can_begin_another(tmp_path: Path) -> None:
    """Line breaks inside a value are folded."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, [Record(ROOT, 301, "a/b\r\nX-Evil: 1", location="/x\r\nSet-Cookie: a")])
    (record,) = read(path)
    assert (record.content_type, record.location) == ("a/b X-Evil: 1", "/x Set-Cookie: a")


def test_location_is_ascii_and_leads_to_the_same_place(tmp_path: Path) -> None:
    """Letters beyond ASCII are percent-encoded: the same URL by the WHATWG standard."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, [Record(ROOT, 302, location="/données?année=2024&a=%C3%A9")])
    (record,) = read(path)
    assert record.location.isascii()
    assert resolve(ROOT, record.location) == resolve(ROOT, "/données?année=2024&a=%C3%A9")


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    """Nobody sees half a recording: neither under its name nor under the temporary one."""

    def broken() -> Iterator[Record]:
        yield RECORDS[0]
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        write_warc(tmp_path / "site.warc.gz", broken())
    assert list(tmp_path.iterdir()) == []


@given(
    body=st.binary(max_size=300),
    status=st.integers(0, 999),
    mime=st.sampled_from(["", "text/html", "text/csv; header=present"]),
    cut=st.integers(0, 10),
)
@settings(max_examples=50, deadline=None)
def test_any_body_survives(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, status: int, mime: str, cut: int
) -> None:
    """No byte of a body and no status is lost, whatever they are."""
    path = tmp_path_factory.mktemp("any") / "site.warc.gz"
    record = sized(Record(ROOT, status, mime, body, size=len(body) + cut))
    write_warc(path, [record])
    assert read(path) == [record]
