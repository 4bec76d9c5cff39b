"""FOCUSED, written from the SB paper's text (Sec. 4.3) with the released code's numbers.

A logistic regression over the depth and the character pairs of URL and anchor, breadth first for
100 requests; then a priority queue, and a batch for every ten labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import SGDClassifier

from lodehound.core.link import Link

WARM, B, WIDTH = 100, 10, 128 * 128
NEARLY, SURE = 30.0, 40.0  # odds whose chances may be, and are, 1.0 in floating point


class Focused:
    """The queue; says which links may be next."""

    def __init__(self, seed: int) -> None:
        self.model = SGDClassifier(loss="log_loss", random_state=seed)
        self.waiting = dict[str, tuple[float, int]]()  # log odds, and when it came
        self.links = dict[str, Link]()
        self.batch = list[tuple[Link, bool]]()
        self.requests = self.came = 0

    def may(self) -> set[str]:
        """Return the first of the queue, more than one where rounding decides.

        Chances of large odds are 1.0, and of these the oldest is first.
        """
        sure = {url: at for url, (odds, at) in self.waiting.items() if odds > SURE}
        highest = max(odds for odds, _ in self.waiting.values())
        near = {url for url, (odds, _) in self.waiting.items() if NEARLY < odds <= SURE}
        if sure:
            return near | {min(sure, key=lambda url: sure[url])}
        alike = {u: at for u, (odds, at) in self.waiting.items() if odds > highest - 1e-9}
        return near | ({min(alike, key=lambda url: alike[url])} if highest == 0 else set(alike))

    def learn(self, link: Link, status: int, found: bool, links: Sequence[Link]) -> None:
        del self.waiting[link.url]
        self.requests += 1
        if 200 <= status < 300:
            self.batch.append((link, found))
        if self.requests == WARM:
            self.train()
            for url, (_, at) in self.waiting.items():
                self.waiting[url] = (self.odds(self.links[url]), at)
        elif self.requests > WARM and len(self.batch) >= B:
            self.train()
        for one in links:
            self.came += 1
            self.links[one.url] = one
            self.waiting[one.url] = (
                self.odds(one) if self.requests >= WARM else 0.0,
                self.came,
            )

    def train(self) -> None:
        rows = np.array([row(link) for link, _ in self.batch])
        self.model.partial_fit(rows, [found for _, found in self.batch], classes=[False, True])
        self.batch = []

    def odds(self, link: Link) -> float:
        return float(self.model.decision_function(row(link)[None, :])[0])


def row(link: Link) -> NDArray[np.float64]:
    made = np.zeros(2 * WIDTH + 1)
    for at, text in enumerate((link.url.lower(), link.anchor.lower())):
        codes = [ord(sign) for sign in text if ord(sign) < 128]
        for one, other in pairwise(codes):
            made[at * WIDTH + one * 128 + other] += 1
    made[-1] = link.depth
    return made
