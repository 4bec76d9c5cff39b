"""``anthelion`` beside an implementation written from the paper, choice by choice."""

from __future__ import annotations

import random

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Verdict
from lodehound.papers.anthelion.anthelion import Anthelion as Ours
from lodehound.registry import make_policy, parse
from tests.oracles.anthelion import SCORES, Anthelion, host_of, is_close, share_of_random
from tests.oracles.dialogue import Place, crawl

START = "https://directory.example/index.html"
KINDS = ("product", "event", "about", "news2014", "imprint")
FOUND = Verdict(found=True)


def web_of(seed: int, *, hosts: int = 8, pages: int = 12) -> dict[str, Place]:
    """Hosts of which some mark up their pages; every page has a menu that names it, too."""
    rng = random.Random(seed)
    urls = [
        f"https://shop{host}.example/{rng.choice(KINDS)}/{number}/item-{rng.randrange(30)}?id={number}"
        for host in range(hosts)
        for number in range(pages)
    ]
    web = {}
    for at, url in enumerate(urls):
        marked = rng.random() < (0.8 if at // pages % 3 == 0 and "product" in url else 0.15)
        menu = urls[at // pages * pages : at // pages * pages + 3]
        shown = [*menu, url, *rng.sample(urls, 4), f"https://{host_of(url)}/gone/{at}"]
        links = tuple(Link(to, url) for to in shown)
        web[url] = Place(FOUND if marked else Verdict(found=False), links)
    web[START] = Place(links=tuple(Link(url, START) for url in urls[::pages]))
    return web


@pytest.mark.parametrize("features", ["a", "b", "c"])
@pytest.mark.parametrize("score", SCORES)
def test_every_host_and_page_is_the_best(score: str, features: str) -> None:
    policy = make_policy(parse("policy", f"anthelion:score={score},features={features},explore=0"))
    oracle, number = Anthelion(score, features), 0
    oracle.waiting[host_of(START)][START] = 0.5
    for number, (choice, outcome) in enumerate(crawl(policy, web_of(3), START), start=1):
        host = host_of(choice.link.url)
        assert host in oracle.hosts(), number
        assert choice.link.url in oracle.pages_of(host), number
        oracle.learn(outcome, number)
    assert number > 150
    assert not any(oracle.waiting.values())


@pytest.mark.parametrize(
    ("written", "explore", "m"), [("anthelion:paper", 0.5, 10_000), ("anthelion", 0.2, 300)]
)
def test_the_share_of_random_hosts(written: str, explore: float, m: int) -> None:
    """Of n hosts each is drawn with the chance lambda / n, and the best also without a draw."""
    policy = make_policy(parse("policy", written), seed=5)
    assert isinstance(policy, Ours)
    oracle, drawn, expected = Anthelion(policy.score, policy.features), 0, 0.0
    oracle.waiting[host_of(START)][START] = 0.5
    for t, (choice, outcome) in enumerate(crawl(policy, web_of(5), START), start=1):
        host, share = host_of(choice.link.url), share_of_random(explore, m, t)
        hosts = sum(bool(pages) for pages in oracle.waiting.values())
        may = [share / hosts, share / hosts + 1 - share]
        assert any(is_close(choice.probability, one) for one in may[: 1 + (host in oracle.hosts())])
        drawn, expected = drawn + ("at random" in choice.why), expected + share
        oracle.learn(outcome, t)
    assert abs(drawn - expected) < 3 * expected**0.5
