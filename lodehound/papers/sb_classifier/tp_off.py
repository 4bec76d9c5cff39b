"""TP-OFF (SB paper, Sec. 4.3): tag path groups valued once, after a first breadth-first part."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.core.truth import Truth
from lodehound.learn.paths import Groups, PathVectors
from lodehound.papers.sb_classifier.tag_path_groups import shown
from lodehound.papers.sb_classifier.training_limits import check_paths
from lodehound.policies.pools import Fifo

WARMUP = 3000  # requests of the first part (SB paper, Sec. 4.3)


class TpOff(ResumablePolicy):
    """Tag path groups in the order of the targets seen behind them in a first crawl.

    After ``warmup`` breadth-first requests, a group's value is the mean number
    of links to targets on the pages its links led to; groups met later have
    value 0. As in the released code a target is a page without links, so groups
    that lead straight to targets are worth 0: a known weakness of the baseline.

    The paper tells this baseline which links of the first part are targets. A
    live crawl has no such oracle and counts those it fetched itself meanwhile.

    Args:
        warmup: Requests of the first part.
        n: Length of the n-grams of a tag path.
        theta: Least cosine to join a group.
        truth: The answers of a recorded site; None counts what the crawl sees.
    """

    def __init__(
        self, *, warmup: int = WARMUP, n: int = 2, theta: float = 0.75, truth: Truth | None = None
    ) -> None:
        check_paths(n=n, theta=theta)
        if warmup < 1:
            raise ConfigError(f"warmup={warmup}: the first part has at least 1 request.")
        self.warmup = warmup
        self.n = n
        self.theta = theta
        self.truth = truth
        self._vectors = PathVectors(n=n)
        self._groups = Groups(theta=theta)
        self._requests = 0
        self._warm = Fifo()
        self._group: dict[str, int] = {}  # of every link that was not asked for yet
        self._behind: dict[str, int] = {}  # the group that led to the page a link stands on
        self._value: list[float] = []  # sum of benefits, then mean
        self._pages: list[int] = []
        self._examples: list[Link] = []  # what each group was founded with
        self._pools: dict[int, Fifo] = {}
        self._order: list[tuple[float, int]] = []  # awake groups, best first

    def groups(self) -> list[Group]:
        warm = self._requests < self.warmup  # values are sums until the first part ends
        waiting = Counter(self._group.values())
        made = []
        for group, (value, pages) in enumerate(zip(self._value, self._pages, strict=True)):
            mean = value / pages if warm and pages else value
            example = self._examples[group].url
            name = self._name(group)
            made.append(Group(name, mean, pages, mean * pages, waiting[group], example))
        return sorted(made, key=lambda group: (not group.waiting, -group.score))

    def group_of(self, url: str) -> str:
        group = self._group.get(url)
        return "" if group is None else self._name(group)

    def _name(self, group: int) -> str:
        return f"group {group} like {shown(self._examples[group].tag_path)}"

    def pick(self, asleep: Collection[str]) -> Choice | None:
        if self._requests < self.warmup:
            link = self._warm.peek(asleep)
            if link is None:
                return None
            return Choice(link, why="first part, breadth first", group=self.group_of(link.url))
        return self._best(asleep)

    def take(self, choice: Choice) -> None:
        warm = self._requests < self.warmup
        pool = self._warm if warm else self._pools[self._group[choice.link.url]]
        pool.take(choice.link)

    def learn(self, outcome: Outcome) -> None:
        choice = outcome.choice
        if choice is not None:
            self._requests += 1
            group = self._group.pop(choice.link.url)
            if self._requests <= self.warmup:
                self._credit(outcome, group)
            if self._requests == self.warmup:
                self._settle()
        for link in outcome.links:
            self._group[link.url] = self._group_of(link)
            if self._requests < self.warmup:
                self._warm.push(link)
            else:
                self._push(link)

    def _group_of(self, link: Link) -> int:
        group = self._groups.join(*self._vectors.vector(link.tag_path))
        if group == len(self._value):
            self._value.append(0.0)
            self._pages.append(0)
            self._examples.append(link)
        return group

    def _credit(self, outcome: Outcome, group: int) -> None:
        """Credit the group whose link led here with the targets this page links to."""
        if self.truth is not None:
            sightings = outcome.links + outcome.again
            benefit = sum(self.truth.kind(link.url) == "target" for link in sightings)
            self._value[group] += benefit
        else:
            for link in outcome.links:
                self._behind[link.url] = group
            if outcome.verdict.found and outcome.choice is not None:
                source = self._behind.get(outcome.choice.link.url)
                if source is not None:
                    self._value[source] += 1
        self._pages[group] += 1

    def _settle(self) -> None:
        """End the first part: fix the groups' values and sort what waits into them."""
        self._value = [
            value / pages if pages else 0.0
            for value, pages in zip(self._value, self._pages, strict=True)
        ]
        self._behind.clear()
        for link in self._warm.drain():
            self._push(link)

    def _push(self, link: Link) -> None:
        group = self._group[link.url]
        pool = self._pools.get(group)
        if pool is None:
            pool = self._pools[group] = Fifo()
            heapq.heappush(self._order, (-self._value[group], group))
        pool.push(link)

    def _best(self, asleep: Collection[str]) -> Choice | None:
        skipped, choice = [], None
        while self._order and choice is None:
            rank = heapq.heappop(self._order)
            pool = self._pools[rank[1]]
            if not len(pool):
                del self._pools[rank[1]]
                continue
            skipped.append(rank)
            link = pool.peek(asleep)
            if link is not None:
                why = f"group {rank[1]}, {-rank[0]:.2f} targets per page"
                choice = Choice(link, why=why, group=self._name(rank[1]))
        for rank in skipped:
            heapq.heappush(self._order, rank)
        return choice
