"""A recorded site as a server: the whole response of any URL, body included.

The recording is read once, from its beginning to its end, because not every
kind of file can be read anywhere else. Bodies go to a spool, a temporary file
without a name; in memory stays where in it each URL begins.
"""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from lodehound.core.errors import SiteError
from lodehound.core.urls import canonical, host_of
from lodehound.stores.cache import _cut_urls
from lodehound.stores.crawl_dir.errors import write_error
from lodehound.stores.records import Damage, Record, read_records
from lodehound.stores.warc import _size

MAX_BODY = 2**30  # bytes of a body, unpacked: a recording may hold bombs
SQLITE = b"SQLite format 3"
CODINGS = ("content-encoding", "transfer-encoding")
LENGTHS = struct.Struct(">QQ")  # of what is known of a response, and of its body


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded response."""

    status: int
    headers: Mapping[str, str]  # as far as they are known, names in lower case
    body: bytes
    size: int  # true length, whether or not the body was cut
    cut: bool  # the body is not whole, or not there although there was one


Named = tuple[str, Recorded]  # a response and its URL


class Replica:
    """What a recording holds, by URL. Of a URL recorded twice the first response counts.

    Attributes:
        root: The URL of the first response; "" when there is none.
        hosts: Every host and port with a response.
        without: URLs that exist but were not recorded (``NAME.cut.txt.gz``).
        damage: What could not be read.
    """

    def __init__(self, spool: BinaryIO, *, without: frozenset[str] = frozenset()) -> None:
        self.root = ""
        self.hosts: frozenset[str] = frozenset()
        self.without = without
        self.damage = Damage()
        self._spool = spool
        self._places: dict[str, int] = {}

    @classmethod
    def open(
        cls,
        paths: Sequence[Path],
        *,
        folder: Path | None = None,
        limit: int = MAX_BODY,
        may_be_empty: bool = False,
    ) -> Self:
        """Read a recording: WARC files of any kind, or the SB kit's SQLite.

        Args:
            paths: The files that together are the recording.
            folder: Where the spool has room; the system's temporary folder unless given.
            limit: Bytes kept of a body; a longer one is cut.
            may_be_empty: Take a recording without any response.
        """
        where = folder or Path(tempfile.gettempdir())
        without = frozenset(url for path in paths for url in _cut_urls(path))
        try:
            replica = cls(tempfile.TemporaryFile(dir=where), without=without)  # noqa: SIM115 - it stays open
        except OSError as error:
            raise write_error(where, error) from error
        try:
            for url, response in _responses(paths, replica.damage, limit):
                replica._put(url, response, where)
        except BaseException:
            replica.close()
            raise
        if not replica and not may_be_empty:
            replica.close()
            names = "+".join(path.name for path in paths)
            raise SiteError(f"{names} holds no response that can be read.")
        replica.hosts = frozenset(map(host_of, replica._places))
        return replica

    def get(self, url: str) -> Recorded | None:
        """Return the response of a canonical URL."""
        place = self._places.get(url)
        if place is None:
            return None
        self._spool.seek(place)
        known, body = LENGTHS.unpack(self._spool.read(LENGTHS.size))
        status, headers, size, cut = json.loads(self._spool.read(known))
        return Recorded(status, headers, self._spool.read(body), size, cut)

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def __len__(self) -> int:
        return len(self._places)

    def close(self) -> None:
        self._spool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, url: str, response: Recorded, where: Path) -> None:
        if url in self._places:
            return
        self.root = self.root or url
        known = [response.status, dict(response.headers), response.size, response.cut]
        packed = json.dumps(known).encode()
        try:
            self._places[url] = self._spool.tell()
            self._spool.write(LENGTHS.pack(len(packed), len(response.body)) + packed)
            self._spool.write(response.body)
        except OSError as error:
            raise write_error(where, error) from error


def root_of(paths: Sequence[Path]) -> str:
    """Return the URL of a recording's first response, without reading on."""
    with closing(_responses(paths, Damage(), MAX_BODY)) as responses:
        for url, _ in responses:
            return url
    raise SiteError(f"{'+'.join(path.name for path in paths)} holds no response.")


def _responses(paths: Sequence[Path], damage: Damage, limit: int) -> Generator[Named]:
    for path in paths:
        records = read_records(path, damage)  # refuses what is no file at all
        with path.open("rb") as file:
            is_kit = file.read(len(SQLITE)) == SQLITE
        read = _of_kit(records, limit) if is_kit else _of_warc(path, damage, limit)
        with closing(read) as responses:
            for address, response in responses:
                if url := canonical(address):
                    yield url, response


def _of_kit(records: Iterator[Record], limit: int) -> Generator[Named]:
    """Read what the kit's reader knows; it passes on two headers."""
    for record in records:
        headers = {"content-type": record.content_type, "location": record.location}
        known = {name: value for name, value in headers.items() if value}
        body = record.body[:limit]
        cut = record.size > len(body) or (not body and _has_body(record.status))
        yield record.url, Recorded(record.status, known, body, record.size, cut)


def _of_warc(path: Path, damage: Damage, limit: int) -> Generator[Named]:
    """Read the response records as ``read_warc`` does, but with all headers, and unpacked."""
    count = 0
    try:
        with path.open("rb") as file:
            types = WarcRecordType.response
            for record in ArchiveIterator(file, record_types=types, parse_http=False):
                response = _response(record, limit)
                if response is None:
                    damage.add(path, f"response {count + 1} is cut off or no HTTP response")
                else:
                    count += 1
                    yield (record.headers.get("WARC-Target-URI") or "").strip("<>"), response
    except (OSError, ValueError, RuntimeError) as error:
        damage.add(path, f"damaged after {count} responses ({error})")


def _response(record: Any, limit: int) -> Recorded | None:
    block = record.reader.read()
    parsed = _parsed(block) if len(block) == record.content_length else None
    if parsed is None:
        return None
    status, headers, body = parsed
    declared = headers.get("content-length", "").strip()
    truncated = record.headers.get("WARC-Truncated")
    size = _size(declared, body, truncated)
    gone = not body and declared != "0" and _has_body(status)
    cut = bool(truncated) or size > min(len(body), limit) or gone
    return Recorded(status, headers, body[:limit], size, cut)


def _has_body(status: int) -> bool:
    """Say whether a response that brought something has a body (RFC 9110, 6.4.1)."""
    return 200 <= status < 300 and status not in {204, 205}


def _parsed(block: bytes) -> tuple[int, dict[str, str], bytes] | None:
    """Part an HTTP message; unpack its body, unless that is plain whatever its headers say."""
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
            text = value.decode("utf-8", "surrogateescape")  # as the network's headers are read
            headers.setdefault(name.decode("latin-1").lower(), text)
        for dropped in CODINGS:
            headers.pop(dropped, None)
        return int(found.status_code), headers, body
    return None
