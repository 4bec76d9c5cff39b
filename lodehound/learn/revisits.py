"""What a revisit is worth: the new or changed finds that it is expected to bring."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lodehound.core.history import NEWS, KnownUrl
from lodehound.learn.news import (
    CLASSES,
    FEEDS,
    FIND,
    OTHER,
    PAGE,
    SHRINK,
    Bools,
    Factors,
    Floats,
    Ints,
    NewsMeans,
)
from lodehound.learn.url_families import Address, address_of
from lodehound.text.counts import counted

FADE = 0.8  # share of a URL's past that counts after another visit
MOST_CHANGES = 3.0  # that a file is expected to have had when a visit finds it changed
SOME = 0.5  # worth from which on a visit brought news
LINK = 0.1  # finds that a new link counts for: what it leads to may come later
TRUST = (3.0, 1.0)  # claims of sitemaps that were right and wrong, before any was seen
GAIN = 0.3  # worth of a change of a page before any was seen

# What this round has already shown of a URL's relatives; what comes first is believed.
UNSEEN = 0
ALIAS = 1  # the same page under another name was visited
TWIN_NEWS, TWIN_CHANGED, TWIN_SAME = 2, 3, 4
STEM_NEWS, STEM_CHANGED, STEM_SAME = 5, 6, 7
PAGE_CHANGED, PAGE_SAME = 8, 9
STATES = 10
EVIDENCE = np.array([1, 0.1, 1, 1, 0.1, 1, 1, 0.5, 1, 0.7])
STATE_MEANS = np.array([0, 0, 0.5, 0.3, 0, 0.3, 0.3, 0, 0.1, 0])  # news a visit
REASONS = (
    "", "visited under another name",
    "its twin had news", "its twin changed", "its twin is the same",
    "another form of it had news", "another form of it changed", "another form of it is the same",
    "its page changed", "its page is the same",
)  # fmt: skip
BY_MEAN = frozenset({TWIN_NEWS, TWIN_CHANGED, STEM_NEWS, STEM_CHANGED, PAGE_CHANGED})


def numbered(keys: Sequence[str]) -> Ints:
    """Number texts in the order of their first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def worth(finds: float) -> float:
    """Return the value of finds at once: the second is worth less than the first.

    A page with n new finds costs one request and gives n finds for n more; ``share`` of the
    worth is n / (n + 1), the share of hits among the requests it causes.
    """
    return math.log2(1 + finds)


def _news(classes: Ints, expected: Floats) -> Floats:
    """Return the expected news of a visit; for files, this is the probability of a change.

    Args:
        classes: Class of each URL.
        expected: Expected news of pages, and expected number of changes of files. These are taken
            to change at random, as in a Poisson process.
    """
    found: Floats = np.where(classes == FIND, -np.expm1(-expected), expected)
    return found


def class_of(known: KnownUrl) -> int:
    if known.found and known.ok:
        return FIND
    # What an API or a sitemap answers lists URLs, too.
    return PAGE if known.ok and ("html" in known.mime or known.links) else OTHER


class Revisits:
    """Expected news of every known URL in the present round.

    Args:
        known: The URLs that were visited before.
        time: Of the round, in days.
    """

    def __init__(self, known: Sequence[KnownUrl], time: float) -> None:
        self.known = known
        self.number = {one.link.url: number for number, one in enumerate(known)}
        self.addresses: list[Address] = [address_of(one.link.url) for one in known]
        self.classes = np.array([class_of(one) for one in known], dtype=np.int64)
        self.aliases = numbered([a.alias for a in self.addresses])
        self.twins = numbered([a.twin for a in self.addresses])
        self.stems = numbered([a.stem for a in self.addresses])
        self._sort()
        self._edges()
        self._visits(time)
        self._levels()
        self._train()

    def _sort(self) -> None:
        """Sort URLs into kinds, also those that they have while they are lost."""
        classes = [*self.classes.tolist(), *[OTHER] * len(self.known)]
        named = list(zip(classes, self.addresses * 2, strict=True))
        kinds = numbered([f"{one} {address.pattern}" for one, address in named])
        endings = numbered([f"{one} {address.ending}" for one, address in named])
        self.kinds, self.lost_kinds = np.split(kinds, 2)
        firsts, ending_firsts = (np.unique(of, return_index=True)[1] for of in (kinds, endings))
        self.ending_of_kind = endings[firsts]
        self.class_of_ending = np.array(classes, dtype=np.int64)[ending_firsts]
        feeds = np.array([address.ending in FEEDS for _, address in named], dtype=bool)
        self.feed_ending = feeds[ending_firsts] & (self.class_of_ending == FIND)

    def _edges(self) -> None:
        """Note which page shows which find or lost URL."""
        number, other = self.number, self.classes != PAGE
        pages, shown = [], []
        for at in np.flatnonzero(self.classes == PAGE).tolist():
            for url in set(self.known[at].links):
                to = number.get(url)
                if to is not None and other[to]:
                    pages.append(at)
                    shown.append(to)
        self.edge_page = np.array(pages, dtype=np.int64)
        self.edge_to = np.array(shown, dtype=np.int64)
        finds = self.classes[self.edge_to] == FIND
        self.files = np.bincount(self.edge_page[finds], minlength=len(self.known))
        order = np.argsort(self.edge_page, kind="stable")
        self.edge_page, self.edge_to = self.edge_page[order], self.edge_to[order]
        self.shown_by = np.searchsorted(self.edge_page, np.arange(len(self.known) + 1))

    def _visits(self, time: float) -> None:
        """Lay out the visits of the past in columns, one row each but the first of a URL."""
        at, when, gap, news, fresh, changed, lost = [], [], [], [], [], [], []
        claimed = []
        self.last = np.zeros(len(self.known))
        self.born = np.zeros(len(self.known))
        for number, one in enumerate(self.known):
            seen = [visit for visit in one.visits if visit.change != "failed"] or one.visits[:1]
            self.last[number], self.born[number] = seen[-1].time, seen[0].time
            gone = seen[0].change == "gone"
            for before, after in pairwise(seen):
                at.append(number)
                lost.append(gone)
                gone = after.change == "gone" or (gone and after.change == "same")
                when.append(after.time)
                gap.append(after.time - before.time)
                news.append(worth(after.finds + LINK * after.links))
                fresh.append(after.links > 0 or after.finds > 0)
                changed.append(after.change in NEWS)
                claimed.append(after.claimed)
        self.at = np.array(at, dtype=np.int64)
        self.when, self.gap, self.news = np.array(when), np.array(gap), np.array(news)
        self.fresh = np.array(fresh, dtype=bool)
        self.changed = np.array(changed, dtype=bool)
        self.lost = np.array(lost, dtype=bool)  # the URL was gone before the visit
        self._judge_claims(np.array(claimed, dtype=bool))
        # A budget leaves out most URLs, so what is usual is the time from one round to the next.
        rounds = np.unique([*self.born, *when, max(time, self.last.max(initial=0.0))])
        self.usual = float(np.median(np.diff(rounds))) if len(rounds) > 1 else 1.0
        self.wait = np.maximum(time - self.last, 0)

    def _judge_claims(self, claimed: Bools) -> None:
        """Learn how often sitemaps were right, and what a change brings, by class."""
        right, all_ = (self.changed & claimed).sum(), claimed.sum()
        self.trust = float((TRUST[0] + right) / (sum(TRUST) + all_))
        classes = self.classes[self.at[self.changed]]
        total = np.bincount(classes, self.news[self.changed], minlength=CLASSES)
        count = np.bincount(classes, minlength=CLASSES)
        self.gain = (total + GAIN) / (count + 1)
        self.gain[FIND] = 1.0

    def _levels(self) -> None:
        """Sort URLs by what does not change within a round."""
        self.hub = np.minimum(np.log2(1 + self.files).astype(np.int64), 6)
        self.depth = np.minimum([one.link.depth for one in self.known], 4).astype(np.int64)
        self.rank = np.full(len(self.known), 3, dtype=np.int64)
        series: dict[str, list[int]] = defaultdict(list)
        for number, address in enumerate(self.addresses):
            if address.numbers:
                series[f"{self.classes[number]} {address.pattern}"].append(number)
        for members in series.values():
            values = sorted({self.addresses[m].numbers for m in members}, reverse=True)
            if len(values) > 1:
                places = {value: place for place, value in enumerate(values)}
                for member in members:
                    place = places[self.addresses[member].numbers]
                    self.rank[member] = 0 if place == 0 else 1 if place < 3 else 2

    # --- training -----------------------------------------------------------------------------

    def _train(self) -> None:
        """Go through the rounds of the past in their order."""
        count = len(self.known)
        self.own_news, self.own_days = np.zeros(count), np.zeros(count)
        self.quiet = np.zeros(count, dtype=np.int64)  # visits since the last news
        self.had_news = np.zeros(count, dtype=np.int64)
        self.means = NewsMeans(
            self.ending_of_kind, self.class_of_ending, self.feed_ending, self.usual
        )
        hub = np.sqrt(2.0 ** np.arange(7)) / 2
        recency = np.array([4, 3, 2, 1, 0.5, 3, 2, 1, 0.7, 0.5])
        wait = np.sqrt(0.5 ** np.arange(6))
        self.factors = Factors(hub, np.ones(5), np.array([2, 1.5, 1, 1]), recency, wait)
        self.evidence = Factors(EVIDENCE)
        self.state_news = np.tile(2 * STATE_MEANS, (CLASSES, 1))
        self.state_visits = np.full((CLASSES, len(EVIDENCE)), 2.0)
        self.kind_state_news = np.zeros((len(self.ending_of_kind), len(EVIDENCE)))
        self.kind_state_visits = np.zeros((len(self.ending_of_kind), len(EVIDENCE)))
        times = np.unique(self.when)
        past = [self._learn_round(np.flatnonzero(self.when == time)) for time in times]
        self.factors.fit()
        for classes, levels, states, news, base in past:
            alone = base * self.factors.of(classes, levels)
            self.evidence.add(classes, (states,), news, alone)
        self.evidence.fit()

    def _learn_round(self, rows: Ints) -> tuple[Ints, tuple[Ints, ...], Ints, Floats, Floats]:
        at, gap, news = self.at[rows], self.gap[rows], self.news[rows]
        states = self._past_states(at, self.fresh[rows], self.changed[rows])
        lost = self.lost[rows]
        classes = np.where(lost, OTHER, self.classes[at])
        kinds = np.where(lost, self.lost_kinds[at], self.kinds[at])
        changes = self._base(at, gap, kinds)
        base = _news(classes, changes)
        levels = self._levels_of(at, gap)
        self.factors.add(classes, levels, news, base)
        np.add.at(self.state_news, (classes, states), news)
        np.add.at(self.state_visits, (classes, states), 1)
        np.add.at(self.kind_state_news, (kinds, states), news)
        np.add.at(self.kind_state_visits, (kinds, states), 1)
        # A changed file may have changed several times since the visit before.
        times = np.clip(changes, 1e-9, MOST_CHANGES)
        times = np.where((classes == FIND) & (news >= SOME), times / -np.expm1(-times), news)
        # The rate of a file will be multiplied by its factors, so its days are, too.
        days = np.where(classes == FIND, gap * self.factors.of(classes, levels), gap)
        self.means.learn(kinds, times, days)
        mine = classes == self.classes[at]
        self._learn_own(at[mine], gap[mine], times[mine])
        return classes, levels, states, news, base

    def _learn_own(self, at: Ints, gap: Floats, news: Floats) -> None:
        self.own_news[at] = FADE * self.own_news[at] + news
        self.own_days[at] = FADE * self.own_days[at] + gap
        some = news >= SOME
        self.quiet[at] = np.where(some, 0, self.quiet[at] + 1)
        self.had_news[at] |= some

    def _past_states(self, at: Ints, fresh: Bools, changed: Bools) -> Ints:
        """Return for the visits of one round what the others of that round showed."""
        states = np.zeros(len(at), dtype=np.int64)
        shows = np.zeros(len(self.known), dtype=np.int64)  # 1 visited, 2 changed
        shows[at] = 1 + changed
        for value, state in ((1, PAGE_SAME), (2, PAGE_CHANGED)):
            hit = np.zeros(len(self.known), dtype=bool)
            hit[self.edge_to[shows[self.edge_page] == value]] = True
            states[hit[at]] = state
        for groups, same, other, some in (
            (self.stems, STEM_SAME, STEM_CHANGED, STEM_NEWS),
            (self.twins, TWIN_SAME, TWIN_CHANGED, TWIN_NEWS),
        ):
            mine = groups[at]
            for flag, state in ((None, same), (changed, other), (fresh, some)):
                weights = np.ones(len(at)) if flag is None else flag.astype(float)
                count = np.bincount(mine, weights=weights, minlength=int(groups.max()) + 1)
                states[count[mine] > weights] = state
        return states

    def _levels_of(self, at: Ints, gap: Floats) -> tuple[Ints, ...]:
        quiet = np.minimum(np.log2(1 + self.quiet[at]).astype(np.int64), 4)
        recency = self.had_news[at] * 5 + quiet
        wait = np.clip(np.rint(np.log2(np.maximum(gap, 1e-9) / self.usual)), 0, 5).astype(np.int64)
        return self.hub[at], self.depth[at], self.rank[at], recency, wait

    def _base(self, at: Ints, gap: Floats, kinds: Ints) -> Floats:
        """Return the news expected by the past of a URL and of its kind; of a file, its changes."""
        shrink = SHRINK * self.usual
        above = self.means.rates(kinds)
        rate = (self.own_news[at] + shrink * above) / (self.own_days[at] + shrink)
        found: Floats = rate * gap
        return found

    # --- the present round --------------------------------------------------------------------

    def expected(self) -> Floats:
        """Return the news expected of every known URL before the round has shown anything."""
        at = np.arange(len(self.known))
        factors = self.factors.of(self.classes, self._levels_of(at, self.wait))
        return _news(self.classes, self._base(at, self.wait, self.kinds) * factors)

    def after(self, number: int, state: int, alone: float) -> float:
        """Return the news expected of a URL after what this round has shown of its relatives."""
        cls, kind = int(self.classes[number]), int(self.kinds[number])
        if state in BY_MEAN:
            mean = self.state_news[cls, state] / self.state_visits[cls, state]
            mean = (self.kind_state_news[kind, state] + SHRINK * mean) / (
                self.kind_state_visits[kind, state] + SHRINK
            )
            return max(float(mean), alone)
        return alone * float(self.evidence.values[0][cls, state])

    def waiting_long(self) -> list[int]:
        """Return the URLs that were not visited in the last round, the best to be visited last.

        News is taken to come at a steady rate here, so that nothing starves, however seldom URLs
        brought any after a long wait.
        """
        steady = self.expected() * np.sqrt(np.maximum(self.wait / self.usual, 1))
        order = np.argsort(steady, kind="stable")
        found: list[int] = order[self.wait[order] > 1.5 * self.usual].tolist()
        return found

    def shown_on(self, number: int) -> list[int]:
        """Return the known finds and lost URLs that a page shows."""
        found: list[int] = self.edge_to[self.shown_by[number] : self.shown_by[number + 1]].tolist()
        return found

    def reason(self, number: int, state: int) -> str:
        """Return what a revisit is chosen for."""
        if state != UNSEEN:
            return REASONS[state]
        visits = len(self.known[number].visits) - 1
        return f"news {self.own_news[number]:.1f} in {counted(visits, 'revisit')}"
