"""LODEHOUND: the link of the highest expected worth first."""

from __future__ import annotations

import math
import random
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.learn.hashed import Logistic
from lodehound.learn.link_features import ENDING, GROUP, LinkFeatures, Rows, mark
from lodehound.learn.link_value import LinkValue
from lodehound.policies.frontier import Frontier

Floats = NDArray[np.float32]

PAGE_ENDINGS = "/ html htm xhtml shtml php php3 php4 php5 phtml asp aspx jsp jspx jsf cfm do cgi pl action".split()
DATA_ENDINGS = "csv tsv xls xlsx xlsm ods pdf doc docx odt odp ppt pptx zip gz tgz bz2 xz tar 7z rar json jsonl xml rdf ttl nt txt yaml yml parquet geojson sav dta dat".split()


class Lodehound(Policy):
    """The link of the highest expected worth first."""

    def __init__(
        self,
        *,
        gamma: float = 0.5,
        optimism: float = 0.3,
        shrink: float = 2.0,
        value_rate: float = 0.05,
        type_rate: float = 0.2,
        groups: bool = True,
        linear: bool = True,
        prior: bool = True,
        model: str = "kal",
        noise: float = 0.1,
        err: str = "sq",
        memory: float = 0.02,
        explore: float = 0.0,
        sample: int = 256,
        anneal: bool = True,
        room: bool = False,
        floor: float = 0.0,
        refresh: int = 8,
        seed: int = 0,
    ) -> None:
        self.gamma = gamma
        self.optimism = optimism
        self.shrink = shrink
        self.value_rate = value_rate
        self.type_rate = type_rate
        self.groups = groups
        self.linear = linear
        self.prior = prior
        self.explore = explore
        self.sample = sample; self.anneal=anneal; self.room=room
        self.refresh = refresh
        self.seed = seed
        self._rng = np.random.default_rng(seed)
        self._jit = self._rng.random(1 << 16, dtype=np.float32) * 1e-4
        self._features = LinkFeatures()
        self._frontier = Frontier()
        self._kind = Logistic(rate=type_rate)
        self._value = LinkValue(shrink=shrink, rate=value_rate, groups=groups, linear=linear, model=model, noise=noise, err=err, memory=memory, floor=floor)
        self._flights: dict[str, tuple[Rows, bool]] = {}
        if prior:
            for ending in PAGE_ENDINGS:
                self._kind.weights[mark("end", ending)] = -1.5
            for ending in DATA_ENDINGS:
                self._kind.weights[mark("end", ending)] = 3.5
        self._kind.intercept = -1.0

    def _scores(self, rows: Rows) -> Floats:
        p = self._kind.probabilities(rows)
        value = self._value.predict(rows)
        bonus = self.optimism * self._value.scale * self._value.novelty(rows)
        worth = p + (1 - p) * (1 - np.exp(-(value + bonus)))
        return np.where(p > 0.5, 1 + p, worth)

    def _eps(self, w):
        n = self._value.means.visits
        e = self.explore if not self.anneal else self.explore / (n + self.explore)
        return e * (1 - w) if self.room else e

    def _luck(self, places):
        return self._jit[places & 0xFFFF]

    def choose(self, asleep: Collection[str]) -> Choice | None:
        frontier = self._frontier
        if not len(frontier):
            return None
        places = frontier.some(self.refresh)
        frontier.score(places, self._scores(frontier.rows(places)) + self._luck(places))
        for _ in range(4):
            place = frontier.best(asleep)
            if place is None:
                return None
            before = frontier.score_at(place)
            beside = frontier.beside(place)
            frontier.score(beside, self._scores(frontier.rows(beside)) + self._luck(beside))
            if frontier.score_at(place) >= before - 1e-3:
                break
        place = frontier.best(asleep)
        assert place is not None
        if self.explore and frontier.score_at(place) < 1 and self._rng.random() < self._eps(frontier.score_at(place)):
            places = frontier.sample(self.sample, self._rng, asleep)
            rows = frontier.rows(places)
            place = int(places[self._value.novelty(rows).argmax()])
        row = frontier.row(place).copy()
        score = frontier.score_at(place)
        link = frontier.take(place)
        file = score > 1
        self._flights[link.url] = (row, file)
        if not file:
            self._value.visit(row)
        return Choice(link, why=f"{'file' if file else 'page'} {score:.3f}")


    def learn(self, outcome: Outcome) -> None:
        source_kind = 0
        row = None
        if outcome.choice is not None:
            row, file = self._flights.pop(outcome.choice.link.url)
            source_kind = int(row[GROUP])
            self._kind.learn(row, yes=outcome.verdict.found)
        reward, best = 0.0, 0.0
        if outcome.links:
            rows = self._features.rows(outcome.links, source_kind)
            places = self._frontier.add(outcome.links, rows)
            scores = self._scores(rows)
            self._frontier.score(places, scores + self._luck(places))
            p = self._kind.probabilities(rows)
            reward = float((p > 0.5).sum())
            pages = rows[p <= 0.5]
            best = float(self._value.predict(pages).max()) if len(pages) else 0.0
        if row is not None and not outcome.verdict.found:
            if file:
                self._value.visit(row)
            self._value.learn(row, math.log1p(reward) + self.gamma * best)
