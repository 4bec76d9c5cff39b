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
from lodehound.learn.hashing import MASK, checksum, feature_of, without_numbers, words
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
GROUPS, CLUSTERS = map(list, zip(OWN, SECOND, THIRD, strict=True))
# Levels of the group means: the pattern that a link's groups share, their clusters, the groups.
LEVELS = np.array([PATTERN, *CLUSTERS, *GROUPS])
FIRST_LEVELS = np.array([PATTERN, CLUSTER, GROUP])  # of links that were seen once

# What a column says about a link, by the first column of each kind.
EVIDENCE = {
    GROUP: "similar links", ENDING: "the ending", PATH.start: "the place on the page",
    HOST: "the directory", QUERY: "the query", SHAPE: "the words of the URL",
    ANCHOR.start: "the link text", SOURCE_GROUP: "the page that links to it",
    SECOND[0]: "similar links",
}  # fmt: skip

CACHED = 50_000  # tag paths, URL patterns and anchors that are kept with their features
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
        self._path = lru_cache(maxsize=CACHED)(self._read_path)

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
            cluster, start, path = self._path(link.tag_path)
            pattern, url = _url(link.url)
            if link.source != page:
                page = link.source
                on_page = feature_of("source", page) if page else 0
            made += (
                crc32(pattern, start) & MASK or 1, cluster, *url[:2], *path, *url[2:],
                *_anchor(link.anchor), on_group, on_page, on_find, 0, 0, 0, 0,
            )  # fmt: skip
        return np.fromiter(made, np.intp, len(made)).reshape(-1, COLUMNS)

    def in_new_groups(self, links: Sequence[Link], rows: Rows) -> Rows:
        """Return the indices of sightings that add a group to their link.

        Args:
            links: New sightings of links.
            rows: What is known of each of them.
        """
        with_room = np.flatnonzero(rows[:, THIRD[0]] == 0)
        # The URL of a link stays the same, so another cluster is another group.
        clusters = [self._path(links[at].tag_path)[0] for at in with_room.tolist()]
        new = rows[with_room][:, CLUSTERS] != np.array(clusters, dtype=np.intp)[:, None]
        found: Rows = with_room[new.all(axis=1)]
        return found

    def _read_path(self, tag_path: str) -> tuple[int, int, list[int]]:
        """Return CLUSTER, the checksum that the groups of the cluster begin with, and PATH."""
        plain = without_numbers(tag_path)
        cluster = self._clusters.join(*self._vectors.vector(plain))
        whole = plain.encode("utf-8", "surrogatepass")
        parts = whole.split(b"/")
        tails = [crc32(b"/".join(parts[-n:]), OF_TAIL) for n in (2, 3, 4, 6)]
        path = [number & MASK or 1 for number in (crc32(whole, OF_PATH), *tails)]
        return feature_of("cluster", str(cluster)), checksum(f"group\0{cluster} "), path


@lru_cache(maxsize=CACHED)
def _source(group: int, found: bool, label: str) -> tuple[int, int]:
    """Return SOURCE_GROUP and SOURCE_FIND of the links of a page."""
    if not group:
        return 0, 0
    return feature_of("on", str(group)), feature_of("on find", f"{found} {label}")


@lru_cache(maxsize=CACHED_URLS)
def _url(url: str) -> tuple[bytes, list[int]]:
    """Return the pattern, and the columns PATTERN, ENDING, and from HOST to SEGMENT."""
    folder, segment, query = split_url(url)
    if "%" in segment:
        segment = unquote(segment)
    ending = ending_of(segment)
    names = [part.partition("=")[0] for part in query.split("&")[:8]]
    keys = without_numbers("&".join(names))
    pattern, features, start = _pattern(folder, ending if ending or segment else "/", keys)
    stem = segment[: -len(ending) - 1] if ending else segment
    shape = checksum(without_numbers(stem)[:80], start) & MASK or 1
    return pattern, [*features, shape, *words(IN_SEGMENT, stem)]


@lru_cache(maxsize=CACHED)
def _pattern(folder: str, end: str, keys: str) -> tuple[bytes, list[int], int]:
    """Return what similar URLs share, its features, and the checksum that shapes begin with.

    Args:
        folder: Host and directory.
        end: Ending of the last segment.
        keys: Of the query.
    """
    folder = without_numbers(folder)
    pattern = f"{folder}/.{end.strip('/')}?{keys}"
    places, whole = [0, 0, 0], checksum("place\0")
    for at, part in enumerate(folder.split("/", 3)[:3]):
        whole = checksum(f"/{part}" if at else part, whole)
        places[at] = whole & MASK or 1
    features = [feature_of("pattern", pattern), feature_of("end", end), *places]
    features.append(feature_of("query", keys) if keys else 0)
    return pattern.encode("utf-8", "surrogatepass"), features, checksum(f"shape\0{folder}/")


@lru_cache(maxsize=CACHED)
def _anchor(text: str) -> tuple[int, ...]:
    """Return some words of a link's text, and the whole of it."""
    whole = feature_of("called", without_numbers(text.lower())) if text else 0
    return (*words(IN_ANCHOR, text), whole)


def merge(old: Rows, new: Rows) -> None:
    """Add the groups of two sightings of the same links to each other, in place."""
    each = np.arange(len(old))[:, None]
    free = np.where(old[:, SECOND[:1]] == 0, SECOND, THIRD)
    new[:, SECOND + THIRD] = old[:, SECOND + THIRD]
    new[each, free], old[each, free] = old[:, OWN], new[:, OWN]
