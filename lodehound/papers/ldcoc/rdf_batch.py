"""Linked-data crawlers whose classifier is trained beforehand (LDCOC paper, Sec. 4)."""

from __future__ import annotations

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.core.truth import Truth
from lodehound.papers.ldcoc.batch import Batch, BatchModel, Columns
from lodehound.papers.ldcoc.rdf_crawl import Decision, Order, RdfCrawl, Skip
from lodehound.papers.ldcoc.uri_features import Head, UriFeatures, read_sets
from lodehound.papers.ldcoc.uri_rules import rule_of


class RdfBatch(RdfCrawl):
    """Breadth first, fetching what a classifier takes for RDF that was trained before the crawl.

    It is trained on the hard URIs among the first that a breadth-first crawl of the
    same recorded site fetches, at no cost, and learns no more. When training is
    charged, these are the crawl's own first requests.

    Args:
        model: nb naive Bayes, svm linear SVM, knn nearest neighbours.
        train: URIs that the breadth-first crawl fetches for training.
        features: Feature sets: t target, r referrer, p properties.
        size: Columns that features are hashed to.
        skip: Skipped URIs wait until nothing better is left, or are dropped.
        order: Of URIs that wait: as they came, or the likeliest first.
        charged: Train on the crawl's own first requests, breadth first.
        truth: The recorded site, for training that is not charged.
    """

    def __init__(
        self,
        *,
        model: BatchModel = "svm",
        train: int = 2000,
        features: str = "t+r+p",
        size: int = 1 << 20,
        skip: Skip = "queue",
        order: Order = "bfs",
        charged: bool = False,
        truth: Truth | None = None,
    ) -> None:
        super().__init__(head="off", skip=skip, order=order)
        if truth is None and not charged:
            raise ConfigError(
                "rdf-batch is trained on a recorded site: use it with 'lodehound race', let it pay "
                "for its training (rdf-batch:charged=true), or take ldcoc, which learns on."
            )
        if train < 1:
            raise ConfigError(f"train={train}: it is trained on at least 1 URI.")
        self.model = model
        self.train = train
        self.features = features
        self.size = size
        self.truth = truth
        self._features = UriFeatures(_sets(features), size=size)
        self.charged = charged
        self._classifier = Batch(model)
        self._rows: list[Columns] = []
        self._labels: list[bool] = []
        self._seen = 0
        for outcome in truth.first(train) if truth is not None and not charged else ():
            self._take(outcome)
        if not charged:
            self._classifier.fit(self._rows, self._labels)

    @property
    def _trained(self) -> bool:
        return not self.charged or self._seen >= self.train

    def _take(self, outcome: Outcome) -> None:
        link = outcome.choice.link if outcome.choice else None
        if link is not None and link.kind and rule_of(link) is None:
            self._rows.append(self._features.columns(link))
            self._labels.append(outcome.verdict.found)

    def label(self, outcome: Outcome) -> None:
        if self._trained:
            return
        self._seen += 1
        self._take(outcome)
        if self._trained:
            self._classifier.fit(self._rows, self._labels)

    def odds(self, link: Link) -> float:
        if not self._trained:
            return 0.5
        return self._classifier.scores([self._features.columns(link)])[0]

    def decide(self, link: Link, head: Head) -> Decision:  # noqa: ARG002 - it asks no HEAD
        if not self._trained:
            return Decision(True, 0.5, "to learn from")
        score = self.odds(link)
        return Decision(score > 0, score, f"RDF, score {score:.2f}")


def _sets(written: str) -> frozenset[str]:
    sets = read_sets(written)
    if "x" in sets:
        raise ConfigError(
            f"features={written!r}: rdf-batch has no siblings (x), which are known only as the "
            f"crawl goes on. Join t, r and p with +, or take ldcoc."
        )
    return sets
