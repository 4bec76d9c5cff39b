"""What a learner sees of a link: a short row of hashed features.

Every feature is a whole number below 2**BITS, a checksum of a name and a text.
A row has the same columns for every link; a column that does not apply holds
0, a feature whose weight is never learned. Nothing here depends on a language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.learn.paths import Groups, PathVectors

Rows = NDArray[np.intp]  # what numpy looks up by without converting

BITS = 20
MASK = (1 << BITS) - 1

# The columns of a row. The first three are the groups of the hierarchical estimate.
GROUP, CLUSTER, PATTERN, ENDING = 0, 1, 2, 3
PATH = slice(4, 9)
PLACE = slice(9, 12)
QUERY = 12
SHAPE = 13
SEGMENT = slice(14, 18)
ANCHOR = slice(18, 22)
WHOLE_ANCHOR = 22
SOURCE_KIND, SOURCE, LIST, LIST_KIND = 23, 24, 25, 26
FRUIT, FRUIT_LIST = 27, 28
FEATURES = 33  # that learners sum up; then come source-page patterns, used by groups only
COLUMNS = 36
# Group, cluster and source-page pattern of the place that shows the link, and of two further ones.
OWN, SECOND, THIRD = [GROUP, CLUSTER, 33], [29, 30, 34], [31, 32, 35]
GROUPS, CLUSTERS, SOURCE_PATTERNS = zip(OWN, SECOND, THIRD, strict=True)
FURTHER = [*SECOND, *THIRD]

# What a column says of a link, by the first column of each kind.
EVIDENCE = {
    GROUP: "similar links", ENDING: "the ending", PATH.start: "the place on the page",
    PLACE.start: "the directory", QUERY: "the query", SHAPE: "the words of the URL",
    ANCHOR.start: "the link text", SOURCE_KIND: "the page that links to it",
    FRUIT: "the files beside it", SECOND[0]: "similar links",
}  # fmt: skip

DIGITS = re.compile(r"\d+")
WORDS = re.compile(r"[^\W\d_]+|\d+")
KNOWN_PATHS = 50_000  # kept with their features; a site seldom has more than some thousands


def mark(name: str, text: str) -> int:
    """Return the feature of a text under a name; never 0.

    >>> mark("word", "data") == mark("word", "data") != mark("end", "data")
    True
    """
    return (crc32(f"{name}\0{text}".encode("utf-8", "surrogatepass")) & MASK) or 1


def strongest(row: Rows, weights: NDArray[np.float32]) -> str:
    """Return in words which kind of feature adds most to a sum of weights."""
    used = row[:FEATURES]
    column = int(np.where(used > 0, weights[used], -np.inf).argmax())
    return EVIDENCE[max(first for first in EVIDENCE if first <= column)]


def split_url(url: str) -> tuple[str, str, str]:
    """Return directory with host, last segment and query; digits stay.

    A slash at the end says little: the last segment is the last that has letters.

    >>> split_url("https://e.org/stats/2024/list/?page=2")
    ('e.org/stats/2024', 'list', 'page=2')
    >>> split_url("https://e.org/")
    ('e.org', '', '')
    """
    rest = url.partition("://")[2]
    path, _, query = rest.partition("?")
    folder, slash, segment = path.rstrip("/").rpartition("/")
    return (folder, segment, query) if slash else (segment, "", query)


def ending_of(segment: str) -> str:
    """Return the extension of a last segment in lower case, without its dot, or "".

    >>> ending_of("table.CSV"), ending_of("v1.2-final version"), ending_of("list")
    ('csv', '', '')
    """
    stem, dot, ending = segment.rpartition(".")
    return ending.lower() if stem and dot and ending.isalnum() and len(ending) <= 8 else ""


class LinkFeatures:
    """Turns links into rows, remembering tag paths and the page it reads."""

    def __init__(self) -> None:
        self._vectors = PathVectors()
        self._groups = Groups()
        self._paths: dict[str, tuple[int, tuple[int, ...], str, int]] = {}

    def rows(self, links: Sequence[Link], source_kind: int = 0, source_pattern: int = 0) -> Rows:
        """Return one row per link.

        Args:
            links: Sightings on one page.
            source_kind: The group the page itself belongs to.
            source_pattern: The pattern of the page's own URL.
        """
        made = np.zeros((len(links), COLUMNS), dtype=np.intp)
        for number, link in enumerate(links):
            made[number] = self._row(link, source_kind, source_pattern)
        return made

    def _row(self, link: Link, source_kind: int, source_pattern: int) -> list[int]:
        cluster, path, last, like = self._path(link.tag_path)
        folder, segment, query = split_url(link.url)
        if "%" in segment:
            segment = unquote(segment)
        ending = ending_of(segment)
        keys = "&".join(part.partition("=")[0] for part in query.split("&")[:8]) if query else ""
        pattern = DIGITS.sub("0", folder)
        kind = f"{pattern}/.{ending}?{keys}"
        stem = segment[: -len(ending) - 1] if ending else segment
        return [
            mark("group", f"{cluster} {kind}"),
            like,
            mark("pattern", kind),
            mark("end", ending if ending or segment else "/"),
            *path,
            *_places(pattern),
            mark("query", keys) if keys else 0,
            mark("shape", f"{pattern}/{DIGITS.sub('0', stem)[:80]}"),
            *_words("segment", stem, 4),
            *_words("anchor", link.anchor, 4),
            mark("called", DIGITS.sub("0", link.anchor.lower())) if link.anchor else 0,
            mark("on", str(source_kind)) if source_kind else 0,
            mark("source", link.source) if link.source else 0,
            mark("list", f"{link.source} {path[0]}") if link.source else 0,
            mark("on list", f"{source_kind} {last}") if source_kind else 0,
            *[0] * (FEATURES - FRUIT),
            mark("circle", f"{cluster} {kind} {source_pattern}"),
            *[0] * (COLUMNS - FEATURES - 1),
        ]

    def neighbours(self, link: Link, files: int) -> tuple[int, int]:
        """Return the features that say how many files stand on the page beside a link."""
        some = min(files.bit_length(), 4)
        last = self._path(link.tag_path)[2]
        return mark("beside", str(some)), mark("beside", f"{some} {last}")

    def cluster(self, link: Link) -> int:
        """Return what is in the column CLUSTER of a link's row."""
        return self._path(link.tag_path)[3]

    def _path(self, tag_path: str) -> tuple[int, tuple[int, ...], str, int]:
        known = self._paths.get(tag_path)
        if known is None:
            if len(self._paths) >= KNOWN_PATHS:
                self._paths.clear()
            plain = DIGITS.sub("0", tag_path)
            cluster = self._groups.join(*self._vectors.vector(plain))
            parts = plain.split("/")
            tails = ["/".join(parts[-n:]) for n in (2, 3, 4, 6)]
            marks = (mark("path", plain), *(mark("tail", tail) for tail in tails))
            like = mark("cluster", str(cluster))
            known = self._paths[tag_path] = (cluster, marks, tails[2], like)
        return known


def has_room(rows: Rows) -> NDArray[np.bool_]:
    """Say which links were shown in fewer than three groups."""
    found: NDArray[np.bool_] = rows[:, THIRD[0]] == 0
    return found


def never_in(clusters: Sequence[int], rows: Rows) -> NDArray[np.bool_]:
    """Say which links were never shown in these clusters, one for each.

    A link's URL stays the same, so another group is another cluster.
    """
    shown = np.array(clusters, dtype=np.intp)[:, None]
    found: NDArray[np.bool_] = (rows[:, list(CLUSTERS)] != shown).all(axis=1)
    return found


def merge(old: Rows, new: Rows) -> None:
    """Let two sightings of the same links know of each other's groups, in place."""
    free = old[:, SECOND[0]] == 0
    new[:, FURTHER] = old[:, FURTHER]
    for column, chosen in ((SECOND, free), (THIRD, ~free)):
        at = np.flatnonzero(chosen)[:, None]
        new[at, column] = old[at, OWN]
        old[at, column] = new[at, OWN]


def _places(pattern: str) -> tuple[int, int, int]:
    """Return the host, and the directories one and two levels down."""
    parts = pattern.split("/", 3)
    one = mark("place", "/".join(parts[:2])) if len(parts) > 1 else 0
    two = mark("place", "/".join(parts[:3])) if len(parts) > 2 else 0
    return mark("place", parts[0]), one, two


def _words(name: str, text: str, most: int) -> list[int]:
    """Return the first words of a text and its last, numbers all alike."""
    words = WORDS.findall(text.lower()[:200])
    if len(words) > most:
        words = [*words[: most - 1], words[-1]]
    marks = [mark(name, "0" if word.isdigit() else word) for word in words]
    return marks + [0] * (most - len(marks))
