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
from lodehound.core.policy import ResumablePolicy
from lodehound.papers.ldcoc.uri_features import NO_HEAD, Head
from lodehound.papers.ldcoc.uri_rules import rule_of, rule_of_type
from lodehound.policies.pools import Fifo, Heap

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


class RdfCrawl(ResumablePolicy):
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
        self._decisions: dict[str, Choice] = {}  # what to ask for next, by URL
        self._decided = Fifo()  # their links
        self._skipped = Heap()
        self._headed: set[str] = set()  # links whose HEAD is on its way
        # Answers to HEADs of an earlier run for links not decided yet; NO_HEAD: none yet.
        self._heads: dict[str, Head] = {}

    @abstractmethod
    def decide(self, link: Link, head: Head) -> Decision:
        """Return whether a hard URI is fetched now."""

    @abstractmethod
    def odds(self, link: Link) -> float:
        """Return how likely a hard URI is RDF, while it waits."""

    def note(self, link: Link) -> None:
        """Note a URI that an earlier run fetched and this policy has not decided on."""

    def label(self, outcome: Outcome) -> None:
        """Take in what a fetched URI turned out to be."""

    # --- choosing -------------------------------------------------------------------------------

    def pick(self, asleep: Collection[str]) -> Choice | None:
        while (link := self._decided.peek(asleep)) is None:
            if (link := self._fresh.pop(asleep)) is not None:
                self._settle(link)
            elif (link := self._skipped.pop(asleep)) is not None:
                self._put(link, Choice(link, why="nothing more likely is left"))
            else:
                return None
        return self._decisions[link.url]

    def take(self, choice: Choice) -> None:
        url, head = choice.link.url, choice.method == "HEAD"
        decision = self._decisions.get(url)
        if decision is not None and decision.method in {choice.method, "HEAD"}:
            del self._decisions[url]
            self._decided.take(choice.link)
            if head:
                self._headed.add(url)
        elif head:
            self._heads[url] = NO_HEAD
        else:
            self._headed.discard(url)
            if not self._fresh.take(choice.link):
                self._skipped.take(choice.link)
            self.note(choice.link)

    def _settle(self, link: Link) -> None:
        """Decide on the next link."""
        rule = rule_of(link) if link.kind else True
        head = self._heads.pop(link.url, None)
        if rule is not None:
            why = "RDF by its name" if link.kind else "a start"
            self._put(link, Choice(link, why=why) if rule else None, NEVER)
        elif head is not None:
            self._settle_by(link, head)
        elif self.head == "on":
            self._put(link, Choice(link, "HEAD", why="what type has it?"))
        else:
            self._settle_by(link, NO_HEAD)

    def _settle_by(self, link: Link, head: Head) -> None:
        """Decide on a hard URI, by the answer to its HEAD."""
        rule = rule_of_type(head.mime) if head.status < 300 else None
        if head.status >= 400:
            rule = False
        if rule is not None:
            why = f"RDF by its type, {head.mime}"
            self._put(link, Choice(link, why=why) if rule else None, NEVER)
            return
        decision = self.decide(link, head)
        choice = Choice(link, why=decision.why, probability=decision.probability)
        self._put(link, choice if decision.fetch else None, -decision.odds)

    def _put(self, link: Link, choice: Choice | None, key: float = 0.0) -> None:
        """Ask for a link next, or skip it."""
        if choice is not None:
            self._decisions[link.url] = choice
            self._decided.push(link)
        elif self.skip == "queue":
            self._skipped.push(link, key)

    # --- learning -------------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        choice = outcome.choice
        if choice is not None and choice.method == "HEAD":
            self._learn_head(choice.link, outcome)
        elif choice is not None:
            self.label(outcome)
        for link in outcome.links:
            self._fresh.push(link, self._key(link))

    def _key(self, link: Link) -> float:
        if self.order == "bfs":
            return 0.0
        rule = rule_of(link) if link.kind else True
        return -self.odds(link) if rule is None else FIRST if rule else NEVER

    def _learn_head(self, link: Link, outcome: Outcome) -> None:
        head = NO_HEAD if outcome.status in REFUSED_HEAD else Head(outcome.status, outcome.mime)
        if link.url in self._heads:
            self._heads[link.url] = head
        elif link.url in self._headed:
            self._headed.remove(link.url)
            self._settle_by(link, head)
