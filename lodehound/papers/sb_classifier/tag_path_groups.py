"""Groups of waiting links with similar tag paths: arms of a bandit (SB paper, Sec. 3.2)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Group
from lodehound.learn.paths import Groups, PathVectors
from lodehound.papers.sb_classifier.bandits import Auer
from lodehound.policies.pools import Bag

NO_GROUP = -1
SHOWN = 300  # characters of a tag path in the name of a group, which is kept with every request


def shown(path: str) -> str:
    """Return the end of a long tag path: it says most.

    >>> shown("html/body/a"), len(shown("div.wide/" * 1000))
    ('html/body/a', 301)
    """
    return path if len(path) <= SHOWN else f"…{path[-SHOWN:]}"


class TagPathGroups:
    """Groups of links; the bandit chooses one, and a link of it is drawn at random.

    Args:
        vectors: Turns tag paths into vectors.
        theta: Least cosine to join a group.
        bandit: Scores the groups.
        rng: Where the draws come from.
    """

    def __init__(
        self, *, vectors: PathVectors, theta: float, bandit: Auer, rng: random.Random
    ) -> None:
        self.vectors = vectors
        self.bandit = bandit
        self.examples: list[str] = []  # the tag path each group was founded with
        self._founders: list[str] = []  # and the link
        self._clusters = Groups(theta=theta)
        self._rng = rng
        self._bags: list[Bag] = []
        self._hosts: Counter[str] = Counter()  # of waiting links
        self._drawn = ("", NO_GROUP)  # the link picked last, and its group
        # Built when a link is taken that was not picked, which happens only when resuming.
        self._group_of: dict[str, int] | None = None

    def join(self, link: Link) -> int:
        """Return the group of a link; it may be a new one."""
        group = self._clusters.join(*self.vectors.vector(link.tag_path))
        if group == len(self._bags):
            self.bandit.add()
            self._bags.append(Bag(self._rng))
            self.examples.append(shown(link.tag_path))
            self._founders.append(link.url)
        return group

    def push(self, link: Link) -> None:
        """Add a link to its group."""
        group = self.join(link)
        self._bags[group].push(link)
        self._hosts[link.host] += 1
        self.bandit.wake(group)
        if self._group_of is not None:
            self._group_of[link.url] = group

    def pick(self, asleep: Collection[str], t: int) -> Choice | None:
        """Choose a group by its score at time t, and a link of it at random."""
        if asleep and all(host in asleep for host in self._hosts):
            return None
        best = self.bandit.best(t)
        choice = self._draw(best, asleep) if best is not None else None
        if choice is None and best is not None:
            # Every link of the best group waits for its host: go down the list.
            for group in self.bandit.ranked(t):
                choice = self._draw(group, asleep)
                if choice is not None:
                    break
        return choice

    def _draw(self, group: int, asleep: Collection[str]) -> Choice | None:
        bag = self._bags[group]
        awake = bag.awake(asleep)
        link = bag.peek(asleep)
        if link is None:
            return None
        self._drawn = link.url, group
        name = self.name(group)
        why = (
            f"{name}: {self.bandit.mean(group):.2f} "
            f"targets a page over {self.bandit.pulls(group)} visits; one of {awake} links"
        )
        return Choice(link, probability=1 / awake, why=why, group=name)

    def take(self, link: Link) -> int:
        """Remove a link from its group; return the group, or NO_GROUP if it is in none."""
        drawn, group = self._drawn
        if drawn != link.url:
            group = self._find(link.url)
        if group == NO_GROUP:
            return NO_GROUP
        bag = self._bags[group]
        bag.take(link)
        if not len(bag):
            self.bandit.put_to_sleep(group)
        self._hosts[link.host] -= 1
        if not self._hosts[link.host]:
            del self._hosts[link.host]
        if self._group_of is not None:
            del self._group_of[link.url]
        return group

    def _find(self, url: str) -> int:
        if self._group_of is None:
            bags = enumerate(self._bags)
            self._group_of = {link.url: group for group, bag in bags for link in bag}
        return self._group_of.get(url, NO_GROUP)

    # --- for explanations ---------------------------------------------------------------------

    def name(self, group: int) -> str:
        return f"group {group} like {self.examples[group]}" if group != NO_GROUP else ""

    def name_of(self, url: str) -> str:
        """Return the name of the group in which a link waits, or ""."""
        for group, bag in enumerate(self._bags):
            if any(link.url == url for link in bag):
                return self.name(group)
        return ""

    def ranked(self, t: int) -> list[Group]:
        """Return all groups, in the order in which the bandit would choose them at time t."""
        made = [
            Group(
                self.name(group),
                self.bandit.score(group, t),
                self.bandit.pulls(group),
                self.bandit.total(group),
                len(self._bags[group]),
                self._founders[group],
            )
            for group in range(self.bandit.arms)
        ]
        # A stable sort: the oldest first among equals, as the bandit chooses.
        return sorted(made, key=lambda group: (not group.waiting, -group.score))

    def best(self, most: int) -> list[str]:
        """Name the groups that brought most targets per visit."""
        visited = [group for group in range(self.bandit.arms) if self.bandit.pulls(group)]
        best = sorted(visited, key=self.bandit.mean, reverse=True)[:most]
        return [
            f"{self.bandit.mean(group):.2f} targets a page over {self.bandit.pulls(group)} "
            f"visits, {len(self._bags[group])} links left: {self.examples[group]}"
            for group in best
        ]
