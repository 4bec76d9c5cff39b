"""The crawl as a state machine. It contains no network code, no clock and no file.

Rule 1: only methods of Crawl change the state of a crawl.
Rule 2: this file does not know which driver runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import compress

from lodehound.core.errors import ContractError
from lodehound.core.history import NEWS, History
from lodehound.core.holds import EXPECTING, Holds
from lodehound.core.known import KnownUrls
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.lives import Event, Life, Lives, State
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
    offer_of,
    step_of,
)
from lodehound.core.policy import Policy, check_choice
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.core.target import Target, judge_answer
from lodehound.core.urls import host_of, resolve

Reader = Callable[[Answer, Link], Page]
# One answer: read and judged, with its new links.
Seen = tuple[Choice, Answer, Page | None, Verdict, tuple[Link, ...]]

MAX_REDIRECTS = 10
REFRESH = 10_000  # requests after which the policy forgets its picks


class Crawl:
    """Decides what to ask for, and learns from what comes back.

    Several requests may be in flight, and answers may come in any order. No URL
    is asked for twice with the same method, and every choice of the policy gets
    exactly one outcome, at the end of its redirects.

    Args:
        starts: Where to begin.
        policy: Decides which link is next, alone or with lanes beside it.
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
        policy: Policy | Lanes,
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
        self.lanes = Lanes.of(policy)
        self.target = target
        self.scope = scope
        self.budget = budget or Budget()
        self.lives = Lives()
        self.holds = Holds()
        self.bytes = self.finds = 0
        self.drought = 0  # requests since the last find
        self.dropped = 0  # choices on hosts that had had their share
        self._read = read
        self.rules = tuple(rules)
        self._max_redirects = max_redirects
        self._known = KnownUrls(scope, per_host=per_host, max_hosts=max_hosts)
        self.refused = self._known.refused  # reasons for refusing URLs, counted once per URL
        self.left_out = self._known.left_out
        self.is_captioned = self._known.is_captioned  # what a page says about a link is kept
        self._asks = history.requests if history is not None else 0
        self._stop: Stop | None = None
        self._restoring = False
        self._refreshed = 0  # times that the policy has forgotten its picks
        self._first_pick = 0  # number of the request before which picks are not repeated
        self._history = history
        first = self._known.admit(starts)
        self._revisits = self.lanes.revisits
        if history is not None and self._revisits:
            offered = self._known.offer(one.link for one in history)
            self.lanes.begin_round(list(compress(history, offered)), history.time)
            first = tuple(link for link in first if link.url not in history)
        self._offer(first)

    @property
    def policy(self) -> Policy:
        """What decides which link is next, in this round."""
        return self.lanes.policy

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
        return self._known.waiting + len(self.lives.by_state[State.HOP]) + self.lives.aside

    @property
    def requests(self) -> int:
        """How many requests were made or are reserved; budgets are held against this number."""
        return self.lives.reserved

    @property
    def unanswered(self) -> list[Ask]:
        """The requests that have no answer yet."""
        return self.lives.unanswered

    def is_new(self, link: Link) -> bool:
        """Return whether a link was never seen, and is in scope."""
        return self._known.is_new(link)

    def choice_of(self, number: int) -> Choice:
        """Return the choice behind a request that has no answer yet."""
        if (life := self.lives.rows.get(number)) is None or life.choice is None:
            raise ContractError(f"Request {number} is not one that the crawl has chosen.")
        return life.choice

    def charge(self, requests: int = 1, size: int = 0) -> None:
        """Charge further requests that were made for an Ask."""
        self.lives.made += requests
        self.bytes += size

    def hold(self, reason: str, *, after: int = 0) -> None:
        """Choose nothing more once so many requests are made, until this reason is released.

        The crawl does not end meanwhile. With the reason EXPECTING, only its end waits.
        """
        self.holds.add(reason, after)

    def release(self, reason: str) -> None:
        """Go on, if no other reason holds the crawl."""
        self.holds.remove(reason)

    @property
    def is_held(self) -> bool:
        """Return whether nothing may be asked for until a reason is released."""
        limit = self.holds.limit
        return limit is not None and self.lives.reserved >= limit

    @property
    def has_room(self) -> bool:
        """Return whether the budget has room for a request, now or once the crawl is released."""
        return self.budget.spent(self.lives.reserved) is None

    def close_budget(self) -> None:
        """End the crawl once the requests that are reserved are made: no other is allowed."""
        self.budget = replace(self.budget, requests=self.lives.reserved)

    def offer(self, links: Iterable[Link]) -> int:
        """Offer links that no page showed (a sitemap's); return how many were new."""
        fresh, again = self._known.sift(links)
        self._offer(fresh, again)
        return len(fresh)

    def _offer(self, links: tuple[Link, ...], again: tuple[Link, ...] = ()) -> None:
        self.lanes.learn(offer_of(links, again))

    def begin_repeating(self, last: int) -> None:
        """Prepare for ``repeat``; ``last`` is the number of the last request."""
        if self.lanes.can_refresh and not self._known.has_limit:
            self._first_pick = last // REFRESH * REFRESH

    def repeat(self, number: int, choice: Choice, asleep: Collection[str]) -> None:
        """Repeat the request of this number of an earlier run, with the hosts then asleep."""
        self._restoring = True
        self._asks = number - 1
        url = choice.link.url
        hops = self.lives.by_state[State.HOP].values() if choice.method == "GET" else ()
        hop = next((life for life in hops if life.url == url), None)
        self._ask(hop or Life(number, url, choice.method, choice=self._repeated(choice, asleep)))

    def _repeated(self, choice: Choice, asleep: Collection[str]) -> Choice:
        picked = self._pick_again(asleep)
        if picked is not None and picked.request == choice.request:
            choice = replace(choice, link=picked.link)
        elif self._known.is_spare(choice.link.url):
            self._offer(self._known.take_spare(asleep))
        url = choice.link.url
        held_back = any(link.url == url for life in self.lives.rows.values() for link in life.links)
        if held_back or not self._known.offered(url):  # for example, the scope has changed
            self._offer((choice.link,))
        if choice.method == "GET" or self.policy.uses_head:
            self.lanes.take(choice)
        return choice

    def repeat_wait(self, asleep: Collection[str]) -> None:
        """Repeat a pick that found nothing: it may have changed the state of the policy."""
        self._pick_again(asleep)

    def _pick_again(self, asleep: Collection[str]) -> Choice | None:
        """Pick as the earlier run did, unless the policy has forgotten it since."""
        return self._choose(asleep, take=False) if self._asks >= self._first_pick else None

    def resume(self) -> None:
        """Continue after the last repeated request, whatever the stop rules said before it."""
        self._restoring = False
        self.lanes.learn_rest()
        for rule in self.rules:
            rule.restart()

    def next(self, asleep: Collection[str] = (), now: float = 0.0) -> Ask | Wait | Stop:
        """Return the next request to make, WAIT, or Stop.

        Args:
            asleep: Hosts that must not be asked now.
            now: Seconds since the crawl began, by the driver's clock.
        """
        if (spent := self._stop or self.spent(now)) is not None:
            return self._wind_up(spent)
        if self.holds.limit is not None and self.is_held:
            return WAIT
        for life in self.lives.by_state[State.HOP].values():
            if host_of(life.url) not in asleep:
                return self._ask(life)
        if self.budget.finds is not None and self._may_be_enough:
            return WAIT
        if (choice := self._choose(asleep)) is not None:
            return self._ask(Life(0, choice.link.url, choice.method, choice=choice))
        if not (self.lives.rows or asleep or EXPECTING in self.holds):
            self._stop = Stop("exhausted")
        return self._stop or WAIT

    def _choose(self, asleep: Collection[str], *, take: bool = True) -> Choice | None:
        """Return the policy's choice; choices on a full host are dropped."""
        if (number := self._asks // REFRESH) != self._refreshed:
            self._refreshed = number
            self.lanes.refresh(number)
        choose = self.lanes.choose if take else self.lanes.pick
        while (choice := choose(asleep)) is not None:
            url = choice.link.url
            check_choice(self.lanes.policy, choice, asleep, given=self._known.offered(url))
            if not (self._known.has_limit and self._known.host_is_full(url)):
                break
            if not take:
                self.lanes.take(choice)
            self.dropped += 1
            self._known.waiting -= choice.method == "GET"
            self.lanes.learn(Outcome(choice, url, 0, "", NOT_FOUND, ()))
        if choice is None and not self.lives.rows and (spare := self._known.take_spare(asleep)):
            self._offer(spare)
            choice = self._choose(asleep, take=take)
        return choice

    def _wind_up(self, stop: Stop) -> Wait | Stop:
        """Stop, but not before every answer is in."""
        if len(self.lives.rows) > len(self.lives.by_state[State.HOP]):
            # One of them may give its request back (Answer.sent): then there is room for another.
            self._stop = self._stop if stop.reason == "requests" else stop
            return WAIT
        if stop.reason == "early-stop" and not self.waiting:
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
        life = self.lives.rows.get(answer.ask.number)
        if life is None or life.choice is None or life.state is State.HOP:
            raise ContractError(f"Answer {answer.ask.number} was never asked for, or came twice.")
        self.bytes += answer.size
        if answer.sent and life.state is State.CHOSEN:  # a driver that sends at once
            self.lives.move(life, Event.SEND)
        choice = life.choice
        place = answer.location if 300 <= answer.status < 400 else ""
        if place and self._moved(life, answer, place):
            seen: Seen = (choice, answer, None, NOT_FOUND, ())
            return self._step(seen, self._record(seen))
        if self._history is not None and (known := self._history.not_modified(answer)):
            page, verdict = known
        page = page or self._read(answer, choice.link)
        self.finds += page.listing.finds if page.listing is not None else 0
        links, again = self._known.sift(page.links, choice.link, page.captions)
        # Links that were held back may have been asked for by an earlier run (repeat).
        held = tuple(link for link in life.links if not self._known.asked(link.url))
        all_links, all_again = held + links, life.again + again
        if page.moved and self._moved(life, answer, page.moved):
            life.links, life.again = all_links, all_again
            seen = (choice, answer, page, NOT_FOUND, links)
            return self._step(seen, self._record(seen))
        verdict = verdict or judge_answer(self.target, page, choice.link)
        self.lives.move(life, Event.ANSWER)
        seen = (choice, answer, page, verdict, links)
        change = self._record(seen)
        if choice.method == "GET" or self.policy.uses_head:  # else an earlier policy asked it
            facts = (page.url, answer.status, page.mime, verdict, all_links, all_again, answer.size)
            self.lanes.learn(Outcome(choice, *facts, change))
        return self._step(seen, change)

    def _record(self, seen: Seen) -> Change:
        """Compare an answer with earlier rounds, and keep it for later ones."""
        choice, answer, page, verdict, links = seen
        if self._history is None or answer.ask.method == "HEAD" or not answer.sent:
            return "new"
        return self._history.record(choice.link, answer, page, verdict, links)

    def is_held_back(self, now: float) -> bool:
        """Return whether a budget or a stop rule applies: then the policy is not asked."""
        held = self._stop is not None or self.is_held or self._may_be_enough
        return held or self.spent(now) is not None

    def spent(self, now: float = 0.0) -> Stop | None:
        """Return which budget is spent, if one is."""
        reserved = self.lives.reserved
        return self.budget.spent(reserved, finds=self.finds, bytes=self.bytes, seconds=now)

    @property
    def _may_be_enough(self) -> bool:
        """Return whether the requests in flight may already bring the last finds."""
        most = self.budget.finds
        return most is not None and self.finds + self.lives.kinds["page"] >= most

    def _ask(self, life: Life) -> Ask:
        url, method = life.url, life.method
        if life.choice is None or not self._known.ask(url, method):
            raise ContractError(f"{type(self.policy).__name__} chose {url} a second time.")
        self._asks += 1
        ask = Ask(self._asks, url, method, life.choice.link.source)
        if self._history is not None and self._revisits and method == "GET":
            ask = self._history.conditional(ask)
        self.lives.choose(life, ask)
        return ask

    def _moved(self, life: Life, answer: Answer, location: str) -> bool:
        """Queue the destination of a redirect; the choice gets its outcome at the end.

        A place that is out of scope or known already is not followed: Algorithm 4 of the SB paper.
        A HEAD is never followed, because the GET that comes after it will be.
        """
        if answer.ask.method == "HEAD" or life.hops >= self._max_redirects:
            return False
        known, followed = self._known, life.choice
        url = resolve(answer.ask.url, location)
        if not url or followed is None or known.host_is_full(url):
            return False
        if not known.sift([followed.link._replace(url=url)])[0]:
            return False
        self.lives.redirect(life, url)
        return True

    def _step(self, seen: Seen, change: Change) -> Step:
        choice, answer, page, verdict, links = seen
        found = verdict.found and answer.ask.method == "GET" and change in NEWS
        self.finds += found
        self.drought = 0 if found else self.drought + answer.sent
        mime = page.mime if page is not None else answer.mime
        step = step_of(choice, answer, mime, verdict, len(links), change, found=found)
        for rule in self.rules if answer.sent else ():
            stop = rule.watch(step)
            self._stop = self._stop or (None if self._restoring else stop)
        return step
