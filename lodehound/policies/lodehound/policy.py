"""The policy: of all waiting links, request the one that brings most finds per request."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from lodehound.core.errors import ConfigError
from lodehound.core.history import KnownUrl
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group, Outcome, YieldEstimate
from lodehound.core.policy import Lessons
from lodehound.learn.lessons import mean_of
from lodehound.learn.remaining import YieldEstimator
from lodehound.policies.lodehound.features import (
    GROUP,
    UNKNOWN_SOURCE,
    Floats,
    Ints,
    LinkFeatures,
    Rows,
    SourcePage,
    groups_of,
    has_room,
    merge,
    never_in,
    strongest,
)
from lodehound.policies.lodehound.frontier import Frontier
from lodehound.policies.lodehound.groups import EXPECTED, EXPECTED_FILES, CrawlGroups
from lodehound.policies.lodehound.model import CERTAIN, FIND, LEVELS, RATE, Estimates, LinkModel
from lodehound.policies.lodehound.new_links import NewLinks
from lodehound.policies.lodehound.topic import STEP, TopicOdds
from lodehound.policies.lodehound.visits import PageWorth, Visits, expected_worth, request_worths
from lodehound.policies.rounds import RoundPolicy
from lodehound.read.subject import Subject

REFRESH = 2  # blocks of links that are scored again before each choice
TRIES = 4  # times that the best link may turn out worse than its score
SAMPLE = 256  # links that are compared when exploring
MANY = 1000  # waiting links with which the exploration rate is half of what it can become
LUCK = 1e-4  # breaks ties at random
NO_NUMBERS: Floats = np.zeros(0, dtype=np.float32)


class PendingChoice(NamedTuple):
    """A choice that has no outcome yet."""

    url: str
    source: str  # page with the link
    row: Rows
    file: bool  # whether it is an expected file
    find: float  # probability
    value: float  # expected, if it is a page
    group: str
    numbers: Floats  # its nearness to the topic; none without one


class LodehoundPolicy(RoundPolicy):
    """Requests expected files at once, and pages in the order of what they are worth.

    Args:
        gamma: Share of what lies behind a page that counts for the page itself.
        optimism: Weight of what is unknown about a link, in units of the site's mean value.
        explore: Exploration rate, scaled down by the best link's score and while few links wait.
        shrink: Number of visits that the mean one level up counts for in a group's mean.
        decay: Share of a group's past that each of its visits removes.
        seed: Seed of all random draws.
        subject: What is looked for, in words.
        prior: What other crawls have learned.
    """

    model_type = LinkModel  # bench/variants.py has others
    visits_type = Visits

    def __init__(
        self,
        *,
        gamma: float = 0.5,
        optimism: float = 0.42,
        explore: float = 0.1,
        shrink: float = 2.0,
        decay: float = 0.01,
        seed: int = 0,
        subject: Subject | None = None,
        prior: Lessons | None = None,
    ) -> None:
        self.gamma = gamma
        self.optimism = optimism
        self.explore = explore
        self.shrink = shrink
        self.decay = decay
        self.seed = seed
        self.subject = subject
        self._check()
        self._draws = np.random.default_rng(seed)
        self._luck: Floats = LUCK * self._draws.random(1 << 16, dtype=np.float32)
        self._features = LinkFeatures()
        self._frontier = Frontier()
        self._topic = None if subject is None else TopicOdds(subject, shrink=shrink)
        rate = RATE if subject is None else STEP
        self._model = self.model_type(shrink=shrink, decay=decay, rate=rate)
        self._groups = CrawlGroups(self._features.take_new_groups)
        self._remaining = YieldEstimator()
        self._visits = self.visits_type(self._model, gamma=gamma)
        self._pending: dict[str, PendingChoice] = {}
        self._prepared: PendingChoice | None = None
        self.prior = prior
        self._model.begin(prior or {})

    def _check(self) -> None:
        for name in ("gamma", "explore", "decay"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name}={getattr(self, name)}: it must be at least 0, below 1.")
        for name, bound in (("optimism", "at least"), ("shrink", "above")):
            value = getattr(self, name)
            if not 0 <= value < math.inf or (value == 0 and bound == "above"):
                raise ConfigError(f"{name}={value}: it must be finite and {bound} 0.")
        if self.seed < 0:
            raise ConfigError(f"seed={self.seed}: it must be at least 0.")

    def can_refresh(self) -> bool:
        return self._round is None

    def refresh(self, number: int) -> None:
        """Score every waiting link with what is known now, and begin new draws."""
        self._draws = np.random.default_rng((self.seed, number))
        self._frontier.restart()
        for places in self._frontier.slices():
            self._rescore(places)

    def lessons(self) -> Lessons:
        return self._model.lessons()

    def heed(self, lessons: Sequence[Lessons]) -> None:
        """Take the mean of what this crawl and others have learned, feature by feature."""
        self._model.begin(mean_of([self.lessons(), *lessons]))

    def insights(self) -> list[str]:
        """Describe the groups of pages that brought most files per visit."""
        return self._groups.best(5)

    def groups(self) -> list[Group]:
        """Return the groups with the best waiting links; expected files are one of them."""
        frontier = self._frontier
        if not len(frontier):
            return []
        places = frontier.places()
        groups = np.concatenate([frontier.rows(at)[:, GROUP] for at in frontier.slices()])
        find = np.concatenate([self._estimates(at).find for at in frontier.slices()])
        scores = frontier.scores(places)
        return self._groups.waiting(groups, find, scores, lambda at: frontier.link_at(places[at]))

    def group_of(self, url: str) -> str:
        pending, place = self._pending.get(url), self._frontier.place_of(url)
        if pending is None and place is not None:
            pending = self._prepare(place)
        return "" if pending is None else pending.group

    def remaining_first(self) -> YieldEstimate:
        """Sum what every waiting link is expected to bring."""
        links = map(self._estimates, self._frontier.slices())
        return YieldEstimate(*self._remaining.estimate((some.find, some.finds) for some in links))

    def judge_of(self, known: Sequence[KnownUrl]) -> NewLinks:
        return NewLinks(known, shrink=self.shrink, gamma=self.gamma)

    def pick_first(self, asleep: Collection[str]) -> Choice | None:
        best = self._best(asleep)
        if best is None:
            return None
        rate = self._exploration_rate(best)
        found = self._explore(best, asleep) if self._draws.random() < rate else None
        if found is None:
            return self._choice(best, 1 - rate)
        place, share = found
        return self._choice(place, rate * share, explored=True)

    def _exploration_rate(self, best: int) -> float:
        """Return how likely a link is tried for what it teaches: less if few wait to gain by it."""
        waiting = len(self._frontier)
        score = min(self._frontier.score_at(best), 1.0)
        return self.explore * (1 - score) * waiting / (waiting + MANY)

    def _explore(self, best: int, asleep: Collection[str]) -> tuple[int, float] | None:
        """Draw some links; return the least known of them, and its probability.

        With a topic, what is unknown counts by the probability of a find. Never the best link: it
        is requested without exploring, and has one probability.
        """
        places, probability = self._frontier.draw(SAMPLE, self._draws, asleep)
        places = places[places != best]
        if not len(places):
            return None
        estimates = self._estimates(places)
        promise = 1.0 if self._topic is None else estimates.find
        return int(places[(estimates.novelty * promise).argmax()]), probability

    def _best(self, asleep: Collection[str]) -> int | None:
        """Return the place of the best link by what is known now."""
        frontier = self._frontier
        place = frontier.best(asleep)
        if place is not None and frontier.score_at(place) >= 1:
            place = self._confirmed(place, asleep)
        if place is None or frontier.score_at(place) >= 1:
            return place
        # No expected file waits: score some more links with what was learned since.
        some = frontier.some(REFRESH)
        self._rescore(some)
        place = frontier.best(asleep)
        if place is None or place in some:  # it has just been scored
            return place
        return self._confirmed(place, asleep)

    def _confirmed(self, place: int | None, asleep: Collection[str]) -> int | None:
        """Score the best link and its neighbours again until it stays the best."""
        frontier = self._frontier
        for _ in range(TRIES):
            if place is None:
                break
            before = frontier.score_at(place)
            self._rescore(frontier.beside(place))
            stays = frontier.score_at(place) >= before - LUCK
            place = frontier.best(asleep)
            if stays:
                break
        return place

    def _rescore(self, places: Ints) -> None:
        if len(places):
            self._frontier.score(places, self._scores(self._estimates(places), places))

    def _estimates(self, places: Ints | int, rows: Rows | None = None) -> Estimates:
        """Return what is expected of waiting links, by their features or by these."""
        rows = self._frontier.rows(places) if rows is None else rows
        topic = self._topic
        return self._model.predict(rows, topic.odds(topic.numbers(places)) if topic else 0.0)

    def _scores(self, links: Estimates, places: Ints | int) -> Floats:
        """Return the share of finds among the requests that a link will cause.

        A page with n files costs one request and brings n finds with n more:
        n / (n + 1), which is 1 - exp(-v) for the value v = log(1 + n). With a topic, every page
        may be a find, and finds link to each other: only the probability counts.
        """
        if self._topic is not None:
            scores = links.find
        else:
            bonus = self.optimism * self._model.scale * links.novelty
            worth = request_worths(links, bonus)
            file, expected = links.find > CERTAIN, 1 + links.find
            if isinstance(file, bool):  # of one link
                scores = expected if file else worth
            else:
                scores = np.where(file, expected, worth)
        found: Floats = scores + self._luck[places & 0xFFFF]
        return found

    def _choice(self, place: int, probability: float, *, explored: bool = False) -> Choice:
        link = self._frontier.link_at(place)
        pending = self._prepared = self._prepare(place)
        if not link.kind:
            return Choice(link, probability=probability, why="start URL")
        why = self._why(pending, explored=explored)
        return Choice(link, probability=probability, why=why, group=pending.group)

    def _prepare(self, place: int) -> PendingChoice:
        row, link = self._frontier.rows(place), self._frontier.link_at(place)
        expected = self._estimates(place, row)
        file = bool(expected.find > CERTAIN)
        group = EXPECTED if file else self._groups.name(int(row[GROUP]), link)
        numbers = NO_NUMBERS if self._topic is None else self._topic.numbers(place)
        find, value = float(expected.find), float(expected.value)
        return PendingChoice(link.url, link.source, row, file, find, value, group, numbers)

    def _why(self, pending: PendingChoice, *, explored: bool) -> str:
        if pending.file:
            return f"{EXPECTED}: {pending.find:.0%} sure, by {self._evidence(pending)}"
        lead = f"{'exploring ' if explored else ''}{pending.group}"
        record = self._groups.record(int(pending.row[GROUP]))
        return f"{lead}: {record}, {math.expm1(pending.value):.2g} files expected"

    def _evidence(self, pending: PendingChoice) -> str:
        """Say in words what speaks most for a find."""
        weights = self._model.table.take(pending.row)[:, FIND]
        if self._topic is not None and self._topic.odds(pending.numbers) > weights.max():
            return "its nearness to the topic"
        return strongest(pending.row, weights)

    def take_first(self, choice: Choice) -> None:
        url = choice.link.url
        place = self._frontier.place_of(url)
        if place is None:
            raise KeyError(url)
        pending = self._prepared  # nothing was learned since, if it is the same link
        if pending is None or pending.url != url:
            pending = self._prepare(place)
        self._frontier.take(place)
        self._pending[url] = pending
        if not pending.file:
            self._visit(pending.row)

    def _visit(self, row: Rows) -> None:
        """Count a visit of a page when it begins: several may be pending."""
        self._model.means.visit(row[LEVELS])
        self._groups.count(groups_of(row), visits=1)

    def learn_first(self, outcome: Outcome) -> None:
        pending, source = None, UNKNOWN_SOURCE
        self._prepared = None
        if outcome.choice is not None:
            pending = self._pending.pop(outcome.choice.link.url)
            verdict = outcome.verdict
            group = int(pending.row[GROUP])
            source = SourcePage(group, verdict.found, verdict.label, verdict.value)
            if verdict.found and self._topic is None:
                links = bool(outcome.links or outcome.again)
                self._model.count_find(page=outcome.is_html, links=links)
                if not pending.file:
                    self._visits.credit(pending.source)
            self._learn_find(pending, found=verdict.found)
        worth = self._add(outcome.links, source) if outcome.links else PageWorth()
        if self._topic is not None:
            self._show_again(self._topic, outcome, source)
        if outcome.again:
            self._see_again(outcome.again, source)
        if pending is not None:
            self._learn(pending, outcome, worth)

    def _learn_find(self, pending: PendingChoice, *, found: bool) -> None:
        more = 0.0 if self._topic is None else float(self._topic.odds(pending.numbers))
        expected = self._model.learn_find(pending.row, found=found, more=more)
        if self._topic is not None:
            self._topic.learn(pending.numbers, expected, found=found)

    def _add(self, links: tuple[Link, ...], source: SourcePage) -> PageWorth:
        """Let new links wait; return what they make their page worth."""
        rows = self._features.rows(links, source)
        places: Ints | int
        if len(links) == 1:  # as on most pages: scalars are faster than arrays
            rows = rows[0]
            places = self._frontier.add_one(links[0], rows)
        else:
            places = self._frontier.add(links, rows)
        if self._topic is not None:
            self._topic.meet(np.atleast_1d(places), links, source)
        estimates = self._estimates(places, rows)
        self._frontier.score(places, self._scores(estimates, places))
        return expected_worth(estimates)

    def _show_again(self, topic: TopicOdds, outcome: Outcome, source: SourcePage) -> None:
        """Score the waiting links that a page shows again with what that says about them."""
        new = {link.url for link in outcome.links}
        again = {link.url: link for link in outcome.again if link.url not in new}
        links, places = self._frontier.find(again.values())
        topic.show(places, links, source)
        self._rescore(places)

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        """Let waiting links also belong to the groups in which they are seen again.

        The first place that shows a link is often a menu or an index of everything; a list of
        similar links says more.
        """
        waiting, places = self._frontier.find(links)
        rows = self._frontier.rows(places)
        some = np.flatnonzero(has_room(rows))
        some = some[never_in(self._features.clusters([waiting[at] for at in some]), rows[some])]
        if len(some):
            seen = self._features.rows([waiting[at] for at in some], source)
            self._join(places[some], rows[some], seen)

    def _join(self, places: Ints, old: Rows, new: Rows) -> None:
        """Add another sighting of waiting links; the more promising one gives the features."""
        merge(old, new)
        before, after = (request_worths(self._estimates(places, rows)) for rows in (old, new))
        self._frontier.change(places, np.where((after > before)[:, None], new, old))
        self._rescore(places)

    def _learn(self, pending: PendingChoice, outcome: Outcome, worth: PageWorth) -> None:
        """Learn what a page was worth; whatever is no find counts as a page."""
        found = outcome.verdict.found
        if pending.file:
            self._groups.count([EXPECTED_FILES], visits=1, files=found)
        if found:
            if not pending.file:
                self._model.means.forget_visit(pending.row[LEVELS])
                self._groups.count(groups_of(pending.row), visits=-1)
            return
        if pending.file:
            self._visit(pending.row)
        self._visits.learn(outcome.url, pending.source, pending.row, worth)
        self._groups.count(groups_of(pending.row), files=worth.files)
        self._remaining.learn(worth.files, len(outcome.links) - worth.files)
