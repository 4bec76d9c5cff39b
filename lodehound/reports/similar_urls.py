"""Known URLs that are similar to an unknown one."""

from __future__ import annotations

import difflib
import heapq
import re
from collections.abc import Iterable

CLOSER_LOOK = 300  # compared letter by letter; the others are filtered by their words
CLOSE = 0.6
_WORDS = re.compile(r"[^\W_]+")


def nearest(url: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Return the known URLs that are most similar to this one, most similar first.

    The last segment counts as much as all of the URL: people remember the name of a file better
    than its folder.

    >>> known = ["https://e.org/stats/2024", "https://e.org/about", "https://e.org/a/b/prices.csv"]
    >>> nearest("https://e.org/stats/2042", known)
    ['https://e.org/stats/2024']
    >>> nearest("http://www.e.org/data/prices.csv", known)
    ['https://e.org/a/b/prices.csv']
    """
    wanted = _bare(url)
    words, name = set(_WORDS.findall(wanted)), wanted.rpartition("/")[2]

    def shared(other: str) -> tuple[int, int]:
        bare = _bare(other)
        return len(words.intersection(_WORDS.findall(bare))), -abs(len(bare) - len(wanted))

    def likeness(other: str) -> float:
        bare = _bare(other)
        return (_ratio(wanted, bare) + _ratio(name, bare.rpartition("/")[2])) / 2

    scored = [(likeness(one), one) for one in heapq.nlargest(CLOSER_LOOK, known, key=shared)]
    best = heapq.nlargest(count, (pair for pair in scored if pair[0] >= CLOSE))
    # A clear match needs no others beside it.
    return [other for score, other in best if score >= best[0][0] - 0.15]


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _bare(url: str) -> str:
    """Remove what people get wrong: scheme, www, case, a trailing slash."""
    return url.lower().partition("//")[2].removeprefix("www.").rstrip("/")
