"""Texts as hashed features: a feature is a checksum below 2**BITS of a name and a text.

Nothing here depends on a language. No text has feature 0, which stands for nothing.
"""

from __future__ import annotations

import re
from zlib import crc32

BITS = 20
MASK = (1 << BITS) - 1
DIGITS = re.compile(r"\d+")
ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
SEVERAL = re.compile(rb"00+")
WORDS = re.compile(r"[^\W\d_]+|\d+")


def checksum(text: str, start: int = 0) -> int:
    """Return the checksum of a text, after another with the checksum ``start``."""
    return crc32(text.encode("utf-8", "surrogatepass"), start)


def feature_of(name: str, text: str) -> int:
    """Return the feature of a text under a name; never 0.

    >>> feature_of("word", "data") == feature_of("word", "data") != feature_of("end", "data")
    True
    """
    return checksum(f"{name}\0{text}") & MASK or 1


def words(start: int, text: str) -> list[int]:
    """Return the features of the first three words of a text and its last; all numbers are alike.

    Args:
        start: Checksum of the name that the words are hashed under.
        text: Any text.

    >>> [number > 0 for number in words(checksum("anchor" + chr(0)), "Table 12")]
    [True, True, False, False]
    """
    found = WORDS.findall(text.lower()[:200])
    if len(found) > 4:
        found = [*found[:3], found[-1]]
    texts = [b"0" if word.isdigit() else word.encode() for word in found]
    features = [crc32(text, start) & MASK or 1 for text in texts]
    return features + [0] * (4 - len(features))


def without_numbers(text: str) -> str:
    """Put 0 in place of every number, faster than DIGITS does in a long text.

    >>> without_numbers("div.col-12/ul#list2000/a"), without_numbers("p.٣٤")
    ('div.col-0/ul#list0/a', 'p.0')
    """
    if not text.isascii():
        return DIGITS.sub("0", text)
    return SEVERAL.sub(b"0", text.encode().translate(ZEROS)).decode()
