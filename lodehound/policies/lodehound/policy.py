"""The policy: of all waiting links, request the one that brings most finds per request."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.core.history import KnownUrl
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group, Outcome, YieldEstimate
from lodehound.core.policy import Lessons
from lodehound.policies.lodehound.features import (
    GROUP,
    UNKNOWN_SOURCE,
    LinkFeatures,
    Rows,
    SourcePage,
    has_room,
    merge,
    never_in,
    strongest,
)
from lodehound.policies.lodehound.frontier import SLICE, Frontier
from lodehound.policies.lodehound.groups import EXPECTED, CrawlGroups
from lodehound.policies.lodehound.lessons import LearnedWeights
from lodehound.policies.lodehound.model import FIND, Estimates, LinkModel
from lodehound.policies.lodehound.new_links import NewLinks
from lodehound.policies.lodehound.remaining import YieldEstimator
from lodehound.policies.rounds import RoundPolicy
from lodehound.read.subject import Subject

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
CERTAIN = 0.5  # a link with a higher probability is an expected file
REFRESH = 2  # blocks of links that are scored again before each choice
TRIES = 4  # times that the best link may turn out worse than its score
SAMPLE = 256  # links that are compared when exploring
LUCK = 1e-4  # breaks ties at random
BREADTH = 0.9  # what each further new link of a page counts, as a share of the one before
TOP = 32  # links of a page that count for what lies behind it
MOST_GROUPS = 200  # that are listed
NO_GROUP = -1


class PendingChoice(NamedTuple):
    """A choice that has no outcome yet."""

    url: str
    row: Rows
    find: float  # probability
    value: float  # expected, if it is a page
    group: str

    @property
    def file(self) -> bool:
        """Whether it is an expected file."""
        return self.find > CERTAIN


class LodehoundPolicy(RoundPolicy):
    """Requests expected files at once, and pages in the order of what they are worth.

    Args:
        gamma: Share of what lies behind a page that counts for the page itself.
        optimism: Weight of what is unknown about a link, in units of the site's mean value.
        explore: Exploration rate, scaled down by the best link's score.
        shrink: Number of visits that the mean one level up counts for in a group's mean.
        decay: Share of a group's past that each of its visits removes.
        seed: Seed of all random draws.
        subject: What is looked for, in words.
        prior: What other crawls have learned.
    """

    def __init__(
        self,
        *,
        gamma: float = 0.5,
        optimism: float = 0.45,
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
        self._model = LinkModel(shrink=shrink, decay=decay)
        self._learned = LearnedWeights(self._model)
        self._groups = CrawlGroups()
        self._remaining = YieldEstimator(shrink=shrink)
        self._pending: dict[str, PendingChoice] = {}
        self._prepared: PendingChoice | None = None
        self.prior = prior
        if prior:
            self._learned.begin(prior)

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
        places = self._frontier.places()
        for first in range(0, len(places), SLICE):
            self._rescore(places[first : first + SLICE])

    def lessons(self) -> Lessons:
        return self._learned.lessons()

    def heed(self, lessons: Sequence[Lessons]) -> None:
        self._learned.mix(lessons)

    def insights(self) -> list[str]:
        """Describe the groups of pages that brought most files per visit."""
        return self._groups.best(5)

    def groups(self) -> list[Group]:
        """Return the groups with the best waiting links; expected files are one of them."""
        places = self._frontier.places()
        rows = self._frontier.rows(places)
        find = self._model.find_probabilities(rows)
        groups = np.where(find > CERTAIN, NO_GROUP, rows[:, GROUP])
        scores = np.where(find > CERTAIN, 1 + find, [self._frontier.score_at(p) for p in places])
        order = np.argsort(-scores, kind="stable")
        named, first, counts = np.unique(groups[order], return_index=True, return_counts=True)
        listed = []
        for at in np.argsort(first, kind="stable")[:MOST_GROUPS]:
            number, waiting = order[first[at]], int(counts[at])
            link, score = self._frontier.link_at(int(places[number])), float(scores[number])
            if named[at] == NO_GROUP:
                listed.append(self._groups.files(link, score - 1, waiting))
            else:
                listed.append(self._groups.group(rows[number], link, score, waiting))
        return listed

    def group_of(self, url: str) -> str:
        pending, place = self._pending.get(url), self._frontier.place_of(url)
        if pending is None and place is not None:
            pending = self._prepare(place, self._frontier.link_at(place))
        if pending is None:
            return ""
        return EXPECTED if pending.file else pending.group

    def remaining_first(self) -> YieldEstimate:
        """Sum what every waiting link is expected to bring."""
        slices = self._frontier.slices()
        return self._remaining.estimate((r, self._model.find_probabilities(r)) for r in slices)

    def judge_of(self, known: Sequence[KnownUrl]) -> NewLinks:
        return NewLinks(known, shrink=self.shrink)

    def pick_first(self, asleep: Collection[str]) -> Choice | None:
        frontier = self._frontier
        best = self._best(asleep)
        if best is None:
            return None
        rate = self.explore * (1 - min(frontier.score_at(best), 1.0))
        if self._draws.random() >= rate:
            return self._choice(best, 1 - rate)
        found = self._explore(asleep)
        if found is None:
            return self._choice(best, 1 - rate)
        place, share = found
        return self._choice(place, rate * share, explored=True)

    def _explore(self, asleep: Collection[str]) -> tuple[int, float] | None:
        """Draw some links; return the least known or the most informative, and its probability."""
        places, share = self._frontier.draw(SAMPLE, self._draws, asleep)
        if not len(places):
            return None
        rows = self._frontier.rows(places)
        unknown = int(places[self._model.predict(rows).novelty.argmax()])
        informative = int(places[self._model.information(rows).argmax()])
        place = unknown if self._draws.random() < 0.5 else informative
        return place, share if unknown == informative else share / 2

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
        return place if len(some) == len(frontier) else self._confirmed(place, asleep)

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
            estimates = self._model.predict(self._frontier.rows(places))
            self._frontier.score(places, self._scores(estimates, places))

    def _scores(self, links: Estimates, places: Ints) -> Floats:
        """Return the share of finds among the requests that a link will cause.

        A page with n files costs one request and brings n finds with n more:
        n / (n + 1), which is 1 - exp(-v) for the value v = log(1 + n).
        """
        bonus = np.float32(self.optimism * self._model.scale) * links.novelty
        worth = _worths(links, bonus)
        scores = np.where(links.find > CERTAIN, 1 + links.find, worth)
        found: Floats = scores + self._luck[places & 0xFFFF]
        return found

    def _choice(self, place: int, probability: float, *, explored: bool = False) -> Choice:
        link = self._frontier.link_at(place)
        pending = self._prepared = self._prepare(place, link)
        group = (EXPECTED if pending.file else pending.group) if link.kind else ""
        why = self._why(link, pending, explored=explored)
        return Choice(link, probability=probability, why=why, group=group)

    def _prepare(self, place: int, link: Link) -> PendingChoice:
        row = self._frontier.row(place)
        links = self._model.predict(row[None])
        name = self._groups.name(row, link)
        return PendingChoice(link.url, row, float(links.find[0]), float(links.value[0]), name)

    def _why(self, link: Link, pending: PendingChoice, *, explored: bool) -> str:
        row = pending.row
        if not link.kind:
            return "start URL"
        if pending.file:
            evidence = strongest(row, self._model.weights.take(row)[:, FIND])
            return f"{EXPECTED}: {pending.find:.0%} sure, by {evidence}"
        expected = math.expm1(pending.value)
        lead = f"{'exploring ' if explored else ''}{pending.group}"
        return f"{lead}: {self._groups.record(row)}, {expected:.2g} files expected"

    def take_first(self, choice: Choice) -> None:
        url = choice.link.url
        place = self._frontier.place_of(url)
        if place is None:
            raise KeyError(url)
        link = self._frontier.link_at(place)
        picked = self._prepared  # nothing was learned since, if it is the same link
        pending = picked if picked and picked.url == url else self._prepare(place, link)
        self._frontier.take(place)
        self._pending[url] = pending
        if not pending.file:
            self._visit(pending.row)

    def _visit(self, row: Rows) -> None:
        """Count a visit of a page when it begins: several may be pending."""
        self._model.means.visit(row)
        self._remaining.means.visit(row)
        self._groups.visit(row)

    def learn_first(self, outcome: Outcome) -> None:
        pending, source = None, UNKNOWN_SOURCE
        self._prepared = None
        if outcome.choice is not None:
            pending = self._pending.pop(outcome.choice.link.url)
            verdict = outcome.verdict
            source = SourcePage(int(pending.row[GROUP]), verdict.found, verdict.label)
            self._model.learn_find(pending.row, found=verdict.found)
            self._learned.note(pending.row)
        files, worth = self._add(outcome.links, source)
        if outcome.again:
            self._see_again(outcome.again, source)
        if pending is not None:
            self._learn(pending, outcome, files, worth)

    def _rows(self, links: Sequence[Link], source: SourcePage) -> Rows:
        near = None if self.subject is None else self.subject.nearness(links)[:, 0].tolist()
        rows = self._features.rows(links, source, near)
        self._groups.meet(rows, links)
        return rows

    def _add(self, links: tuple[Link, ...], source: SourcePage) -> tuple[float, float]:
        """Let new links wait; return the files among them, and what the page was worth."""
        if not links:
            return 0.0, 0.0
        rows = self._rows(links, source)
        estimates = self._model.predict(rows)
        places = self._frontier.add(links, rows)
        self._frontier.score(places, self._scores(estimates, places))
        file = estimates.find > CERTAIN
        files = float(file.sum())
        expected = self._remaining.means.predict(rows[~file])
        return files, self._worth(files, estimates.value[~file], expected)

    def _see_again(self, links: tuple[Link, ...], source: SourcePage) -> None:
        """Let waiting links also belong to the groups in which they are seen again.

        The first place that shows a link is often a menu or an index of everything; a list of
        similar links says more.
        """
        known = [
            (link, place)
            for link in links
            if (place := self._frontier.place_of(link.url)) is not None
        ]
        if not known:
            return
        places = np.array([place for _, place in known], dtype=np.int64)
        room = np.flatnonzero(has_room(self._frontier.rows(places)))
        rows = self._frontier.rows(places[room])
        clusters = [self._features.cluster(known[at][0]) for at in room]
        new = np.flatnonzero(never_in(clusters, rows))
        if len(new):
            seen = self._rows([known[room[at]][0] for at in new], source)
            self._join(places[room[new]], rows[new], seen)

    def _join(self, places: Ints, old: Rows, new: Rows) -> None:
        """Add another sighting of waiting links; the more promising one gives the features."""
        merge(old, new)
        both = self._model.predict(np.concatenate((old, new)))
        worths = _worths(both).reshape(2, -1)
        better = worths[1] > worths[0]
        chosen = np.arange(len(places)) + len(places) * better
        self._frontier.change(places, np.where(better[:, None], new, old))
        self._frontier.score(places, self._scores(both.take(chosen), places))

    def _worth(self, files: float, values: Floats, expected: Floats) -> float:
        """Return the value of a visit: log(1 + files), and a share of what lies behind the page.

        Behind it lie the best of its new links, by its whole value, and the files on its best
        few together, each counting less than the one before: a list of many good pages is worth
        more than one. Only files count in that sum: sums of values that feed on each other
        would grow without bound.
        """
        own = math.log1p(files)
        if not len(values):
            return own
        if len(expected) > TOP:
            expected = np.partition(expected, -TOP)[-TOP:]
        shares = np.float32(BREADTH) ** np.arange(len(expected), dtype=np.float32)
        behind = self.gamma * float((np.sort(expected)[::-1] * shares).sum())
        return max(own + self.gamma * float(values.max()), math.log1p(files + behind))

    def _learn(self, pending: PendingChoice, outcome: Outcome, files: float, worth: float) -> None:
        """Learn what a page was worth; whatever is no find counts as a page."""
        found = outcome.verdict.found
        if pending.file:
            self._groups.learn_file(found=found)
        if found:
            if not pending.file:
                self._model.means.forget_visit(pending.row)
                self._remaining.means.forget_visit(pending.row)
                self._groups.visit(pending.row, -1)
            return
        if pending.file:
            self._visit(pending.row)
        self._model.learn_page(pending.row, worth)
        self._groups.learn(pending.row, files)
        self._remaining.learn(pending.row, files, len(outcome.links) - files)


def _worths(links: Estimates, bonus: Floats | float = 0.0) -> Floats:
    """Return what links are worth as a request: a find, or a page with its finds."""
    found: Floats = links.find + (1 - links.find) * (1 - np.exp(-(links.value + bonus)))
    return found
