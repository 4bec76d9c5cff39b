"""WARC: the finds as response records, for web archive tools.

If the crawl used --warc, the record of each find is copied unchanged: the one that brought its
newest version. For other finds, a record is built from the file and the headers in the catalogue.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lodehound.exports.describe import iri
from lodehound.exports.notes import Notes
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.warc_append import WarcAppender, warc_date, whole_members

RECORDED = "crawl.warc.gz"  # in the crawl directory
PIECE = 1 << 20


class Version(NamedTuple):
    """What tells the record of a version of a find from those of other versions."""

    date: str
    sha256: str  # empty if the find is truncated


def write(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write the finds as a .warc.gz, one gzip member per record."""
    copied: set[str] = set()
    recorded = source.folder / RECORDED
    if recorded.is_file():
        finds = (entry.find for entry in source.entries())
        wanted = {
            find.final_url: Version(warc_date(find.fetched_at), find.sha256) for find in finds
        }
        copied = _copy(recorded, path, wanted)
    with WarcAppender(path) as warc:
        for entry in source.entries():
            if entry.find.final_url in copied:
                notes.written += 1
            else:
                _add(source, entry.find, warc, notes)


def _add(source: Catalogue, find: FindRow, warc: WarcAppender, notes: Notes) -> None:
    body = _body(source.place_of(find.file))
    if body is None:
        notes.missing += 1
        return
    headers = {
        "content-type": find.declared_mime or find.mime,
        "last-modified": find.last_modified,
        "etag": find.etag,
        "content-disposition": find.content_disposition,
        "content-length": str(find.size),
    }
    warc.add(
        iri(find.final_url),
        status=200,
        headers={name: value for name, value in headers.items() if value},
        body=body,
        cut=find.truncated,
        fetched_at=find.fetched_at,
    )
    notes.written += 1


def _body(place: str | None) -> bytes | None:
    """Return the contents of a file, or None if it is gone."""
    if place is None:
        return None
    try:
        with open(place, "rb", buffering=0) as file:  # noqa: PTH123 - many Paths are slow
            return file.readall()
    except FileNotFoundError:
        return None


def _copy(recorded: Path, path: Path, wanted: Mapping[str, Version]) -> set[str]:
    """Copy one record of each find, byte for byte; return the URLs that had one."""
    copied: set[str] = set()
    with recorded.open("rb") as file, path.open("wb") as out:
        _, whole = whole_members(file, recorded)  # a running crawl may be adding to it
        for start, end, url in _members(recorded, whole, wanted):
            if url in copied:
                continue
            file.seek(start)
            for size in _pieces(end - start):
                out.write(file.read(size))
            copied.add(url)
    return copied


def _pieces(size: int) -> Iterator[int]:
    yield from itertools.repeat(PIECE, size // PIECE)
    yield size % PIECE


def _members(
    recorded: Path, whole: int, wanted: Mapping[str, Version]
) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and URL of each record to copy; the one about the file has no URL."""
    last: tuple[int, str | None] = (0, None)
    with recorded.open("rb") as file:
        for record in ArchiveIterator(file):
            if last[1] is not None:
                yield last[0], record.stream_pos, last[1]
            if record.stream_pos >= whole:
                return
            last = (record.stream_pos, _url_to_copy(record, wanted))
    if last[1] is not None:
        yield last[0], whole, last[1]


def _url_to_copy(record: Any, wanted: Mapping[str, Version]) -> str | None:
    """Return the URL of a record to copy, "" for the one about the file, None for the others."""
    if record.record_type == WarcRecordType.warcinfo:
        return ""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    version = wanted.get(url)
    if version is None or record.record_type != WarcRecordType.response:
        return None
    head = record.http_headers
    good = head is not None and 200 <= (head.status_code or 0) < 300
    if not good or record.headers.get("WARC-Date") != version.date:
        return None
    return url if version.sha256 in ("", _sha256(record.reader)) else None


def _sha256(body: Any) -> str:
    digest = hashlib.sha256()
    while piece := body.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()
