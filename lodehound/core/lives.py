"""The life of a request: what it waits for, and what moves it on.

Rule 1: every request is one row, and what it waits for is its state. No other list of requests
that wait exists.
Rule 2: states and events are data (TABLE, from which docs/architecture.md is made). A move that is
not in the table is a mistake: it raises a ContractError.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Method
from lodehound.core.urls import host_of

# page: chosen by the crawl, also a sitemap or a request to an API; resource: what a rendered page
# loads; document: a page that an earlier run has answered and not rendered, loaded for that.
Kind = Literal["page", "robots", "resource", "document"]


class State(StrEnum):
    """What a request waits for."""

    BUDGET = "a further try, or what a page in the browser loads: waits for room in the budget"
    CHOSEN = "chosen and charged: the driver decides what it waits for, or sends it"
    RULES = "waits for the robots.txt of its host"
    ROBOTS = "is a robots.txt and waits for its host; it is not charged"
    HOST = "waits until its host may be asked"
    SENT = "on its way"
    HELD = "failed by a fault of its host; waits for the next answer of the host"
    BROWSER = "has its answer and waits for the browser"
    RENDERED = "in the browser"
    HOP = "redirected: the next hop waits to be chosen"
    ASIDE = "left without an answer: asked for when the crawl is resumed"
    DONE = "answered, or refused"


class Event(StrEnum):
    """What moves a request on."""

    ROOM = "the budget has room"
    WAIT_FOR_RULES = "robots.txt is not known"
    RULES_KNOWN = "robots.txt is known"
    WAIT_FOR_HOST = "robots.txt allows it"
    SEND = "it is sent"
    RETRY = "it failed and is tried again"
    AGAIN = "robots.txt moved, or is tried again"
    HOLD = "it failed by a fault of its host"
    NEEDS_BROWSER = "the page needs a browser"
    RENDER = "the browser is free"
    YIELD = "another crawl gets the browser, or the user stops this one"
    REDIRECT = "it leads elsewhere"
    CHOOSE = "the next hop is chosen"
    ANSWER = "the crawl learns from it"
    SET_ASIDE = "it cannot be answered now"
    REFUSE = "it is not made, or not needed any more"


TABLE: dict[State, dict[Event, State]] = {
    State.BUDGET: {
        Event.ROOM: State.CHOSEN,
        Event.SET_ASIDE: State.ASIDE,
        Event.REFUSE: State.DONE,
    },
    State.CHOSEN: {
        Event.WAIT_FOR_RULES: State.RULES,
        Event.WAIT_FOR_HOST: State.HOST,
        Event.SEND: State.SENT,  # by a driver that knows no politeness
        Event.ANSWER: State.DONE,
        Event.SET_ASIDE: State.ASIDE,
        Event.REFUSE: State.DONE,
    },
    State.RULES: {Event.RULES_KNOWN: State.CHOSEN, Event.REFUSE: State.DONE},
    State.ROBOTS: {Event.SEND: State.SENT},
    State.HOST: {
        Event.SEND: State.SENT,
        Event.SET_ASIDE: State.ASIDE,
        Event.REFUSE: State.DONE,
    },
    State.SENT: {
        Event.RETRY: State.BUDGET,
        Event.AGAIN: State.ROBOTS,
        Event.HOLD: State.HELD,
        Event.NEEDS_BROWSER: State.BROWSER,
        Event.REDIRECT: State.HOP,
        Event.ANSWER: State.DONE,
        Event.SET_ASIDE: State.ASIDE,
        Event.REFUSE: State.DONE,
    },
    State.HELD: {Event.ANSWER: State.DONE, Event.SET_ASIDE: State.ASIDE},
    State.BROWSER: {
        Event.RENDER: State.RENDERED,
        Event.ANSWER: State.DONE,
    },
    State.RENDERED: {
        Event.YIELD: State.BROWSER,
        Event.ANSWER: State.DONE,
    },
    State.HOP: {Event.CHOOSE: State.CHOSEN},
    State.ASIDE: {},
    State.DONE: {},
}
# What the crawl chooses begins as CHOSEN, a robots.txt as ROBOTS, everything else in BUDGET.
FIRST = (State.CHOSEN, State.BUDGET, State.ROBOTS)


@dataclass(slots=True, eq=False)
class Life:
    """One request, from its choice to its end, over all its tries and hops."""

    number: int  # of its Ask; below 0 if the crawl did not choose it
    url: str
    method: Method = "GET"
    kind: Kind = "page"
    state: State = State.CHOSEN
    choice: Choice | None = None  # of a page
    ask: Ask | None = None  # of a page
    source: str = ""  # the page that contains the link
    links: tuple[Link, ...] = ()  # of pages that sent us on (meta refresh): kept for the outcome
    again: tuple[Link, ...] = ()
    host: str = ""
    api: str = ""  # the part of the host that is asked, if it may sleep on its own
    origin: str = ""  # of a robots.txt: whose it is, wherever redirects lead
    tries: int = 1
    hops: int = 0
    ready_at: float = 0.0
    asked_at: float = 0.0  # when it was sent
    recorded: bool = False  # a replica answers
    answer: Answer | None = None  # while it is held
    page: int = 0  # of a resource or document: number of the Ask for the page
    resource: str = ""  # of a resource: script, fetch, xhr or document
    work: Any = None  # of the driver, for a page in the browser or what one loads

    def is_for(self, name: str) -> bool:
        """Return whether a host, or an API of it, is asked for something of its own."""
        return self.kind != "robots" and name in {self.host, self.api}


class Lives:
    """The table of all requests that are not done.

    Attributes:
        rows: All that may still be answered, by number: none is ASIDE or DONE.
        kinds: How many of each kind these are.
        by_state: The same by state, in the order in which they came into it; only to be read.
        made: Requests that were sent and are charged.
        aside: How many were left without an answer.
    """

    def __init__(self) -> None:
        self.rows: dict[int, Life] = {}
        self.made = self.aside = 0
        self.kinds: Counter[Kind] = Counter()
        self.by_state: dict[State, dict[int, Life]] = {state: {} for state in State}
        self._held: defaultdict[str, list[Life]] = defaultdict(list)
        self._others = 0

    @property
    def reserved(self) -> int:
        """How many requests are made or will be: the number that budgets are held against."""
        rows = self.by_state
        return self.made + len(rows[State.CHOSEN]) + len(rows[State.RULES]) + len(rows[State.HOST])

    def take(self, *states: State) -> list[Life]:
        """Return the requests in some states, as a list that stays as it is."""
        taken: list[Life] = []
        for state in states:
            taken += self.by_state[state].values()
        return taken

    def count(self, *states: State) -> int:
        """Return how many requests are in some states."""
        number = 0
        for state in states:
            number += len(self.by_state[state])
        return number

    @property
    def unanswered(self) -> list[Ask]:
        """The requests that the crawl has chosen and that have no answer yet."""
        hop = State.HOP
        return [life.ask for life in self.rows.values() if life.ask and life.state is not hop]

    def held(self, host: str) -> list[Life]:
        """Return the failures that wait for an answer of a host; afterwards they are forgotten."""
        if host not in self._held:
            return []
        return [life for life in self._held.pop(host, ()) if life.state is State.HELD]

    def add(self, life: Life) -> Life:
        """Add a request in its first state."""
        if life.state not in FIRST:
            raise ContractError(f"No request begins as {life.state.name}.")
        self.rows[life.number] = self.by_state[life.state][life.number] = life
        self.kinds[life.kind] += 1
        return life

    def make(self, url: str, **facts: Any) -> Life:
        """Add a request that the crawl did not choose."""
        self._others -= 1
        return self.add(Life(self._others, url, host=host_of(url), **facts))

    def choose(self, life: Life, ask: Ask) -> None:
        """Give the request that was chosen, new or the next hop of a redirect, its Ask."""
        if life.state is State.HOP:
            self.move(life, Event.CHOOSE)
            del self.rows[life.number], self.by_state[State.CHOSEN][life.number]
        else:
            self.kinds[life.kind] += 1
        life.number, life.ask, life.source = ask.number, ask, ask.source
        self.rows[ask.number] = self.by_state[State.CHOSEN][ask.number] = life

    def redirect(self, life: Life, url: str) -> None:
        """Queue the next hop of a request to be chosen."""
        self.move(life, Event.REDIRECT)
        life.url, life.hops, life.tries = url, life.hops + 1, 1

    def move(self, life: Life, event: Event) -> None:
        """Move a request to its next state.

        Raises:
            ContractError: The table has no such move.
        """
        before, number = life.state, life.number
        state = TABLE[before].get(event)
        if state is None or number not in self.by_state[before]:
            raise ContractError(f"Request {life.url} is {before.name}: it cannot {event.name}.")
        del self.by_state[before][number]
        life.state = state
        self.made += event is Event.SEND and before is not State.ROBOTS
        if state is State.DONE or state is State.ASIDE:
            del self.rows[number]
            self.kinds[life.kind] -= 1
            self.aside += state is State.ASIDE
        else:
            self.by_state[state][number] = life
            if state is State.HELD:
                self._held[life.host].append(life)
