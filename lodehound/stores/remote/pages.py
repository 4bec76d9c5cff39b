"""The pages of an SQLite database that commits have written, from its write-ahead log.

The format of the log is part of SQLite's file format (https://sqlite.org/fileformat2.html,
section 4): a header, then frames of one page each. The last frame of a commit holds the size of
the database.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lodehound.stores.zipped import pieces_of

HEADER, FRAME = 32, 24  # bytes, of the log and of a frame before its page
NUMBER = 4  # bytes of a number
HEAD = 100  # bytes of the header of a database
LARGEST = 2**32  # bytes of a database: SQLite makes images of up to half of it


@dataclass(slots=True)
class Pages:
    """Pages by their numbers, and the size of the database in pages."""

    pages: dict[int, bytes] = field(default_factory=dict)
    size: int = 0  # 0: nothing was written

    def add(self, later: Pages) -> None:
        """Add what later commits have written."""
        if later.size:
            self.pages.update(later.pages)
            self.size = later.size

    @property
    def length(self) -> int:
        """In bytes."""
        return sum(map(len, self.pages.values()))

    def packed(self) -> bytes:
        """Return a segment."""
        return zlib.compress(_number(self.size) + b"".join(_items(self.pages)), 1)


def _number(number: int) -> bytes:
    return number.to_bytes(NUMBER, "big")


def _items(pages: Mapping[int, bytes]) -> list[bytes]:
    return [_number(number) + page for number, page in sorted(pages.items())]


class LogReader:
    """Reads what every commit has written.

    Args:
        database: The database; it has a write-ahead log.
    """

    def __init__(self, database: Path) -> None:
        self._log = database.with_name(database.name + "-wal")
        self._salt = b""
        self._offset = HEADER

    def read(self) -> Pages:
        """Return what was committed since the last call.

        Call it after every commit, before anything else is written: SQLite may begin the log anew
        with the next one.
        """
        found = Pages()
        if not self._log.exists():
            return found
        with self._log.open("rb") as log:
            header = log.read(HEADER)
            if len(header) < HEADER:
                return found
            length, salt = int.from_bytes(header[8:12], "big"), header[16:24]
            if salt != self._salt:
                self._salt, self._offset = salt, HEADER
            log.seek(self._offset)
            written = Pages()
            while len(frame := log.read(FRAME + length)) == FRAME + length:
                if frame[8:16] != salt:
                    break  # left from before the log was begun anew
                written.pages[int.from_bytes(frame[:4], "big")] = frame[FRAME:]
                if size := int.from_bytes(frame[4:8], "big"):  # the last frame of a commit
                    written.size = size
                    found.add(written)
                    written = Pages()
                    self._offset = log.tell()
        return found


def write_image(packed: bytes, database: Path) -> None:
    """Write a database from a packed image of it; nothing is written if the image is unusable.

    Raises:
        TooLongError: It is longer than its first page says, or than any image may be.
        zlib.error: It is incomplete.
    """
    head = zlib.decompressobj().decompress(packed, HEAD)
    declared = _page_size(head) * int.from_bytes(head[28:32], "big")
    most = min(declared, LARGEST)
    for _ in pieces_of(packed, most):
        pass  # to find out whether it is complete
    with database.open("wb") as file:
        file.writelines(pieces_of(packed, most))


def apply(packed: bytes, database: Path) -> None:
    """Write the pages of a segment into a database that nobody has open.

    Raises:
        zlib.error: The segment is incomplete or absurd; nothing was written.
    """
    with database.open("r+b") as file:
        length = _page_size(file.read(HEAD))
        most = LARGEST // max(length, 1)  # pages of a database
        for number, _ in _pages_of(packed, length):
            if not 0 < number <= most:
                raise zlib.error(f"there is no page {number}")
        for number, page in _pages_of(packed, length):
            file.seek((number - 1) * length)
            file.write(page)
        size = int.from_bytes(zlib.decompressobj().decompress(packed, NUMBER), "big")
        file.truncate(min(size, most) * length)


def _pages_of(packed: bytes, length: int) -> Iterator[tuple[int, bytes]]:
    """Yield the pages of a segment with their numbers."""
    waiting = bytearray()
    at = NUMBER  # behind the size of the database
    for piece in pieces_of(packed, LARGEST):
        waiting += piece
        while len(waiting) - at >= NUMBER + length:
            begin = at + NUMBER
            yield int.from_bytes(waiting[at:begin], "big"), bytes(waiting[begin : begin + length])
            at = begin + length
        del waiting[:at]
        at = 0
    if len(waiting) - at > 0:
        raise zlib.error("it is incomplete")


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size == 1 else size
