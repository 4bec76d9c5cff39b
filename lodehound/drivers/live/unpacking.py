"""Unpacks the body of a response piece by piece, as browsers do."""

from __future__ import annotations

import re
import zlib

BEGIN = 1024  # bytes by which it is decided whether a body is packed
CONTROL = re.compile(rb"[^\t\n\f\r -~\x80-\xff]")  # in no text, in almost everything packed
GZIP = b"\x1f\x8b"  # how gzip begins (RFC 1952, 2.3.1)
MEMBERS = 1000  # after the first
PACKED = {"gzip", "x-gzip", "deflate"}
# Real codings that we did not ask for. Everything else is a misuse of the header.
FOREIGN = {
    "aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
}  # fmt: skip


class Unpacker:
    """Decompresses piece by piece, up to a limit.

    A coding that nobody knows (``utf-8``), or that the body is not in (gzip that was declared and
    not used), is ignored. Raw deflate is accepted as deflate.

    Args:
        declared: The header Content-Encoding.
        limit: Bytes of the unpacked body that are kept.

    Attributes:
        ignored: The declared coding, if it was ignored.
        broken: The packed body is damaged; what came before the damage is kept.

    Raises:
        ValueError: The coding is a real one that we cannot unpack.
    """

    def __init__(self, declared: str, limit: int) -> None:
        names = [name.strip().lower() for name in declared.split(",")]
        known = [name for name in names if name in PACKED | FOREIGN]
        if len(known) > 1 or FOREIGN.intersection(known):
            raise ValueError(f"content encoding {declared.strip()[:40]!r} was not asked for")
        self.broken = False
        self.ignored = "" if known or names in (["identity"], [""]) else declared.strip()
        self._declared = declared.strip()
        self._coding = known[0] if known else ""
        self._inflate: zlib._Decompress | None = None
        self._begin = b""  # until it is clear whether the body is packed
        self._left = limit
        self._members = 0
        self._parts: list[bytes] = []

    @property
    def ended(self) -> bool:
        """Return whether what is packed came to its end."""
        return not self.broken and (self._inflate is None or self._inflate.eof)

    def feed(self, chunk: bytes, *, last: bool = False) -> bool:
        """Take in a piece; False once the limit is passed or the body is broken.

        Args:
            chunk: The next bytes.
            last: They are the last ones: a short body is decided on now.
        """
        if self._coding and self._inflate is None:
            self._begin += chunk
            if len(self._begin) < BEGIN and not last:
                return True
            chunk, self._begin = self._begin, b""
            self._start(chunk)
        if self._inflate is not None:
            chunk = self._unpacked(chunk)
        self._parts.append(chunk[: self._left])
        whole = len(chunk) <= self._left
        self._left -= min(len(chunk), self._left)
        return whole and not self.broken

    def _start(self, begin: bytes) -> None:
        """Decide by its beginning how a body is packed, if it is."""
        if begin.startswith(GZIP):
            self._inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            return
        forms = (
            (zlib.MAX_WBITS, -zlib.MAX_WBITS) if self._coding == "deflate" else (zlib.MAX_WBITS,)
        )
        wbits = next((form for form in forms if _unpacks(begin, form)), None)
        if wbits is None or not CONTROL.search(begin):
            self.ignored, self._coding = self._declared, ""
        else:
            self._inflate = zlib.decompressobj(wbits=wbits)

    def _unpacked(self, chunk: bytes) -> bytes:
        """Unpack a piece; a packed body may have several members (RFC 1952, 2.2)."""
        parts: list[bytes] = []
        room = self._left + 1
        while chunk and room and self._inflate is not None:
            if self._inflate.eof:
                if not chunk.startswith(GZIP) or self._members == MEMBERS:
                    break  # as browsers do: what follows the end does not count
                self._inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
                self._members += 1
            try:
                parts.append(self._inflate.decompress(chunk, room))
            except zlib.error:
                self.broken = True
                break
            room -= len(parts[-1])
            chunk = self._inflate.unused_data
        return b"".join(parts)

    def body(self) -> bytes:
        return b"".join(self._parts)


def _unpacks(begin: bytes, wbits: int) -> bool:
    """Return whether the beginning of a body can be unpacked in a form of deflate."""
    try:
        zlib.decompressobj(wbits=wbits).decompress(begin, 64)
    except zlib.error:
        return False
    return True
