"""Connects a policy with requests that do not all wait for it. No engine, no network.

Every URL that the spider requests is offered to the policy. Most wait to be chosen.
Some are sent immediately, because Scrapy's rules say so; the policy learns their
results when it chooses them, so it gets exactly one outcome for every choice, as its
contract requires.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from scrapy import Request

from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.messages import NOT_FOUND, Choice, Method, Outcome
from lodehound.core.policy import Policy
from lodehound.core.urls import canonical
from lodehound.scrapy.response_reader import Seen


@dataclass(slots=True, eq=False)
class Lead:
    """A link that the spider follows, until the policy has learned its result."""

    link: Link
    request: Request
    sent: bool = False  # sent, or about to be sent without a choice of the policy
    offered: bool = False
    left: bool = False  # the policy had nothing to choose and had not chosen this
    choice: Choice | None = None
    head: Choice | None = None  # a HEAD that the policy waits for
    flight: Flight | None = None  # the GET for it


@dataclass(slots=True, eq=False)
class Flight:
    """A request in flight, and what is known about its answer."""

    request: Request
    lead: Lead | None = None  # None: the policy does not know it
    method: Method = "GET"
    seen: Seen | None = None  # None: no response yet, or none at all
    fresh: list[Link] = field(default_factory=list)  # links that the spider follows from there
    arrived: float | None = None  # when the response arrived

    @property
    def depth(self) -> int:
        return self.lead.link.depth if self.lead is not None else 0


class LearnedOrder:
    """Offers links to a policy, asks it for the next one, and passes on the results.

    Args:
        policy: Chooses the next link.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.unsent = 0
        self._known: set[str] = set()  # every URL that is or was a lead
        self._leads: dict[str, Lead] = {}
        self._taught = False

    def knows(self, url: str) -> bool:
        """Return whether there is or was a lead to this URL: a policy is offered each URL once."""
        return url in self._known

    def follow(self, link: Link, request: Request, *, at_once: bool) -> Lead:
        """Add a link to a URL that was not known before.

        Args:
            link: Its sighting.
            request: The request of the spider.
            at_once: Whether it does not wait for the policy's choice.
        """
        lead = Lead(link, request, sent=at_once)
        self._known.add(link.url)
        self._leads[link.url] = lead
        self.unsent += not at_once
        return lead

    def choose(self, asleep: Collection[str]) -> tuple[Lead, Choice] | None:
        """Return the policy's next choice that has not been sent yet."""
        while self._taught and (choice := self.policy.choose(asleep)) is not None:
            lead = self._leads.get(choice.link.url)
            if lead is None or lead.choice is not None:
                name = type(self.policy).__name__
                raise ContractError(f"{name} chose {choice.link.url} twice or without an offer.")
            if choice.method == "HEAD":
                lead.head = choice
            else:
                lead.choice = choice
            if not lead.sent:
                if choice.method == "GET":
                    self._send(lead)
                return lead, choice
            self._answer(lead)
        return None

    def end(self, flight: Flight) -> None:
        """Handle the end of a request: its answer has arrived and the spider has used it."""
        lead = flight.lead
        seen = flight.seen = flight.seen or Seen("")
        if lead is None:
            url = canonical(seen.url)
            if not flight.fresh or not url or self.knows(url):
                self.release(flight)
                return
            # A page that the spider reached without a link: treat it as a start URL.
            lead = self.follow(Link(url, kind=""), flight.request, at_once=True)
        if flight.method == "HEAD":
            self._learn_head(lead, seen)
            self.release(flight)
            return
        lead.flight = flight
        if not lead.link.source:
            self._offer((lead.link,))  # links with a source are offered with their page
        self._answer(lead)

    def release(self, flight: Flight) -> None:
        """Offer the links of a page now, whatever happens to the page."""
        links, flight.fresh = tuple(flight.fresh), []
        if links:
            self._offer(links)

    def leave(self) -> list[Lead]:
        """Return the leads that the policy dropped, if it has no choice and nothing is in flight.

        First, the links of pages that it did not choose (they were sent immediately) are
        offered to it, and nothing is returned. If there are no such pages, the returned
        leads must be sent, because a policy may drop links, but the requests of a spider are
        never dropped.
        """
        answered = [lead for lead in self._leads.values() if lead.flight and lead.offered]
        for lead in answered:
            lead.left = True
            self._answer(lead)
        left = [] if answered else self.waiting()
        for lead in left:
            lead.left = True
            self._send(lead)
        return left

    def waiting(self) -> list[Lead]:
        """Return the leads that have not been sent, oldest first."""
        return [lead for lead in self._leads.values() if not lead.sent]

    def _send(self, lead: Lead) -> None:
        lead.sent = True
        self.unsent -= 1

    def _answer(self, lead: Lead) -> None:
        """Pass the outcomes that are known and awaited to the policy."""
        flight = lead.flight
        if flight is None or flight.seen is None:
            return
        if lead.head is not None:
            self._learn_head(lead, flight.seen)
        if lead.choice is not None:
            del self._leads[lead.link.url]
            fresh, again = tuple(flight.fresh), self._again(flight.seen, flight.fresh)
            self._learn(lead.choice, flight.seen, fresh, again)
        elif lead.left:
            del self._leads[lead.link.url]
            self.release(flight)

    def _again(self, seen: Seen, fresh: Sequence[Link]) -> tuple[Link, ...]:
        """Return the sightings of URLs offered before, and all but the first of new ones."""
        first = {link.url: link for link in reversed(fresh)}
        again = []
        for link in seen.links:
            lead = self._leads.get(link.url)
            offered = link.url in self._known and (lead is None or lead.offered)
            if offered or (link.url in first and first[link.url] is not link):
                again.append(link)
        return tuple(again)

    def _learn_head(self, lead: Lead, seen: Seen) -> None:
        choice, lead.head = lead.head, None
        if choice is not None:
            self._learn(choice, seen, (), ())

    def _learn(
        self, choice: Choice, seen: Seen, links: tuple[Link, ...], again: tuple[Link, ...]
    ) -> None:
        self._mark_offered(links)
        url = seen.url or choice.link.url
        self.policy.learn(
            Outcome(choice, url, seen.status, seen.mime, seen.verdict, links, again, seen.size)
        )

    def _offer(self, links: tuple[Link, ...]) -> None:
        """Offer links that do not come from a choice of the policy."""
        self._taught = True
        self._mark_offered(links)
        self.policy.learn(Outcome(None, "", 0, "", NOT_FOUND, links))

    def _mark_offered(self, links: tuple[Link, ...]) -> None:
        for link in links:
            if (lead := self._leads.get(link.url)) is not None:
                lead.offered = True
