"""Crawling as a Markov decision process (Han, Wuillemin, Senellart, ICWE 2018).

A page is a state and a link on it an action, both known by a few small numbers (Sec. 3.1).
Links with the same numbers are one pair (s, a), which has one value; the crawl takes a link
of the best pair (Algorithm 1).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.policy import ResumablePolicy
from lodehound.learn.tfidf import TfIdf
from lodehound.papers.han.linear_sarsa import Codes, LinearSarsa, Pairs, change_index, indexes
from lodehound.policies.pools import Fifo, Heap
from lodehound.read.subject import Subject, data_files
from lodehound.read.vectors import exceeded_by

Floats = NDArray[np.float64]
FARTHEST = 9  # Sec. 3.1: the distance is capped
TRIES = 8  # random pairs, before the best is taken

# Sec. 4: of a relevant page, of one whose words are near to the topic, and of any other.
RELEVANT, NEAR, NOTHING = 30.0, 20.0, -1.0
# The paper's cosines for the first two, and the shares of random pairs of frequent words that
# exceed them under GloVe, which it used: by these, vectors of any kind get cosines of their own.
NEAR_COSINES, NEAR_SHARES = (0.5, 0.4), (0.050, 0.159)


@dataclass(slots=True)
class Parents:
    """What the pages say that show a link, as far as they were crawled."""

    count: int = 0
    total: float = 0.0  # sum of their relevances
    relevant: int = 0
    relevant_total: float = 0.0
    smoothed: float = 0.0  # the largest of their weighted averages
    distance: int = FARTHEST  # the smallest of theirs
    pair: int = -1  # the last one that the link was put into

    def add(self, page: PageState) -> None:
        self.smoothed = max(self.smoothed, page.smoothed) if self.count else page.smoothed
        self.count += 1
        self.total += page.relevance[0]
        self.relevant += page.relevant
        self.relevant_total += page.relevance[0] * page.relevant
        self.distance = min(self.distance, page.distance)

    def means(self) -> tuple[float, float]:
        """Return the mean relevance of all parents, and of the relevant ones."""
        return self.total / max(self.count, 1), self.relevant_total / max(self.relevant, 1)


@dataclass(frozen=True, slots=True)
class PageState:
    """A crawled page: its own relevances and what its parents add."""

    relevance: tuple[float, ...]  # to the topic, to each category
    relevant: bool
    smoothed: float
    distance: int
    lang: str
    codes: Codes  # the 8 + 2c numbers of the state
    near: float = 0.0  # by word vectors


class Sarsa(ResumablePolicy):
    """A linear SARSA over pairs of page and link features; collects pages about a topic.

    Args:
        update: Which pairs are valued anew after a step: all of them (synchronous), or those
            of the page at hand (asynchronous, and moderated, which also takes smaller steps).
        epsilon: How often a random pair is taken.
        gamma: Discount.
        alpha: Step size.
        beta: Weight of a page in the average over it and its ancestors.
        similarity: How relevance is measured for the features: by word vectors, or by tf-idf.
            The paper's "cosine similarity between word vectors" can mean either.
        order: Which link of a pair comes first: that whose words are nearest to the topic
            (similar), or the oldest; the paper does not say.
        near: Also reward pages that are not relevant but near to the topic by their word vectors,
            as the paper does. Off: it made crawls worse (docs/research/topics.md).
        seed: Seed of the draws.
        subject: What is looked for, in words.
        weights: Those of an earlier task.
        idf: Document frequencies of a corpus; without them, those of the pages seen so far.
    """

    as_printed: ClassVar = {"near": "true"}

    def __init__(
        self,
        *,
        update: Literal["synchronous", "asynchronous", "moderated"] = "synchronous",
        epsilon: float = 0.1,
        gamma: float = 0.9,
        alpha: float = 0.001,
        beta: float = 0.4,
        similarity: Literal["vectors", "tfidf"] = "vectors",
        order: Literal["similar", "oldest"] = "similar",
        near: bool = False,
        seed: int = 0,
        subject: Subject | None = None,
        weights: Sequence[float] | None = None,
        idf: Mapping[str, int] | None = None,
    ) -> None:
        if not (0 <= epsilon <= 1 and 0 <= gamma <= 1 and 0 < beta <= 1 and alpha > 0):
            raise ConfigError(
                f"epsilon={epsilon}, gamma={gamma}, beta={beta} are shares from 0 to 1, and "
                f"alpha={alpha} is above 0."
            )
        self.update = update
        self.epsilon = epsilon
        self.gamma = gamma
        self.alpha = alpha
        self.beta = beta
        self.subject = subject or data_files()
        self.similarity = similarity
        # Without word vectors there is one measure only.
        self._by_vectors = similarity == "vectors" and self.subject.vectors is not None
        self.near = near
        self._cosines: tuple[float, ...] = NEAR_COSINES
        if near and self.subject.vectors is not None:
            self._cosines = exceeded_by(self.subject.vectors, NEAR_SHARES, NEAR_COSINES)
        self.order = order
        self.seed = seed
        self.idf = idf
        self._rng = random.Random(seed)
        self._tfidf = TfIdf(idf)
        size = 14 + 4 * len(self.subject.categories)
        moderated = update == "moderated"
        self.learner = LinearSarsa(
            size, alpha=alpha, gamma=gamma, moderated=moderated, weights=weights
        )
        self._pairs = Pairs(size)
        self._pools: list[Heap] = []
        self._starts = Fifo()
        self._parents: dict[str, Parents] = {}  # of links not asked for yet
        self._drawn = ("", -1)  # the link picked last, and its pair
        self._taken: dict[str, tuple[int, Parents]] = {}  # of links asked for: the pair
        self._hosts: Counter[str] = Counter()  # of links not asked for yet

    @property
    def weights(self) -> list[float]:
        """What was learned, for the next task."""
        learned: list[float] = self.learner.weights.tolist()
        return learned

    def insights(self) -> list[str]:
        """Name the features that count most."""
        weights = self.learner.weights
        names = feature_names(self.subject.categories)
        order = np.argsort(-np.abs(weights))[:5]
        return [f"{weights[i]:+.2f} for each step of {names[i]}" for i in order.tolist()]

    # --- choosing -----------------------------------------------------------------------------

    def pick(self, asleep: Collection[str]) -> Choice | None:
        start = self._starts.peek(asleep)
        if start is not None:
            return Choice(start, why="start URL")
        if asleep and all(host in asleep for host in self._hosts):
            return None
        if self._rng.random() < self.epsilon:
            choice = self._any(asleep)
            if choice is not None:
                return choice
        return self._greedy(asleep)

    def _any(self, asleep: Collection[str]) -> Choice | None:
        """Take a link of a random pair; give up when several have none that can be asked for."""
        for _ in range(TRIES):
            awake = self._pairs.awake()
            if not len(awake):
                break
            number = int(awake[self._rng.randrange(len(awake))])
            probability = self.epsilon / len(awake)
            if number == self._pairs.best():
                probability += 1 - self.epsilon
            choice = self._first(number, asleep, probability, "any")
            if choice is not None:
                return choice
        return None

    def _greedy(self, asleep: Collection[str]) -> Choice | None:
        probability = 1 - self.epsilon + self.epsilon / max(len(self._pairs.awake()), 1)
        while (best := self._pairs.best()) is not None:
            choice = self._first(best, asleep, probability, "best")
            if choice is not None:
                return choice
            if len(self._pools[best]):  # all of its links sleep: go down the list
                break
        for number in self._pairs.ranked() if asleep else ():
            choice = self._first(number, asleep, probability, "best awake")
            if choice is not None:
                return choice
        return None

    def _first(
        self, number: int, asleep: Collection[str], probability: float, how: str
    ) -> Choice | None:
        """Return the first link of a pair that is awake and was not asked for yet."""
        pool = self._pools[number]
        while (link := pool.peek(asleep)) is not None and link.url not in self._parents:
            pool.take(link)
        if not len(pool):
            self._pairs.put_to_sleep(number)
        if link is None:
            return None
        self._drawn = link.url, number
        why = f"{how} pair of page and link: value {self._pairs.values[number]:.2f}"
        return Choice(link, probability=max(probability, 1e-6), why=why)

    def take(self, choice: Choice) -> None:
        link = choice.link
        parents = self._parents.pop(link.url, None)
        if parents is None:
            self._starts.take(link)
            return
        self._hosts[link.host] -= 1
        if not self._hosts[link.host]:
            del self._hosts[link.host]
        drawn, number = self._drawn
        if drawn != link.url:  # an earlier run chose it
            self._taken[link.url] = parents.pair, parents
            return
        self._taken[link.url] = number, parents
        pool = self._pools[number]
        pool.take(link)
        if not len(pool):
            self._pairs.put_to_sleep(number)

    # --- learning -----------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is None:
            for link in outcome.links:
                if not link.kind:
                    self._starts.push(link)
            # A sitemap's links wait as those of a page that says nothing.
            listed = replace(outcome, links=tuple(link for link in outcome.links if link.kind))
            self._pairs.wake(self._offer(listed, self._state(outcome.verdict, Parents())))
            return
        number, parents = self._taken.pop(outcome.choice.link.url, (-1, Parents()))
        page = self._state(outcome.verdict, parents)
        numbers = self._offer(outcome, page)
        if number >= 0:
            following = None if page.relevant or not numbers else self._next(numbers)
            self.learner.step(self._pairs.rows[number], self._reward(page), following)
        state = page.codes.tobytes()
        if self.update == "synchronous":
            self._pairs.value_all(self.learner.weights)
        else:
            self._pairs.value_state(state, self.learner.weights)
        self._pairs.wake(numbers)

    def _reward(self, page: PageState) -> float:
        very_near, near = self._cosines
        if page.relevant or (self.near and page.near > very_near):
            return RELEVANT
        return NEAR if self.near and page.near > near else NOTHING

    def _next(self, numbers: Sequence[int]) -> Floats:
        """Choose the action that would come next on the page, as ever epsilon-greedily."""
        rows = self._pairs.rows[numbers]
        if self._rng.random() < self.epsilon:
            row: Floats = rows[self._rng.randrange(len(rows))]
            return row
        best: Floats = rows[int(np.argmax(rows @ self.learner.weights))]
        return best

    def _state(self, verdict: Verdict, parents: Parents) -> PageState:
        """Give a crawled page its features (Sec. 3.1, States)."""
        relevance, near, lang = self._read(verdict)
        own = relevance[0]
        relevant = verdict.found
        smoothed, change = own, 0.0
        if parents.count:
            smoothed = self.beta * own + (1 - self.beta) * parents.smoothed
            change = own - parents.smoothed
        distance = 0 if relevant else min(parents.distance + 1, FARTHEST)
        values = np.array([[own, *relevance[1:], *parents.means()]])
        both = indexes(values)[0]
        codes = np.concatenate((both[:2], [change_index(change)], both[2:], [distance]))
        return PageState(
            relevance, relevant, smoothed, distance, lang, codes.astype(np.uint8), near
        )

    def _read(self, verdict: Verdict) -> tuple[tuple[float, ...], float, str]:
        """Return a page's relevances, its nearness by word vectors, and its language."""
        details: dict[str, Any] = json.loads(verdict.details) if verdict.details else {}
        if "stems" not in details:  # another kind of target: a find is what is relevant
            return (float(verdict.found),) + (0.0,) * len(self.subject.categories), 0.0, ""
        lang = str(details["lang"])
        near = [float(value) for value in details["near"]]
        self._tfidf.add(details["stems"])
        if self._by_vectors:
            return tuple(near), near[0], lang
        queries = self.subject.queries(lang)
        cosines = self._tfidf.cosines([details["stems"]], queries, float(details["rest"]))[0]
        return tuple(cosines.tolist()), near[0], lang

    def _offer(self, outcome: Outcome, page: PageState) -> list[int]:
        """Put a page's links into their pairs (Sec. 3.1, Actions); return the pairs."""
        sighted: dict[str, Link] = {}
        # What a redirect led to is shown again without ever having waited here.
        waiting = [link for link in outcome.again if link.url in self._parents]
        for link in (*outcome.links, *waiting):
            sighted.setdefault(link.url, link)
        links = list(sighted.values())
        if not links:
            return []
        values = self._values(links, page)
        codes = np.concatenate(
            (np.repeat(page.codes[None, :], len(links), axis=0), indexes(values)), axis=1
        )
        keys = self._keys(links, values)
        state = page.codes.tobytes()
        numbers = []
        for link, row, key in zip(links, codes, keys, strict=True):
            number = self._pairs.number(row, state)
            if number == len(self._pools):
                self._pools.append(Heap())
            self._pools[number].push(link, key)
            self._parents[link.url].pair = number
            numbers.append(number)
        return numbers

    def _values(self, links: Sequence[Link], page: PageState) -> Floats:
        """Return the relevances of links and the mean ones of their parents."""
        means = []
        for link in links:
            parents = self._parents.get(link.url)
            if parents is None:
                parents = self._parents[link.url] = Parents()
                self._hosts[link.host] += 1
            parents.add(page)
            means.append(parents.means())
        if self._by_vectors:
            own = self.subject.nearness(links)
        else:
            said = [self.subject.said(link, page.lang) for link in links]
            own = self._tfidf.cosines(said, self.subject.queries(page.lang or self.subject.lang))
        return np.concatenate((own, np.array(means)), axis=1)

    def _keys(self, links: Sequence[Link], values: Floats) -> list[float]:
        if self.order == "oldest":
            return [0.0] * len(links)
        other = not self._by_vectors and self.subject.vectors is not None
        near = self.subject.nearness(links)[:, 0] if other else values[:, 0]
        keys: list[float] = (-near).tolist()
        return keys


def feature_names(categories: Sequence[str]) -> list[str]:
    """Name the numbers of x(s, a), in order."""
    both = ("/5", "/6")
    parents = [f"{name}{n}" for name in ("mean of parents", "of relevant parents") for n in both]
    wider = [f"{category}{n}" for category in categories for n in both]
    state = [*(f"relevance{n}" for n in both), "change", *wider, *parents, "distance"]
    action = [*(f"relevance{n}" for n in both), *wider, *parents]
    return [f"page: {name}" for name in state] + [f"link: {name}" for name in action]
