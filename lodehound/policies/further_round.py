"""A further round: revisit a known URL or follow a new link?

The next request is the one that is expected to bring most finds. The policy of a first round makes
it, and says what it has learned of new links (docs/revisiting.md).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lodehound.core.history import NEWS, KnownUrl
from lodehound.core.link import Link
from lodehound.core.listing import LISTED
from lodehound.core.messages import Choice, Outcome, YieldEstimate
from lodehound.core.policy import ResumablePolicy
from lodehound.learn.revisits import LINK, Revisits, worth
from lodehound.policies.revisit_queue import RevisitQueue, hit_share
from lodehound.text.dates import days_of

Floats = NDArray[np.float32]

FIRST = 100  # known URLs per start page, and per sitemap or feed, that is read first
NINETY = 1.645  # standard deviations on each side of a 90 % interval
LIKELY = 0.5  # from this probability on a new link is an expected find
LEFT_OVER = 0.8  # factor for a page that an earlier round left out: what is behind it is old
RESCORED = 16  # new links that are valued again before a choice


class LinkJudge(Protocol):
    """Estimates what new links bring."""

    def judge(self, links: Sequence[Link]) -> tuple[Floats, Floats]:
        """Return the probability of each link to be a find, and its worth as a page."""
        ...

    def learn(self, link: Link, *, found: bool, finds: float) -> None:
        """Learn whether a new link was a find, and how many expected finds its page contained."""
        ...


class Round(ResumablePolicy):
    """Chooses between known URLs and new links in one round.

    Args:
        known: The URLs of earlier rounds.
        time: Of this round, in days.
        judge: Estimates what new links bring.
    """

    def __init__(self, known: Sequence[KnownUrl], time: float, judge: LinkJudge) -> None:
        visited = [one for one in known if one.visits]
        self._model = Revisits(visited, time)
        self._known = RevisitQueue(self._model)
        self._judge = judge
        self._links: list[Link] = []
        self._valued: list[int] = []  # after how many outcomes each link was
        self._learned = 0
        self._waiting: set[str] = set()  # URLs of new links
        self._new: list[tuple[float, int]] = []  # may contain links that do not wait anymore
        self._hosts = Counter(one.link.host for one in visited)  # of all URLs that wait
        # Of each sleeping host: its entries among the new links, and its known URLs.
        self._aside: dict[str, tuple[list[tuple[float, int]], list[int]]] = defaultdict(
            lambda: ([], [])
        )
        self._first = self._read_first(visited)
        left_over = [one.link for one in known if not one.visits]
        self._left_over = len(left_over)  # the first of the new links
        self._offer(left_over)

    def _read_first(self, known: Sequence[KnownUrl]) -> list[int]:
        """Return what is read before all else, in reverse order.

        Start pages come first, because they show where a site has grown, then sitemaps and feeds.
        The larger the site, the more of them.
        """
        lists = [number for number, one in enumerate(known) if one.dated and one.ok]
        lists.sort(key=lambda number: known[number].dated)
        starts = [number for number, one in enumerate(known) if not one.link.kind and one.ok]
        starts.sort(key=lambda number: -known[number].visits[-1].time)
        most = 1 + len(known) // FIRST
        return lists[-most:] + starts[-most:]

    def pick(self, asleep: Collection[str]) -> Choice | None:
        """Return the best request, without removing it."""
        if all(host in asleep for host in self._hosts):
            return None
        for host in [host for host in self._aside if host not in asleep]:
            new, known = self._aside.pop(host)
            for entry in new:
                heapq.heappush(self._new, entry)
            for number in known:
                self._known.put_back(number)
        while self._first and not self._known.waits(self._first[-1]):
            self._first.pop()
        if self._first and (link := self._model.known[self._first[-1]].link).host not in asleep:
            why = "says when known URLs changed" if link.kind else "start URL"
            return Choice(link, why=f"revisit: {why}")
        while True:
            value, new_value = self._known.best(), self._best_new()
            if value < 0 and new_value < 0:
                return None
            choice = self._follow(asleep) if new_value >= value else self._revisit(asleep)
            if choice is not None:
                return choice

    def remaining_yield(self) -> YieldEstimate:
        """Sum what every known URL and every new link is expected to bring in this round."""
        aside = (entries for entries, _ in self._aside.values())
        new = sum(
            min(-value, 2.0) - 1 if value < -1 else -value
            for value, number in chain(self._new, *aside)
            if self._links[number].url in self._waiting
        )
        left = self._known.left() + new
        spread = NINETY * math.sqrt(left)
        return YieldEstimate(left, max(left - spread, 0.0), left + spread)

    def take(self, choice: Choice) -> None:
        """Remove a link that is asked for, whether or not it is the one just picked."""
        number = self._model.number.get(choice.link.url)
        if number is not None:
            self._known.remove(number)
        else:
            self._waiting.remove(choice.link.url)
        self._hosts[choice.link.host] -= 1
        if not self._hosts[choice.link.host]:
            del self._hosts[choice.link.host]

    def _best_new(self) -> float:
        """Return the value of the best new link; below 0 if there is none."""
        self._forget_taken()
        if self._new and self._valued[self._new[0][1]] != self._learned:
            self._rescore()
        return -self._new[0][0] if self._new else -1.0

    def _forget_taken(self) -> None:
        while self._new and self._links[self._new[0][1]].url not in self._waiting:
            heapq.heappop(self._new)

    def _rescore(self) -> None:
        """Value the best new links with what was learned since."""
        best: list[int] = []
        while self._new and len(best) < RESCORED:
            best.append(heapq.heappop(self._new)[1])
            self._forget_taken()
        self._value(best)

    def _value(self, numbers: Sequence[int]) -> int:
        """Put links among those that wait; return how many of them are expected files."""
        file, page = self._judge.judge([self._links[number] for number in numbers])
        for number, sure, value in zip(numbers, file.tolist(), page.tolist(), strict=True):
            share = hit_share(value) * (LEFT_OVER if number < self._left_over else 1)
            score = 1 + sure if sure > LIKELY else sure + (1 - sure) * share
            heapq.heappush(self._new, (-score, number))
            self._valued[number] = self._learned
        return int((file > LIKELY).sum())

    def _follow(self, asleep: Collection[str]) -> Choice | None:
        """Choose the best new link; None: its host sleeps, and it is set aside."""
        value, number = self._new[0]
        link = self._links[number]
        if link.host in asleep:
            self._aside[link.host][0].append(heapq.heappop(self._new))
            return None
        if not link.kind:
            return Choice(link, why="start URL")
        if value < -1:
            return Choice(link, why=f"new link, expected file: {100 * (-value - 1):.0f} %")
        return Choice(link, why=f"new link: {-value:.2f} finds per request expected")

    def _revisit(self, asleep: Collection[str]) -> Choice | None:
        """Choose the best revisit; None: its host sleeps, and it is set aside."""
        number, why = self._known.look()
        link = self._model.known[number].link
        if link.host in asleep:
            self._aside[link.host][1].append(number)
            self._known.set_aside(number)
            return None
        return Choice(link, why=why)

    def learn(self, outcome: Outcome) -> None:
        files = self._offer(outcome.links)
        self._hear(outcome.again)
        if outcome.choice is None:
            return
        number = self._model.number.get(outcome.choice.link.url)
        if number is None:
            found = outcome.verdict.found
            self._judge.learn(outcome.choice.link, found=found, finds=files)
            self._learned += 1
        elif outcome.change != "failed":
            changed = outcome.change in NEWS
            found = outcome.verdict.found and changed
            news = worth(found + files + LINK * (len(outcome.links) - files))
            fresh = found or bool(outcome.links)
            self._known.learn(number, news, fresh=fresh, changed=changed)

    def _hear(self, links: Sequence[Link]) -> None:
        """Take in what a sitemap or feed says of known URLs: when they changed."""
        number, last = self._model.number, self._model.last
        listed = [link for link in links if link.kind == LISTED and link.url in number]
        dated = {number[link.url]: days_of(link.around) for link in listed}
        known_dates = {one: time for one, time in dated.items() if time is not None}
        if known_dates:
            self._known.claim(
                [one for one, time in known_dates.items() if time > last[one]], len(known_dates)
            )

    def _offer(self, links: Sequence[Link]) -> int:
        """Add new links; return how many of them are expected files."""
        if not links:
            return 0
        first = len(self._links)
        self._links += links
        self._valued += [self._learned] * len(links)
        self._waiting.update(link.url for link in links)
        self._hosts.update(link.host for link in links)
        return self._value(range(first, len(self._links)))
