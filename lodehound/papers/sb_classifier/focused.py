"""FOCUSED (SB paper, Sec. 4.3): an early focused crawler, one classifier and a priority queue."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.papers.sb_classifier.linear import WIDTH, Columns, Floats, Sgd, Texts
from lodehound.policies.pools import Fifo, Heap

DEPTH = 2 * WIDTH  # the column behind those of URL and anchor


class Focused(ResumablePolicy):
    """Links most likely to be targets first, by depth, URL and anchor text.

    The first ``warmup`` requests are breadth first. Then a logistic regression
    is trained on all labels and the whole frontier is scored; from there on it
    learns every ``b`` labels, and a link is scored once, when it is found (the
    released code's reading of the paper's "periodically retrained"). As there, upper
    case is lower case.

    Args:
        warmup: Requests before the classifier is used.
        b: Labels to a batch.
        seed: Seed of the order within a batch.
    """

    def __init__(self, *, warmup: int = 100, b: int = 10, seed: int = 0) -> None:
        if warmup < 1 or b < 1 or seed < 0:
            raise ConfigError(f"warmup={warmup}, b={b}, seed={seed}: at least 1, 1 and 0.")
        self.warmup = warmup
        self.b = b
        self.seed = seed
        self._texts = Texts(2)
        # The released code's rows are dense.
        self._model = Sgd(DEPTH + 1, seed=seed, intercept_rate=1.0)
        self._rows: list[Columns] = []
        self._labels: list[bool] = []
        self._requests = 0
        self._queue: Fifo | Heap = Fifo()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        link = self._queue.peek(asleep)
        if link is None:
            return None
        warm = isinstance(self._queue, Fifo)
        return Choice(link, why="warm-up, breadth first" if warm else "most likely to be a target")

    def take(self, choice: Choice) -> None:
        self._queue.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        self._label(outcome)
        if isinstance(self._queue, Fifo) and self._requests >= self.warmup:
            self._train()
            waiting = self._queue.drain()
            self._queue = Heap()
            self._push(waiting)
        elif not isinstance(self._queue, Fifo) and len(self._labels) >= self.b:
            self._train()
        self._push(outcome.links)

    def _label(self, outcome: Outcome) -> None:
        """Errors give no label; what is not a target is a page (released code)."""
        if outcome.choice is None:
            return
        self._requests += 1
        if 200 <= outcome.status < 300:
            self._rows.append(self._row(outcome.choice.link))
            self._labels.append(outcome.verdict.found)

    def _train(self) -> None:
        self._model.learn(self._rows, self._labels)
        self._rows, self._labels = [], []

    def _row(self, link: Link) -> Columns:
        # The depth is a plain number in one column: as many entries as it is large.
        depth = np.full(min(link.depth, 1000), DEPTH)
        return np.concatenate((self._texts.row(_texts(link)), depth))

    def _push(self, links: Sequence[Link]) -> None:
        if isinstance(self._queue, Fifo):
            for link in links:
                self._queue.push(link)
        elif links:
            rows = [_texts(link) for link in links]
            products = self._texts.products(self._model.weights, rows)
            products += self._model.weights[DEPTH] * np.array([link.depth for link in links])
            for link, chance in zip(links, self._chances(products), strict=True):
                self._queue.push(link, -chance)

    def _chances(self, products: Floats) -> list[float]:
        """Return probabilities: large scores all give 1.0, and among equals the oldest is first."""
        scores = np.clip(self._model.score(products), -700, 700)
        chances: list[float] = (1 / (1 + np.exp(-scores))).tolist()
        return chances


def _texts(link: Link) -> tuple[str, str]:
    return link.url.lower(), link.anchor.lower()
