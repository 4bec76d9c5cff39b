"""The measures of the papers, computed from the steps of one run."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lodehound.core.messages import Step, Stop
from lodehound.core.stop import StopRule
from lodehound.lab.floor import SHARE
from lodehound.lab.site_truth import SiteTruth
from lodehound.read.mime import is_html

FIRST = (100, 300, 1000)  # requests after which the finds are counted
PARTS = (10, 25, 50, 100)  # percentages of the budget at which the harvest is measured
MOST = 0.95  # of the targets: savings by early stopping are measured from here
POINTS = 500  # of a curve; more than a screen shows


@dataclass(slots=True)
class Meter:
    """Stores three values per request: whether it was a find, a page, and the bytes received."""

    found: array[int] = field(default_factory=lambda: array("b"))
    pages: array[int] = field(default_factory=lambda: array("b"))
    sizes: array[int] = field(default_factory=lambda: array("q"))

    def watch(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.found.append(step.found)
            page = step.method == "GET" and 200 <= step.status < 300 and is_html(step.mime)
            self.pages.append(step.found or page)
            self.sizes.append(step.size)

    @property
    def requests(self) -> int:
        return len(self.found)

    @property
    def finds(self) -> int:
        return sum(self.found)

    def requests_to_share(self, truth: SiteTruth) -> int | None:
        """Return the requests, including HEADs, until 90 % of the targets are found."""
        if not truth.targets_total:
            return None
        needed = math.ceil(SHARE * truth.targets_total - 1e-9)
        return _first(np.cumsum(self._found()), needed)

    def volume_to_share(self, truth: SiteTruth) -> float | None:
        """Return the share of other bytes received by the time 90 % of the target bytes are."""
        if not truth.target_bytes or not truth.other_bytes:
            return None
        targets, others = self._volumes()
        step = _first(targets, SHARE * truth.target_bytes)
        return None if step is None else float(others[step - 1] / truth.other_bytes)

    def harvest(self, budget: int) -> dict[str, float]:
        """Return the share of finds among the requests of the first parts of a budget.

        If a run ended earlier, nothing was left to fetch; its share is that of the requests it
        made.
        """
        return self._shares(np.arange(1, self.requests + 1), budget)

    def precision(self, budget: int) -> dict[str, float]:
        """Return the share of finds among the pages of the same parts (Anthelion, Sec. 4.4).

        The paper's pages all exist: redirects, failures and files are none.
        """
        pages = np.cumsum(np.frombuffer(self.pages, dtype=np.int8), dtype=np.int64)
        return self._shares(pages, budget)

    def _shares(self, whole: NDArray[np.int64], budget: int) -> dict[str, float]:
        if not self.requests:
            return {str(part): 0.0 for part in PARTS}
        found = np.cumsum(self._found())
        ends = {part: min(max(budget * part // 100, 1), self.requests) - 1 for part in PARTS}
        return {str(p): float(found[end] / max(whole[end], 1)) for p, end in ends.items()}

    def retrieved(self, budget: int, truth: SiteTruth) -> dict[str, float]:
        """Return the percentage of targets found within parts of a budget (LDCOC, Figure 2(b))."""
        found = np.concatenate(([0], np.cumsum(self._found())))
        ends = {part: min(budget * part // 100, self.requests) for part in PARTS}
        total = truth.targets_total or 1
        return {str(part): 100 * float(found[end]) / total for part, end in ends.items()}

    def found_after(self) -> dict[str, int]:
        """Return the finds of the first hundreds of requests; all, where a run ended earlier.

        With one request per delay this is also what is found in equal time.
        """
        found = np.concatenate(([0], np.cumsum(self._found())))
        return {str(first): int(found[min(first, self.requests)]) for first in FIRST}

    def curve(self) -> dict[str, list[float]]:
        """Return the points of the run's curves: Figure 4 of the SB and Anthelion papers."""
        if not self.requests:
            names = ("requests", "found", "share", "target_bytes", "other_bytes")
            return {name: [0] for name in names}
        last = self.requests - 1
        at = np.unique(np.linspace(0, last, min(POINTS, self.requests)).astype(int))
        targets, others = self._volumes()
        found = np.cumsum(self._found())[at]
        return {
            "requests": [0, *(at + 1).tolist()],
            "found": [0, *found.tolist()],
            "share": [0, *(100 * found / (at + 1)).tolist()],
            "target_bytes": [0, *targets[at].tolist()],
            "other_bytes": [0, *others[at].tolist()],
        }

    def _found(self) -> NDArray[np.int64]:
        return np.frombuffer(self.found, dtype=np.int8).astype(np.int64)

    def _volumes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        sizes = np.frombuffer(self.sizes, dtype=np.int64)
        found = self._found()
        return np.cumsum(sizes * found), np.cumsum(sizes * (1 - found))


class AllTargetsFound(StopRule):
    """Stop when 95 % of the targets and 90 % of their bytes are found.

    No measure in the tables needs more, and the rest takes most of the time.
    """

    def __init__(self, truth: SiteTruth) -> None:
        self._finds = math.ceil(MOST * truth.targets_total)
        self._bytes = SHARE * truth.target_bytes

    def watch(self, step: Step) -> Stop | None:
        if step.found:
            self._finds -= 1
            self._bytes -= step.size
            if self._finds <= 0 and self._bytes <= 0:
                return Stop("finds", f"{MOST:.0%} of the targets, {SHARE:.0%} of their bytes")
        return None


def _first(rising: NDArray[np.int64], needed: float) -> int | None:
    """Return the number of the first step at which a running sum reaches a value."""
    step = int(np.searchsorted(rising, needed, side="left"))
    return None if step == len(rising) else step + 1


def percent(part: float | None, whole: float) -> float | None:
    return None if part is None or not whole else 100 * part / whole
