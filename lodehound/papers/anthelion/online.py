"""Online classification alone (Anthelion paper, Sec. 5.1): the most promising page of all hosts."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.truth import Truth
from lodehound.papers.anthelion.page_classifier import (
    Features,
    Model,
    PageClassifier,
    Static,
    confidence,
)
from lodehound.policies.pools import Heap


class Online(ResumablePolicy):
    """The page that an online classifier finds most likely to be relevant, of whatever host.

    Args:
        model: The classifier: naive Bayes (nb) or a Hoeffding tree (ht).
        features: What it sees: tokens of the URL (a), relevant parents (b), both (c).
        siblings: It also sees how many links beside it were relevant.
        static: A classifier trained beforehand instead (recorded sites only).
        train: Pages of a breadth-first crawl that it is trained on.
        truth: The answers of a recorded site, for training.
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
        self.model = model
        self.features = features
        self.siblings = siblings
        self.static = static
        self.train = train
        self.truth = truth
        self.classifier = PageClassifier(
            model=model,
            features=features,
            siblings=siblings,
            static=static,
            train=train,
            truth=truth,
        )
        self._links = Heap()
        self._scores: dict[str, float] = {}  # of what waits; a link may wait under older ones too

    def pick(self, asleep: Collection[str]) -> Choice | None:
        while (link := self._links.peek(asleep)) is not None:
            score = self._scores.get(link.url)
            if score is not None:
                return Choice(link, why=f"{confidence(score):.0%} sure to be relevant")
            self._links.take(link)  # it was asked for already
        return None

    def take(self, choice: Choice) -> None:
        del self._scores[choice.link.url]

    def learn(self, outcome: Outcome) -> None:
        self.classifier.learn(outcome)
        changed = self.classifier.see(outcome)
        again = [link for link in changed if link.url in self._scores]
        links = [*outcome.links, *again]
        for link, score in zip(links, self.classifier.scores(links), strict=True):
            # A score that fell leaves the older, higher entry in the heap; scores of links seen
            # again rise with their relevant parents, so that is rare and costs little.
            self._scores[link.url] = score
            self._links.push(link, -score)
