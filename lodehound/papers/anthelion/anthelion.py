"""Anthelion (CIKM 2014): a bandit chooses the host, an online classifier the page."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from lodehound.core.asleep import Sleepers
from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.truth import Truth
from lodehound.papers.anthelion.host_bandits import ALPHA, BETA, Arms, Ranked, Thompson, Uniform
from lodehound.papers.anthelion.page_classifier import (
    Features,
    Model,
    PageClassifier,
    Static,
    confidence,
)

Score = Literal[
    "neg-bad", "best", "success", "thompson", "good-x-best", "thompson-x-best", "success-x-best"
]


@dataclass(slots=True)
class _Host:
    """One arm: what its pages were like, and what waits."""

    good: int = 0
    bad: int = 0
    waiting: list[tuple[float, int, Link]] = field(default_factory=list)  # a heap, maybe stale


class Anthelion(ResumablePolicy):
    """A bandit over hosts and an online classifier of pages, for pages with structured data.

    With the chance ``explore`` (decaying) a random host, else the host of the
    highest score; of the host the page most likely to be relevant. ``anthelion:paper`` is the
    best row of the paper's Table 2; its finds are those of the target ``markup:paper``.

    Args:
        score: How hosts are scored: by their pages so far (neg-bad, success, thompson), by the
            confidence of their best waiting page (best), or by a product of both.
        explore: Share of random hosts, the paper's lambda.
        decay: The paper's m: after t choices the share is explore * m / (t + m); 0 keeps it.
        model: The classifier: naive Bayes (nb) or a Hoeffding tree (ht).
        features: What it sees: tokens of the URL (a), relevant parents (b), both (c).
        siblings: It also sees how many links beside it were relevant.
        static: A classifier trained beforehand instead (recorded sites only).
        train: Pages of a breadth-first crawl that it is trained on.
        seed: Seed of the draws.
        truth: The answers of a recorded site, for training.
    """

    as_printed: ClassVar = {"explore": "0.5", "decay": "10000"}

    def __init__(
        self,
        *,
        score: Score = "success",
        explore: float = 0.2,
        decay: int = 300,
        model: Model = "nb",
        features: Features = "c",
        siblings: bool = False,
        static: Static = "none",
        train: int = 1000,
        seed: int = 0,
        truth: Truth | None = None,
    ) -> None:
        if not 0 <= explore <= 1 or decay < 0:
            raise ConfigError(f"explore={explore} is from 0 to 1, decay={decay} is 0 or more.")
        self.score = score
        self.explore = explore
        self.decay = decay
        self.model = model
        self.features = features
        self.siblings = siblings
        self.static = static
        self.train = train
        self.truth = truth
        self.seed = seed
        self._rng = random.Random(seed)
        self.classifier = PageClassifier(
            model=model,
            features=features,
            siblings=siblings,
            static=static,
            train=train,
            truth=truth,
        )
        self._arms = make_arms(score, seed)
        self.knows_probability = not self._arms.is_random
        self._ready = Uniform(self._rng)
        self._hosts: dict[str, _Host] = {}
        self._waiting: dict[str, int] = {}  # URL to the number of its entry: others are stale
        self._open: dict[str, int] = {}  # hosts with waiting links, and how many
        self._sleepers = Sleepers()
        self._count = 0
        self._choices = 0

    # --- choosing -----------------------------------------------------------------------------

    def pick(self, asleep: Collection[str]) -> Choice | None:
        for host in self._sleepers.update(asleep, self._open):
            if host in self._sleepers.asleep:
                self._retire(host)
            else:
                self._enter(host)
        ready = len(self._ready)
        if not ready:
            return None
        share = self._share()
        explores = share > 0 and self._rng.random() < share
        if explores:
            host, score = self._ready.draw(), 0.0
            best = not self._arms.is_random and self._arms.choose()[0] == host
        else:
            host, score = self._arms.choose()
            best = True
        chance = share / ready + (1 - share if best else 0)
        state = self._hosts[host]
        odds, _, link = state.waiting[0]  # the first is never stale
        known = f"{host}: {state.good} good, {state.bad} bad"
        reason = f"one of {ready} hosts at random" if explores else f"{self.score} {score:.3g}"
        why = f"{known}; {reason}; page {confidence(-odds):.0%} sure"
        return Choice(link, probability=min(max(chance, 1e-12), 1.0), why=why, group=host)

    def _share(self) -> float:
        """Return the share of random choices now (Sec. 3.2: a linear decay)."""
        if not self.decay:
            return self.explore
        return self.explore * self.decay / (self._choices + 1 + self.decay)  # t begins with 1

    def take(self, choice: Choice) -> None:
        host = choice.link.host
        state = self._hosts[host]
        self._choices += 1
        del self._waiting[choice.link.url]
        self._tidy(state)
        self._open[host] -= 1
        if not self._open[host]:
            del self._open[host]
            self._retire(host)
            self._sleepers.removed(host)
        elif host in self._ready:
            self._changed(host, state, best=True)

    def _tidy(self, state: _Host) -> None:
        """Drop outdated entries from the head of a heap."""
        waiting = state.waiting
        while waiting and self._waiting.get(waiting[0][2].url) != waiting[0][1]:
            heapq.heappop(waiting)

    # --- learning -----------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        self.classifier.learn(outcome)
        changed = self.classifier.see(outcome)
        if outcome.choice is not None and not 300 <= outcome.status < 400:
            host = outcome.choice.link.host
            state = self._hosts[host]
            if outcome.verdict.found:
                state.good += 1
            else:
                state.bad += 1
            if host in self._ready:
                self._changed(host, state, best=False)
        self._offer(outcome.links)
        self._offer(link for link in changed if link.url in self._waiting)

    def _offer(self, links: Iterable[Link]) -> None:
        """Queue links by their scores; a link that waits already gets a new score."""
        links = list(links)
        touched = {}
        for link, odds in zip(links, self.classifier.scores(links), strict=True):
            host = link.host
            state = self._hosts.get(host)
            if state is None:
                state = self._hosts[host] = _Host()
            first = state.waiting[0] if state.waiting else None
            if link.url not in self._waiting:
                self._wait(host)
            self._count += 1
            self._waiting[link.url] = self._count
            heapq.heappush(state.waiting, (-odds, self._count, link))
            self._tidy(state)
            if state.waiting[0] is not first:
                touched[host] = state
        for host, state in touched.items():
            if host in self._ready:
                self._changed(host, state, best=True)
            elif host not in self._sleepers.asleep:
                self._enter(host)

    def _wait(self, host: str) -> None:
        if host not in self._open:
            self._open[host] = 0
            self._sleepers.added(host)
        self._open[host] += 1

    # --- arms ---------------------------------------------------------------------------------

    def _enter(self, host: str) -> None:
        if host not in self._ready:
            self._ready.add(host)
            self._put(host, self._hosts[host])

    def _retire(self, host: str) -> None:
        if host in self._ready:
            self._ready.remove(host)
            self._arms.remove(host)

    def _changed(self, host: str, state: _Host, *, best: bool) -> None:
        """Update the arm of a host: its counts, or its best link if the bandit uses that."""
        if not best or self._arms.uses_best:
            self._put(host, state)

    def _put(self, host: str, state: _Host) -> None:
        self._arms.put(host, state.good, state.bad, confidence(-state.waiting[0][0]))

    def insights(self) -> list[str]:
        """Return which hosts were best so far."""
        hosts = sorted(self._hosts.items(), key=lambda pair: (-pair[1].good, pair[1].bad))
        return [
            f"{name}: {host.good} of {host.good + host.bad} pages relevant"
            for name, host in hosts[:5]
            if host.good
        ]


SCORES: dict[Score, tuple[Callable[[int, int, float], float], bool]] = {
    "neg-bad": (lambda _good, bad, _best: -bad, False),
    "best": (lambda _good, _bad, best: best, True),
    "success": (lambda good, bad, _best: (good + ALPHA) / (bad + BETA), False),
    "good-x-best": (lambda good, _bad, best: good * best, True),
    "success-x-best": (lambda good, bad, best: (good + ALPHA) / (bad + BETA) * best, True),
}


def make_arms(score: Score, seed: int) -> Arms:
    """Make the bandit of a scoring function (Sec. 3.2)."""
    if score in SCORES:
        function, uses_best = SCORES[score]
        return Ranked(function, random.Random(seed), uses_best=uses_best)
    return Thompson(seed, times_best=score == "thompson-x-best")
