"""Whatever a spider asks for and whatever comes back: nothing lost, nothing learned twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy import Request

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.registry import make_policy, parse
from tests.helpers import place
from tests.scrapy.engine import HandEngine, get, named

SEEDS = st.integers(min_value=0, max_value=10**6)


class Strict(Policy):
    """Holds the scheduler to the contract that a policy is promised."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.offered: set[str] = set()
        self.awaited: set[tuple[str, str]] = set()

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = self.policy.choose(asleep)
        if choice is not None:
            self.awaited.add((choice.link.url, choice.method))
        return choice

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is not None:
            self.awaited.remove((outcome.choice.link.url, outcome.choice.method))
        fresh = [link.url for link in outcome.links]
        assert not self.offered.intersection(fresh), "offered twice"
        assert len(set(fresh)) == len(fresh), "offered twice at once"
        self.offered.update(fresh)
        assert self.offered.issuperset(link.url for link in outcome.again), "never offered"
        self.policy.learn(outcome)


class Surfer:
    """A random site, a random spider and random accidents, all from one seed."""

    def __init__(self, engine: HandEngine, seed: int) -> None:
        self.engine = engine
        self.rng = random.Random(seed)
        self.places = [f"{self.rng.choice('pf')}{number}" for number in range(25)]
        self.accepted: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.retries = 6

    def surf(self) -> None:
        """Keep up to three requests in flight and end a random one, until nothing is left."""
        self.engine.start("p-start", *self.rng.sample(self.places, 2))
        self.accepted.update(["GET"] * 3)
        flying: list[Request] = []
        while True:
            request = self.engine.take() if len(flying) < 3 else None
            if request is not None:
                flying.append(request)
                self.sent[request.method] += 1
            elif flying:
                self.end(flying.pop(self.rng.randrange(len(flying))))
            else:
                return

    def end(self, request: Request) -> None:
        accident = self.rng.random()
        if accident < 0.1:
            self.engine.fail(request)
        elif accident < 0.2 and self.retries:
            self.retries -= 1
            self.count([request.replace(dont_filter=True)], [True])
            assert self.engine.go_on(request, request.replace(dont_filter=True))
        elif "f" in named(request):
            self.engine.answer(request, mime="text/csv")
        else:
            self.answer_page(request)

    def answer_page(self, request: Request) -> None:
        links = self.rng.sample(self.places, 4)
        response = self.engine.arrive(request, " ".join(links), status=self.rng.choice([200, 404]))
        if request.method != "HEAD":
            asked = [self.ask(to) for to in [*links, f"made-up-{self.rng.randrange(9)}"]]
            self.count(asked, self.engine.follow(response, *asked))
        self.engine.done(request)

    def ask(self, to: str) -> Request:
        method = self.rng.choice(["GET"] * 9 + ["POST"])
        return get(to, method=method, priority=self.rng.choice([0, 0, 0, 1, -1]))

    def count(self, requests: list[Request], taken: list[bool]) -> None:
        self.accepted.update(
            request.method for request, yes in zip(requests, taken, strict=True) if yes
        )


@pytest.mark.parametrize("name", ["bfs", "dfs", "random", "focused", "sb-classifier:b=3", "tp-off"])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_every_request_is_sent_once_and_every_choice_is_answered_once(name: str, seed: int) -> None:
    policy = Strict(make_policy(parse("policy", name), seed=seed))
    engine = HandEngine(policy)
    surfer = Surfer(engine, seed)
    surfer.surf()

    assert engine.scheduler._learning, "the learned order has failed"
    assert policy.awaited == set()
    assert not engine.scheduler.has_pending_requests()
    for method in ("GET", "POST"):
        assert surfer.sent[method] == surfer.accepted[method]
    assert engine.stats["lodehound/requests"] == surfer.sent.total()


def test_a_seed_makes_a_crawl() -> None:
    """Same seed, same spider, same order."""
    orders = []
    for _ in range(2):
        engine = HandEngine(make_policy(parse("policy", "random"), seed=7))
        engine.start("")
        orders.append(engine.run({"": "a b c d e f", "a": "g h", "b": "i j"}))

    assert orders[0] == orders[1]
    assert sorted(map(place, orders[0])) == ["", *"abcdefghij"]
