"""Limits by host: how many URLs of each, how many hosts, which ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page, Stop
from lodehound.core.scope import Scope
from lodehound.policies.bfs import Bfs
from lodehound.targets.files import Files
from tests.helpers import Listening, ask_of, crawl_from, html, url

START = "https://a.example/"
PAGES = {
    START: ["https://a.example/1", "https://b.example/1", "https://c.example/1"],
    "https://b.example/1": ["https://b.example/2", "https://b.example/3", "https://d.example/"],
}


def read(answer: Answer, link: Link) -> Page:
    found = tuple(Link(url, answer.ask.url) for url in PAGES.get(answer.ask.url, ()))
    return Page(answer.ask.url, "GET", 200, "text/html", links=found)


def asked(
    *,
    scope: Scope | None = None,
    redirects: dict[str, str] | None = None,
    per_host: int | None = None,
    max_hosts: int | None = None,
) -> list[str]:
    crawl = Crawl(
        [Link(START)],
        policy=Bfs(),
        target=Files(),
        read=read,
        scope=scope or Scope(),
        per_host=per_host,
        max_hosts=max_hosts,
    )
    urls = []
    while not isinstance(ask := crawl.next(), Stop):
        assert isinstance(ask, Ask)
        urls.append(ask.url.removeprefix("https://"))
        place = (redirects or {}).get(ask.url, "")
        crawl.receive(Answer(ask, 301 if place else 200, "text/html", location=place))
    assert ask.reason == "exhausted"
    return urls


def test_per_host() -> None:
    """What is chosen beyond the share of a host is dropped, and nothing else."""
    assert asked(per_host=1) == ["a.example/", "b.example/1", "c.example/1", "d.example/"]
    assert "b.example/3" not in asked(per_host=2)
    assert len(asked(per_host=3)) == len(asked()) == 7


def test_redirects_count_for_the_host_they_lead_to() -> None:
    """One that leads to a host that has had its share is not followed."""
    redirects = {"https://c.example/1": "https://b.example/9"}
    assert "b.example/9" in asked(redirects=redirects)
    assert "b.example/9" not in asked(per_host=1, redirects=redirects)


def test_max_hosts() -> None:
    """The first hosts that are met are in, the others stay out."""
    assert {url.partition("/")[0] for url in asked(max_hosts=3)} == {
        "a.example",
        "b.example",
        "c.example",
    }


@pytest.mark.parametrize(
    ("change", "hosts"),
    [
        ({"allowed": frozenset({"b.example"})}, "ab"),
        ({"barred": frozenset({"b.example"})}, "ac"),
        ({"barred": frozenset({"example"})}, "a"),
        ({"allowed": frozenset({"example"}), "barred": frozenset({"c.example"})}, "abd"),
    ],
)
def test_lists_of_hosts(change: dict[str, frozenset[str]], hosts: str) -> None:
    """A name stands for itself and for what is below it; start URLs are in anyway."""
    scope = replace(Scope(), **change)  # type: ignore[arg-type]
    assert {url[0] for url in asked(scope=scope)} == set(hosts)


def test_a_scope_of_the_web_has_no_sites() -> None:
    far = Link("https://far.example/")
    assert Scope.around([START]).refusal(far) == "other site"
    assert Scope.around([START], web=True).refusal(far) == ""


def test_a_link_that_is_dropped_is_learned_from_as_one_that_failed() -> None:
    """The policy waits for an outcome of every choice."""
    told = Listening()
    crawl = crawl_from(policy=told, per_host=2)
    crawl.receive(html(ask_of(crawl), "a b"))
    crawl.receive(html(ask_of(crawl)))
    assert crawl.next() == Stop("exhausted")
    assert (crawl.dropped, crawl.waiting) == (1, 0)
    last = told.outcomes[-1]
    assert last.choice is not None
    assert (last.choice.link.url, last.status, last.verdict.found) == (url("b"), 0, False)
