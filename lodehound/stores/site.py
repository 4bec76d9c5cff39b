"""A recorded site, read once: what every URL answers, and every link of every page.

Everything is kept in columns (one array per field, texts once each), so that a
site of a million pages and twenty million links fits in memory and opens fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.core.urls import canonical, host_of, resolve
from lodehound.read.html import read_links
from lodehound.read.mime import is_html, split_content_type
from lodehound.stores.records import Damage, Record

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]

ABSENT = -1
KINDS = ["a", "area", "iframe", "frame"]


@dataclass(slots=True)
class RecordedSite:
    """What a replica holds.

    URL number i is recorded for i < ``len(status)``; the other URLs are only
    linked to. The links of URL i are rows ``starts[i]`` to ``starts[i + 1]`` of
    the link columns.
    """

    name: str
    urls: list[str]
    status: Ids
    mime: Ids
    size: Ints
    head_size: Ids
    location: Ids  # URL number, or ABSENT
    starts: Ints
    link_url: Ids
    link_path: Ids
    link_anchor: Ids
    link_around: Ids
    link_kind: NDArray[np.int8]
    mimes: list[str]
    paths: list[str]
    anchors: list[str]
    arounds: list[str]
    cut: frozenset[str] = frozenset()
    damage: Damage = field(default_factory=Damage)
    _index: dict[str, int] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The first response."""
        return self.urls[0]

    @property
    def hosts(self) -> frozenset[str]:
        """Every host and port the replica holds a response of."""
        return frozenset(host_of(url) for url in self.urls[: len(self.status)])

    def number(self, url: str) -> int:
        """Return the number of a recorded URL, or ABSENT."""
        if not self._index:
            recorded = self.urls[: len(self.status)]
            self._index = {url: number for number, url in enumerate(recorded)}
        return self._index.get(url, ABSENT)

    def links(self, number: int, depth: int) -> tuple[Link, ...]:
        """Return the links of a recorded page, in document order, duplicates included."""
        rows = slice(int(self.starts[number]), int(self.starts[number + 1]))
        return tuple(
            map(
                Link,
                map(self.urls.__getitem__, self.link_url[rows].tolist()),
                repeat(self.urls[number]),
                map(self.paths.__getitem__, self.link_path[rows].tolist()),
                map(self.anchors.__getitem__, self.link_anchor[rows].tolist()),
                map(self.arounds.__getitem__, self.link_around[rows].tolist()),
                map(KINDS.__getitem__, self.link_kind[rows].tolist()),
                repeat(depth),
            )
        )


class _Table:
    """Texts, each kept once and known by its number."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts: list[str] = list(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def number(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return number

    def __contains__(self, text: str) -> bool:
        return text in self._numbers


def build_site(
    name: str,
    records: Iterable[Record],
    *,
    cut: frozenset[str] = frozenset(),
    damage: Damage | None = None,
) -> RecordedSite:
    """Read every record and the links of every page. Of a URL recorded twice the first counts."""
    damage = damage or Damage()
    recorded, mimes, rows, locations, pages = _Table(), _Table(), [], [], []
    for record in records:
        url = canonical(record.url)
        if not url or url in recorded:
            continue
        recorded.number(url)
        mime, charset = split_content_type(record.content_type)
        rows.append((record.status, mimes.number(mime), record.size, record.head_size))
        locations.append(resolve(url, record.location) if record.location else "")
        readable = 200 <= record.status < 300 and is_html(mime)
        pages.append(read_links(record.body, url=url, charset=charset) if readable else ())
    urls = _Table(recorded.texts)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return RecordedSite(
        name=name,
        status=columns[:, 0].astype(np.int32),
        mime=columns[:, 1].astype(np.int32),
        size=columns[:, 2],
        head_size=columns[:, 3].astype(np.int32),
        location=_ids(urls.number(place) if place else ABSENT for place in locations),
        starts=np.cumsum([0, *map(len, pages)], dtype=np.int64),
        **_link_columns(urls, pages),
        urls=urls.texts,
        mimes=mimes.texts,
        cut=cut,
        damage=damage,
    )


def _link_columns(urls: _Table, pages: list[tuple[Link, ...]]) -> dict[str, Any]:
    paths, anchors, arounds, kinds = _Table(), _Table(), _Table(), _Table(KINDS)
    links = [link for page in pages for link in page]
    return {
        "link_url": _ids(urls.number(link.url) for link in links),
        "link_path": _ids(paths.number(link.tag_path) for link in links),
        "link_anchor": _ids(anchors.number(link.anchor) for link in links),
        "link_around": _ids(arounds.number(link.around) for link in links),
        "link_kind": _ids(kinds.number(link.kind) for link in links).astype(np.int8),
        "paths": paths.texts,
        "anchors": anchors.texts,
        "arounds": arounds.texts,
    }


def _ids(numbers: Iterable[int]) -> Ids:
    return np.fromiter(numbers, dtype=np.int32)
