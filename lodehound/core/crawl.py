"""The crawl as a state machine. It contains no network code, no clock and no file.

Rule 1: every change of the crawl's state happens in this file.
Rule 2: this file does not know which driver runs it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from lodehound.core.errors import ConfigError, ContractError
from lodehound.core.link import Link
from lodehound.core.messages import (
    NOT_FOUND,
    WAIT,
    Answer,
    Ask,
    Choice,
    Outcome,
    Page,
    Step,
    Stop,
    Verdict,
    Wait,
)
from lodehound.core.policy import Policy
from lodehound.core.scope import TOO_DEEP, Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.core.target import Target
from lodehound.core.urls import canonical, host_of, resolve

Reader = Callable[[Answer, Link], Page]

# What is known of a URL: one small number each, because there are millions.
REFUSED, OFFERED, HEADED, ASKED = 1, 2, 4, 8

NO_LINKS: tuple[Link, ...] = ()
MAX_REDIRECTS = 10


@dataclass(frozen=True, slots=True)
class _Flight:
    """A request that has no answer yet."""

    choice: Choice
    hops: int = 0
    ask: Ask | None = None
    links: tuple[Link, ...] = ()  # of pages that sent us on (meta refresh): kept for the outcome
    again: tuple[Link, ...] = ()


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
    ) -> None:
        self.policy = policy
        self.target = target
        self.scope = scope
        self.budget = budget or Budget()
        self.requests = 0
        self.bytes = 0
        self.finds = 0
        self.dropped = 0  # choices on hosts that had had their share
        self.refused: Counter[str] = Counter()  # reasons, counted once per URL
        self._read = read
        self._rules = tuple(rules)
        self._max_redirects = max_redirects
        self._per_host = per_host
        self._max_hosts = max_hosts
        self._hosts: Counter[str] = Counter()  # URLs asked for, where somebody wants to know
        self._known: dict[str, int] = {}
        self._waiting = 0  # URLs let in that nobody asked for yet
        self._asks = 0
        self._in_flight: dict[int, _Flight] = {}
        self._aside: dict[int, _Flight] = {}
        self._redirected: deque[tuple[_Flight, str]] = deque()
        self._stop: Stop | None = None
        self.policy.learn(Outcome(None, "", 0, "", NOT_FOUND, self._admit(starts)))

    @property
    def stopped(self) -> str:
        """Why the crawl asks for nothing more; "" while it does."""
        return self._stop.reason if self._stop is not None else ""

    @property
    def known(self) -> int:
        """How many URLs have been let in so far."""
        return len(self._known) - sum(self.refused.values())

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

    def choice_of(self, number: int) -> Choice:
        """Return the choice behind a request that has no answer yet."""
        return self._in_flight[number].choice

    @property
    def may_retry(self) -> bool:
        """Say whether the budget has room for one more request."""
        return self.budget.spent(requests=self.requests) is None

    def retry(self) -> None:
        """Charge a request that is made again for the same Ask."""
        self.requests += 1

    def offer(self, links: Iterable[Link]) -> int:
        """Offer links that no page showed (a sitemap's); return how many were new."""
        fresh, again = self._sift(links)
        self.policy.learn(Outcome(None, "", 0, "", NOT_FOUND, fresh, again))
        return len(fresh)

    def next(self, asleep: Collection[str] = (), now: float = 0.0) -> Ask | Wait | Stop:
        """Return the next request to make, WAIT, or Stop.

        Args:
            asleep: Hosts that must not be asked now.
            now: Seconds since the crawl began, by the driver's clock.
        """
        spent = self._stop or self.spent(now)
        if spent is not None:
            return self._wind_up(spent)
        redirected = self._awake_redirect(asleep)
        if redirected is not None:
            return self._ask(*redirected)
        if self.budget.finds is not None and self._open() >= self.budget.finds - self.finds:
            return WAIT  # what is in flight may already bring the last finds
        choice = self._choose(asleep)
        if choice is not None:
            return self._ask(_Flight(choice), choice.link.url)
        if not (self._in_flight or self._redirected or asleep):
            self._stop = Stop("exhausted")
        return self._stop or WAIT

    def _choose(self, asleep: Collection[str]) -> Choice | None:
        """Let the policy choose; what it chooses on a host that has had its share is dropped."""
        while (choice := self.policy.choose(asleep)) is not None:
            self._check(choice, asleep)
            if not self._had_its_share(choice.link.url):
                break
            self.dropped += 1
            self._waiting -= choice.method == "GET"
            self.policy.learn(Outcome(choice, choice.link.url, 0, "", NOT_FOUND, ()))
        return choice

    def _had_its_share(self, url: str) -> bool:
        return self._per_host is not None and self._hosts[host_of(url)] >= self._per_host

    def _wind_up(self, stop: Stop) -> Wait | Stop:
        """Stop, but not before every answer is in."""
        if self._in_flight:
            # One of them may give its request back (Answer.sent): then there is room for another.
            self._stop = self._stop if stop.reason == "requests" else stop
            return WAIT
        if stop.reason == "early-stop" and not (self._waiting or self._redirected or self._aside):
            stop = Stop("exhausted")  # the rule spared nothing
        self._stop = stop
        return stop

    def read(self, answer: Answer) -> Page:
        """Read the answer to a request in flight."""
        return self._read(answer, self.choice_of(answer.ask.number).link)

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
            return self._step(flight.choice, answer, answer.mime, NOT_FOUND, NO_LINKS)
        page = page or self._read(answer, flight.choice.link)
        links, again = self._sift(page.links)
        all_links, all_again = flight.links + links, flight.again + again
        if page.moved:
            flight = replace(flight, links=all_links, again=all_again)
            if self._moved(flight, answer, page.moved):
                return self._step(flight.choice, answer, page.mime, NOT_FOUND, links)
        verdict = verdict or self.target.judge(page)
        self.policy.learn(
            Outcome(
                flight.choice,
                page.url,
                answer.status,
                page.mime,
                verdict,
                all_links,
                all_again,
                answer.size,
            )
        )
        return self._step(flight.choice, answer, page.mime, verdict, links)

    def spent(self, now: float = 0.0) -> Stop | None:
        """Say which budget is spent, if one is: then the policy is not asked."""
        return self.budget.spent(
            requests=self.requests, finds=self.finds, bytes=self.bytes, seconds=now
        )

    def _open(self) -> int:
        return len(self._in_flight) + len(self._redirected)

    def _awake_redirect(self, asleep: Collection[str]) -> tuple[_Flight, str] | None:
        for index, (flight, url) in enumerate(self._redirected):
            if host_of(url) not in asleep:
                del self._redirected[index]
                return flight, url
        return None

    def _check(self, choice: Choice, asleep: Collection[str]) -> None:
        """Hold a policy to its contract: politeness and scope are not its to decide."""
        name = type(self.policy).__name__
        if choice.link.host in asleep:
            raise ContractError(f"{name} chose {choice.link.url}, whose host is asleep.")
        if not self.policy.needs_truth and not self._known.get(choice.link.url, 0) & OFFERED:
            raise ContractError(f"{name} chose {choice.link.url}, which it was not given.")

    def _ask(self, flight: _Flight, url: str) -> Ask:
        method = flight.choice.method
        state = self._known.get(url, 0)
        if state & ASKED or (method == "HEAD" and state & HEADED):
            raise ContractError(f"{type(self.policy).__name__} chose {url} a second time.")
        self._known[url] = state | OFFERED | (HEADED if method == "HEAD" else ASKED)
        self._waiting -= method == "GET" and state >= OFFERED
        if self._per_host is not None:
            self._hosts[host_of(url)] += method == "GET"
        self.requests += 1
        self._asks += 1
        ask = Ask(self._asks, url, method, flight.choice.link.source)
        self._in_flight[self._asks] = _Flight(
            flight.choice, flight.hops, ask, flight.links, flight.again
        )
        return ask

    def _moved(self, flight: _Flight, answer: Answer, location: str) -> bool:
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
        if not place.url or self._had_its_share(place.url) or not self._sift([place])[0]:
            return False
        self._redirected.append((replace(flight, hops=flight.hops + 1), place.url))
        return True

    def _admit(self, starts: Iterable[Link]) -> tuple[Link, ...]:
        """Let the start URLs in, whatever the scope says of links: the user named them."""
        admitted = {}
        for link in starts:
            url = canonical(link.url)
            if not url:
                raise ConfigError(f"{link.url!r} is no web address: give http:// or https://.")
            admitted[url] = link._replace(url=url, kind="")
        if not admitted:
            raise ConfigError("There is no start URL: give one.")
        self._known.update(dict.fromkeys(admitted, OFFERED))
        self._waiting += len(admitted)
        self._hosts.update(dict.fromkeys(map(host_of, admitted), 0))
        return tuple(admitted.values())

    def _sift(self, links: Iterable[Link]) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
        """Part the links into those never seen and those seen again; leave out what is refused."""
        known = self._known
        fresh, again = [], []
        for link in links:
            state = known.get(link.url, 0)
            if state > REFUSED:
                again.append(link)
            elif state == 0:
                reason = self.scope.refusal(link) or self._crowded(link)
                if reason == TOO_DEEP:
                    continue  # not for good: it may be linked from nearer later
                known[link.url] = REFUSED if reason else OFFERED
                if reason:
                    self.refused[reason] += 1
                else:
                    fresh.append(link)
        self._waiting += len(fresh)
        return tuple(fresh), tuple(again)

    def _crowded(self, link: Link) -> str:
        """Say whether a link leads to one host too many; its host counts from now on if not."""
        if self._max_hosts is None or link.host in self._hosts:
            return ""
        if len(self._hosts) >= self._max_hosts:
            return "too many hosts"
        self._hosts[link.host] = 0
        return ""

    def _step(
        self,
        choice: Choice,
        answer: Answer,
        mime: str,
        verdict: Verdict,
        links: tuple[Link, ...],
    ) -> Step:
        found = verdict.found and answer.ask.method == "GET"
        self.finds += found
        step = Step(
            number=answer.ask.number,
            url=answer.ask.url,
            method=answer.ask.method,
            source=choice.link.source,
            depth=choice.link.depth,
            why=choice.why,
            probability=choice.probability,
            status=answer.status,
            mime=mime,
            size=answer.size,
            found=found,
            value=verdict.value if found else 0.0,
            label=verdict.label,
            new_links=len(links),
            error=answer.error,
            cut=answer.cut,
            details=verdict.details,
        )
        for rule in self._rules if answer.sent else ():
            self._stop = self._stop or rule.watch(step)
        return step
