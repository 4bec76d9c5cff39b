"""LODEHOUND: of all waiting links, the one that is worth most (docs/lodehound-policy.md).

A link is a file or a page: a logistic regression over hashed features says how
likely, starting from what its ending suggests. A expected file is fetched at
once. A page is worth the files expected on it and, at a discount, the best of
what it leads to (a one-step backup); two estimates of that are blended.
"""

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
from lodehound.learn.crawl_groups import EXPECTED, CrawlGroups
from lodehound.learn.endings import UNKNOWN, suggest
from lodehound.learn.hashed import Logistic
from lodehound.learn.link_features import (
    FRUIT,
    FRUIT_LIST,
    GROUP,
    PATTERN,
    LinkFeatures,
    Rows,
    has_room,
    merge,
    never_in,
    strongest,
)
from lodehound.learn.link_value import LinkValue
from lodehound.learn.past_pages import PastPages
from lodehound.learn.remaining_yield import YieldEstimator
from lodehound.policies.frontier import Frontier
from lodehound.policies.new_links import NewLinks
from lodehound.policies.rounds import RoundPolicy

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
CERTAIN = 0.5  # from this probability on a link is a expected file
NEIGHBOURS = [FRUIT, FRUIT_LIST]
REFRESH = 8  # blocks of links scored anew before each choice
TRIES = 4  # times the best may turn out worse than it looked
SAMPLE = 256  # links looked at when exploring
INSTRUCTIVE = 0.5  # share of explorations that go where most can be learned of others
LUCK = 1e-4  # equals are parted by chance, and nothing else is
TOP = 32  # links of a page that count for what lies behind it
MOST_GROUPS = 200  # that are told when asked for
NO_GROUP = -1


class PendingChoice(NamedTuple):
    """A choice that has no outcome yet."""

    row: Rows
    file: bool  # expected
    group: str


class LodehoundPolicy(RoundPolicy):
    """The link worth most first: expected files at once, pages by what they will bring.

    Args:
        gamma: Share of the best new link's worth that counts for the page it stands on.
        breadth: What each further new link counts, as a share of the one before.
        optimism: Weight of what is not known yet, in units of the site's mean reward.
        explore: Share of page visits spent on the least known, less where visits pay well.
        shrink: Visits that the mean of its parents counts for in a group's.
        decay: Share of a group's past that each visit of it wipes out.
        rate: Step of the page/file decision.
        means: Use the means of groups.
        linear: Use the linear model.
        prior: Start from what endings suggest.
        neighbours: See how many files stand on the page beside a link.
        sightings: See that also where a waiting link is shown again, and let it belong there, too.
        source_patterns: Tell the links of a group apart by the kind of page that shows them.
        reestimate: Value past pages again with what was learned since.
        seed: Seed of every draw.
    """

    def __init__(
        self,
        *,
        gamma: float = 0.5,
        breadth: float = 0.9,
        optimism: float = 0.45,
        explore: float = 0.1,
        shrink: float = 2.0,
        decay: float = 0.01,
        rate: float = 0.2,
        means: bool = True,
        linear: bool = True,
        prior: bool = True,
        neighbours: bool = True,
        sightings: bool = True,
        source_patterns: bool = True,
        reestimate: bool = True,
        seed: int = 0,
    ) -> None:
        self.gamma = gamma
        self.breadth = breadth
        self.optimism = optimism
        self.explore = explore
        self.shrink = shrink
        self.decay = decay
        self.rate = rate
        self.means = means
        self.linear = linear
        self.prior = prior
        self.neighbours = neighbours
        self.sightings = sightings
        self.source_patterns = source_patterns
        self.reestimate = reestimate
        self.seed = seed
        self._check()
        self._draws = np.random.default_rng(seed)
        self._luck: Floats = LUCK * self._draws.random(1 << 16, dtype=np.float32)
        self._features = LinkFeatures()
        self._frontier = Frontier()
        self._kind = Logistic(rate=rate, intercept=UNKNOWN)
        self._value = LinkValue(shrink=shrink, decay=decay, groups=means, linear=linear)
        self._groups = CrawlGroups()
        self._remaining = YieldEstimator(shrink=shrink)
        self._past = PastPages()
        self._flights: dict[str, PendingChoice] = {}
        if prior:
            suggest(self._kind.weights)

    def _check(self) -> None:
        for name in ("gamma", "breadth", "explore", "decay"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(f"{name}={getattr(self, name)}: it must be at least 0, below 1.")
        for name, bound in (("optimism", "at least"), ("shrink", "above"), ("rate", "above")):
            value = getattr(self, name)
            if not 0 <= value < math.inf or (value == 0 and bound == "above"):
                raise ConfigError(f"{name}={value}: it must be finite and {bound} 0.")
        if self.seed < 0:
            raise ConfigError(f"seed={self.seed}: it must be at least 0.")
        if not (self.means or self.linear):
            raise ConfigError("means=false, linear=false: one of the two estimates is needed.")

    def insights(self) -> list[str]:
        """Name the groups of pages that brought most files a visit."""
        return self._groups.best(5)

    def groups(self) -> list[Group]:
        """Name the groups with the best waiting links; expected files are one of them."""
        places = self._frontier.places()
        rows = self._frontier.rows(places)
        file = self._kind.probabilities(rows)
        kinds = np.where(file > CERTAIN, NO_GROUP, rows[:, GROUP])
        scores = np.where(file > CERTAIN, 1 + file, [self._frontier.score_at(p) for p in places])
        order = np.argsort(-scores, kind="stable")
        named, first, counts = np.unique(kinds[order], return_index=True, return_counts=True)
        told = []
        for at in np.argsort(first, kind="stable")[:MOST_GROUPS]:
            number, waiting = order[first[at]], int(counts[at])
            link, score = self._frontier.link_at(int(places[number])), float(scores[number])
            if named[at] == NO_GROUP:
                told.append(self._groups.files(link, score - 1, waiting))
            else:
                told.append(self._groups.group(rows[number], link, score, waiting))
        return told

    def group_of(self, url: str) -> str:
        flight, place = self._flights.get(url), self._frontier.place_of(url)
        if flight is not None:
            return EXPECTED if flight.file else flight.group
        if place is None:
            return ""
        row = self._frontier.row(place)
        if self._kind.probabilities(row[None])[0] > CERTAIN:
            return EXPECTED
        return self._groups.name(row, self._frontier.link_at(place))

    def remaining_yield(self) -> YieldEstimate:
        """Sum what every waiting link is expected to bring."""
        slices = self._frontier.slices()
        return self._remaining.estimate((rows, self._kind.probabilities(rows)) for rows in slices)

    def judge_of(self, known: Sequence[KnownUrl]) -> NewLinks:
        return NewLinks(known, shrink=self.shrink)

    def pick_first(self, asleep: Collection[str]) -> Choice | None:
        frontier = self._frontier
        place = frontier.best(asleep)
        if place is not None and frontier.score_at(place) >= 1:
            place = self._best(asleep)
        if place is not None and frontier.score_at(place) < 1:
            # No expected file waits: look at some more links with what was learned since.
            places = frontier.some(REFRESH)
            self._rescore(places)
            fresh = len(places) == len(frontier)
            place = frontier.best(asleep) if fresh else self._best(asleep)
        if place is None:
            return None
        score = frontier.score_at(place)
        if score < 1 and self._draws.random() < self.explore * (1 - score):
            strange = self._strangest(asleep)
            if strange is not None:
                return self._choice(strange, explored=True)
        return self._choice(place)

    def _best(self, asleep: Collection[str]) -> int | None:
        """Return the place of the best link, its score and its neighbours' fresh."""
        frontier = self._frontier
        for _ in range(TRIES):
            place = frontier.best(asleep)
            if place is None:
                return None
            looked = frontier.score_at(place)
            self._rescore(frontier.beside(place))
            if frontier.score_at(place) >= looked - LUCK:
                break
        return frontier.best(asleep)

    def _strangest(self, asleep: Collection[str]) -> int | None:
        """Return the place of the least known of some links."""
        places = self._frontier.sample(SAMPLE, self._draws, asleep)
        if not len(places):
            return None
        rows = self._frontier.rows(places)
        model, draw = self._value.model, self._draws.random()
        strange = model.instructive(rows) if draw < INSTRUCTIVE else model.novelty(rows)
        return int(places[strange.argmax()])

    def _rescore(self, places: Ints) -> None:
        if len(places):
            self._frontier.score(places, self._scores(self._frontier.rows(places), places))

    def _scores(self, rows: Rows, places: Ints) -> Floats:
        """Return the share of hits among the requests that a link will cause.

        A page with n files costs one request and gives n finds for n more:
        n / (n + 1), which is 1 - exp(-v) for the value v = log(1 + n).
        """
        file, worth = self._worths(rows, self.optimism)
        found: Floats = np.where(file > CERTAIN, 1 + file, worth) + self._luck[places & 0xFFFF]
        return found

    def _worths(self, rows: Rows, optimism: float = 0.0) -> tuple[Floats, Floats]:
        file = self._kind.probabilities(rows)
        value = self._value.predict(rows)
        if optimism:
            value = value + optimism * self._value.scale * self._value.novelty(rows)
        return file, file + (1 - file) * (1 - np.exp(-value))

    def _choice(self, place: int, *, explored: bool = False) -> Choice:
        link = self._frontier.link_at(place)
        pending = self._pending(place, link)
        group = (EXPECTED if pending.file else pending.group) if link.kind else ""
        return Choice(link, why=self._why(link, pending, explored=explored), group=group)

    def _pending(self, place: int, link: Link) -> PendingChoice:
        row = self._frontier.row(place)
        file = bool(self._kind.probabilities(row[None])[0] > CERTAIN)
        return PendingChoice(row, file, self._groups.name(row, link))

    def take_first(self, choice: Choice) -> None:
        url = choice.link.url
        place = self._frontier.place_of(url)
        if place is None:
            raise KeyError(url)
        flight = self._flights[url] = self._pending(place, self._frontier.take(place))
        if not flight.file:
            self._visit(flight.row)

    def _visit(self, row: Rows) -> None:
        """Count a visit of a page when it begins: several may be on their way."""
        self._value.visit(row)
        self._groups.visit(row)
        self._remaining.visit(row)

    def _why(self, link: Link, flight: PendingChoice, *, explored: bool) -> str:
        row = flight.row
        if not link.kind:
            return "start URL"
        if flight.file:
            sure = float(self._kind.probabilities(row[None])[0])
            return f"{EXPECTED}: {sure:.0%} sure, by {strongest(row, self._kind.weights)}"
        expected = math.expm1(float(self._value.predict(row[None])[0]))
        lead = f"{'exploring ' if explored else ''}{flight.group}"
        return f"{lead}: {self._groups.record(row)}, {expected:.2g} files expected"

    def learn_first(self, outcome: Outcome) -> None:
        flight, origin = None, (0, 0)
        if outcome.choice is not None:
            flight = self._flights.pop(outcome.choice.link.url)
            pattern = flight.row[PATTERN] if self.source_patterns else 0
            origin = int(flight.row[GROUP]), int(pattern)
            self._kind.learn(flight.row, yes=outcome.verdict.found)
        files, worth = 0.0, 0.0
        if outcome.links:
            files, worth = self._welcome(outcome.links, origin, flight)
        if self.sightings and outcome.again:
            self._meet(outcome.again, int(files), origin)
        if flight is not None:
            self._credit(flight, outcome, files, worth)

    def _rows(self, links: Sequence[Link], origin: tuple[int, int]) -> Rows:
        rows = self._features.rows(links, *origin)
        self._groups.meet(rows, links)
        return rows

    def _welcome(
        self, links: tuple[Link, ...], origin: tuple[int, int], flight: PendingChoice | None
    ) -> tuple[float, float]:
        """Let new links wait; return the files among them, and what the page was worth."""
        rows = self._rows(links, origin)
        file = self._kind.probabilities(rows) > CERTAIN
        files = float(file.sum())
        if self.neighbours:
            rows[:, NEIGHBOURS] = [self._features.neighbours(link, int(files)) for link in links]
        places = self._frontier.add(links, rows)
        self._frontier.score(places, self._scores(rows, places))
        worth = self._worth(files, rows[~file])
        if flight is not None and self.reestimate and len(rows) > files + 1:
            self._past.keep(flight.row, files, rows[~file], worth)
        return files, worth

    def _meet(self, links: tuple[Link, ...], files: int, origin: tuple[int, int]) -> None:
        """Let links that wait already belong to the groups they are shown in again, too.

        The first place that shows a link is often a menu or an index of
        everything; a list of its like says more.
        """
        found = [(link, self._frontier.place_of(link.url)) for link in links]
        known = [(link, place) for link, place in found if place is not None]
        if not known:
            return
        places = np.array([place for _, place in known], dtype=np.int64)
        if self.neighbours and files:
            beside = [self._features.neighbours(link, files) for link, _ in known]
            self._frontier.change(places, NEIGHBOURS, np.array(beside, dtype=np.intp))
        room = np.flatnonzero(has_room(self._frontier.rows(places)))
        met = [known[at][0] for at in room]
        clusters = [self._features.cluster(link) for link in met]
        new = np.flatnonzero(never_in(clusters, self._frontier.rows(places[room])))
        if len(new):
            self._rejoin(places[room[new]], self._rows([met[at] for at in new], origin))

    def _rejoin(self, places: Ints, rows: Rows) -> None:
        """Take in another sighting of waiting links; what is known decides which one counts."""
        old = self._frontier.rows(places)
        rows[:, NEIGHBOURS] = old[:, NEIGHBOURS]
        merge(old, rows)
        better = self._worths(rows)[1] > self._worths(old)[1]
        rows = np.where(better[:, None], rows, old)
        self._frontier.change(places, slice(None), rows)
        self._frontier.score(places, self._scores(rows, places))

    def _worth(self, files: float, pages: Rows) -> float:
        """Return the value of a visit: log(1 + files), and a share of what lies behind the page.

        Behind it lie the best of its new links, by its whole value, and the
        files on its best few together, each counting less than the one before:
        a list of many good pages is worth more than one. Only files that were
        found count there, not the worth of what lies further behind: sums of
        expectations that feed on each other would grow without bound.
        """
        own = math.log1p(files)
        if not len(pages) or not self.gamma:
            return own
        value = self.gamma * float(self._value.predict(pages).max())
        expected = self._remaining.expected(pages)
        if len(expected) > TOP:
            expected = np.partition(expected, -TOP)[-TOP:]
        shares = np.float32(self.breadth) ** np.arange(len(expected), dtype=np.float32)
        behind = self.gamma * float((np.sort(expected)[::-1] * shares).sum())
        return max(own + value, math.log1p(files + behind))

    def _reestimate(self) -> None:
        """Estimate the value of a past page again: what it led to is known better by now."""
        page = self._past.next()
        if page is not None and page.raise_value(self._worth(page.files, page.links)):
            self._value.amend(page.row, page.value)

    def _credit(self, flight: PendingChoice, outcome: Outcome, files: float, worth: float) -> None:
        """Learn what a page was worth; whatever is no find was asked for as a page."""
        if flight.file:
            self._groups.learn_file(found=outcome.verdict.found)
        if outcome.verdict.found:
            if not flight.file:
                self._value.forget_visit(flight.row)
                self._groups.visit(flight.row, -1)
                self._remaining.visit(flight.row, -1)
            return
        if self.reestimate:
            self._reestimate()
        if flight.file:
            self._visit(flight.row)
        self._value.learn(flight.row, worth)
        self._groups.learn(flight.row, files)
        self._remaining.learn(flight.row, files, len(outcome.links) - files)
