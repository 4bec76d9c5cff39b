"""What holds for every web, every policy and every order of answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.lives import State
from lodehound.core.messages import Answer, Ask, Choice, Outcome, Page, Stop, Wait
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.core.truth import Kind
from lodehound.core.urls import host_of
from lodehound.registry import make_policy, parse, shipped
from lodehound.targets.files import Files

HOSTS = ["https://s.example", "https://a.s.example", "https://elsewhere.example"]
SETUPS = [
    *shipped("policy"),
    "sb-classifier:compat=kit,b=2",
    "sb-classifier:b=3",
    "focused:warmup=3",
    "tp-off:warmup=4",
]
# What a URL answers: a page, a target, neither, a redirect to a link of its own, a failure.
KINDS = ["html", "html", "html", "target", "other", "moved", "gone", "down"]


class Web:
    """A random web. It is its own truth."""

    def __init__(self, seed: int, size: int) -> None:
        rng = random.Random(seed)
        self.urls = [f"{rng.choice(HOSTS)}/{i}" for i in range(size)]
        self.urls[0] = HOSTS[0] + "/0"
        self.answers = {url: rng.choice(KINDS) for url in self.urls}
        self.answers[self.urls[0]] = "html"
        self.to = {url: rng.choices(self.urls, k=rng.randrange(1, 8)) for url in self.urls}

    def answer(self, ask: Ask) -> Answer:
        kind = self.answers[ask.url]
        if kind == "moved":
            return Answer(ask, 302, location=self.to[ask.url][0])
        status = {"gone": 404, "down": 0}.get(kind, 200)
        mime = {"html": "text/html", "target": "text/csv"}.get(kind, "image/png")
        return Answer(ask, status, mime, size=100)

    def read(self, answer: Answer, link: Link) -> Page:
        ask = answer.ask
        shown: tuple[Link, ...] = ()
        if ask.method == "GET" and self.answers[ask.url] == "html":
            path = "html/body/p/a" if int(ask.url.rpartition("/")[2]) % 2 else "html/body/ul/li/a"
            shown = tuple(
                Link(to, ask.url, path, "", "", "a", link.depth + 1) for to in self.to[ask.url]
            )
        return Page(ask.url, ask.method, answer.status, answer.mime, links=shown)

    def kind(self, url: str) -> Kind:
        for _ in range(11):
            if self.answers[url] != "moved":
                break
            url = self.to[url][0]
        kinds: dict[str, Kind] = {"html": "html", "target": "target"}
        return kinds.get(self.answers[url], "neither")

    def targets(self) -> Sequence[str]:
        return [url for url in self.urls if self.answers[url] == "target" and HOSTS[2] not in url]

    def first(self, count: int) -> list[Outcome]:
        return []


class Watched(Policy):
    """Hands everything on to a policy and keeps what goes in and out."""

    def __init__(self, inner: Policy) -> None:
        self.inner = inner
        self.choices: list[Choice] = []
        self.outcomes: list[Outcome] = []

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = self.inner.choose(asleep)
        if choice is not None:
            assert choice.link.host not in asleep
            self.choices.append(choice)
        return choice

    def learn(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.inner.learn(outcome)


def watch(inner: Policy) -> Watched:
    class Same(Watched):
        needs_truth = inner.needs_truth  # as the policy it stands for
        uses_head = inner.uses_head

    return Same(inner)


@dataclass
class Ran:
    """A crawl that has ended, and everything asked and answered on the way."""

    crawl: Crawl
    policy: Watched
    stop: Stop
    asks: list[Ask] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)


def run(web: Web, setup: str, rng: random.Random, depth: int, budget: Budget) -> Ran:
    """Crawl with up to ``depth`` requests in flight, answers in any order, hosts falling asleep."""
    policy = watch(make_policy(parse("policy", setup), seed=rng.randrange(99), truth=web))
    crawl = Crawl(
        [Link(web.urls[0])],
        policy=policy,
        target=Files(),
        read=web.read,
        scope=Scope.around([web.urls[0]]),
        budget=budget,
    )
    ran = Ran(crawl, policy, Stop("exhausted"))
    flying: list[Ask] = []
    while True:
        asleep = {host_of(HOSTS[1])} if flying and rng.random() < 0.3 else set()
        ask: Ask | Wait | Stop = crawl.next(asleep) if len(flying) < depth else Wait.WAIT
        if isinstance(ask, Stop):
            ran.stop = ask
            return ran
        if isinstance(ask, Ask):
            ran.asks.append(ask)
            flying.append(ask)
        elif flying:
            answer = web.answer(flying.pop(rng.randrange(len(flying))))
            crawl.receive(answer)
            ran.linked += [link.url for link in web.read(answer, Link(answer.ask.url)).links]


@st.composite
def runs(draw: st.DrawFn, *, budgets: bool) -> Ran:
    web = Web(draw(st.integers(0, 10**6)), draw(st.integers(1, 60)))
    limit = st.none() | st.integers(1, 40) if budgets else st.none()
    budget = Budget(requests=draw(limit), finds=draw(limit))
    rng = random.Random(draw(st.integers(0, 10**6)))
    return run(web, draw(st.sampled_from(SETUPS)), rng, draw(st.integers(1, 9)), budget)


@settings(max_examples=120)
@given(runs(budgets=True))
def test_nothing_is_asked_twice_and_no_budget_is_exceeded(ran: Ran) -> None:
    """Per method; requests are numbered as made; in-scope only; a HEAD never follows its GET."""
    counts = Counter((ask.url, ask.method) for ask in ran.asks)
    budget, crawl = ran.crawl.budget, ran.crawl

    assert set(counts.values()) <= {1}
    assert [ask.number for ask in ran.asks] == list(range(1, crawl.requests + 1))
    assert all(host_of(ask.url) != host_of(HOSTS[2]) for ask in ran.asks)
    assert budget.requests is None or crawl.requests <= budget.requests
    assert budget.finds is None or crawl.finds <= budget.finds
    got = {ask.url: ask.number for ask in ran.asks if ask.method == "GET"}
    assert all(ask.number < got.get(ask.url, 10**9) for ask in ran.asks if ask.method == "HEAD")


@settings(max_examples=120)
@given(runs(budgets=False))
def test_nothing_is_lost(ran: Ran) -> None:
    """Every link in scope on a page that was read is asked for; else the policy declares drops."""
    inside = {url for url in ran.linked if host_of(url) != host_of(HOSTS[2])}
    asked = {ask.url for ask in ran.asks if ask.method == "GET"}

    assert ran.stop == Stop("exhausted")
    assert ran.policy.inner.drops or inside <= asked
    assert ran.policy.inner.uses_head or all(ask.method == "GET" for ask in ran.asks)


@settings(max_examples=120)
@given(runs(budgets=False))
def test_every_choice_has_one_outcome(ran: Ran) -> None:
    """The same choice comes back, once; the start comes first, and once."""
    told = [outcome.choice for outcome in ran.policy.outcomes]

    assert told[0] is None
    assert Counter(map(id, told[1:])) == Counter(map(id, ran.policy.choices))


@settings(max_examples=80)
@given(runs(budgets=True))
def test_a_link_is_offered_once(ran: Ran) -> None:
    """New links are new; links seen again were offered before, or reached by a redirect."""
    offered: set[str] = set()
    reached = {ask.url for ask in ran.asks}
    for outcome in ran.policy.outcomes:
        new = [link.url for link in outcome.links]
        assert len(set(new)) == len(new)
        assert not offered & set(new)
        offered |= set(new)
        assert {link.url for link in outcome.again} <= offered | reached | redirects(ran)


def redirects(ran: Ran) -> set[str]:
    """Places a redirect waits to go to when the budget ends."""
    return {life.url for life in ran.crawl.lives.by_state[State.HOP].values()}
