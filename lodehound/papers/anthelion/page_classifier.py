"""Is a page worth fetching? The online classifier of Anthelion (paper, Sec. 3.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.core.truth import Truth
from lodehound.papers.anthelion.bayes import BinaryNaiveBayes
from lodehound.papers.anthelion.hoeffding import HoeffdingTree
from lodehound.papers.anthelion.url_tokens import COLUMNS, columns

Model = Literal["nb", "ht"]
Static = Literal["none", "nb", "ht"]
Features = Literal["a", "b", "c"]

# The paper has the number of relevant parents and whether there is one. Both models here take
# binary columns, so the number becomes "at least so many", the first of which is the second.
STEPS = (1, 2, 3, 5, 10)
PARENTS, SIBLINGS = COLUMNS, COLUMNS + len(STEPS)
WIDTH = SIBLINGS + len(STEPS)


class Learner(Protocol):
    """Learns two classes over binary columns."""

    def learn(self, columns: Sequence[int], label: bool) -> None: ...

    def scores(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """Return log odds."""
        ...


class PageClassifier:
    """Scores links by what is known before they are fetched.

    Features: hashed tokens of the URL (set a), the relevant pages that link to
    it (set b), or both (set c); on request the relevant ones among the links
    that stood beside it.

    Args:
        model: Naive Bayes or Hoeffding tree, learning from every outcome.
        features: Set a, b or c of Table 1.
        siblings: Features of siblings as well; the paper found them harmful.
        static: A model that is trained beforehand, and then learns no more.
        train: On how many pages.
        truth: Where they come from: a recorded site's.
    """

    def __init__(
        self,
        *,
        model: Model = "nb",
        features: Features = "c",
        siblings: bool = False,
        static: Static = "none",
        train: int = 1000,
        truth: Truth | None = None,
    ) -> None:
        if train < 1:
            raise ConfigError(f"train={train}: a static classifier needs at least 1 page.")
        self.features = features
        self.siblings = siblings
        self.frozen = False
        self.on_page: Callable[[float, bool], None] | None = None  # for the lab's figures
        self._model: Learner = make_model(model if static == "none" else static)
        self._parents: dict[str, int] = {}  # relevant pages that link to a URL
        self._relevant: set[str] = set()  # fetched; kept only for the sake of siblings
        self._beside: dict[str, int] = {}  # relevant siblings of the links of a page
        if static != "none":
            self._train(train, truth)

    def _train(self, count: int, truth: Truth | None) -> None:
        if truth is None:
            raise ConfigError(
                "A static classifier is trained on pages of a recorded site: use static= with "
                "'lodehound race', or leave it out to learn while crawling."
            )
        for outcome in truth.first(count):
            self.learn(outcome)
            self.see(outcome)
        self.frozen = True
        self._parents, self._relevant, self._beside = {}, set(), {}

    def see(self, outcome: Outcome) -> list[Link]:
        """Take in what a page shows; return links seen before whose score has changed by it."""
        relevant = outcome.verdict.found
        if self.siblings and outcome.links:
            self._beside[outcome.url] = sum(link.url in self._relevant for link in outcome.again)
        if not relevant or self.features == "a":
            return []
        changed = []
        for link in outcome.links:
            self._parents[link.url] = 1
        for url in {link.url for link in outcome.again}:
            count = self._parents[url] = self._parents.get(url, 0) + 1
            if count in STEPS:
                changed.append(url)
        again = set(changed)
        return list({link.url: link for link in outcome.again if link.url in again}.values())

    def learn(self, outcome: Outcome) -> None:
        """Learn from an answer, before ``see``: a page is no parent of itself.

        Redirects, failed connections and 5xx teach nothing.

        A page that is gone (404) is learned as irrelevant: so are links that look like it.
        """
        if outcome.choice is None or not 200 <= outcome.status < 500 or _moved(outcome):
            return
        link, relevant = outcome.choice.link, outcome.verdict.found
        if self.on_page is not None and outcome.is_html:
            self.on_page(self.scores([link])[0], relevant)
        if not self.frozen:
            self._model.learn(self.row(link), relevant)
        if relevant and self.siblings:
            self._relevant.add(link.url)
        self._parents.pop(link.url, None)

    def scores(self, links: Sequence[Link]) -> list[float]:
        """Return the log odds that links lead to relevant pages."""
        return self._model.scores([self.row(link) for link in links])

    def row(self, link: Link) -> list[int]:
        """Return the columns that are 1 for a link."""
        row = columns(link.url) if self.features != "b" else []
        if self.features != "a":
            count = self._parents.get(link.url, 0)
            row.extend(PARENTS + i for i, step in enumerate(STEPS) if count >= step)
        if self.siblings:
            count = self._beside.get(link.source, 0)
            row.extend(SIBLINGS + i for i, step in enumerate(STEPS) if count >= step)
        return row


def make_model(name: Model) -> Learner:
    return BinaryNaiveBayes(WIDTH) if name == "nb" else HoeffdingTree()


def confidence(odds: float) -> float:
    """Return the probability that log odds stand for, never quite 0.

    >>> confidence(0.0), confidence(-1e6) > 0, confidence(1e6)
    (0.5, True, 1.0)
    """
    return 1 / (1 + math.exp(-max(odds, -600.0))) if odds < 600 else 1.0


def _moved(outcome: Outcome) -> bool:
    return 300 <= outcome.status < 400
