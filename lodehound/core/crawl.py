"""The crawl as a state machine. It contains no network code, no clock and no file.

Rule 1: only methods of Crawl change the state of a crawl.
Rule 2: this file does not know which driver runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import compress

from lodehound.core.errors import ContractError
from lodehound.core.history import NEWS, History
from lodehound.core.known import KnownUrls
from lodehound.core.link import Link
from lodehound.core.messages import (
    NOT_FOUND,
    WAIT,
    Answer,
    Ask,
    Change,
    Choice,
    Outcome,
    Page,
    Step,
    Stop,
    Verdict,
    Wait,
    step_of,
)
from lodehound.core.pending import PendingRequest, Redirects
from lodehound.core.policy import Policy, check_choice, name_of_policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.core.target import Target, judge_answer
from lodehound.core.urls import resolve

Reader = Callable[[Answer, Link], Page]

NO_LINKS: tuple[Link, ...] = ()
MAX_REDIRECTS = 10
REFRESH = 10_000  # requests after which the policy forgets its picks


class Crawl:
    """Decides what to ask for, and learns from what comes back.

    Several requests may be in flight, and answers may come in any order. No URL
    is asked for twice with the same method, and every choice of the policy gets
    exactly one outcome, at the end of its redirects.

    Args:
        starts: Where to begin.
        policy: Decides which link is next.
        target: Decides what counts as found.
        read: Turns an answer into a page and its links.
        scope: Says which links belong to this crawl.
        budget: The most the crawl may cost.
        rules: Further reasons to stop.
        max_redirects: Longest chain followed (RFC 9110, 15.4, asks for a limit).
        per_host: Most URLs asked for on one host; what else is chosen there is dropped.
        max_hosts: Most hosts; links to others are refused.
        history: What earlier rounds know, if there are rounds; this one is added to it.
    """

    def __init__(
        self,
        starts: Iterable[Link],
        *,
        policy: Policy,
        target: Target,
        read: Reader,
        scope: Scope,
        budget: Budget | None = None,
        rules: Sequence[StopRule] = (),
        max_redirects: int = MAX_REDIRECTS,
        per_host: int | None = None,
        max_hosts: int | None = None,
        history: History | None = None,
    ) -> None:
        self.policy = policy
        self.target = target
        self.scope = scope
        self.budget = budget or Budget()
        self.requests = self.bytes = self.finds = 0
        self.drought = 0  # requests since the last find
        self.dropped = 0  # choices on hosts that had had their share
        self.expecting = False  # links may be offered from elsewhere: it does not end without
        self._read = read
        self._rules = tuple(rules)
        self._max_redirects = max_redirects
        self._known = KnownUrls(scope, per_host=per_host, max_hosts=max_hosts)
        self._asks = history.requests if history is not None else 0
        self._in_flight: dict[int, PendingRequest] = {}
        self._aside: dict[int, PendingRequest] = {}
        self._redirected = Redirects()
        self._stop: Stop | None = None
        self._restoring = False
        self._refreshed = 0  # times that the policy has forgotten its picks
        self._first_pick = 0  # number of the request before which picks are not repeated
        self._history = history
        first = self._known.admit(starts)
        if history is not None and policy.revisits:
            offered = self._known.offer(one.link for one in history)
            policy.begin_round(list(compress(history, offered)), history.time)
            first = tuple(link for link in first if link.url not in history)
        self._offer(first)

    @property
    def stopped(self) -> str:
        """Why the crawl asks for nothing more; "" while it does."""
        return self._stop.reason if self._stop is not None else ""

    @property
    def known(self) -> int:
        """How many URLs have been let in so far."""
        return len(self._known)

    @property
    def waiting(self) -> int:
        """How many URLs were let in and not asked for, or not answered."""
        return self._known.waiting + len(self._redirected) + len(self._aside)

    @property
    def refused(self) -> Counter[str]:
        """Reasons for refusing URLs, counted once per URL."""
        return self._known.refused

    @property
    def unanswered(self) -> list[Ask]:
        """The requests that have no answer yet."""
        return [flight.ask for flight in self._in_flight.values() if flight.ask is not None]

    @property
    def aside(self) -> int:
        """How many requests were chosen and set aside."""
        return len(self._aside)

    def set_aside(self, ask: Ask, *, sent: bool = False) -> None:
        """Give a request back that cannot be answered for now; unsent, it is not charged.

        It stays without an answer, so a crawl that is restored from its journal
        asks for it again.
        """
        self._aside[ask.number] = self._in_flight.pop(ask.number)
        self.requests -= not sent

    def is_new(self, link: Link) -> bool:
        """Return whether a link was never seen, and is in scope."""
        return self._known.is_new(link)

    def choice_of(self, number: int) -> Choice:
        """Return the choice behind a request that has no answer yet."""
        return self._in_flight[number].choice

    @property
    def may_retry(self) -> bool:
        """Say whether the budget has room for one more request."""
        return self.budget.spent(requests=self.requests) is None

    def charge(self, requests: int = 1, size: int = 0) -> None:
        """Charge further requests for an Ask: another try, or what its page loads."""
        self.requests += requests
        self.bytes += size

    def offer(self, links: Iterable[Link]) -> int:
        """Offer links that no page showed (a sitemap's); return how many were new."""
        fresh, again = self._known.sift(links)
        self._offer(fresh, again)
        return len(fresh)

    def _offer(self, links: tuple[Link, ...], again: tuple[Link, ...] = NO_LINKS) -> None:
        self.policy.learn(Outcome(None, "", 0, "", NOT_FOUND, links, again))

    def begin_repeating(self, last: int) -> None:
        """Prepare for ``repeat``; ``last`` is the number of the last request."""
        if self.policy.can_refresh() and not self._known.has_limit:
            self._first_pick = last // REFRESH * REFRESH

    def repeat(self, number: int, choice: Choice, asleep: Collection[str]) -> None:
        """Repeat the request of this number of an earlier run, with the hosts then asleep."""
        self._restoring = True
        self._asks = number - 1
        url = choice.link.url
        redirected = self._redirected.take_to(url) if choice.method == "GET" else None
        self._ask(*(redirected or (PendingRequest(self._repeated(choice, asleep)), url)))

    def _repeated(self, choice: Choice, asleep: Collection[str]) -> Choice:
        """Tell the policy about a recorded choice."""
        picked = self._pick_again(asleep)
        if picked is not None and picked.request == choice.request:
            choice = replace(choice, link=picked.link)
        elif self._known.is_spare(choice.link.url):
            self._offer(self._known.take_spare(asleep))
        if not self._given(choice.link.url):  # for example, the scope has changed
            self._offer((choice.link,))
        if choice.method == "GET" or self.policy.uses_head:
            self.policy.take(choice)
        return choice

    def _given(self, url: str) -> bool:
        """Return whether the policy was given a URL."""
        flights = [*self._in_flight.values(), *self._redirected]
        held_back = any(link.url == url for flight in flights for link in flight.links)
        return self._known.offered(url) and not held_back

    def repeat_wait(self, asleep: Collection[str]) -> None:
        """Repeat a pick that found nothing: it may have changed the state of the policy."""
        self._pick_again(asleep)

    def _pick_again(self, asleep: Collection[str]) -> Choice | None:
        """Pick as the earlier run did, unless the policy has forgotten it since."""
        return self._choose(asleep, take=False) if self._asks >= self._first_pick else None

    def resume(self) -> None:
        """Continue after the last repeated request, whatever the stop rules said before it."""
        self._restoring = False
        for rule in self._rules:
            rule.restart()

    def next(self, asleep: Collection[str] = (), now: float = 0.0) -> Ask | Wait | Stop:
        """Return the next request to make, WAIT, or Stop.

        Args:
            asleep: Hosts that must not be asked now.
            now: Seconds since the crawl began, by the driver's clock.
        """
        spent = self._stop or self.spent(now)
        if spent is not None:
            return self._wind_up(spent)
        if self.budget.is_paused(self.requests):
            return WAIT
        if (redirected := self._redirected.take_awake(asleep)) is not None:
            return self._ask(*redirected)
        if self._may_be_enough():
            return WAIT
        choice = self._choose(asleep)
        if choice is not None:
            return self._ask(PendingRequest(choice), choice.link.url)
        if not (self._in_flight or self._redirected or asleep or self.expecting):
            self._stop = Stop("exhausted")
        return self._stop or WAIT

    def _choose(self, asleep: Collection[str], *, take: bool = True) -> Choice | None:
        """Let the policy choose; what it chooses on a host that has had its share is dropped."""
        if self._asks // REFRESH != self._refreshed:
            self._refreshed = self._asks // REFRESH
            self.policy.refresh(self._refreshed)
        choose = self.policy.choose if take else self.policy.pick
        while (choice := choose(asleep)) is not None:
            check_choice(self.policy, choice, asleep, given=self._known.offered(choice.link.url))
            if not self._known.had_its_share(choice.link.url):
                break
            if not take:
                self.policy.take(choice)
            self.dropped += 1
            self._known.waiting -= choice.method == "GET"
            self.policy.learn(Outcome(choice, choice.link.url, 0, "", NOT_FOUND, ()))
        idle = choice is None and not (self._in_flight or self._redirected)
        if idle and (spare := self._known.take_spare(asleep)):
            self._offer(spare)
            choice = self._choose(asleep, take=take)
        return choice

    def _wind_up(self, stop: Stop) -> Wait | Stop:
        """Stop, but not before every answer is in."""
        if self._in_flight:
            # One of them may give its request back (Answer.sent): then there is room for another.
            self._stop = self._stop if stop.reason == "requests" else stop
            return WAIT
        left = self._known.waiting or self._redirected or self._aside
        if stop.reason == "early-stop" and not left:
            stop = Stop("exhausted")  # the rule spared nothing
        self._stop = stop
        return stop

    def read(self, answer: Answer, link: Link | None = None) -> Page:
        """Read an answer; unless its link is given, the request is in flight."""
        return self._read(answer, link or self.choice_of(answer.ask.number).link)

    def receive(
        self, answer: Answer, page: Page | None = None, verdict: Verdict | None = None
    ) -> Step:
        """Sift the links of an answer, judge it and learn from it, in that order.

        Args:
            answer: What came back.
            page: The answer as it was read; it is read now unless given.
            verdict: What the target said of the page; it is asked now unless given.
        """
        flight = self._in_flight.pop(answer.ask.number, None)
        if flight is None:
            raise ContractError(f"Answer {answer.ask.number} was never asked for, or came twice.")
        self.bytes += answer.size
        self.requests -= not answer.sent
        if self._moved(flight, answer, answer.location if 300 <= answer.status < 400 else ""):
            change = self._record(flight, answer, None, NOT_FOUND, NO_LINKS)
            return self._step(flight.choice, answer, answer.mime, NOT_FOUND, 0, change)
        if self._history is not None and (known := self._history.not_modified(answer)):
            page, verdict = known
        page = page or self._read(answer, flight.choice.link)
        links, again = self._known.sift(page.links, flight.choice.link)
        # Links that were held back may have been asked for by an earlier run (repeat).
        held = tuple(link for link in flight.links if not self._known.asked(link.url))
        all_links, all_again = held + links, flight.again + again
        if page.moved:
            flight = replace(flight, links=all_links, again=all_again)
            if self._moved(flight, answer, page.moved):
                change = self._record(flight, answer, page, NOT_FOUND, links)
                return self._step(flight.choice, answer, page.mime, NOT_FOUND, len(links), change)
        verdict = verdict or judge_answer(self.target, page, flight.choice.link)
        choice, change = flight.choice, self._record(flight, answer, page, verdict, links)
        if choice.method == "GET" or self.policy.uses_head:  # else an earlier policy asked it
            seen = (page.url, answer.status, page.mime, verdict, all_links, all_again, answer.size)
            self.policy.learn(Outcome(choice, *seen, change))
        return self._step(choice, answer, page.mime, verdict, len(links), change)

    def _record(
        self,
        flight: PendingRequest,
        answer: Answer,
        page: Page | None,
        verdict: Verdict,
        links: tuple[Link, ...],
    ) -> Change:
        """Compare an answer with earlier rounds, and keep it for later ones."""
        if self._history is None or answer.ask.method == "HEAD" or not answer.sent:
            return "new"
        return self._history.record(flight.choice.link, answer, page, verdict, links)

    def is_held_back(self, now: float) -> bool:
        """Return whether a budget or a stop rule applies: then the policy is not asked."""
        return self._stop is not None or self.spent(now) is not None or self._may_be_enough()

    def spent(self, now: float = 0.0) -> Stop | None:
        """Say which budget is spent, if one is."""
        return self.budget.spent(
            requests=self.requests, finds=self.finds, bytes=self.bytes, seconds=now
        )

    def _may_be_enough(self) -> bool:
        """Return whether the requests in flight may already bring the last finds."""
        flights = len(self._in_flight) + len(self._redirected)
        return self.budget.holds_back(requests=self.requests, finds=self.finds + flights)

    def _ask(self, flight: PendingRequest, url: str) -> Ask:
        method = flight.choice.method
        if self._known.asked(url, method):
            raise ContractError(f"{name_of_policy(self.policy)} chose {url} a second time.")
        self._known.ask(url, method)
        self.requests += 1
        self._asks += 1
        ask = Ask(self._asks, url, method, flight.choice.link.source)
        if self._history is not None and self.policy.revisits and method == "GET":
            ask = self._history.conditional(ask)
        self._in_flight[self._asks] = replace(flight, ask=ask)
        return ask

    def _moved(self, flight: PendingRequest, answer: Answer, location: str) -> bool:
        """Queue the place a redirect points to; the choice gets its outcome at the end.

        A place that is out of scope or known already (asked for, or waiting its
        turn) is not followed: Algorithm 4 of the SB paper. A HEAD is never
        followed, because the GET that comes after it will be.
        """
        if not location or answer.ask.method == "HEAD":
            return False
        if flight.hops >= self._max_redirects:
            return False
        link = flight.choice.link
        place = link._replace(url=resolve(answer.ask.url, location))
        if (
            not place.url
            or self._known.had_its_share(place.url)
            or not self._known.sift([place])[0]
        ):
            return False
        self._redirected.add(replace(flight, hops=flight.hops + 1), place.url)
        return True

    def _step(  # noqa: PLR0917 - the fields of a step
        self,
        choice: Choice,
        answer: Answer,
        mime: str,
        verdict: Verdict,
        new_links: int,
        change: Change,
    ) -> Step:
        found = verdict.found and answer.ask.method == "GET" and change in NEWS
        self.finds += found
        self.drought = 0 if found else self.drought + answer.sent
        step = step_of(choice, answer, mime, verdict, new_links, change, found=found)
        for rule in self._rules if answer.sent else ():
            stop = rule.watch(step)
            self._stop = self._stop or (None if self._restoring else stop)
        return step
