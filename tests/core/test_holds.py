"""What holds a crawl back: each reason by itself, and all of them together."""

from __future__ import annotations

from lodehound.core.holds import EXPECTING, HALT
from lodehound.core.messages import WAIT, Stop
from tests.helpers import ask_of, crawl_from, html, place


def test_the_reason_that_allows_least_holds_the_crawl() -> None:
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "a b c"))
    crawl.hold("grant", after=2)
    crawl.hold("store", after=1)
    none = (crawl.next(), crawl.is_held)
    crawl.release("store")
    one = (place(ask_of(crawl).url), crawl.next(), crawl.is_held)
    crawl.hold("grant", after=3)

    assert none == (WAIT, True)
    assert one == ("a", WAIT, True)
    assert (crawl.is_held, place(ask_of(crawl).url)) == (False, "b")


def test_a_crawl_that_is_held_does_not_end_though_nothing_is_left() -> None:
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl)))
    crawl.hold(HALT)
    held = crawl.next()
    crawl.release(HALT)

    assert (held, crawl.next()) == (WAIT, Stop("exhausted"))


def test_a_reason_that_allows_more_does_not_keep_a_crawl_from_ending() -> None:
    crawl = crawl_from()
    crawl.hold("grant", after=9)
    crawl.receive(html(ask_of(crawl)))

    assert crawl.next() == Stop("exhausted")


def test_a_crawl_that_expects_links_asks_for_those_it_has() -> None:
    crawl = crawl_from()
    crawl.hold(EXPECTING)
    crawl.receive(html(ask_of(crawl), "a"))

    assert (crawl.is_held, place(ask_of(crawl).url)) == (False, "a")


def test_a_budget_that_is_closed_lets_what_is_reserved_be_made() -> None:
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "a b"))
    ask = ask_of(crawl)
    crawl.close_budget()
    during = crawl.next()
    crawl.receive(html(ask))

    assert (during, crawl.next(), crawl.requests) == (WAIT, Stop("requests"), 2)
