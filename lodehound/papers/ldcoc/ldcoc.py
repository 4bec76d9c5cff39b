"""LDCOC (Huang and Gandon 2019, 2020): learns online which URIs dereference to RDF."""

from __future__ import annotations

import random
from typing import ClassVar, Literal

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.papers.ldcoc.ftrl import Columns, Ftrl, OneRateFtrl
from lodehound.papers.ldcoc.rdf_crawl import Decision, HeadMode, Order, RdfCrawl, Skip
from lodehound.papers.ldcoc.uri_features import Head, UriFeatures, read_sets
from lodehound.papers.ldcoc.uri_rules import rule_of

MAX_SIZE = 1 << 26


class Ldcoc(RdfCrawl):
    """Breadth first, fetching what an online classifier takes for RDF.

    A URI predicted to be RDF is fetched. Of the others a share ``epsilon`` is
    fetched all the same, and counts ``1/epsilon`` times when the classifier learns
    from it. URIs that their extension or type gives away are decided without the
    classifier and do not train it (LDCOC paper, Sec. 3.3).

    Args:
        features: Feature sets: t target, r referrer, p properties, x siblings.
        size: Columns that features are hashed to.
        alpha: Learning rate of FTRL-proximal.
        beta: Its smoothing.
        l1: Its L1 penalty.
        l2: Its L2 penalty.
        rate: A learning rate for each column; or one for all, without alpha, beta and l2, as
            Equation 1 is printed.
        tau: Probability above which a URI is taken for RDF.
        epsilon: Share of the others that is fetched all the same.
        similar: Similarity above which siblings count as alike.
        head: Ask a HEAD for every hard URI, for its type, as the paper does; each costs a request.
        skip: Skipped URIs wait until nothing better is left, or are dropped.
        order: Of URIs that wait: as they came, or the likeliest first.
        seed: Seed of the share that is fetched all the same.
    """

    as_printed: ClassVar = {"rate": "one", "head": "on", "skip": "drop"}

    def __init__(
        self,
        *,
        features: str = "t+r+p",
        size: int = 1 << 20,
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.1,
        l2: float = 1.0,
        rate: Literal["column", "one"] = "column",
        tau: float = 0.5,
        epsilon: float = 0.17,
        similar: float = 0.5,
        head: HeadMode = "off",
        skip: Skip = "queue",
        order: Order = "bfs",
        seed: int = 0,
    ) -> None:
        super().__init__(head=head, skip=skip, order=order)
        if not 2 <= size <= MAX_SIZE:
            raise ConfigError(f"size={size}: give from 2 to {MAX_SIZE} columns.")
        if not 0 < epsilon <= 1 or not 0 <= tau <= 1:
            raise ConfigError(f"epsilon={epsilon}, tau={tau}: both are shares, epsilon above 0.")
        if alpha <= 0 or beta < 0 or l1 < 0 or l2 < 0:
            raise ConfigError("alpha is above 0; beta, l1 and l2 are 0 or more.")
        self.features = features
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.l1 = l1
        self.l2 = l2
        self.rate = rate
        self.tau = tau
        self.epsilon = epsilon
        self.similar = similar
        self.seed = seed
        self._features = UriFeatures(read_sets(features), size=size, similar=similar)
        self._model: Ftrl | OneRateFtrl = OneRateFtrl(size, l1=l1)
        if rate == "column":
            self._model = Ftrl(size, alpha=alpha, beta=beta, l1=l1, l2=l2)
        self._rng = random.Random(seed)
        # Features, weight, and whether it was predicted to be RDF.
        self._asked: dict[str, tuple[Columns, float, bool]] = {}
        self._right = self._judged = 0

    def decide(self, link: Link, head: Head) -> Decision:
        columns = self._features.columns(link, head)
        odds = self._model.predict(columns)
        if odds > self.tau:
            self._asked[link.url] = (columns, 1.0, True)
            return Decision(True, odds, f"RDF, probability {odds:.2f}")
        if self._rng.random() < self.epsilon:
            self._asked[link.url] = (columns, 1 / self.epsilon, False)
            why = f"a sample of what is no RDF, probability {odds:.2f}"
            return Decision(True, odds, why, self.epsilon)
        return Decision(False, odds, "")

    def odds(self, link: Link) -> float:
        return self._model.predict(self._features.columns(link))

    def note(self, link: Link) -> None:
        if link.kind and rule_of(link) is None:
            columns = self._features.columns(link)
            self._asked[link.url] = (columns, 1.0, self._model.predict(columns) > self.tau)

    def label(self, outcome: Outcome) -> None:
        assert outcome.choice is not None  # noqa: S101
        link, relevant = outcome.choice.link, outcome.verdict.found
        self._features.see(link.url, outcome.mime, relevant=relevant)
        asked = self._asked.pop(link.url, None)
        if asked is not None and 0 < outcome.status < 500:
            columns, weight, predicted = asked
            self._judged += 1
            self._right += relevant == predicted
            self._model.learn(columns, relevant, weight)

    def insights(self) -> list[str]:
        if not self._judged:
            return []
        share = 100 * self._right / self._judged
        return [f"{share:.0f} % of {self._judged:,} predictions were right"]
