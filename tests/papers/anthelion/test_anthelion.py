"""Anthelion on small webs whose choices are worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from lodehound.core.asleep import Asleep
from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.policy import Policy
from lodehound.papers.anthelion.anthelion import Anthelion
from lodehound.papers.anthelion.online import Online
from lodehound.papers.anthelion.page_classifier import PARENTS, SIBLINGS, PageClassifier
from lodehound.papers.anthelion.random_host import RandomHost
from lodehound.registry import make_policy, parse
from lodehound.small_web import SmallWeb

YES, NO = Verdict(found=True, value=1.0), Verdict(found=False)


def links(*urls: str, source: str = "") -> tuple[Link, ...]:
    return tuple(Link(f"https://{url}", source) for url in urls)


def start(policy: Policy, *urls: str) -> None:
    policy.learn(Outcome(None, "", 0, "", NO, links(*urls)))


def feed(policy: Policy, choice: Choice, verdict: Verdict, status: int = 200) -> None:
    policy.learn(Outcome(choice, choice.link.url, status, "text/html", verdict, ()))


def chosen(policy: Policy) -> Choice:
    choice = policy.choose(())
    assert choice is not None
    return choice


def test_success_stays_with_a_good_host_and_leaves_a_bad_one() -> None:
    """Rates (g+1)/(b+1): a good page makes 2, a bad one 1/2, an unknown host has 1."""
    policy = Anthelion(explore=0)
    start(policy, *(f"{host}.example/{i}" for host in "abc" for i in range(4)))
    first = chosen(policy)
    feed(policy, first, YES)
    assert [chosen(policy).link.host for _ in range(3)] == [first.link.host] * 3

    second = chosen(policy)
    feed(policy, second, NO)
    third = chosen(policy)
    assert third.link.host not in {first.link.host, second.link.host}
    assert "success 1" in third.why


def test_within_a_host_the_likeliest_page() -> None:
    """Pages whose tokens were relevant come before those whose tokens were not."""
    policy = Anthelion(explore=0, features="a")
    start(policy, "a.example/shop/one", "a.example/help/one")
    for _ in range(2):
        choice = chosen(policy)
        feed(policy, choice, YES if "shop" in choice.link.url else NO)
    start(policy, "a.example/help/two", "a.example/shop/two", "a.example/other")
    order = [chosen(policy).link.url.removeprefix("https://a.example/") for _ in range(3)]
    assert order == ["shop/two", "other", "help/two"]


def test_relevant_parents_lift_a_link_that_waits() -> None:
    """Found on an irrelevant page, it comes first once a relevant page shows it."""
    policy = Anthelion(explore=0, features="b")
    for _ in range(5):
        policy.classifier._model.learn([PARENTS], True)
        policy.classifier._model.learn([], False)
    start(policy, "a.example/1", "b.example/x", "b.example/y", "b.example/z")
    choice = policy.choose({"b.example"})
    assert choice is not None
    again = links("b.example/y", source=choice.link.url)
    policy.learn(Outcome(choice, choice.link.url, 200, "text/html", YES, (), again))
    order = [chosen(policy).link.url[-1] for _ in range(3)]
    assert (order, policy.choose(())) == (["y", "x", "z"], None)


def test_exploration_decays() -> None:
    """lambda_t = lambda m / (t + m), for t from 1: half of it at the m-th choice."""
    policy = Anthelion(explore=0.5, decay=10)
    start(policy, *(f"h{i}.example/" for i in range(10)))
    shares = [policy._share()]
    for _ in range(10):
        chosen(policy)
        shares.append(policy._share())
    assert (shares[0], shares[9]) == (0.5 * 10 / 11, 0.25)
    assert Anthelion(explore=0.2, decay=0)._share() == 0.2


def test_a_random_host_that_is_also_the_best_has_the_probability_of_both_ways() -> None:
    """A random host has lambda / n, the best one 1 - lambda + lambda / n."""
    policy = Anthelion(explore=0.4, decay=0, seed=1)
    start(policy, *(f"h{i}.example/" for i in range(4)))
    choices = [choice for _ in range(1000) if (choice := policy.pick(()))]
    said = {(choice.group, round(choice.probability, 6)) for choice in choices}
    assert sorted(probability for _, probability in said) == [0.1, 0.1, 0.1, 0.7]
    counts = Counter(choice.group for choice in choices)
    assert dict(said) == pytest.approx({host: n / 1000 for host, n in counts.items()}, abs=0.05)


def test_failures_and_redirects() -> None:
    """A failure speaks against the host, a redirect to something known says nothing."""
    policy = Anthelion(explore=0)
    start(policy, "a.example/1")
    feed(policy, chosen(policy), NO, status=301)
    start(policy, "a.example/2")
    feed(policy, chosen(policy), NO, status=0)
    host = policy._hosts["a.example"]
    assert (host.good, host.bad) == (0, 1)


def test_hosts_that_sleep_are_out_of_the_race() -> None:
    """However good they are; they are back when they wake."""
    policy, asleep = Anthelion(explore=0), Asleep()
    start(policy, "a.example/1", "a.example/2", "a.example/3", "b.example/1")
    first = policy.choose({"b.example"})
    assert first is not None
    feed(policy, first, YES)
    asleep.add("a.example")
    other = policy.choose(asleep)
    assert other is not None
    assert (other.link.host, policy.choose(asleep)) == ("b.example", None)
    asleep.discard("a.example")
    back = policy.choose(asleep)
    assert back is not None
    assert back.link.host == "a.example"


def test_siblings_are_seen_on_request() -> None:
    """Links that stood beside a page known to be relevant have one more column."""
    for siblings in (True, False):
        classifier = PageClassifier(siblings=siblings)
        good = links("a.example/good")
        classifier.learn(Outcome(Choice(good[0]), good[0].url, 200, "text/html", YES, ()))
        new = links("a.example/new", source="https://a.example/list")
        page = Outcome(Choice(new[0]), "https://a.example/list", 200, "text/html", NO, new, good)
        classifier.see(page)
        assert (SIBLINGS in classifier.row(new[0])) == siblings


def test_static_classifiers_learn_beforehand_and_no_more() -> None:
    web = SmallWeb()
    policy = Online(static="nb", train=60, features="a", truth=web)
    before = policy.classifier.scores(list(web.links(web.urls[0])))
    feed(policy, Choice(web.root), YES)
    assert policy.classifier.scores(list(web.links(web.urls[0]))) == before
    data, page = (f"https://a.example/{kind}/9" for kind in ("data", "page"))
    scores = policy.classifier.scores([Link(data), Link(page)])
    assert scores[0] > scores[1]


@pytest.mark.parametrize("written", ["online:static=nb", "anthelion:static=ht,train=5"])
def test_static_classifiers_need_a_recorded_site(written: str) -> None:
    with pytest.raises(ConfigError, match="lodehound race"):
        make_policy(parse("policy", written))


@pytest.mark.parametrize(
    "written",
    [
        "anthelion:explore=2",
        "anthelion:decay=-1",
        "anthelion:score=x",
        "anthelion:train=-3",
        "online:train=0",
    ],
)
def test_mistakes_are_said(written: str) -> None:
    with pytest.raises(ConfigError, match=r"explore|decay|score|train"):
        make_policy(parse("policy", written))


def test_random_hosts_are_equally_likely() -> None:
    """A host of one link comes first as often as one of fifty."""
    firsts = 0
    for seed in range(300):
        policy = RandomHost(seed=seed)
        start(policy, "small.example/", *(f"large.example/{i}" for i in range(50)))
        firsts += chosen(policy).link.host == "small.example"
    assert 110 < firsts < 190
