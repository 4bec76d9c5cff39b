"""Cuts the site's own name off the titles of its pages: "Births | Office of Statistics"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

SEPARATOR = re.compile(r"\s+[|\-\u2013—·•»«:/]+\s+|\s?[|»«]\s?|\s?::\s?|: ")
SHARE = 0.3  # of the titles of a host that begin or end with a name of the site
LEAST = 3  # titles


class SiteNames:
    """What many titles of the pages of a host begin or end with.

    Args:
        titles: Hosts and titles of pages.
    """

    def __init__(self, titles: Iterable[tuple[str, str]]) -> None:
        by_host: defaultdict[str, set[str]] = defaultdict(set)
        for host, title in titles:
            by_host[host].add(title)
        self._names = {host: _shared(of) for host, of in by_host.items()}

    def cut(self, host: str, title: str) -> str:
        """Return a title without the name of the site; "" if it is nothing else."""
        names = self._names.get(host, frozenset())
        parts = _parts(title)
        while len(parts) > 1 and _text(title, parts[-1]) in names:
            parts.pop()
        while len(parts) > 1 and _text(title, parts[0]) in names:
            parts.pop(0)
        kept = title[parts[0][0] : parts[-1][1]] if parts else ""
        return "" if kept.casefold() in names else kept


def _shared(titles: set[str]) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for title in titles:
        parts = _parts(title)
        if len(parts) > 1:
            counts.update({_text(title, parts[0]), _text(title, parts[-1])})
    least = max(LEAST, SHARE * len(titles))
    return frozenset(name for name, count in counts.items() if count >= least)


def _parts(title: str) -> list[tuple[int, int]]:
    """Return where the parts of a title begin and end.

    >>> _parts("A | B: C")
    [(0, 1), (4, 5), (7, 8)]
    """
    edges = [0]
    for separator in SEPARATOR.finditer(title):
        edges += separator.span()
    edges.append(len(title))
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [(begin, end) for begin, end in pairs if title[begin:end].strip()]


def _text(title: str, part: tuple[int, int]) -> str:
    return title[slice(*part)].casefold()
