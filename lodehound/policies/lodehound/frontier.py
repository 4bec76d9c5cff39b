"""The waiting links in columns: a row of features and a score each, in blocks of one host."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.learn.score_blocks import Blocks
from lodehound.policies.lodehound.features import COLUMNS, Ints, Rows


class Frontier(Blocks):
    """Links that wait, each known by its place."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: NDArray[np.int32] = np.zeros((0, COLUMNS), dtype=np.int32)
        # A smaller tuple than Link: there may be millions.
        self._links: list[tuple[str, str, str, str, str, int] | None] = []
        self._paths: dict[str, str] = {}  # each tag path once, for the links that share it
        self.place_of: dict[str, int] = {}  # by URL

    def __len__(self) -> int:
        return len(self.place_of)

    def add(self, link: Link) -> int:
        """Add a link, without features or a score yet; return its place."""
        place = self.occupy(link.host)
        if place >= len(self._links):
            more = self.capacity - len(self._links)
            self._links.extend([None] * more)
            self._rows = np.concatenate((self._rows, np.zeros((more, COLUMNS), dtype=np.int32)))
        url, source, path, anchor, _, kind, depth, _ = link
        self._links[place] = url, source, self._paths.setdefault(path, path), anchor, kind, depth
        self.place_of[url] = place
        return place

    def find(self, links: Iterable[Link]) -> tuple[list[Link], Ints]:
        """Return those of the links that wait, and their places."""
        places = self.place_of
        waiting = [link for link in links if link.url in places]
        return waiting, np.array([places[link.url] for link in waiting], dtype=np.int64)

    def rows(self, places: Ints | int) -> Rows:
        """Return the features of waiting links, or of one."""
        return self._rows.take(places, axis=0).astype(np.intp)

    def set_rows(self, places: Ints | int, rows: Rows) -> None:
        """Set the features of waiting links, or of one."""
        self._rows[places] = rows

    def link_at(self, place: int) -> Link:
        kept = self._links[place]
        if kept is None:
            raise KeyError(place)
        url, source, path, anchor, kind, depth = kept
        return Link(url, source, path, anchor, "", kind, depth)

    def pop(self, place: int) -> Link:
        """Take a link out."""
        link = self.link_at(place)
        self._links[place] = None
        del self.place_of[link.url]
        self.free(place)
        return link
