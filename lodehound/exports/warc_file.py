"""WARC: the finds as response records, for web archive tools.

If the crawl used --warc, its records are copied unchanged. For other finds, a record is built
from the file and the headers in the catalogue.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lodehound.exports.describe import iri
from lodehound.exports.notes import Notes
from lodehound.stores.crawl_dir.catalogue import Catalogue
from lodehound.stores.crawl_dir.events import FindRow
from lodehound.stores.warc_append import WarcAppender, whole_members

RECORDED = "crawl.warc.gz"  # in the crawl directory
PIECE = 1 << 20


def write(source: Catalogue, path: Path, notes: Notes) -> None:
    """Write the finds as a .warc.gz, one gzip member per record."""
    copied: set[str] = set()
    recorded = source.folder / RECORDED
    if recorded.is_file():
        wanted = {entry.find.final_url for entry in source.entries()}
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


def _copy(recorded: Path, path: Path, wanted: set[str]) -> set[str]:
    """Copy the records of these URLs, byte for byte; return the URLs that had one."""
    copied = set()
    with recorded.open("rb") as file, path.open("wb") as out:
        _, whole = whole_members(file, recorded)  # a running crawl may be adding to it
        for start, end, url in _members(recorded, whole):
            if url is None or url in wanted:
                file.seek(start)
                for size in _pieces(end - start):
                    out.write(file.read(size))
                copied.add(url or "")
    return copied


def _pieces(size: int) -> Iterator[int]:
    yield from itertools.repeat(PIECE, size // PIECE)
    yield size % PIECE


def _members(recorded: Path, whole: int) -> Iterator[tuple[int, int, str | None]]:
    """Yield the start and end of each record to copy; None marks the record about the file."""
    last: tuple[int, str | None, bool] | None = None
    with recorded.open("rb") as file:
        for record in ArchiveIterator(file):
            if last is not None and last[2]:
                yield last[0], record.stream_pos, last[1]
            if record.stream_pos >= whole:
                return
            last = (record.stream_pos, *_use(record))
    if last is not None and last[2]:
        yield last[0], whole, last[1]


def _use(record: Any) -> tuple[str | None, bool]:
    if record.record_type == WarcRecordType.warcinfo:
        return None, True
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    head = record.http_headers
    good = head is not None and 200 <= (head.status_code or 0) < 300
    return url, record.record_type == WarcRecordType.response and good
