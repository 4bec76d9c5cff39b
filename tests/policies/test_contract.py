"""Every shipped policy keeps the contract, and the checks catch those that do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from contextlib import suppress

import pytest

from lodehound.checks import DoesNotApplyError, check_policy, policy_checks
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy, ResumablePolicy
from lodehound.papers.anthelion.anthelion import SCORES
from lodehound.policies.bfs import Bfs
from lodehound.policies.dfs import Dfs
from lodehound.policies.random import Random
from lodehound.registry import make_policy, parse, shipped
from lodehound.small_web import SmallWeb

VARIANTS = [
    "lodehound:explore=0.5,optimism=0,gamma=0",
    "focused:warmup=5",
    "tp-off:warmup=5",
    "sb-classifier:compat=kit",
    "sb-classifier:paper",
    "sb-classifier:model=svm,features=context,b=1",
    "sb-classifier:model=nb,time=pulls",
    "sb-classifier:model=pa,reward=predicted,theta=1",
    "sb-oracle:compat=kit",
    *(f"anthelion:score={score},explore={explore}" for score in SCORES for explore in (0, 0.5)),
    "anthelion:score=thompson",
    "anthelion:score=thompson-x-best,explore=0",
    "anthelion:model=ht,siblings=true,decay=0",
    "anthelion:static=nb,train=50",
    "online:model=ht,features=b",
    "ldcoc:paper",
    "ldcoc:head=on,features=t+r+p+x",
    "ldcoc:skip=drop,size=64",
    "ldcoc:order=best,epsilon=1",
    "rdf-filter:head=off",
    "rdf-batch:model=nb,train=50,order=best",
    "rdf-batch:model=knn,train=50",
    "rdf-batch:model=nb,train=20,charged=true",
    "online:static=ht,train=50,features=a",
]


@pytest.mark.parametrize("check", list(policy_checks()), ids=lambda check: check.__name__)
@pytest.mark.parametrize("written", [*shipped("policy"), *VARIANTS])
def test_shipped_policies(written: str, check: Callable[[Callable[[], Policy]], None]) -> None:
    """One parametrised test for all: what a policy may do otherwise, it declares."""
    spec = parse("policy", written)
    truth = SmallWeb()

    with suppress(DoesNotApplyError):
        check(lambda: make_policy(spec, seed=3, truth=truth))


@pytest.mark.parametrize("name", shipped("policy"))
def test_all_that_can_crawl_can_continue_any_crawl(name: str) -> None:
    policy = make_policy(parse("policy", name), truth=SmallWeb())

    assert isinstance(policy, ResumablePolicy) or policy.needs_truth


def test_what_the_shipped_policies_declare() -> None:
    """Exceptions from the contract are taken in the open; the list of them is short."""
    made = {
        name: make_policy(parse("policy", name), truth=SmallWeb()) for name in shipped("policy")
    }

    assert {name for name, policy in made.items() if policy.uses_head} == {
        "ldcoc",
        "rdf-batch",
        "rdf-filter",
        "sb-classifier",
    }
    assert {name for name, policy in made.items() if policy.needs_truth} == {
        "omniscient",
        "sb-oracle",
    }
    drops = {name for name, policy in made.items() if policy.drops}
    linked_data = {"ldcoc", "rdf-batch", "rdf-filter"}
    assert drops == {"omniscient", "sb-classifier", "sb-oracle"} | linked_data


class Forgetful(Bfs):
    """Keeps the first of the links only."""

    def learn(self, outcome: Outcome) -> None:
        for link in outcome.links[:1]:
            self._links.push(link)


class Repeating(Bfs):
    """Puts every link in line twice."""

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        super().learn(outcome)


class Waking(Bfs):
    """Does not look who is asleep."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        return super().choose(())


class Sleepy(Bfs):
    """Waits as long as anyone is asleep."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        return None if asleep else super().choose(asleep)


class Dicing(Policy):
    """Draws from a generator without a seed."""

    def __init__(self) -> None:
        self._links: list[Link] = []

    def choose(self, asleep: Collection[str]) -> Choice | None:
        awake = [link for link in self._links if link.host not in asleep]
        if not awake:
            return None
        link = random.SystemRandom().choice(awake)
        self._links.remove(link)
        return Choice(link, why="any")

    def learn(self, outcome: Outcome) -> None:
        self._links.extend(outcome.links)


class Silent(Bfs):
    """Gives no reason."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = super().choose(asleep)
        return choice and Choice(choice.link)


class Overconfident(Bfs):
    """Gives odds that are none."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = super().choose(asleep)
        return choice and Choice(choice.link, probability=0.0, why=choice.why)


class Heading(Bfs):
    """Asks by HEAD what it has not declared to ask so."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = super().choose(asleep)
        return choice and Choice(choice.link, "HEAD", why=choice.why)


class Headstrong(Dfs):
    """Takes out the link it would choose, not the one it is told."""

    def take(self, choice: Choice) -> None:
        self._links.pop(())


class Jumpy(Random):
    """Draws where a crawl that is resumed does not ask it."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        self._links._rng.random()
        return super().choose(asleep)


class Inventing(Bfs):
    """Begins with a link it made up."""

    def __init__(self) -> None:
        super().__init__()
        self._links.push(Link("https://a.example/robots.txt"))


class Brittle(Bfs):
    """Takes every outcome for a page."""

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is not None and outcome.status == 0:
            raise KeyError(outcome.url)
        super().learn(outcome)


@pytest.mark.parametrize(
    ("bad", "complaint"),
    [
        (Forgetful, "lost: .* name such links in drops"),
        (Repeating, "chosen twice"),
        (Waking, "it woke a sleeping host"),
        (Sleepy, "it slept although b.example was awake"),
        (Dicing, "it is not deterministic"),
        (Silent, "its choice has no reason"),
        (Overconfident, "probability 0.0 is not in"),
        (Heading, "it asked HEAD without uses_head"),
        (Inventing, "it was never given"),
        (Headstrong, "chosen twice: GET"),
        (Jumpy, "resumed, it chose"),
    ],
)
def test_bad_policies_are_caught(bad: type[Policy], complaint: str) -> None:
    """Each is good in all but one thing, and the check of that thing says so."""
    with pytest.raises(AssertionError, match=complaint):
        check_policy(bad)


def test_a_policy_that_breaks_on_failures_is_caught() -> None:
    """Its own exception comes through: it says more than ours would."""
    with pytest.raises(KeyError):
        check_policy(Brittle)


def test_what_is_declared_is_allowed() -> None:
    """The same policy that loses links passes once it says so."""

    class Choosy(Forgetful):
        drops = "all but the first link of a page"

        def learn(self, outcome: Outcome) -> None:
            if outcome.choice is None:
                Bfs.learn(self, outcome)
            else:
                super().learn(outcome)

    check_policy(Choosy)
