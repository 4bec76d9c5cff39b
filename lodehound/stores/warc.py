"""Recorded sites as WARC files: plain, gzip or zstd."""

from __future__ import annotations

import gzip
import io
import tempfile
import uuid
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from lodehound.core.errors import SiteError
from lodehound.stores.records import Damage, Record
from lodehound.stores.text_files import open_plain

# A Record has no date. One date for all, so that the same records give the same file.
DATE = "1970-01-01T00:00:00Z"
# The reason phrase is not recorded, and clients must not rely on it (RFC 9112, 4).
REASONS = {1: "Continue", 2: "OK", 3: "Moved", 4: "Client Error", 5: "Server Error"}
MAX_INFO = 2**20  # bytes of a warcinfo record that are read
MAX_BODY = 2**30  # bytes of an unpacked body: a recording may contain bombs
ZSTD = b"\x28\xb5\x2f\xfd"  # the first bytes of a frame
CODINGS = ("content-encoding", "transfer-encoding")
INFO = b"software: lodehound\r\nformat: WARC File Format 1.1\r\n"


@dataclass(frozen=True, slots=True)
class Response:
    """One recorded response with its body unpacked."""

    url: str
    status: int
    headers: dict[str, str]  # names in lower case, without those of codings
    body: bytes
    size: int  # true length, even if the body is truncated
    head_size: int  # bytes of the header block as received
    cut: bool  # the body is truncated
    date: str = ""  # WARC-Date


def read_warc(path: Path, damage: Damage) -> Iterator[Record]:
    """Read the response records of a file; ``damage`` collects what is unreadable."""
    records = 0
    for response in read_responses(path, damage):
        records += 1
        yield Record(
            url=response.url,
            status=response.status,
            content_type=response.headers.get("content-type", ""),
            body=response.body,
            size=response.size,
            head_size=response.head_size,
            location=response.headers.get("location", ""),
            link_header=response.headers.get("link", ""),
            etag=response.headers.get("etag", ""),
            modified=response.headers.get("last-modified", ""),
            date=response.date,
        )
    if not records and not damage.lost:
        raise SiteError(f"{str(path)!r} has no WARC response records: it is not a recorded site.")


def read_snapshots(path: Path) -> list[str]:
    """Return the dates of a timeline's snapshots from its ``warcinfo``; [] for any other file."""
    try:
        with open_plain(path) as file:
            record = next(iter(ArchiveIterator(file, parse_http=False)), None)
            if record is None or record.record_type != WarcRecordType.warcinfo:
                return []
            lines = record.reader.read(MAX_INFO).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError, RuntimeError):
        return []
    named = (line.partition(":") for line in lines)
    return next((dates.split() for name, _, dates in named if name.lower() == "snapshots"), [])


def read_responses(path: Path, damage: Damage) -> Iterator[Response]:
    """Read the web responses of a file, with all headers."""
    count = 0
    try:
        with open_plain(path) as file:
            types = WarcRecordType.response
            for record in ArchiveIterator(file, record_types=types, parse_http=False):
                url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
                if url and not url.lower().startswith(("http:", "https:")):
                    continue  # archives also contain DNS responses
                response = _response(url, record)
                if response is None:
                    damage.add(path, f"response {count + 1} is incomplete or not an HTTP response")
                else:
                    count += 1
                    yield response
        if count and not damage.lost and not _ends_well(path):
            damage.add(path, f"truncated after {count} responses")
    except (OSError, ValueError, RuntimeError) as error:
        damage.add(path, f"damaged after {count} responses ({error})")


def _ends_well(path: Path) -> bool:
    """Return whether a file ends at the end of a record, as far as that can be known.

    The reader treats the end of a file as the end of the recording. If the last gzip member is
    incomplete, or a plain file does not end like a record, the file is truncated.
    """
    with open_plain(path) as file:
        magic = file.read(4)
        if magic in {b"", ZSTD}:
            return True
        if magic[:2] != b"\x1f\x8b":
            file.seek(0, io.SEEK_END)
            file.seek(max(file.tell() - 4, 0))
            return file.read() == b"\r\n\r\n"
        file.seek(0)
        return _whole_members(file)


def _whole_members(file: BinaryIO) -> bool:
    member = zlib.decompressobj(wbits=31)
    while data := member.unused_data or file.read(1 << 20):
        if member.eof:
            member = zlib.decompressobj(wbits=31)
        while data and not member.eof:
            member.decompress(data, 1 << 20)
            data = member.unconsumed_tail
    return member.eof


def _response(url: str, record: Any) -> Response | None:
    block = record.reader.read()
    parsed = _parsed(block) if len(block) == record.content_length else None
    if parsed is None:
        return None
    status, headers, body = parsed
    truncated = record.headers.get("WARC-Truncated")
    size = _size(headers.get("content-length", ""), body, truncated)
    head_size = block.find(b"\r\n\r\n") + 4
    cut = bool(truncated) or size > len(body)
    date = record.headers.get("WARC-Date") or ""
    return Response(url, status, headers, body, size, head_size, cut, date)


def _parsed(block: bytes) -> tuple[int, dict[str, str], bytes] | None:
    """Parse an HTTP message; unpack its body, unless it is plain despite its headers."""
    for coding in ("all", "none"):
        record = WarcRecord()
        record.init_headers(record_type=WarcRecordType.response)
        record.is_http = True
        record.set_bytes_content(block)
        try:
            record.parse_http(auto_decode=coding, max_header_len=len(block) + 1)
            body = record.reader.read(MAX_BODY)
        except (OSError, ValueError, RuntimeError):
            continue
        found = record.http_headers
        if found is None or found.status_code is None:
            return None
        headers: dict[str, str] = {}
        for name, value in found.items_bytes():
            text = value.decode("utf-8", "surrogateescape")  # like the headers of live responses
            known = name.decode("latin-1").lower()
            if known == "link" and known in headers:
                headers[known] += f", {text}"  # RFC 9110, 5.3: one list
            headers.setdefault(known, text)
        for dropped in CODINGS:
            headers.pop(dropped, None)
        return int(found.status_code), headers, body
    return None


def _size(declared: str, body: bytes, truncated: str | None) -> int:
    """Return the true length: for a truncated body, the declared length."""
    digits = declared.strip()
    if truncated and digits.isascii() and digits.isdigit() and len(digits) <= 18:
        return int(digits)
    return len(body)


def write_warc(path: Path, records: Iterable[Record]) -> None:
    """Write a WARC/1.1 file, one gzip member per record; the same records give the same bytes.

    The file appears under its name when it is complete. Only the headers in a Record are
    written, so ``head_size`` becomes that of ``http_head``.
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
    """Return the status line and headers of a response as sent in HTTP/1.1."""
    reason = REASONS.get(record.status // 100, "Unknown")
    lines = [f"HTTP/1.1 {record.status:03} {reason}"]
    if record.content_type:
        lines.append(f"Content-Type: {_one_line(record.content_type)}")
    lines.append(f"Content-Length: {_true_size(record)}")
    if record.location:
        # RFC 9110, 10.2.2: a URI reference, hence ASCII; encoded characters stay.
        lines.append(f"Location: {quote(_one_line(record.location), safe=_URL_SIGNS)}")
    if record.link_header:
        lines.append(f"Link: {_one_line(record.link_header)}")
    if record.etag:
        lines.append(f"ETag: {_one_line(record.etag)}")
    if record.modified:
        lines.append(f"Last-Modified: {_one_line(record.modified)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


_URL_SIGNS = "".join(map(chr, range(0x20, 0x7F)))


def _one_line(text: str) -> str:
    """Replace line breaks: a value must not start another header."""
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
