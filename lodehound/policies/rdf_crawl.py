"""The frame of the linked-data crawlers: easy URIs by rule, hard ones by whoever decides.

One at a time, in breadth-first order (or the likeliest first), a URI is fetched,
asked for its type, or skipped.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection
from typing import Literal, NamedTuple

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.policies.pools import Fifo, Heap
from lodehound.policies.uri_features import NO_HEAD, Head
from lodehound.policies.uri_rules import rule_of, rule_of_type

HeadMode = Literal["on", "off"]
Skip = Literal["queue", "drop"]
Order = Literal["bfs", "best"]
REFUSED_HEAD = {0, 405, 501}  # says nothing of the URI
FIRST, NEVER = -2.0, 2.0  # keys of URIs that surely are RDF, or are not; the others have odds


class Decision(NamedTuple):
    """What to do with a hard URI."""

    fetch: bool
    odds: float  # that it is RDF, as far as the decider knows
    why: str
    probability: float = 1.0  # of this decision, when it was drawn


class RdfCrawl(Policy):
    """Breadth first, except that URIs which are not likely to be RDF are skipped.

    Args:
        head: Ask a HEAD for every hard URI, for its type; or decide without.
        skip: Skipped URIs wait until nothing better is left, or are dropped.
        order: Of URIs that wait: as they came, or the likeliest first.
    """

    uses_head = True
    drops = "with skip=drop, URIs that are not likely to be RDF"

    def __init__(
        self, *, head: HeadMode = "off", skip: Skip = "queue", order: Order = "bfs"
    ) -> None:
        self.head = head
        self.skip = skip
        self.order = order
        self._fresh = Heap()
        self._chosen = Fifo()  # decided after their HEAD
        self._reasons: dict[str, Choice] = {}  # of those
        self._skipped = Heap()

    @abstractmethod
    def decide(self, link: Link, head: Head) -> Decision:
        """Say whether a hard URI is fetched now."""

    @abstractmethod
    def odds(self, link: Link) -> float:
        """Say how likely a hard URI is RDF, before its turn has come."""

    def label(self, outcome: Outcome) -> None:
        """Take in what a fetched URI turned out to be."""

    # --- choosing -------------------------------------------------------------------------------

    def choose(self, asleep: Collection[str]) -> Choice | None:
        link = self._chosen.pop(asleep)
        if link is not None:
            return self._reasons.pop(link.url)
        while (link := self._fresh.pop(asleep)) is not None:
            choice = self._choice(link)
            if choice is not None:
                return choice
        link = self._skipped.pop(asleep)
        return None if link is None else Choice(link, why="nothing more likely is left")

    def _choice(self, link: Link) -> Choice | None:
        """Return what to ask for a link that has just come up; None when it is skipped."""
        told = rule_of(link) if link.kind else True
        if told is not None:
            if told:
                return Choice(link, why="RDF by its name" if link.kind else "a start")
            self._put_off(link, NEVER)
            return None
        if self.head == "on":
            return Choice(link, "HEAD", why="what type has it?")
        return self._decided(link, NO_HEAD)

    def _decided(self, link: Link, head: Head) -> Choice | None:
        decision = self.decide(link, head)
        if decision.fetch:
            return Choice(link, why=decision.why, probability=decision.probability)
        self._put_off(link, -decision.odds)
        return None

    def _put_off(self, link: Link, key: float) -> None:
        if self.skip == "queue":
            self._skipped.push(link, key)

    # --- learning -------------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        choice = outcome.choice
        if choice is not None and choice.method == "HEAD":
            self._headed(choice.link, outcome)
        elif choice is not None:
            self.label(outcome)
        for link in outcome.links:
            self._fresh.push(link, self._key(link))

    def _key(self, link: Link) -> float:
        if self.order == "bfs":
            return 0.0
        told = rule_of(link) if link.kind else True
        return -self.odds(link) if told is None else FIRST if told else NEVER

    def _headed(self, link: Link, outcome: Outcome) -> None:
        head = NO_HEAD if outcome.status in REFUSED_HEAD else Head(outcome.status, outcome.mime)
        told = rule_of_type(head.mime) if head.status < 300 else None
        if head.status >= 400:
            told = False
        if told is None:
            choice = self._decided(link, head)
        elif told:
            choice = Choice(link, why=f"RDF by its type, {head.mime}")
        else:
            self._put_off(link, NEVER)
            choice = None
        if choice is not None:
            self._reasons[link.url] = choice
            self._chosen.push(link)
