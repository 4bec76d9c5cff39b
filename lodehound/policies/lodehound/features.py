"""Features of a link: a row of hashed features, the same columns for every link.

A feature is a checksum below 2**BITS of a name and a text. A column that does not apply
holds 0, a feature whose weight stays 0. Nothing here depends on a language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.learn.paths import Groups, PathVectors

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Rows = NDArray[np.intp]  # the type that numpy indexes with, without a conversion

BITS = 20
MASK = (1 << BITS) - 1

# Columns. A group is a pair of (tag path cluster, URL pattern).
GROUP, CLUSTER, PATTERN, ENDING = 0, 1, 2, 3
PATH = slice(4, 9)
HOST = 9  # then the directories one and two levels down
QUERY, SHAPE = 12, 13
SEGMENT = slice(14, 18)
ANCHOR = slice(18, 23)
SOURCE_GROUP, SOURCE, LIST, SOURCE_LIST = 23, 24, 25, 26
SOURCE_FIND = 27
SECOND, THIRD = [28, 29], [30, 31]  # group and cluster of further sightings
COLUMNS = 32
OWN = [GROUP, CLUSTER]
SIGHTINGS = (OWN, SECOND, THIRD)

# What a column says about a link, by the first column of each kind.
EVIDENCE = {
    GROUP: "similar links", ENDING: "the ending", PATH.start: "the place on the page",
    HOST: "the directory", QUERY: "the query", SHAPE: "the words of the URL",
    ANCHOR.start: "the link text", SOURCE_GROUP: "the page that links to it",
    SECOND[0]: "similar links",
}  # fmt: skip

DIGITS = re.compile(r"\d+")
WORDS = re.compile(r"[^\W\d_]+|\d+")
CACHED = 50_000  # tag paths, kinds of URLs and anchors kept with their features
CACHED_URLS = 4096  # a URL that is seen again is mostly seen again soon


class PathFeatures(NamedTuple):
    """Features of a tag path."""

    cluster: int
    feature: int  # of the cluster
    marks: tuple[int, ...]  # PATH
    tail: str  # its last four elements


class UrlFeatures(NamedTuple):
    """Features of a URL."""

    kind: str  # host, directory, ending and query, without what differs among similar URLs
    kinds: tuple[int, int]  # PATTERN and ENDING
    marks: tuple[int, ...]  # from HOST to SEGMENT


class SourcePage(NamedTuple):
    """The page that contains links, as far as a policy knows it."""

    group: int = 0
    found: bool = False
    label: str = ""  # of the find
    relevance: float = 0.0  # to the topic, if there is one


UNKNOWN_SOURCE = SourcePage()


def mark(name: str, text: str) -> int:
    """Return the feature of a text under a name; never 0.

    >>> mark("word", "data") == mark("word", "data") != mark("end", "data")
    True
    """
    return (crc32(f"{name}\0{text}".encode("utf-8", "surrogatepass")) & MASK) or 1


def strongest(row: Rows, weights: Floats) -> str:
    """Return in words which kind of feature adds most to a sum of these weights."""
    column = int(np.where(row > 0, weights, -np.inf).argmax())
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
    """Turns links into rows; remembers tag paths."""

    def __init__(self) -> None:
        self._vectors = PathVectors()
        self._clusters = Groups()
        self._paths: dict[str, PathFeatures] = {}

    def rows(self, links: Sequence[Link], source: SourcePage = UNKNOWN_SOURCE) -> Rows:
        """Return one row per link.

        Args:
            links: Sightings on one page.
            source: That page.
        """
        group, page = source.group, links[0].source if links else ""
        on_group = mark("on", str(group)) if group else 0
        on_page = mark("source", page) if page else 0
        on_find = mark("on find", f"{source.found} {source.label}") if group else 0
        lists: dict[tuple[str, str], tuple[int, int]] = {}  # of the links at one place of a page
        made = np.zeros((len(links), COLUMNS), dtype=np.intp)
        for row, link in zip(made, links, strict=True):
            path, url = self._path(link.tag_path), _url(link.url)
            place = link.tag_path, link.source
            if place not in lists:
                here = mark("list", f"{link.source} {path.marks[0]}") if link.source else 0
                lists[place] = here, mark("on list", f"{group} {path.tail}") if group else 0
            kind = mark("group", f"{path.cluster} {url.kind}"), path.feature
            anchor = _anchor(link.anchor)
            row[: SECOND[0]] = (
                *kind, *url.kinds, *path.marks, *url.marks, *anchor,
                on_group, on_page, *lists[place], on_find,
            )  # fmt: skip
        return made

    def clusters(self, links: Sequence[Link]) -> list[int]:
        """Return what is in the column CLUSTER of the rows of links."""
        return [self._path(link.tag_path).feature for link in links]

    def _path(self, tag_path: str) -> PathFeatures:
        known = self._paths.get(tag_path)
        if known is None:
            if len(self._paths) >= CACHED:
                self._paths.clear()
            plain = DIGITS.sub("0", tag_path)
            cluster = self._clusters.join(*self._vectors.vector(plain))
            known = PathFeatures(cluster, mark("cluster", str(cluster)), *_tails(plain))
            self._paths[tag_path] = known
        return known


@lru_cache(maxsize=CACHED_URLS)
def _url(url: str) -> UrlFeatures:
    folder, segment, query = split_url(url)
    if "%" in segment:
        segment = unquote(segment)
    ending = ending_of(segment)
    keys = "&".join(part.partition("=")[0] for part in query.split("&")[:8]) if query else ""
    pattern, kind, kind_mark, places = _kind(folder, ending, keys)
    end = mark("end", ending if ending or segment else "/")
    stem = segment[: -len(ending) - 1] if ending else segment
    shape = mark("shape", f"{pattern}/{DIGITS.sub('0', stem)[:80]}")
    return UrlFeatures(kind, (kind_mark, end), (*places, shape, *_words("segment", stem, 4)))


def groups_of(row: Rows) -> list[int]:
    """Return the groups that a link was seen in."""
    return [int(row[group]) for group, _ in SIGHTINGS if row[group]]


def has_room(rows: Rows) -> NDArray[np.bool_]:
    """Return which links were seen in fewer than three groups."""
    found: NDArray[np.bool_] = rows[:, THIRD[0]] == 0
    return found


def never_in(clusters: Sequence[int], rows: Rows) -> NDArray[np.bool_]:
    """Return which links were never seen in the given cluster, one for each link.

    A link's URL stays the same, so another group is another cluster.
    """
    seen = rows[:, [cluster for _, cluster in SIGHTINGS]]
    found: NDArray[np.bool_] = (seen != np.array(clusters, dtype=np.intp)[:, None]).all(axis=1)
    return found


def merge(old: Rows, new: Rows) -> None:
    """Add the groups of two sightings of the same links to each other, in place."""
    free = old[:, SECOND[0]] == 0
    further = [*SECOND, *THIRD]
    new[:, further] = old[:, further]
    for columns, chosen in ((SECOND, free), (THIRD, ~free)):
        at = np.flatnonzero(chosen)[:, None]
        new[at, columns] = old[at, OWN]
        old[at, columns] = new[at, OWN]


@lru_cache(maxsize=CACHED)
def _tails(path: str) -> tuple[tuple[int, ...], str]:
    """Return the features of a path and its last elements, and its last four elements."""
    parts = path.split("/")
    tails = ["/".join(parts[-n:]) for n in (2, 3, 4, 6)]
    return (mark("path", path), *(mark("tail", tail) for tail in tails)), tails[2]


@lru_cache(maxsize=CACHED)
def _kind(folder: str, ending: str, keys: str) -> tuple[str, str, int, tuple[int, ...]]:
    """Return a directory without its digits, what similar URLs share, and the features of both."""
    pattern = DIGITS.sub("0", folder)
    kind = f"{pattern}/.{ending}?{keys}"
    parts = pattern.split("/", 3)
    places = (mark("place", "/".join(parts[:n])) if n <= len(parts) else 0 for n in (1, 2, 3))
    return pattern, kind, mark("pattern", kind), (*places, mark("query", keys) if keys else 0)


@lru_cache(maxsize=CACHED)
def _anchor(text: str) -> tuple[int, ...]:
    """Return some words of a link's text, and the whole of it."""
    whole = mark("called", DIGITS.sub("0", text.lower())) if text else 0
    return (*_words("anchor", text, 4), whole)


def _words(name: str, text: str, most: int) -> list[int]:
    """Return the first words of a text and its last; all numbers are alike."""
    words = WORDS.findall(text.lower()[:200])
    if len(words) > most:
        words = [*words[: most - 1], words[-1]]
    marks = [mark(name, "0" if word.isdigit() else word) for word in words]
    return marks + [0] * (most - len(marks))
