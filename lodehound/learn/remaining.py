"""An estimate of what is left: the sum of what everything that waits is expected to bring."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lodehound.core.messages import SOON, Evidence, YieldEstimate

Floats = NDArray[np.float32]

# Weights of the newest page in running means.
FAST = 0.02
SLOW = 0.01
MOST_OFFSPRING = 0.9
SIGMAS = 1.645  # of a 90 % interval
LIKELY = 0.5  # a link with a higher probability is an expected file


class Waiting(NamedTuple):
    """Waiting links, one element each."""

    find: Floats  # probability to be a find
    finds: Floats  # expected on it if it is a page
    scores: Floats  # the best is requested first


class YieldEstimator:
    """Recent means of the finds and the new pages that pages show."""

    def __init__(self) -> None:
        self._offspring = 1.0  # new pages per page
        self._yield = 1.0  # finds per page
        self._batch = 1.0  # finds per page that has any: they come together

    def learn(self, finds: float, pages: float) -> None:
        """Learn what a page has brought."""
        self._yield += SLOW * (finds - self._yield)
        self._offspring += FAST * (pages - self._offspring)
        if finds:
            self._batch += FAST * (finds - self._batch)

    def estimate(self, waiting: Iterable[Waiting]) -> YieldEstimate:
        """Return what is left, the ends of its interval, and the evidence for forecasts.

        The best pages go first, so a waiting page brings no more than recent pages did. The
        upper end takes each page for as good as those, and adds what lies behind it: if a page
        shows b new ones, it stands for 1 / (1 - b) (the total progeny of a branching process).

        Args:
            waiting: Links, some at a time.
        """
        left, most, files, links = 0.0, 0.0, 0.0, 0
        recent = np.float32(self._yield)
        best: list[Waiting] = []
        for some in waiting:
            find, finds = some.find, some.finds
            left += float((find + (1 - find) * np.minimum(finds, recent)).sum())
            most += float((find + (1 - find) * recent).sum())
            files += float(find[find > LIKELY].sum())
            links += len(find)
            best.append(_best(some))
        most /= 1 - min(self._offspring, MOST_OFFSPRING)
        spread = [SIGMAS * math.sqrt(self._batch * mean) for mean in (left, most)]
        evidence = Evidence(links, files, _soon(best))
        return YieldEstimate(left, max(left - spread[0], 0.0), most + spread[1], evidence)


def _best(links: Waiting) -> Waiting:
    """Return the links that may be among the next SOON requests."""
    if len(links.find) <= SOON:
        return links
    at = np.argpartition(-links.scores, SOON)[:SOON]
    return Waiting(*(part[at] for part in links))


def _soon(parts: Sequence[Waiting]) -> float:
    """Return the finds of the next SOON requests: links by their scores, finds on pages at once."""
    if not parts:
        return 0.0
    find, finds, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(-scores, kind="stable")[:SOON]
    find, on_page = find[order], (1 - find[order]) * finds[order]
    on_page = np.where(find > LIKELY, 0.0, on_page)
    found, asked = np.cumsum(find + on_page), np.cumsum(1 + on_page)
    return float(np.interp(SOON, [0.0, *asked], [0.0, *found]))
