"""What requests of links and visits of pages are worth, and what visits teach."""

from __future__ import annotations

import math
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from lodehound.policies.lodehound.features import Floats, Rows
from lodehound.policies.lodehound.model import (
    CERTAIN,
    FINDS,
    FIRST_VISITS,
    LEVELS,
    Estimates,
    LinkModel,
)

TOP = 32  # links of a page that count for what lies behind it
BREADTH = 0.9  # what each of them counts, as a share of the one before
SHARES = [BREADTH**at for at in range(TOP)]
KEPT = 64  # of the new links of a page, the best
# Visits after which all pages are valued again.
VALUED_AGAIN = (FIRST_VISITS // 16, FIRST_VISITS // 4, FIRST_VISITS)


def request_worths(links: Estimates, bonus: Floats | float = 0.0) -> Floats:
    """Return what links are worth as a request: a find, or a page with its finds."""
    exp: Any = math.exp if isinstance(links.value, float) else np.exp
    found: Floats = links.find + (1 - links.find) * (1 - exp(-(links.value + bonus)))
    return found


def visit_worth(links: Estimates, gamma: float, *, other_files: float = 0.0) -> tuple[float, float]:
    """Return the expected files on a page, and what its visit is worth by its new links.

    That is log(1 + files), and a share of what lies behind the page: the best of its links, by
    its whole value, or the files on its best few together, each counting less than the one
    before, as a list of many good pages is worth more than one. Only files count in that sum:
    sums of values that feed on each other would grow without bound.

    Args:
        links: What is expected of them.
        gamma: The share.
        other_files: Files on the page besides these links.
    """
    if isinstance(links.find, float):  # of one link, as on most pages
        files = other_files + (links.find > CERTAIN)
        most, behind = (0.0, 0.0) if files > other_files else (links.value, links.finds)
    else:
        every = zip(*[part.tolist() for part in links[:3]], strict=True)
        pages = [(value, finds) for find, value, finds in every if find <= CERTAIN]
        files = other_files + len(links.find) - len(pages)
        most = max([value for value, _ in pages], default=0.0)
        best = sorted([finds for _, finds in pages], reverse=True)[:TOP]
        behind = sum(map(mul, best, SHARES))
    own = math.log1p(files)
    return files, max(own + gamma * most, math.log1p(files + gamma * behind))


class ShownLinks(NamedTuple):
    """The new links of a page, and what they make it worth."""

    rows: Rows | None = None  # of the best of them
    files: float = 0.0
    worth: float = 0.0
    other_files: float = 0.0  # not among the best


NOTHING = ShownLinks()


class Visits:
    """Learns the value of pages, and that of the first pages again later.

    What a page is worth depends on what its links are expected to bring. An index that is visited
    first is worth nothing by what is known then, and pages like it would not be tried again. So
    the first pages are valued anew a few times.

    Args:
        model: Learns the values.
        gamma: Share of what lies behind a page that counts for the page itself.
    """

    def __init__(self, model: LinkModel, *, gamma: float) -> None:
        self._model = model
        self._gamma = gamma
        self._first: list[ShownLinks] | None = []  # None after the last valuation

    def show(self, rows: Rows, links: Estimates) -> ShownLinks:
        """Return what new links make their page worth."""
        files, worth = visit_worth(links, self._gamma)
        if rows.ndim == 1 or len(rows) <= KEPT or self._first is None:
            return ShownLinks(rows, files, worth)
        best = np.argsort(-(links.find + links.value), kind="stable")[:KEPT]
        among = float((links.find[best] > CERTAIN).sum())
        return ShownLinks(rows[best], files, worth, files - among)

    def learn(self, row: Rows, shown: ShownLinks) -> None:
        """Learn what the visit of a page has shown."""
        self._model.learn_page(row, shown.worth)
        if self._first is not None:
            self._first.append(shown)
            if len(self._first) in VALUED_AGAIN and not self._model.finds_show_links:
                self._first = self._learn_again(self._first)
            if len(self._first) == VALUED_AGAIN[-1]:
                self._first = None
        self._model.means.learn(row[LEVELS], FINDS, shown.files)

    def _learn_again(self, first: list[ShownLinks]) -> list[ShownLinks]:
        """Value pages by what is known now, learn what they have gained, and return them."""
        gains = [self._gain(shown) for shown in first]
        self._model.learn_gains(gains)
        return [
            shown._replace(worth=shown.worth + gain)
            for shown, gain in zip(first, gains, strict=True)
        ]

    def _gain(self, shown: ShownLinks) -> float:
        if shown.rows is None:
            return 0.0
        links = self._model.predict(shown.rows)
        _, worth = visit_worth(links, self._gamma, other_files=shown.other_files)
        return max(worth - shown.worth, 0.0)
