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
from lodehound.core.policy import Policy, ResumablePolicy
from lodehound.learn.remaining import LIKELY, Waiting, YieldEstimator
from lodehound.policies.crawl_groups import EXPECTED, EXPECTED_FILES, CrawlGroups
from lodehound.policies.further_round import Round
from lodehound.policies.lodehound.features import (
    GROUP,
    GROUPS,
    LEVELS,
    UNKNOWN_SOURCE,
    Floats,
    Ints,
    LinkFeatures,
    Rows,
    SourcePage,
    merge,
    strongest,
)
from lodehound.policies.lodehound.frontier import Frontier
from lodehound.policies.lodehound.model import FIND, Estimates, LinkModel
from lodehound.policies.lodehound.new_links import NewLinks
from lodehound.policies.lodehound.topic_odds import NoTopic, TopicOdds
from lodehound.policies.lodehound.visits import PageWorth, Visits, expected_worth, request_worths
from lodehound.read.subject import Subject

REFRESH = 2  # blocks of links that are scored again before each choice
TRIES = 4  # times that the best link is scored again before a choice
SAMPLE = 256  # links that are compared when exploring
MANY = 1000  # waiting links with which the exploration rate is half of what it can become
LUCK = 1e-4  # breaks ties at random
MOST = 1e4  # of a parameter: numbers have single precision


class PendingChoice(NamedTuple):
    """A choice that has no outcome yet."""

    source: str  # page with the link
    row: Rows
    numbers: Floats  # its nearness to the topic; none without one
    expected: Estimates
    file: bool  # expected to be one
    group: str


class FirstRound(ResumablePolicy):
    """The policy without further rounds: every round is a crawl from the start.

    Args:
        gamma: Share of what lies behind a page that counts for the page itself.
        optimism: Weight of what is unknown about a link, in units of the site's mean value.
        explore: Exploration rate, scaled down by the best link's score and while few links wait.
        shrink: Number of visits that the mean one level up counts for in a group's mean.
        decay: Share of a group's past that each of its visits removes.
        seed: Seed of all random draws.
        subject: What is looked for, in words.
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
    ) -> None:
        _check(0, 1, gamma=gamma, explore=explore, decay=decay)
        _check(0, MOST, optimism=optimism)
        _check(1 / MOST, MOST, shrink=shrink)
        _check(0, math.inf, seed=seed)
        self.gamma = gamma
        self.optimism = optimism
        self.explore = explore
        self.shrink = shrink
        self.decay = decay
        self.seed = seed
        self.subject = subject
        self._draws = np.random.default_rng(seed)
        self._luck: Floats = LUCK * self._draws.random(1 << 16, dtype=np.float32)
        self._features = LinkFeatures()
        self._frontier = Frontier()
        self._topic = NoTopic() if subject is None else TopicOdds(subject, shrink=shrink)
        self._model = self.model_type(shrink=shrink, decay=decay, rate=self._topic.rate)
        self._visits = self.visits_type(self._model, gamma=gamma)
        self._groups = CrawlGroups()
        self._remaining = YieldEstimator()
        self._pending: dict[str, PendingChoice] = {}

    def refresh(self, number: int) -> None:
        """Score every waiting link with what is known now, and begin new draws."""
        self._draws = np.random.default_rng((self.seed, number))
        self._frontier.restart()
        for places in self._frontier.slices():
            self._rescore(places)

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
        file, scores = self._topic.files(frontier.scores(places))
        groups = np.where(file, EXPECTED_FILES, groups)
        return self._groups.waiting(groups, scores, lambda at: frontier.link_at(places[at]))

    def group_of(self, url: str) -> str:
        pending, place = self._pending.get(url), self._frontier.place_of.get(url)
        if pending is None and place is not None:
            pending = self._prepare(place)
        return "" if pending is None else pending.group

    def remaining_yield(self) -> YieldEstimate:
        """Sum what every waiting link is expected to bring."""
        return self._remaining.estimate(map(self._waiting, self._frontier.slices()))

    def _waiting(self, places: Ints) -> Waiting:
        links = self._estimates(places)
        return Waiting(links.find, links.finds, self._frontier.scores(places))

    def pick(self, asleep: Collection[str]) -> Choice | None:
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
        """Return the probability of exploring: lower if few links wait."""
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
        worth = estimates.novelty * self._topic.promise(estimates)
        return int(places[worth.argmax()]), probability

    def _best(self, asleep: Collection[str]) -> int | None:
        """Return the place of the best link by what is known now."""
        frontier = self._frontier
        place = frontier.best(asleep)
        if place is not None and frontier.score_at(place) >= 1:
            place = self._confirmed(place, asleep)
        if place is not None and frontier.score_at(place) < 1:
            # No expected file waits: score some more links with what was learned since.
            places = frontier.next_blocks(REFRESH)
            self._rescore(places)
            place = frontier.best(asleep)
            if place not in places:  # else it has just been scored
                place = self._confirmed(place, asleep)
        return place

    def _confirmed(self, place: int | None, asleep: Collection[str]) -> int | None:
        """Score the best link and its block again until its score no longer falls."""
        frontier = self._frontier
        for _ in range(TRIES):
            if place is None:
                break
            before = frontier.score_at(place)
            self._rescore(frontier.block_of(place))
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
        return self._model.predict(rows, self._topic.odds(self._topic.numbers(places)))

    def _scores(self, links: Estimates, places: Ints | int) -> Floats:
        """Return the scores that order requests."""
        scores = self._topic.scores(links, self.optimism * self._model.scale)
        found: Floats = scores + self._luck[places & 0xFFFF]
        return found

    def _choice(self, place: int, probability: float, *, explored: bool = False) -> Choice:
        link = self._frontier.link_at(place)
        if not link.kind:
            return Choice(link, probability=probability, why="start URL")
        pending = self._prepare(place)
        why = self._why(pending, explored=explored)
        return Choice(link, probability=probability, why=why, group=pending.group)

    def _prepare(self, place: int) -> PendingChoice:
        row, link = self._frontier.rows(place), self._frontier.link_at(place)
        expected = self._estimates(place, row)
        file = bool(expected.find > LIKELY)
        group = self._groups.name(EXPECTED_FILES if file else int(row[GROUP]), link)
        numbers = self._topic.numbers(place)
        return PendingChoice(link.source, row, numbers, expected, file, group)

    def _why(self, pending: PendingChoice, *, explored: bool) -> str:
        if pending.file:
            return f"{EXPECTED}: {pending.expected.find:.0%} sure, by {self._evidence(pending)}"
        lead = f"{'exploring ' if explored else ''}{pending.group}"
        record = self._groups.record(int(pending.row[GROUP]))
        return f"{lead}: {record}, {math.expm1(pending.expected.value):.2g} files expected"

    def _evidence(self, pending: PendingChoice) -> str:
        """Return in words what speaks most for a find."""
        weights = self._model.table.take(pending.row)[:, FIND]
        if self._topic.outweighs(pending.numbers, weights.max()):
            return "its nearness to the topic"
        return strongest(pending.row, weights)

    def take(self, choice: Choice) -> None:
        url = choice.link.url
        place = self._frontier.place_of[url]
        pending = self._pending[url] = self._prepare(place)
        self._frontier.pop(place)
        if not pending.file:  # several visits may be pending: each counts when it begins
            self._model.means.visit(pending.row[LEVELS])

    def learn(self, outcome: Outcome) -> None:
        pending, source, verdict = None, UNKNOWN_SOURCE, outcome.verdict
        if outcome.choice is not None:
            pending = self._pending.pop(outcome.choice.link.url)
            group = int(pending.row[GROUP])
            source = SourcePage(group, verdict.found, verdict.label, verdict.value)
            self._learn_find(pending, outcome)
        worth = self._add(outcome.links, source) if outcome.links else PageWorth()
        self._rescore(self._topic.show_again(self._frontier, outcome, source))
        if outcome.again:
            self._see_again(outcome.again, source)
        if pending is not None:
            self._learn_page(pending, outcome, worth)

    def _learn_find(self, pending: PendingChoice, outcome: Outcome) -> None:
        """Learn whether a link was a find."""
        found, topic = outcome.verdict.found, self._topic
        if found and topic.values_pages:
            links = bool(outcome.links or outcome.again)
            self._model.count_find(page=outcome.is_html, links=links)
            if not pending.file:
                self._visits.credit(pending.source)
        odds = float(topic.odds(pending.numbers))
        expected = self._model.learn_find(pending.row, found=found, more=odds)
        topic.learn(pending.numbers, expected, found=found)

    def _add(self, links: tuple[Link, ...], source: SourcePage) -> PageWorth:
        """Add new links; return what they make their page worth."""
        rows = self._features.rows(links, source)
        self._groups.add(rows[:, GROUP].tolist(), links)
        each = [self._frontier.add(link) for link in links]
        # Most pages have one: scalars are faster than arrays.
        rows, places = (rows[0], each[0]) if len(each) == 1 else (rows, np.array(each))
        self._frontier.set_rows(places, rows)
        self._topic.add(np.atleast_1d(places), links, source)
        estimates = self._estimates(places, rows)
        self._frontier.score(places, self._scores(estimates, places))
        return expected_worth(estimates)

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        """Add waiting links to the groups in which they are seen again.

        The first place that shows a link is often a menu or an index of everything; a list of
        similar links says more. The more promising sighting gives the features.
        """
        waiting, places = self._frontier.find(links)
        old = self._frontier.rows(places)
        new_groups = self._features.in_new_groups(waiting, old)
        if not len(new_groups):
            return
        places, old = places[new_groups], old[new_groups]
        again = [waiting[at] for at in new_groups]
        new = self._features.rows(again, source)
        self._groups.add(new[:, GROUP].tolist(), again)
        merge(old, new)
        before, after = (request_worths(self._estimates(places, rows)) for rows in (old, new))
        self._frontier.set_rows(places, np.where((after > before)[:, None], new, old))
        self._rescore(places)

    def _learn_page(self, pending: PendingChoice, outcome: Outcome, worth: PageWorth) -> None:
        """Learn what a page was worth; whatever is no find counts as a page."""
        found, row = outcome.verdict.found, pending.row
        if pending.file:
            self._groups.count([EXPECTED_FILES], float(found))
        if pending.file != found:  # it was taken for a page and is none, or the reverse
            change = self._model.means.forget_visit if found else self._model.means.visit
            change(row[LEVELS])
        if not found:
            self._visits.learn(outcome.url, pending.source, row, worth)
            self._groups.count({*row[GROUPS].tolist()} - {0}, worth.files)
            self._remaining.learn(worth.files, len(outcome.links) - worth.files)


class LodehoundPolicy(FirstRound):
    """Requests expected files at once, and pages in the order of what they are worth."""

    def begin_round(self, known: Sequence[KnownUrl], time: float) -> Policy:
        if not known:
            return self
        visited = [one for one in known if one.visits]
        return Round(known, time, NewLinks(visited, shrink=self.shrink, gamma=self.gamma))


def _check(least: float, below: float, **values: float) -> None:
    """Refuse values of parameters that are out of bounds."""
    for name, value in values.items():
        if not least <= value < below:
            limit = f" and less than {below:g}" if below < math.inf else ""
            raise ConfigError(f"{name}={value}: give at least {least:g}{limit}.")
