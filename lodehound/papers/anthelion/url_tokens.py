"""URLs as sets of hashed tokens (Anthelion paper, Sec. 3.1)."""

from __future__ import annotations

import re
from functools import lru_cache

COLUMNS = 10_000  # the paper's k: the best of 5,000 to 20,000
NUMBER = "[NUMBER]"
MIN_LENGTH = 3
MAX_TOKENS = 50  # of one URL
TOKEN = re.compile(r"[^\W_]+")


def java_hash(text: str) -> int:
    """Return Java's ``String.hashCode``, which the footnote to Equation 1 specifies.

    >>> java_hash("hello"), java_hash("polygenelubricants")
    (99162322, -2147483648)
    """
    value = 0
    for unit in _units(text):
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def _units(text: str) -> list[int]:
    """Return the UTF-16 code units, the characters of Java."""
    raw = text.encode("utf-16-be", "surrogatepass")
    return [raw[i] << 8 | raw[i + 1] for i in range(0, len(raw), 2)]


def tokens(url: str) -> list[str]:
    """Return the tokens of path and query; every number is one token, short tokens are dropped.

    >>> tokens("https://e.example/blog/2014/11/My_post.html?id=7&v=abc")
    ['blog', '[NUMBER]', '[NUMBER]', 'post', 'html', '[NUMBER]', 'abc']
    """
    path = url.split("/", 3)[-1].lower() if url.count("/") > 2 else ""
    found = []
    for token in TOKEN.findall(path)[:MAX_TOKENS]:
        if token.isdigit():
            found.append(NUMBER)
        elif len(token) >= MIN_LENGTH:
            found.append(token)
    return found


@lru_cache(maxsize=65536)
def column(token: str) -> int:
    """Return the column of a token: Equation 1 with its footnote."""
    return abs(java_hash(token)) % COLUMNS


def columns(url: str) -> list[int]:
    """Return the distinct columns that are 1 in the vector of a URL."""
    return list({column(token): None for token in tokens(url)})
