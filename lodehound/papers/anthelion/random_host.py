"""Random (Anthelion paper, Table 2): any host, and any of its pages."""

from __future__ import annotations

import random
from collections.abc import Collection

from lodehound.core.asleep import Sleepers
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.papers.anthelion.host_bandits import Uniform
from lodehound.policies.pools import RandomList


class RandomHost(ResumablePolicy):
    """Any host with the same probability, however many links of it wait, and any of them.

    Args:
        seed: Seed of the draws.
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed
        self._rng = random.Random(seed)
        self._links: dict[str, RandomList] = {}
        self._ready = Uniform(self._rng)
        self._sleepers = Sleepers()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        for host in self._sleepers.update(asleep, self._links):
            if host in self._sleepers.asleep:
                self._ready.remove(host)
            else:
                self._ready.add(host)
        hosts = len(self._ready)
        if not hosts:
            return None
        host = self._ready.draw()
        links = self._links[host]
        count = len(links)
        why = f"one of {hosts} hosts at random, one of its {count} links"
        link = links.draw(self._rng)
        return Choice(link, probability=1 / hosts / count, why=why, group=host)

    def take(self, choice: Choice) -> None:
        host = choice.link.host
        links = self._links[host]
        links.take(choice.link)
        if not links:
            del self._links[host]
            if host in self._ready:
                self._ready.remove(host)
            self._sleepers.removed(host)

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links:
            if link.host not in self._links:
                self._links[link.host] = RandomList()
                self._sleepers.added(link.host)
                self._ready.add(link.host)
            self._links[link.host].push(link)
