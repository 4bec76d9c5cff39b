"""Unpacks what a database or an object store holds, which may be somebody else's."""

from __future__ import annotations

import zlib

MOST = 2**30  # bytes: more than the links of any page, or the changes of any database at once


def unzipped(packed: bytes, most: int = MOST) -> bytes:
    """Return what zlib has packed.

    Raises:
        zlib.error: It is damaged, incomplete or longer than the limit.

    >>> unzipped(zlib.compress(b"links"))
    b'links'
    """
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, most)
    if not unpacker.eof:
        # The data may end exactly at the limit.
        rest = unpacker.decompress(unpacker.unconsumed_tail, 1)
        if rest or not unpacker.eof:
            raise zlib.error("it is incomplete or too long")
    return data
