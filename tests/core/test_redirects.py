"""Redirects: one choice, several requests, one outcome."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Ask, Page, Stop
from tests.helpers import (
    ROOT,
    Listening,
    ask_of,
    crawl_from,
    csv,
    html,
    place,
    read_places,
    redirect,
    url,
)


def test_a_redirect_is_followed_for_the_same_choice() -> None:
    """One choice, two requests, one outcome: at the end of the chain, with its address."""
    told = Listening()
    crawl = crawl_from(policy=told)
    crawl.receive(html(ask_of(crawl), "old"))

    step = crawl.receive(redirect(ask_of(crawl), "/new#top"))
    last = ask_of(crawl)
    crawl.receive(csv(last))

    assert (step.status, step.found, step.new_links) == (301, False, 0)
    assert last == Ask(3, url("new"), "GET", ROOT)
    assert len(told.outcomes) == 3
    outcome = told.outcomes[2]
    assert outcome.choice is not None
    assert (place(outcome.choice.link.url), place(outcome.url)) == ("old", "new")
    assert outcome.verdict.found


def test_a_redirect_goes_before_other_choices() -> None:
    """A choice is brought to its end before the policy makes another."""
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "a b"))
    crawl.receive(redirect(ask_of(crawl), "c"))

    assert [place(ask_of(crawl).url) for _ in range(2)] == ["c", "b"]


@pytest.mark.parametrize(
    ("to", "refused"),
    [
        ("b", {}),
        ("", {}),
        ("a", {}),
        ("#", {}),
        ("mailto:x@y.z", {}),
        ("http://", {}),
        ("https://other.example/", {"other site": 1}),
        ("photo.jpg", {"blocked extension": 1}),
    ],
)
def test_redirects_that_are_not_followed(to: str, refused: dict[str, int]) -> None:
    """To a known URL, itself, no address or out of scope: the redirect is the outcome."""
    told = Listening()
    crawl = crawl_from(policy=told)
    crawl.receive(html(ask_of(crawl), "a b"))

    crawl.receive(redirect(ask_of(crawl), to, status=302))

    assert (told.outcomes[2].status, place(told.outcomes[2].url)) == (302, "a")
    assert place(ask_of(crawl).url) == "b"
    assert crawl.refused == refused


def test_a_loop_of_redirects_ends() -> None:
    """No address is asked twice, so a loop ends where it closes; the choice gets its outcome."""
    told = Listening()
    crawl = crawl_from(policy=told)

    crawl.receive(redirect(ask_of(crawl), "a"))
    crawl.receive(redirect(ask_of(crawl), "b"))
    crawl.receive(redirect(ask_of(crawl), "a"))

    assert crawl.next() == Stop("exhausted")
    assert [place(outcome.url) for outcome in told.outcomes] == ["", "b"]


@pytest.mark.parametrize(("limit", "requests"), [(0, 1), (1, 2), (10, 11)])
def test_a_chain_of_redirects_has_a_limit(limit: int, requests: int) -> None:
    """As many hops as allowed are made; the next redirect is the outcome."""
    told = Listening()
    crawl = crawl_from(policy=told, max_redirects=limit)

    while isinstance(ask := crawl.next(), Ask):
        crawl.receive(redirect(ask, f"{ask.number}"))

    assert crawl.requests == requests
    assert [outcome.status for outcome in told.outcomes] == [0, 301]


def test_the_place_behind_the_last_hop_is_not_lost() -> None:
    """A place that was not followed because the chain was too long is new where it is linked."""
    crawl = crawl_from(max_redirects=0)
    crawl.receive(redirect(ask_of(crawl), "a"))
    other = crawl_from(ROOT, url("b"), max_redirects=0)
    other.receive(redirect(ask_of(other), "a"))
    other.receive(html(ask_of(other), "a"))

    assert crawl.next() == Stop("exhausted")
    assert place(ask_of(other).url) == "a"


def test_a_redirect_onto_a_sleeping_host_waits() -> None:
    """Others go first; the hop is made when its host wakes, whatever lies before it."""
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "a b c"))
    asleep = {"one.s.example", "two.s.example"}
    crawl.receive(redirect(ask_of(crawl, asleep), "https://one.s.example/"))
    crawl.receive(redirect(ask_of(crawl, asleep), "https://two.s.example/"))

    assert place(ask_of(crawl, asleep).url) == "c"
    assert crawl.next(asleep) is WAIT
    assert ask_of(crawl, {"one.s.example"}).url == "https://two.s.example/"
    assert ask_of(crawl).url == "https://one.s.example/"


def test_a_page_behind_a_redirect_is_as_deep_as_its_link() -> None:
    """Links of the page at the end are one deeper than the link that was chosen."""
    told = Listening()
    crawl = crawl_from(policy=told)
    crawl.receive(redirect(ask_of(crawl), "home"))
    crawl.receive(html(ask_of(crawl), "a"))

    found = told.outcomes[1].links[0]

    assert (found.depth, found.source) == (1, url("home"))


def test_a_page_that_has_moved() -> None:
    """A meta refresh is a redirect that the page itself makes; its own links are not lost."""

    def read(answer: Answer, link: Link) -> Page:
        page = read_places(answer, link)
        return replace(page, moved="new") if answer.ask.url == ROOT else page

    told = Listening()
    crawl = crawl_from(policy=told, read=read)

    step = crawl.receive(html(ask_of(crawl), "a b"))
    crawl.receive(html(ask_of(crawl), "b c"))

    assert (step.status, step.found, step.new_links) == (200, False, 2)
    assert [place(outcome.url) for outcome in told.outcomes] == ["", "new"]
    links, again = (
        [place(one.url) for one in part]
        for part in (told.outcomes[1].links, told.outcomes[1].again)
    )
    assert (links, again) == (["a", "b", "c"], ["b"])
