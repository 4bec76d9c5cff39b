"""Recorded sites as WARC files: plain, gzip or zstd."""

from __future__ import annotations

import gzip
import io
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, Record

# A Record knows no date. One for all, so that the same records make the same file.
DATE = "1970-01-01T00:00:00Z"
# The phrase beside a status is not recorded, and no client may rely on it (RFC 9112, 4).
REASONS = {1: "Continue", 2: "OK", 3: "Moved", 4: "Client Error", 5: "Server Error"}
INFO = b"software: lodehound\r\nformat: WARC File Format 1.1\r\n"


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
        location=_utf8(headers.get("Location", "")),
    )


def _utf8(header: str) -> str:
    """Read a header again as UTF-8 where it is: servers send addresses that way."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _size(declared: str | None, body: bytes, truncated: str | None) -> int:
    """Return the true length: of a body that was cut, what the server declared."""
    digits = (declared or "").strip()
    if truncated and digits.isascii() and digits.isdigit() and len(digits) <= 18:
        return int(digits)
    return len(body)


def _head_size(headers: Any) -> int:
    """Return the bytes of the header block, as it goes over the wire in HTTP/1.1."""
    lines = [headers.status_line, *(f"{name}: {value}" for name, value in headers), ""]
    return sum(len(line) + 2 for line in lines)


def write_warc(path: Path, records: Iterable[Record]) -> None:
    """Write a WARC/1.1 file, one gzip member to a record; the same records make the same bytes.

    The file appears under its name when it is whole. Of the header block only
    what a Record holds is written, so ``head_size`` becomes that of ``http_head``.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(_info_member())
            for number, record in enumerate(records, start=1):
                file.write(_response_member(number, record))
        except BaseException:
            temporary.unlink()
            raise
    temporary.chmod(0o644)  # temporary files are private, recordings are not
    temporary.replace(path)


def http_head(record: Record) -> bytes:
    """Return the status line and headers of a response, as they go over the wire in HTTP/1.1."""
    reason = REASONS.get(record.status // 100, "Unknown")
    lines = [f"HTTP/1.1 {record.status:03} {reason}"]
    if record.content_type:
        lines.append(f"Content-Type: {_one_line(record.content_type)}")
    lines.append(f"Content-Length: {_true_size(record)}")
    if record.location:
        # RFC 9110, 10.2.2: a URI reference, hence ASCII; what is encoded already stays.
        lines.append(f"Location: {quote(_one_line(record.location), safe=_URL_SIGNS)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


_URL_SIGNS = "".join(map(chr, range(0x20, 0x7F)))


def _one_line(text: str) -> str:
    """Fold line breaks: a header must not begin another one."""
    return " ".join(text.split())


def _true_size(record: Record) -> int:
    return max(record.size, len(record.body))


def _info_member() -> bytes:
    record = _new_record(WarcRecordType.warcinfo, "warcinfo")
    record.headers["Content-Type"] = "application/warc-fields"
    return _member(record, INFO)


def _response_member(number: int, source: Record) -> bytes:
    record = _new_record(WarcRecordType.response, f"{number} {source.url}")
    record.headers["WARC-Target-URI"] = _one_line(source.url)
    record.is_http = True
    if _true_size(source) > len(source.body):
        record.headers["WARC-Truncated"] = "length"
    return _member(record, http_head(source) + source.body)


def _new_record(kind: WarcRecordType, name: str) -> Any:
    record = WarcRecord()
    urn = f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}"
    record.init_headers(record_type=kind, record_urn=urn.encode())
    record.headers["WARC-Date"] = DATE
    return record


def _member(record: Any, content: bytes) -> bytes:
    record.set_bytes_content(content)
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), mtime=0)
