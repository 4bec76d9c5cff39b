"""What requests of links and visits of pages are worth, and what visits teach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from lodehound.learn.remaining import LIKELY
from lodehound.policies.lodehound.features import Floats, Rows
from lodehound.policies.lodehound.model import Estimates, LinkModel

TOP = 32  # links of a page that count for what lies behind it
BREADTH = 0.8  # what each of them counts, as a share of the one before
SHARES = [BREADTH**at for at in range(TOP)]
LEAST_GAIN = 1e-3  # smaller gains are not learned


def request_worths(links: Estimates, bonus: Floats | float = 0.0) -> Floats:
    """Return the share of finds among the requests that each link will cause.

    A page with n finds costs one request and brings n finds with n more: n / (n + 1), which is
    1 - exp(-v) for the value v = log(1 + n). Expected files come first.

    Args:
        links: What is expected of them.
        bonus: Added to their values, for what is unknown about them.
    """
    exp: Any = math.exp if isinstance(links.value, float) else np.exp
    find = links.find
    worth = find + (1 - find) * (1 - exp(-(links.value + bonus)))
    found: Floats = worth + (find > LIKELY) * (1 + find - worth)
    return found


class PageWorth(NamedTuple):
    """What makes the visit of a page worth its request."""

    files: float = 0.0  # among its new links
    best: float = 0.0  # value of the best page that it leads to
    behind: float = 0.0  # files on the pages that it leads to, each page counting less

    def value(self, gamma: float) -> float:
        """Return log(1 + files), and a share of what lies behind the page.

        That is the best page that it leads to, by its whole value, or the files on all of them, as
        a list of many good pages is worth more than one. Only files count in that sum: sums of
        values that feed on each other would grow without bound.
        """
        by_best = math.log1p(self.files) + gamma * self.best
        return max(by_best, math.log1p(self.files + gamma * self.behind))


def expected_worth(links: Estimates) -> PageWorth:
    """Return what a page is worth by what is expected of its new links."""
    if isinstance(links.find, float):  # of one link, as on most pages
        if links.find > LIKELY:
            return PageWorth(files=1.0)
        return PageWorth(0.0, links.value, links.finds)
    every = zip(*[part.tolist() for part in links[:3]], strict=True)
    pages = [(value, finds) for find, value, finds in every if find <= LIKELY]
    best = max([value for value, _ in pages], default=0.0)
    most = sorted([finds for _, finds in pages], reverse=True)
    return PageWorth(float(len(links.find) - len(pages)), best, sum(map(mul, most, SHARES)))


@dataclass(slots=True)
class VisitedPage:
    """A page whose worth can still grow."""

    number: int  # of its visit, among those that are learned together
    row: Rows
    worth: PageWorth
    pages: int = 0  # that it has led to
    behind: float = 0.0  # files on them; each page counts less than the one visited before it


class Visits:
    """Learns the value of pages, and what they gain later.

    What a page is worth depends on what its links are expected to bring, and at the beginning that
    is nothing. So a page gains when one of its links turns out to be a find that was not expected,
    and when the pages that it leads to bring more files, or are worth more, than was expected.

    Args:
        model: Learns the values.
        gamma: Share of what lies behind a page that counts for the page itself.
    """

    def __init__(self, model: LinkModel, *, gamma: float) -> None:
        self._model = model
        self._gamma = gamma
        self._pages: dict[str, VisitedPage] = {}  # that are learned together

    def learn(self, url: str, source: str, row: Rows, worth: PageWorth) -> None:
        """Learn what the visit of a page has brought.

        Args:
            url: Of the page.
            source: URL of the page with the link to it.
            row: Features of that link.
            worth: By what is expected of its new links.
        """
        value = worth.value(self._gamma)
        number = self._model.learn_page(row, value, worth.files)
        if not number:  # the visits before it are no longer learned together with it
            self._pages.clear()
        self._pages[url] = VisitedPage(number, row, worth)
        self._lead_to(source, worth.files, value)

    def credit(self, source: str) -> None:
        """Learn that a link of a page turned out to be a find that was not expected."""
        if page := self._gaining(source):
            self._gain(page, page.worth._replace(files=page.worth.files + 1))

    def _lead_to(self, source: str, files: float, value: float) -> None:
        """Credit a page with what another one that it led to was worth."""
        if page := self._gaining(source):
            page.behind += BREADTH**page.pages * files
            page.pages += 1
            best, behind = max(page.worth.best, value), max(page.worth.behind, page.behind)
            self._gain(page, page.worth._replace(best=best, behind=behind))

    def _gaining(self, url: str) -> VisitedPage | None:
        return None if self._model.finds_show_links else self._pages.get(url)

    def _gain(self, page: VisitedPage, worth: PageWorth) -> None:
        gain = worth.value(self._gamma) - page.worth.value(self._gamma)
        page.worth = worth
        if gain > LEAST_GAIN:
            self._model.learn_gain(page.number, page.row, gain)
