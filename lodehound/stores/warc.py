"""Recorded sites as WARC files: plain, gzip or zstd."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, Record


def read_warc(path: Path, damage: Damage) -> Iterator[Record]:
    """Read the response records of one file; what is cut off or unreadable goes to ``damage``."""
    records = 0
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                read = _record(record)
                if read is None:
                    damage.add(path, f"response {records + 1} is cut off or no HTTP response")
                else:
                    records += 1
                    yield read
    except (OSError, ValueError, RuntimeError) as error:
        damage.add(path, f"damaged after {records} responses ({error})")
    if not records and not damage.lost:
        raise SiteError(f"{str(path)!r} holds no WARC response records: it is no recorded site.")


def _record(record: Any) -> Record | None:
    headers = record.http_headers
    if headers is None or headers.status_code is None:
        return None
    body = record.reader.read()
    if len(body) != record.content_length:
        return None
    return Record(
        url=record.headers.get("WARC-Target-URI", "").strip("<>"),
        status=int(headers.status_code),
        content_type=headers.get("Content-Type", ""),
        body=body,
        size=_size(headers.get("Content-Length"), body, record.headers.get("WARC-Truncated")),
        head_size=_head_size(headers),
        location=headers.get("Location", ""),
    )


def _size(declared: str | None, body: bytes, truncated: str | None) -> int:
    """Return the true length: of a body that was cut, what the server declared."""
    if truncated and declared and declared.strip().isdigit():
        return int(declared)
    return len(body)


def _head_size(headers: Any) -> int:
    """Return the bytes of the header block, as it goes over the wire in HTTP/1.1."""
    lines = [headers.status_line, *(f"{name}: {value}" for name, value in headers), ""]
    return sum(len(line) + 2 for line in lines)
