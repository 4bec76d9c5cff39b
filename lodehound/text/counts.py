"""Numbers of things, in words."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number of things.

    >>> counted(1, "file"), counted(1200, "file"), counted(2, "try", "tries")
    ('1 file', '1,200 files', '2 tries')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
