"""A recorded site as a server: the complete response for any URL, with its body.

The recording is read once from beginning to end, because some formats do not allow
random access. Bodies go to a spool, an unnamed temporary file; the position of each
URL in it is kept in memory.
"""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from lodehound.core.errors import SiteError
from lodehound.core.urls import canonical, host_of
from lodehound.stores.errors import output_error, write_error
from lodehound.stores.left_out import left_out
from lodehound.stores.records import Damage, Record, read_records
from lodehound.stores.text_files import open_plain
from lodehound.stores.warc import MAX_BODY, read_responses

SQLITE = b"SQLite format 3"
LENGTHS = struct.Struct(">QQ")  # of the metadata of a response, and of its body


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded response."""

    status: int
    headers: Mapping[str, str]  # as far as known, names in lower case
    body: bytes
    size: int  # true length, even if the body is truncated
    cut: bool  # the body is truncated or missing


Named = tuple[str, Recorded]  # a response and its URL


class Replica:
    """The responses of a recording by URL. If a URL is recorded twice, the first is used.

    Attributes:
        root: The URL of the first response; "" if there is none.
        hosts: Every host and port with a response.
        without: URLs that exist but were not recorded (``NAME.cut.txt.gz``).
        damage: What could not be read.
    """

    def __init__(self, spool: BinaryIO) -> None:
        self.root = ""
        self.hosts: frozenset[str] = frozenset()
        self.without: frozenset[str] = frozenset()
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
        """Read a recording: WARC files of any type, or the SB kit's SQLite.

        Args:
            paths: The files of the recording.
            folder: The folder for the spool; by default the system's temporary folder.
            limit: Maximum length of a body; longer ones are truncated.
            may_be_empty: Accept a recording without any response.
        """
        where = folder or Path(tempfile.gettempdir())
        with _writing(where, folder):
            replica = cls(tempfile.TemporaryFile(dir=where))  # noqa: SIM115 - it stays open
        try:
            for url, response in _responses(paths, replica.damage, limit):
                with _writing(where, folder):
                    replica._put(url, response)
            with _writing(where, folder):
                replica._spool.flush()
        except BaseException:
            with suppress(OSError):  # what is left in the buffer cannot be written either
                replica.close()
            raise
        if not replica and not may_be_empty:
            replica.close()
            names = "+".join(path.name for path in paths)
            raise SiteError(f"{names} has no readable response.")
        replica.hosts = frozenset(map(host_of, replica._places))
        replica.without = frozenset().union(*map(left_out, paths)) - replica._places.keys()
        return replica

    def get(self, url: str) -> Recorded | None:
        """Return the response for a canonical URL."""
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

    def _put(self, url: str, response: Recorded) -> None:
        if url in self._places:
            return
        self.root = self.root or url
        known = [response.status, dict(response.headers), response.size, response.cut]
        packed = json.dumps(known).encode()
        self._places[url] = self._spool.tell()
        self._spool.write(LENGTHS.pack(len(packed), len(response.body)) + packed)
        self._spool.write(response.body)


@contextmanager
def _writing(where: Path, crawl: Path | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise (write_error(crawl, error) if crawl else output_error(where, error)) from error


def root_of(paths: Sequence[Path]) -> str:
    """Return the URL of a recording's first response, without reading the rest."""
    with closing(_responses(paths, Damage(), MAX_BODY)) as responses:
        for url, _ in responses:
            return url
    raise SiteError(f"{'+'.join(path.name for path in paths)} has no response.")


def _responses(paths: Sequence[Path], damage: Damage, limit: int) -> Generator[Named]:
    for path in paths:
        records = read_records(path, damage)  # raises an error if there is no such file
        with open_plain(path) as file:
            is_kit = file.read(len(SQLITE)) == SQLITE
        read = _of_kit(records, limit) if is_kit else _of_warc(path, damage, limit)
        with closing(read) as responses:
            for address, response in responses:
                if url := canonical(address):
                    yield url, response


def _of_kit(records: Iterator[Record], limit: int) -> Generator[Named]:
    """Read responses with the kit's reader, which returns three headers."""
    for record in records:
        headers = {
            "content-type": record.content_type,
            "location": record.location,
            "link": record.link_header,
        }
        known = {name: value for name, value in headers.items() if value}
        body = record.body[:limit]
        cut = record.size > len(body) or (not body and _has_body(record.status))
        yield record.url, Recorded(record.status, known, body, record.size, cut)


def _of_warc(path: Path, damage: Damage, limit: int) -> Generator[Named]:
    for response in read_responses(path, damage):
        declared = response.headers.get("content-length", "").strip()
        gone = not response.body and declared != "0" and _has_body(response.status)
        cut = response.cut or gone or len(response.body) > limit
        yield (
            response.url,
            Recorded(response.status, response.headers, response.body[:limit], response.size, cut),
        )


def _has_body(status: int) -> bool:
    """Return whether a response with this status has a body (RFC 9110, 6.4.1)."""
    return 200 <= status < 300 and status not in {204, 205}
