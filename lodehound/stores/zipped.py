"""Unpacks what a database or an object store holds, which may be somebody else's."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

MOST = 2**30  # bytes: more than the links of any page, or the changes of any database at once
PIECE = 2**20  # bytes that are unpacked at a time


class TooLongError(zlib.error):
    """Unpacked, it is longer than it may be."""


def unzipped(packed: bytes, most: int = MOST) -> bytes:
    """Return what zlib has packed; raises as `pieces_of` does.

    >>> unzipped(zlib.compress(b"links"))
    b'links'
    """
    return b"".join(pieces_of(packed, most))


def pieces_of(packed: bytes, most: int = MOST) -> Iterator[bytes]:
    """Yield what zlib has packed, a piece at a time.

    Raises:
        TooLongError: It is longer than the limit.
        zlib.error: It is damaged or incomplete.
    """
    unpacker, length = zlib.decompressobj(), 0
    while not unpacker.eof:
        piece = unpacker.decompress(packed, PIECE)
        packed = unpacker.unconsumed_tail
        length += len(piece)
        if length > most:
            raise TooLongError("it is too long")
        if not (piece or packed or unpacker.eof):
            raise zlib.error("it is incomplete")
        yield piece
