"""Known URLs that are similar to an unknown one."""

from __future__ import annotations

import difflib
import heapq
from collections.abc import Iterable

from lodehound.core.urls import extension_of

CLOSER_LOOK = 200  # compared letter by letter; the others are filtered by their parts


def nearest(url: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return the known URLs that are most similar to this one, most similar first.

    >>> known = ["https://e.org/stats/2024", "https://e.org/about"]
    >>> nearest("https://e.org/stats/2042", known)
    ['https://e.org/stats/2024']
    """
    wanted = _bare(url)
    parts = set(wanted.split("/"))

    def shared(other: str) -> tuple[int, bool, int]:
        bare = _bare(other)
        same = len(parts.intersection(bare.split("/")))
        return same, extension_of(other) == extension_of(url), -abs(len(bare) - len(wanted))

    candidates = heapq.nlargest(CLOSER_LOOK, known, key=shared)
    scored = [
        (difflib.SequenceMatcher(None, wanted, _bare(other)).ratio(), other) for other in candidates
    ]
    best = [entry for entry in scored if entry[0] >= 0.8] or [e for e in scored if e[0] >= 0.6]
    return [other for _, other in heapq.nlargest(count, best)]


def _bare(url: str) -> str:
    """Remove what people get wrong: scheme, www, case, a trailing slash."""
    return url.lower().partition("//")[2].removeprefix("www.").rstrip("/")
