"""Random mutations of bytes."""

from __future__ import annotations

import random

# What tends to upset readers: lengths, ends, depths, quotes, numbers out of range.
TOKENS = (
    b"\x00", b"\xff" * 4, b"\x7f\xff\xff\xff", b"<", b">", b'"', b"'", b"&", b"&#x110000;", b"]]>",
    b"<!--", b"{", b"[", b"(", b"\\", b"%", b"*", b"$", b"\r\n\r\n", b"\xef\xbb\xbf",
    b"\xed\xa0\x80", b"1e999", b"-1", b"99999999999", b"A1:XFD1048576", b"://", b"//", b"@", b"#",
)  # fmt: skip


def mutated(body: bytes, rng: random.Random) -> bytes:
    """Return a copy with one to eight random changes."""
    data = bytearray(body)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data) + 1)
        end = min(at + rng.choice([1, 2, 8, 64]), len(data))
        kind = rng.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = rng.choice(TOKENS)
        elif kind == 3:
            data[at:end] = rng.choice(TOKENS)
        elif kind == 4:
            data[at:at] = bytes(data[at:end]) * rng.choice([1, 10, 500])
        else:
            data[at:end] = rng.randbytes(end - at)
    return bytes(data[: 1 << 20])
