"""The estimates for new links in a further round, learned from the known URLs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lodehound.core.history import KnownUrl
from lodehound.core.link import Link
from lodehound.learn.revisits import worth
from lodehound.policies.lodehound.features import LEVELS, Floats, LinkFeatures
from lodehound.policies.lodehound.model import LinkModel


class NewLinks:
    """Estimates how likely a new link is a find, and what it is worth as a page.

    Args:
        known: URLs that were visited in earlier rounds.
        shrink: Visits that the mean of its parents counts for in a group's mean.
        gamma: Share of the best page behind a page that counts for the page itself.
    """

    def __init__(self, known: Sequence[KnownUrl], *, shrink: float, gamma: float) -> None:
        self._features = LinkFeatures()
        self._model = LinkModel(shrink=shrink, decay=0.0)
        for one, value in zip(known, _values(known, gamma), strict=True):
            if one.link.kind:
                self._learn(one.link, found=one.found, value=value)

    def judge(self, links: Sequence[Link]) -> tuple[Floats, Floats]:
        """Return the probability of each link to be a find, and its worth as a page."""
        estimates = self._model.predict(self._features.rows(links))
        return estimates.find, estimates.value

    def learn(self, link: Link, *, found: bool, finds: float) -> None:
        """Learn whether a new link was a find, and how many expected finds its page contained."""
        self._learn(link, found=found, value=worth(finds))

    def _learn(self, link: Link, *, found: bool, value: float) -> None:
        row = self._features.rows([link])[0]
        self._model.learn_find(row, found=found)
        if not found:
            self._model.means.visit(row[LEVELS])
            self._model.learn_page(row, value)


def _values(known: Sequence[KnownUrl], gamma: float) -> list[float]:
    """Return what each URL was worth: its finds, and a share of the best page behind it."""
    finds = Counter(one.link.source for one in known if one.found)
    first = min((one.visits[0].time for one in known), default=0.0)
    behind: dict[str, float] = defaultdict(float)
    values = []
    for one in reversed(known):  # what a page shows was visited after it
        birth = one.visits[0]
        # In the first round, a few pages at its beginning lead to almost everything.
        brought = finds[one.link.url] if birth.time == first else birth.finds
        values.append(worth(brought) + gamma * behind[one.link.url])
        if not one.found:
            behind[one.link.source] = max(behind[one.link.source], values[-1])
    return values[::-1]
