"""Crawls with a topic: what is near to it, and what the pages that show a link say."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import UNKNOWN_SOURCE, SourcePage
from lodehound.policies.lodehound.topic_odds import TopicOdds
from tests.read.test_subject import BIRDS

HOST = "https://e.org"
FOUND, NOTHING = Verdict(found=True, value=0.5), Verdict(found=False)
FIND, OTHER = SourcePage(7, found=True, relevance=0.5), SourcePage(7)


def link(place: str, anchor: str = "") -> Link:
    return Link(HOST + place, HOST + "/", "html/body/a", anchor)


def begun(*links: Link) -> LodehoundPolicy:
    """Return a policy that has seen the links on its start page."""
    policy = LodehoundPolicy(explore=0.0, subject=BIRDS)
    policy.learn(Outcome(None, "", 0, "", NOTHING, (Link(HOST + "/", kind=""),)))
    visit(policy, HOST + "/", NOTHING, links)
    return policy


def visit(
    policy: LodehoundPolicy,
    url: str,
    verdict: Verdict,
    links: tuple[Link, ...] = (),
    again: tuple[Link, ...] = (),
) -> None:
    """Let the policy visit a page, whatever it would choose."""
    choice = Choice(Link(url))
    policy.take(choice)
    policy.learn(Outcome(choice, url, 200, "text/html", verdict, links, again))


def next_place(policy: LodehoundPolicy) -> str:
    choice = policy.pick(())
    assert choice is not None
    return choice.link.url.removeprefix(HOST)


def odds_of(topic: TopicOdds, *places: int) -> list[float]:
    found: list[float] = np.asarray(topic.odds(topic.numbers(np.array(places)))).tolist()
    return found


def learn(topic: TopicOdds, place: int, *, found: bool) -> None:
    numbers = topic.numbers(np.array([place]))[0]
    topic.learn(numbers, 1 / (1 + np.exp(-float(topic.odds(numbers)))), found=found)


def test_a_link_is_described_by_its_words_and_by_the_pages_that_show_it() -> None:
    """The best sighting of its words counts; until much is known, a third of pages are finds."""
    topic = TopicOdds(BIRDS, shrink=2.0)
    places = np.array([3, 5])
    topic.add(places, [link("/1", "bird"), link("/2")], FIND)

    topic.add_sighting(np.array([5]), [link("/2", "war")], OTHER)
    topic.add_sighting(np.array([5]), [link("/2")], OTHER)

    share = [(1 + 2 / 3) / (1 + 2), (1 + 2 / 3) / (3 + 2)]
    expected = [[1, 0, share[0], 0.5, 1], [0, 1, share[1], 0.5 / 3, 1]]
    assert topic.numbers(places) == pytest.approx(np.array(expected), abs=1e-6)
    assert topic.numbers(5).tolist() == topic.numbers(places)[1].tolist()


def test_a_place_that_is_used_again_forgets_its_last_link() -> None:
    topic = TopicOdds(BIRDS, shrink=2.0)
    topic.add(np.array([0]), [link("/1", "bird")], FIND)

    topic.add(np.array([0, 1]), [link("/2", "war"), link("/3", "war")], UNKNOWN_SOURCE)

    first, second = topic.numbers(np.array([0, 1])).tolist()
    assert first == second


def test_links_near_to_the_topic_are_requested_first_before_anything_is_learned() -> None:
    policy = begun(link("/a", "war"), link("/b", "bird"), link("/c"))

    assert next_place(policy) == "/b"


def test_which_words_mean_finds_is_learned() -> None:
    """Here pages about a category are finds, and those about the topic are not."""
    topic = TopicOdds(BIRDS, shrink=2.0)
    topic.add(np.arange(2), [link("/1", "bird"), link("/2", "war")], UNKNOWN_SOURCE)

    for _ in range(5):
        learn(topic, 0, found=False)
        learn(topic, 1, found=True)

    bird, war = odds_of(topic, 0, 1)
    assert bird < 0 < war


@pytest.mark.parametrize("other", [SourcePage(7, relevance=0.5), SourcePage(7, found=True)])
def test_links_on_pages_like_those_of_other_finds_are_likely_finds(other: SourcePage) -> None:
    """Pages differ by relevance alone, or by being finds alone."""
    topic = TopicOdds(BIRDS, shrink=2.0)
    topic.add(np.array([0, 2]), [link("/1"), link("/3")], other)
    topic.add(np.array([1, 3]), [link("/2"), link("/4")], OTHER)

    for _ in range(20):
        learn(topic, 0, found=True)
        learn(topic, 1, found=False)

    likely, unlikely = odds_of(topic, 2, 3)
    assert unlikely < 0 < likely


def test_pages_that_show_a_link_again_count() -> None:
    """Links of finds are finds here; one of many links is shown by another find, later."""
    policy = begun(link("/find"), *[link(f"/w/{i}") for i in range(600)])
    visit(policy, HOST + "/find", FOUND, tuple(link(f"/f/{i}") for i in range(4)))
    for i in range(4):
        visit(policy, f"{HOST}/f/{i}", FOUND)
        visit(policy, f"{HOST}/w/{i}", NOTHING, (), (link("/w/4"), link("/w/5"), link("/w/7")))

    visit(policy, HOST + "/w/5", FOUND, (), (link("/w/500"),))

    assert next_place(policy) == "/w/500"


def test_a_page_that_shows_a_link_twice_counts_once() -> None:
    """Two finds show one link, and one find shows the other three times."""
    policy = begun(*[link(f"/{name}") for name in "abpq"])
    once, twice = link("/a"), link("/b")
    visit(policy, HOST + "/p", FOUND, (link("/new"),), (once, once, once, twice, link("/new")))
    visit(policy, HOST + "/q", FOUND, (), (twice,))
    assert policy._topic is not None
    places = [policy._frontier.place_of[f"{HOST}/{name}"] for name in ("a", "b", "new")]

    once_share, twice_share, new_share = policy._topic.numbers(np.array(places))[:, 2].tolist()

    # The start page was no find; of three requests and three assumed ones, three were finds.
    assert once_share == pytest.approx((1 + 2 * 3 / 6) / (2 + 2))
    assert twice_share == pytest.approx((2 + 2 * 3 / 6) / (3 + 2))
    assert new_share == pytest.approx((1 + 2 * 3 / 6) / (1 + 2))


def test_one_find_does_not_outweigh_the_topic() -> None:
    """A find among links about something else, of which many more wait."""
    policy = begun(*[link(f"/w/{i}", "war") for i in range(5)], link("/b/1", "bird"))

    visit(policy, HOST + "/w/0", FOUND)

    assert next_place(policy) == "/b/1"


def test_with_a_topic_only_the_probability_of_a_find_counts() -> None:
    """Lists are never finds, but lead to many; what may be a find itself comes first."""
    policy = begun(*[link(f"/list/{i}", "war") for i in range(7)], link("/page"))
    for i in range(6):
        birds = tuple(link(f"/b/{i}-{j}", "bird") for j in range(4))
        visit(policy, f"{HOST}/list/{i}", NOTHING, birds)
        for bird in birds:
            visit(policy, bird.url, FOUND)

    assert next_place(policy) == "/page"


def test_exploring_does_not_follow_what_is_only_strange() -> None:
    """A link unlike all others is the least known; it is about something else."""
    strange = Link(f"{HOST}/x/y/odd-page-of-war.htm?q=1", HOST + "/", "html/ul/li/p/b/i/a", "a war")
    policy = begun(strange, link("/b", "bird"), *[link(f"/w/{i}") for i in range(1500)])
    policy.explore = 0.9

    choices = [choice for _ in range(200) if (choice := policy.pick(())) is not None]

    assert {choice.probability < 0.5 for choice in choices} == {True, False}
    assert strange.url not in {choice.link.url for choice in choices}


def test_a_choice_says_that_the_topic_decided() -> None:
    policy = begun(link("/a", "bird"))
    for i in range(4):
        policy.learn(Outcome(None, "", 0, "", NOTHING, (link(f"/b/{i}", "bird"),)))
        visit(policy, f"{HOST}/b/{i}", FOUND)

    choice = policy.pick(())

    assert choice is not None
    assert choice.why.endswith("sure, by its nearness to the topic")
