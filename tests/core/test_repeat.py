"""A crawl that is told what an earlier run asked for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from lodehound.core.crawl import Crawl
from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Ask, Choice, Page, Stop
from lodehound.core.stop import Budget, EarlyStop
from lodehound.papers.anthelion.online import Online
from lodehound.policies.bfs import Bfs
from lodehound.policies.random import Random
from tests.helpers import Listening, ask_of, crawl_from, csv, html, place, redirect, url

HOSTS = [f"https://{name}.s.example/" for name in "abcdefghi"]
PAGES = [f"{host}{number}" for number in range(6) for host in HOSTS]


def told(crawl: Crawl, number: int, where: str, *, head: bool = False) -> Ask:
    """Repeat a request for a place."""
    choice = Choice(Link(url(where)), "HEAD" if head else "GET", why="so it was")
    crawl.repeat(number, choice, ())
    return crawl.unanswered[-1]


def test_the_policy_goes_on_with_the_rest() -> None:
    crawl = crawl_from()
    crawl.receive(html(told(crawl, 1, ""), "a b c d"))

    asks = [told(crawl, 2, "c"), told(crawl, 3, "b")]

    assert asks == [Ask(2, url("c")), Ask(3, url("b"))]
    assert [place(ask_of(crawl).url) for _ in range(2)] == ["a", "d"]
    assert crawl.unanswered[-1].number == 5
    assert crawl.requests == 5


def test_a_redirect_is_told_from_a_choice() -> None:
    """Its request belongs to the choice it began with, whenever it was made."""
    policy = Listening()
    crawl = crawl_from(policy=policy)
    crawl.receive(html(told(crawl, 1, ""), "a b"))
    crawl.receive(redirect(told(crawl, 2, "a"), "to"))

    crawl.receive(html(told(crawl, 3, "b")))
    crawl.receive(csv(told(crawl, 4, "to")))

    last = policy.outcomes[-1]
    assert last.choice is not None
    assert (place(last.choice.link.url), place(last.url)) == ("a", "to")
    assert crawl.next() == Stop("exhausted")


def test_a_policy_without_heads_hears_of_none() -> None:
    """What another policy asked by HEAD, it asks for by GET."""
    policy = Listening()
    crawl = crawl_from(policy=policy)
    crawl.receive(html(told(crawl, 1, ""), "a"))
    outcomes = len(policy.outcomes)

    crawl.receive(csv(told(crawl, 2, "a", head=True)))

    assert len(policy.outcomes) == outcomes
    assert ask_of(crawl) == Ask(3, url("a"), "GET", url(""))


def test_a_policy_may_not_ask_heads_that_it_does_not_declare() -> None:
    class Heading(Bfs):
        def choose(self, asleep: Collection[str]) -> Choice | None:
            choice = super().choose(asleep)
            return choice and replace(choice, method="HEAD")

    with pytest.raises(ContractError, match="Heading asked a HEAD without uses_head = True"):
        crawl_from(policy=Heading()).next()


def test_what_was_never_offered_is_asked_all_the_same() -> None:
    """The scope was another one, say. Where it is shown again, it is known."""
    crawl = crawl_from()

    crawl.receive(html(told(crawl, 1, "elsewhere"), "a"))
    crawl.receive(html(told(crawl, 2, "a"), "elsewhere"))

    assert [place(ask_of(crawl).url), crawl.next()] == ["", WAIT]


def test_links_that_a_redirect_holds_back_may_have_been_asked_for() -> None:
    """The earlier run did not follow the page's refresh, and went on with its links."""

    def read(answer: Answer, seen: Link) -> Page:
        moved = url("fresh") if answer.ask.url == url("") else ""
        links = tuple(Link(url(name), url("")) for name in ("a", "b")) if moved else ()
        return Page(answer.ask.url, "GET", 200, "text/html", links=links, moved=moved)

    crawl = crawl_from(read=read, policy=Online())
    crawl.receive(html(told(crawl, 1, "")))

    crawl.receive(html(told(crawl, 2, "a")))
    crawl.receive(html(ask_of(crawl)))  # the refresh, at last

    assert [place(ask_of(crawl).url), crawl.next()] == ["b", WAIT]


@pytest.mark.parametrize("cut", [6, 7, 8])
def test_what_was_dropped_is_dropped_again(cut: int) -> None:
    """Choices on hosts that have had their share are in no journal; they make no difference."""

    def begun() -> Crawl:
        return crawl_from(*PAGES, policy=Random(seed=2), per_host=1)

    whole, again = begun(), begun()
    asks = [ask_of(whole) for _ in HOSTS]
    for ask in asks[:cut]:
        again.repeat(ask.number, Choice(Link(ask.url, kind="")), ())

    assert [ask_of(again) for _ in HOSTS[cut:]] == asks[cut:]
    assert again.next() is WAIT
    assert whole.next() is WAIT
    assert again.dropped == whole.dropped > 0


def test_a_crawl_says_when_no_policy_is_asked() -> None:
    """Such a wait is not recorded: the budget may be another one when the crawl is resumed."""
    crawl = crawl_from(*PAGES, policy=Random(seed=1), budget=Budget(finds=1))
    first = ask_of(crawl)
    assert crawl.next() is WAIT
    assert crawl.is_held_back(0.0)  # the find on its way may be the last
    crawl.receive(html(first))
    assert not crawl.is_held_back(0.0)


def test_stop_rules_begin_anew_when_a_crawl_is_resumed() -> None:
    """What they said of repeated requests has not ended the crawl, and they stop it later."""
    crawl = crawl_from(*PAGES, rules=[EarlyStop(nu=1, epsilon=1.0, kappa=2)])
    for number in (1, 2):
        crawl.receive(html(told(crawl, number, PAGES[number])))
    crawl.resume()
    for _ in range(2):
        crawl.receive(html(ask_of(crawl)))
    assert crawl.stopped == "early-stop"
