"""What visits of pages are worth, and what that says about other pages."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lodehound.policies.lodehound.features import Rows
from lodehound.policies.lodehound.model import CERTAIN, JOINT, Estimates, GroupMeans, LinkModel
from lodehound.policies.lodehound.worth import visit_worth

KEPT = 64  # of the new links of a page, the best
VALUED_AGAIN = (JOINT // 16, JOINT // 4, JOINT)  # visits after which all pages are valued again


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
        finds: Mean number of finds on pages.
        gamma: Share of what lies behind a page that counts for the page itself.
    """

    def __init__(self, model: LinkModel, finds: GroupMeans, *, gamma: float) -> None:
        self._model = model
        self._finds = finds
        self._gamma = gamma
        self._first: list[ShownLinks] = []

    def show(self, rows: Rows, estimates: Estimates) -> ShownLinks:
        """Return what new links make their page worth."""
        files, worth = self._worth(rows, estimates)
        if len(rows) <= KEPT or self._model.joint is None:
            return ShownLinks(rows, files, worth)
        best = np.argsort(-(estimates.find + estimates.value), kind="stable")[:KEPT]
        among = float((estimates.find[best] > CERTAIN).sum())
        return ShownLinks(rows[best], files, worth, files - among)

    def _worth(
        self, rows: Rows, estimates: Estimates, other_files: float = 0.0
    ) -> tuple[float, float]:
        """Return the expected files among links, and the value of the page that shows them."""
        file = estimates.find > CERTAIN
        files = float(file.sum()) + other_files
        expected = self._finds.predict(rows[~file])
        return files, visit_worth(files, estimates.value[~file], expected, self._gamma)

    def learn(self, row: Rows, shown: ShownLinks) -> None:
        """Learn what the visit of a page has shown."""
        self._model.learn_page(row, shown.worth)
        if self._model.joint is None:
            self._first.clear()
            return
        self._first.append(shown)
        if len(self._first) in VALUED_AGAIN and not self._model.finds_show_links:
            self._learn_again()

    def _learn_again(self) -> None:
        """Value the first pages by what is known now, and learn what they have gained."""
        gains = [self._gain(shown) for shown in self._first]
        self._model.learn_gains(gains)
        self._first = [
            shown._replace(worth=shown.worth + gain)
            for shown, gain in zip(self._first, gains, strict=True)
        ]

    def _gain(self, shown: ShownLinks) -> float:
        if shown.rows is None:
            return 0.0
        estimates = self._model.predict(shown.rows)
        _, worth = self._worth(shown.rows, estimates, shown.other_files)
        return max(worth - shown.worth, 0.0)
