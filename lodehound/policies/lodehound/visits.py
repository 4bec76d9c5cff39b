"""What requests of links and visits of pages are worth, and what visits teach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from lodehound.policies.lodehound.features import Floats, Rows
from lodehound.policies.lodehound.model import (
    CERTAIN,
    FINDS,
    FIRST_VISITS,
    LEVELS,
    WORTH,
    Estimates,
    LinkModel,
)

TOP = 32  # links of a page that count for what lies behind it
BREADTH = 0.8  # what each of them counts, as a share of the one before
SHARES = [BREADTH**at for at in range(TOP)]
KEPT = 64  # of the new links of a page, the best
LEAST_GAIN = 1e-3  # that is learned
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


@dataclass(slots=True)
class VisitedPage:
    """A page whose worth can still grow."""

    number: int  # of its visit, among those that are learned together
    row: Rows
    shown: ShownLinks
    files: float
    lead: float  # what lies behind it

    @property
    def worth(self) -> float:
        return math.log1p(self.files) + self.lead


class Visits:
    """Learns the value of pages, and what they gain later.

    What a page is worth depends on what its links are expected to bring. An index that is visited
    first is worth nothing by what is known then, and pages like it would not be tried again. So
    the first pages are valued anew a few times. And a page gains when one of its links turns out
    to be a find that was not expected, or a page that is worth more than was expected.

    Args:
        model: Learns the values.
        gamma: Share of what lies behind a page that counts for the page itself.
    """

    def __init__(self, model: LinkModel, *, gamma: float) -> None:
        self._model = model
        self._gamma = gamma
        self._pages: dict[str, VisitedPage] = {}  # that are learned together
        self._valuing_again = True  # until the first pages were valued for the last time

    def show(self, rows: Rows, links: Estimates) -> ShownLinks:
        """Return what new links make their page worth."""
        files, worth = visit_worth(links, self._gamma)
        if rows.ndim == 1 or len(rows) <= KEPT or not self._valuing_again:
            return ShownLinks(rows, files, worth)
        best = np.argsort(-(links.find + links.value), kind="stable")[:KEPT]
        among = float((links.find[best] > CERTAIN).sum())
        return ShownLinks(rows[best], files, worth, files - among)

    def learn(self, url: str, source: str, row: Rows, shown: ShownLinks) -> None:
        """Learn what the visit of a page has shown.

        Args:
            url: Of the page.
            source: URL of the page with the link to it.
            row: Features of that link.
            shown: Its new links.
        """
        number = self._model.learn_page(row, shown.worth)
        if not number:  # the visits before it are no longer learned together with it
            self._pages.clear()
        lead = shown.worth - math.log1p(shown.files)
        page = VisitedPage(number, row, NOTHING, shown.files, lead)
        self._pages[url] = page
        if self._valuing_again:
            page.shown = shown
            if number + 1 in VALUED_AGAIN and not self._model.finds_show_links:
                self._value_again()
            self._valuing_again = number + 1 < VALUED_AGAIN[-1]
        self._model.means.learn(row[LEVELS], FINDS, shown.files)
        self._lead_to(source, shown.worth)

    def credit(self, source: str) -> None:
        """Learn that a link of a page turned out to be a find that was not expected."""
        page = self._gaining(source)
        if page is not None:
            before = page.worth
            page.files += 1
            self._learn_gain(page, page.worth - before)

    def _lead_to(self, source: str, worth: float) -> None:
        """Learn what a page was worth that another one has led to."""
        page = self._gaining(source)
        if page is not None:
            gain = self._gamma * worth - page.lead
            if gain > LEAST_GAIN:
                page.lead += gain
                self._learn_gain(page, gain)

    def _gaining(self, url: str) -> VisitedPage | None:
        return None if self._model.finds_show_links else self._pages.get(url)

    def _learn_gain(self, page: VisitedPage, gain: float) -> None:
        self._model.learn_gains({page.number: gain})
        self._model.means.learn(page.row[LEVELS], WORTH, gain)

    def _value_again(self) -> None:
        """Value pages by what is known now, and learn what they have gained."""
        gains = {page.number: self._gain(page) for page in self._pages.values()}
        self._model.learn_gains(gains)
        for page in self._pages.values():
            page.lead += gains[page.number]

    def _gain(self, page: VisitedPage) -> float:
        if page.shown.rows is None:
            return 0.0
        links = self._model.predict(page.shown.rows)
        _, worth = visit_worth(links, self._gamma, other_files=page.shown.other_files)
        return max(worth - page.worth, 0.0)
