"""Features of a link: a row of hashed features, the same columns for every link.

A column that does not apply holds 0, a feature whose weight stays 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.learn.hashing import MASK, checksum, mark, without_numbers, words
from lodehound.learn.paths import Groups, PathVectors
from lodehound.learn.url_parts import ending_of, split_url

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Rows = NDArray[np.intp]  # the type that numpy indexes with, without a conversion

# Columns. A group is a pair of (tag path cluster, URL pattern).
GROUP, CLUSTER, PATTERN, ENDING = 0, 1, 2, 3
PATH = slice(4, 9)
HOST = 9  # then the directories one and two levels down
QUERY, SHAPE = 12, 13
SEGMENT = slice(14, 18)
ANCHOR = slice(18, 23)
SOURCE_GROUP, SOURCE, SOURCE_FIND = 23, 24, 25
SECOND, THIRD = [26, 27], [28, 29]  # group and cluster of further sightings
COLUMNS = 30
OWN = [GROUP, CLUSTER]
GROUPS, CLUSTERS = (
    [own, second, third] for own, second, third in zip(OWN, SECOND, THIRD, strict=True)
)

# What a column says about a link, by the first column of each kind.
EVIDENCE = {
    GROUP: "similar links", ENDING: "the ending", PATH.start: "the place on the page",
    HOST: "the directory", QUERY: "the query", SHAPE: "the words of the URL",
    ANCHOR.start: "the link text", SOURCE_GROUP: "the page that links to it",
    SECOND[0]: "similar links",
}  # fmt: skip

CACHED = 50_000  # tag paths, kinds of URLs and anchors that are kept with their features
CACHED_URLS = 4096  # a URL that is seen again is mostly seen again soon


class SourcePage(NamedTuple):
    """The page that contains links, as far as a policy knows it."""

    group: int = 0
    found: bool = False
    label: str = ""  # of the find
    relevance: float = 0.0  # to the topic, if there is one


UNKNOWN_SOURCE = SourcePage()


# What checksums of words and tag paths begin with.
IN_SEGMENT, IN_ANCHOR, OF_PATH, OF_TAIL = (
    checksum(f"{name}\0") for name in ("segment", "anchor", "path", "tail")
)


def strongest(row: Rows, weights: Floats) -> str:
    """Return in words which kind of feature adds most to a sum of these weights."""
    column = int(np.where(row > 0, weights, -np.inf).argmax())
    return EVIDENCE[max(first for first in EVIDENCE if first <= column)]


class LinkFeatures:
    """Turns links into rows; remembers tag paths and their clusters."""

    def __init__(self) -> None:
        self._vectors = PathVectors()
        self._clusters = Groups()
        self._paths: dict[str, tuple[int, int, list[int]]] = {}

    def rows(self, links: Sequence[Link], source: SourcePage = UNKNOWN_SOURCE) -> Rows:
        """Return one row per link.

        Args:
            links: Sightings, as a rule on one page.
            source: That page; unknown if there are several.
        """
        on_group, on_find = _source(source.group, source.found, source.label)
        page, on_page = "", 0  # of the last link
        made: list[int] = []
        for link in links:
            cluster, start, marks = self._path(link.tag_path)
            kind, url_marks = _url(link.url)
            if link.source != page:
                page = link.source
                on_page = mark("source", page) if page else 0
            made += (
                crc32(kind, start) & MASK or 1, cluster, *url_marks[:2], *marks, *url_marks[2:],
                *_anchor(link.anchor), on_group, on_page, on_find, 0, 0, 0, 0,
            )  # fmt: skip
        return np.fromiter(made, np.intp, len(made)).reshape(-1, COLUMNS)

    def clusters(self, links: Sequence[Link]) -> list[int]:
        """Return what is in the column CLUSTER of the rows of links."""
        return [self._path(link.tag_path)[0] for link in links]

    def _path(self, tag_path: str) -> tuple[int, int, list[int]]:
        """Return CLUSTER, the checksum that the groups of the cluster begin with, and PATH."""
        known = self._paths.get(tag_path)
        if known is None:
            if len(self._paths) >= CACHED:
                self._paths.clear()
            plain = without_numbers(tag_path)
            cluster = self._clusters.join(*self._vectors.vector(plain))
            whole = plain.encode("utf-8", "surrogatepass")
            parts = whole.split(b"/")
            tails = [crc32(b"/".join(parts[-n:]), OF_TAIL) for n in (2, 3, 4, 6)]
            marks = [number & MASK or 1 for number in (crc32(whole, OF_PATH), *tails)]
            known = mark("cluster", str(cluster)), checksum(f"group\0{cluster} "), marks
            self._paths[tag_path] = known
        return known


@lru_cache(maxsize=CACHED)
def _source(group: int, found: bool, label: str) -> tuple[int, int]:
    """Return SOURCE_GROUP and SOURCE_FIND of the links of a page."""
    return (mark("on", str(group)), mark("on find", f"{found} {label}")) if group else (0, 0)


@lru_cache(maxsize=CACHED_URLS)
def _url(url: str) -> tuple[bytes, list[int]]:
    """Return what similar URLs share, and PATTERN, ENDING and the columns from HOST to SEGMENT."""
    folder, segment, query = split_url(url)
    if "%" in segment:
        segment = unquote(segment)
    ending = ending_of(segment)
    keys = "&".join([part.partition("=")[0] for part in query.split("&")[:8]]) if query else ""
    kind, marks, start = _kind(folder, ending if ending or segment else "/", keys)
    stem = segment[: -len(ending) - 1] if ending else segment
    shape = checksum(without_numbers(stem)[:80], start) & MASK or 1
    return kind, [*marks, shape, *words(IN_SEGMENT, stem)]


@lru_cache(maxsize=CACHED)
def _kind(folder: str, end: str, keys: str) -> tuple[bytes, list[int], int]:
    """Return what similar URLs share, features of it, and the checksum that shapes begin with.

    Args:
        folder: Host and directory.
        end: Ending of the last segment.
        keys: Of the query.
    """
    pattern = without_numbers(folder)
    kind = f"{pattern}/.{end.strip('/')}?{keys}"
    places, whole = [0, 0, 0], checksum("place\0")
    for at, part in enumerate(pattern.split("/", 3)[:3]):
        whole = checksum(f"/{part}" if at else part, whole)
        places[at] = whole & MASK or 1
    marks = [mark("pattern", kind), mark("end", end), *places, mark("query", keys) if keys else 0]
    return kind.encode("utf-8", "surrogatepass"), marks, checksum(f"shape\0{pattern}/")


@lru_cache(maxsize=CACHED)
def _anchor(text: str) -> tuple[int, ...]:
    """Return some words of a link's text, and the whole of it."""
    whole = mark("called", without_numbers(text.lower())) if text else 0
    return (*words(IN_ANCHOR, text), whole)


def groups_of(row: Rows) -> list[int]:
    """Return the groups that a link was seen in."""
    return [group for group in row[GROUPS].tolist() if group]


def has_room(rows: Rows) -> NDArray[np.bool_]:
    """Return which links were seen in fewer than three groups."""
    found: NDArray[np.bool_] = rows[:, THIRD[0]] == 0
    return found


def in_new_cluster(rows: Rows, clusters: Sequence[int]) -> NDArray[np.bool_]:
    """Return which links were never seen in the given cluster, one for each link.

    A link's URL stays the same, so another cluster is another group.
    """
    new = rows[:, CLUSTERS] != np.array(clusters, dtype=np.intp)[:, None]
    found: NDArray[np.bool_] = new.all(axis=1)
    return found


def merge(old: Rows, new: Rows) -> None:
    """Add the groups of two sightings of the same links to each other, in place."""
    each = np.arange(len(old))[:, None]
    free = np.where(old[:, SECOND[:1]] == 0, SECOND, THIRD)
    new[:, SECOND + THIRD] = old[:, SECOND + THIRD]
    new[each, free], old[each, free] = old[:, OWN], new[:, OWN]
