"""Linked-data crawlers whose classifier is trained beforehand (LDCOC paper, Sec. 4)."""

from __future__ import annotations

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.truth import Truth
from lodehound.learn.batch import Batch, BatchModel
from lodehound.policies.rdf_crawl import Decision, Order, RdfCrawl, Skip
from lodehound.policies.uri_features import Head, UriFeatures, read_sets
from lodehound.policies.uri_rules import rule_of


class RdfBatch(RdfCrawl):
    """Breadth first, fetching what a classifier takes for RDF that was trained before the crawl.

    It is trained on the hard URIs among the first that a breadth-first crawl of the
    same recorded site fetches, at no cost, and learns no more.

    Args:
        model: nb naive Bayes, svm linear SVM, knn nearest neighbours.
        train: URIs that the breadth-first crawl fetches for training.
        features: Feature sets: t target, r referrer, p properties.
        size: Columns that features are hashed to.
        skip: Skipped URIs wait until nothing better is left, or are dropped.
        order: Of URIs that wait: as they came, or the likeliest first.
        truth: The recorded site, for training.
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
        truth: Truth | None = None,
    ) -> None:
        super().__init__(head="off", skip=skip, order=order)
        if truth is None:
            raise ConfigError(
                "rdf-batch is trained on a recorded site: use it with 'lodehound race', or ldcoc, "
                "which learns while crawling."
            )
        if train < 1:
            raise ConfigError(f"train={train}: it is trained on at least 1 URI.")
        self.model = model
        self.train = train
        self.features = features
        self.size = size
        self.truth = truth
        self._features = UriFeatures(read_sets(features) - {"x"}, size=size)
        self._classifier = Batch(model)
        self._fit(truth)

    def _fit(self, truth: Truth) -> None:
        rows, labels = [], []
        for outcome in truth.first(self.train):
            link = outcome.choice.link if outcome.choice else None
            if link is not None and link.kind and rule_of(link) is None:
                rows.append(self._features.columns(link))
                labels.append(outcome.verdict.found)
        self._classifier.fit(rows, labels)

    def odds(self, link: Link) -> float:
        return self._classifier.scores([self._features.columns(link)])[0]

    def decide(self, link: Link, head: Head) -> Decision:  # noqa: ARG002 - it asks no HEAD
        score = self.odds(link)
        return Decision(score > 0, score, f"RDF, score {score:.2f}")
