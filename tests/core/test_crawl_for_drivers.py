"""What a crawl offers to those who drive it: charges, retries, links from elsewhere."""

from __future__ import annotations

from collections import Counter

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Page, Stop
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.policies.bfs import Bfs
from lodehound.targets.files import Files
from tests.helpers import ROOT, Listening, ask_of, crawl_from, html, place, url


def test_what_has_no_answer_yet() -> None:
    """A driver that stops can see what it leaves behind."""
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "a b"))
    first, second = ask_of(crawl), ask_of(crawl)
    crawl.receive(html(first))

    assert crawl.unanswered == [second]


def test_what_was_not_sent_costs_nothing() -> None:
    """An address that robots.txt forbids is answered, learned from, and not charged."""
    told = Listening()
    crawl = crawl_from(policy=told)
    ask = ask_of(crawl)

    crawl.receive(Answer(ask, 0, error="robots.txt", sent=False))

    assert (crawl.requests, len(told.outcomes)) == (0, 2)
    assert crawl.next() == Stop("exhausted")


def test_what_was_not_sent_gives_its_request_back() -> None:
    """The last request of the budget, if it was not sent, is there for another link."""
    crawl = crawl_from(budget=Budget(requests=2))
    crawl.receive(html(ask_of(crawl), "a b c"))
    second = ask_of(crawl)

    assert crawl.next() is WAIT
    crawl.receive(Answer(second, 0, sent=False))
    crawl.receive(html(ask_of(crawl)))
    assert crawl.next() == Stop("requests")
    assert crawl.requests == 2


def test_a_retry_costs_a_request() -> None:
    """The same Ask sent again is charged again; the budget says whether it may be."""
    crawl = crawl_from(budget=Budget(requests=2))
    ask_of(crawl)

    before = crawl.has_room
    crawl.charge()

    assert (before, crawl.has_room, crawl.requests) == (True, False, 2)


def test_links_that_no_page_showed() -> None:
    """A sitemap's links are sifted like a page's: new ones are offered, once."""
    told = Listening()
    crawl = crawl_from(policy=told)
    listed = [Link(url("a")), Link("https://other.example/"), Link(ROOT), Link(url("a"))]

    assert [crawl.offer(listed), crawl.offer(listed)] == [1, 0]
    assert [place(ask_of(crawl).url) for _ in range(2)] == ["", "a"]
    assert crawl.refused == Counter({"other site": 1})


def test_a_link_too_deep_may_be_linked_from_nearer_later() -> None:
    """The depth limit refuses a sighting, not the URL for good."""
    scope = Scope(max_depth=1)
    crawl = Crawl(
        [Link("https://s.example/")],
        policy=Bfs(),
        target=Files(),
        read=lambda answer, link: Page(answer.ask.url, "GET", 404, ""),
        scope=scope,
    )

    assert crawl.offer([Link("https://s.example/x", depth=2)]) == 0
    assert crawl.offer([Link("https://s.example/x", depth=1)]) == 1
