"""Pages of the past, to be valued again: what lay behind them is known better by now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lodehound.learn.link_features import Rows

PAGES = 128  # the latest that showed more than one new link
STEP = 0.1  # of the way to a new estimate
LEAST_GAIN = 0.01  # that is learned
LINKS = 64  # of each page, spread over it


@dataclass(slots=True)
class PastPage:
    """A visited page, the files on it, some of the pages it led to, and its value so far."""

    row: Rows
    files: float
    links: Rows
    value: float

    def raise_value(self, estimate: float) -> bool:
        """Move the value towards a higher estimate; return whether it changed."""
        gain = STEP * (estimate - self.value)
        if gain > LEAST_GAIN:
            self.value += gain
        return gain > LEAST_GAIN


class PastPages:
    """The latest pages, looked at again one after the other."""

    def __init__(self) -> None:
        self._pages: list[PastPage] = []
        self._oldest = 0
        self._turn = 0

    def keep(self, row: Rows, files: float, links: Rows, value: float) -> None:
        """Remember a page; the oldest is forgotten."""
        if len(links) > LINKS:
            links = links[np.linspace(0, len(links) - 1, LINKS).astype(np.intp)]
        page = PastPage(row, files, links, value)
        if len(self._pages) < PAGES:
            self._pages.append(page)
            return
        self._pages[self._oldest] = page
        self._oldest = (self._oldest + 1) % PAGES

    def next(self) -> PastPage | None:
        """Return the page whose turn it is."""
        if not self._pages:
            return None
        self._turn = (self._turn + 1) % len(self._pages)
        return self._pages[self._turn]
