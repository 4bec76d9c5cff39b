"""``focused`` beside an implementation written from the paper, request by request."""

from __future__ import annotations

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Verdict
from lodehound.papers.sb_classifier.focused import Focused as Ours
from lodehound.read.links import read_links
from tests.helpers import FOUND, NOTHING, ROOT, url
from tests.oracles.cms import cms
from tests.oracles.dialogue import Place, crawl
from tests.oracles.focused import Focused


def web_of(seed: int) -> dict[str, Place]:
    web = {}
    for at, record in cms(seed, pages=28).items():
        links: tuple[Link, ...] = ()
        if "html" in record.content_type and record.status == 200:
            shown = read_links(record.body, url=url(at), depth=at.count("/")).links
            links = tuple(link for link in shown if link.url.startswith(ROOT))
        verdict: Verdict = NOTHING if record.status >= 300 or links else FOUND
        web[url(at)] = Place(verdict, links, record.status)
        if record.location:  # as its end, with the links that it shows
            web[url(at)] = Place(NOTHING, (Link(record.location, url(at)),), record.status)
    return web


@pytest.mark.parametrize("seed", range(2))
def test_every_request_is_the_first_of_the_queue(seed: int) -> None:
    oracle, seen = Focused(seed), 0
    oracle.waiting[ROOT], oracle.links[ROOT] = (0.0, 0), Link(ROOT, kind="")
    for choice, outcome in crawl(Ours(seed=seed), web_of(seed), ROOT):
        assert choice.link.url in oracle.may(), seen
        oracle.learn(choice.link, outcome.status, outcome.verdict.found, outcome.links)
        seen += 1
    assert seen > 130
    assert not oracle.waiting
