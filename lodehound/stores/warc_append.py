"""A ``.warc.gz`` that grows: valid after every record, however the process ends."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Self

from fastwarc.warc import WarcRecord, WarcRecordType

from lodehound.core.errors import ConfigError, SiteError
from lodehound.stores.errors import write_error
from lodehound.version import VERSION

PIECE = 2**16  # bytes read at a time: unpacked they may be a thousand times as many
# A shorter file without a complete record is our own incomplete first record.
TORN_START = 1000  # bytes
LARGE = 2**20  # bytes of a body above which speed matters more than size
# Readers have limits: fastwarc stops at 32 KiB of headers and loses the rest.
MAX_HEAD = 2**14  # bytes
# Headers that are wrong for a complete, unpacked body; the length is written again.
REWRITTEN = {"content-encoding", "transfer-encoding", "content-length"}
FIRST = ("content-type", "location")  # a crawl needs these headers; the others may be left out
REASONS = {int(status): status.phrase for status in HTTPStatus}
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")

if sys.platform != "win32":
    import fcntl

    def _seize(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

else:

    def _seize(file: BinaryIO) -> None:
        """Do nothing: Windows would lock out readers as well."""


class WarcAppender:
    """Appends responses to a ``.warc.gz``, one gzip member per record.

    Args:
        path: The file, created if missing. An incomplete member at its end, left by a killed
            process, is removed.
        crawl: The crawl directory to name in messages; by default the folder of the file.

    Attributes:
        members: Number of complete gzip members; the first is not a response.

    Raises:
        ConfigError: Another process is writing to the file.
        SiteError: The file is not a ``.warc.gz``, or is damaged.
    """

    def __init__(self, path: Path, *, crawl: Path | None = None) -> None:
        self.path = path
        self._crawl = crawl or path.parent
        try:
            self._file: BinaryIO = path.open("a+b", buffering=0)
        except OSError as error:
            raise write_error(self._crawl, error) from error
        try:
            self._lock()
            self.members, self._end = self._mend()
            if not self.members:
                self._append(_info())
        except BaseException:
            self._file.close()
            raise

    def add(
        self,
        url: str,
        *,
        status: int,
        headers: Mapping[str, str],
        body: bytes,
        cut: bool,
        fetched_at: str,
    ) -> None:
        """Add one response. When this returns, it is completely in the file.

        Args:
            url: The URL that was requested.
            status: The HTTP status.
            headers: As received, names in lower case; those of codings are left out.
            body: Decompressed.
            cut: Whether the body is truncated.
            fetched_at: UTC, in ISO 8601.
        """
        record = _new_record(WarcRecordType.response, fetched_at)
        record.headers["WARC-Target-URI"] = url
        record.is_http = True
        if cut:
            record.headers["WARC-Truncated"] = "length"
        self._append(_member(record, _head(status, headers, body, cut) + body))

    def close(self) -> None:
        """Write everything to disk and unlock the file."""
        if self._file.closed:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise write_error(self._crawl, error) from error
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            _seize(self._file)
        except BlockingIOError as error:
            raise ConfigError(
                f"{str(self.path)!r} is being written by another process: wait for it or stop it."
            ) from error
        except OSError:
            return  # a file system without locks

    def _mend(self) -> tuple[int, int]:
        """Remove an incomplete member; return the number of complete ones and their end."""
        self._file.seek(0)
        members, end = whole_members(self._file, self.path)
        size = self._file.seek(0, os.SEEK_END)
        if not members and size > TORN_START:
            raise SiteError(
                f"{str(self.path)!r} has no complete record: remove it, or choose another file."
            )
        if end < size:
            self._file.truncate(end)
        return members, end

    def _append(self, member: bytes) -> None:
        try:
            left = memoryview(member)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)  # an incomplete record is useless
            raise write_error(self._crawl, error) from error
        self._end += len(member)
        self.members += 1


def whole_members(file: BinaryIO, path: Path) -> tuple[int, int]:
    """Return the number of complete gzip members of a WARC file, and the end of the last."""
    members = end = at = 0
    begun = b""
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    while piece := file.read(PIECE):
        at += len(piece)
        while piece:
            try:
                text = member.decompress(piece)
            except zlib.error as error:
                raise _damaged(path, end, error) from error
            begun = begun or text[:5]
            if not member.eof:
                break
            piece = member.unused_data
            members, end = members + 1, at - len(piece)
            member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    if begun and not b"WARC/".startswith(begun):
        raise SiteError(f"{str(path)!r} is not a WARC file: choose another name.")
    return members, end


def _damaged(path: Path, end: int, error: zlib.error) -> SiteError:
    if not end:
        return SiteError(f"{str(path)!r} is not a .warc.gz ({error}): choose another name.")
    return SiteError(
        f"{str(path)!r} is damaged after byte {end} ({error}), so it cannot be extended: "
        f"keep the part before with 'truncate -s {end} {path}', or choose another file."
    )


# --- records -----------------------------------------------------------------------------------


def _info() -> bytes:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    record = _new_record(WarcRecordType.warcinfo, now)
    record.headers["Content-Type"] = "application/warc-fields"
    return _member(
        record, f"software: lodehound/{VERSION}\r\nformat: WARC File Format 1.1\r\n".encode()
    )


def _new_record(kind: WarcRecordType, date: str) -> Any:
    record = WarcRecord()
    record.init_headers(record_type=kind)
    record.headers["WARC-Date"] = warc_date(date)
    return record


def warc_date(date: str) -> str:
    """Return a time in UTC (ISO 8601) in the form of WARC 1.1 (5.4)."""
    return date.replace("+00:00", "Z")


def _member(record: Any, content: bytes) -> bytes:
    record.set_bytes_content(content)
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), 1 if len(content) > LARGE else 6, mtime=0)


def _head(status: int, headers: Mapping[str, str], body: bytes, cut: bool) -> bytes:
    """Return the status line and headers of a response without any coding."""
    lines = [f"HTTP/1.1 {status:03} {REASONS.get(status, 'Unknown')}".encode()]
    length = _declared(headers) if cut else len(body)
    if length is not None and length >= len(body):
        lines.append(f"Content-Length: {length}".encode())
    names = dict.fromkeys([*(name for name in FIRST if name in headers), *headers])
    room = MAX_HEAD
    for name in names:
        line = _line(name, headers[name])
        if name.lower() not in REWRITTEN and len(line) <= room:
            lines.append(line)
            room -= len(line) + 2
    return b"\r\n".join([*lines, b"", b""])


def _line(name: str, value: str) -> bytes:
    """Return one header; its value cannot start another header."""
    line = f"{name.title()}: {CONTROL.sub(' ', value).strip()}"
    try:
        return line.encode("utf-8", "surrogateescape")  # the bytes as received
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace")


def _declared(headers: Mapping[str, str]) -> int | None:
    """Return the declared length of the content, or None if it is that of a compressed form."""
    coding = headers.get("content-encoding", "").strip().lower()
    digits = headers.get("content-length", "").strip()
    known = digits.isascii() and digits.isdigit() and len(digits) <= 18
    return int(digits) if known and coding in {"", "identity"} else None
