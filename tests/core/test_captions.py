"""For which links a crawl wants to know what pages say about them."""

from __future__ import annotations

import pytest

from lodehound.core.caption import WHOLE_CAPTION, Caption
from lodehound.core.known import KnownUrls
from lodehound.core.link import Link
from lodehound.core.scope import Scope
from tests.helpers import ROOT

FILE, OPAQUE, PAGE = Link(ROOT + "a.csv"), Link(ROOT + "get?id=7"), Link(ROOT + "p.html")


@pytest.fixture
def known() -> KnownUrls:
    return KnownUrls(Scope.around([ROOT]))


def test_new_links_may_be_files_unless_they_are_named_like_pages(known: KnownUrls) -> None:
    elsewhere = Link("https://other.example/a.csv")
    wanted = [known.is_captioned(link) for link in (FILE, OPAQUE, PAGE, elsewhere)]
    assert wanted == [True, True, False, False]


def test_later_pages_say_more_only_about_files(known: KnownUrls) -> None:
    known.sift([FILE, OPAQUE])
    assert [known.is_captioned(link) for link in (FILE, OPAQUE)] == [True, False]


def test_nothing_is_wanted_of_what_was_asked_for(known: KnownUrls) -> None:
    known.sift([FILE])
    known.ask(FILE.url, "GET")
    assert not known.is_captioned(FILE)


def test_a_caption_that_says_all_is_the_last(known: KnownUrls) -> None:
    known.sift([FILE], None, {FILE.url: Caption(rank=WHOLE_CAPTION - 1)})
    assert known.is_captioned(FILE)
    known.sift([FILE], None, {FILE.url: Caption(rank=WHOLE_CAPTION)})
    assert not known.is_captioned(FILE)
    assert known.offered(FILE.url)
    known.ask(FILE.url, "GET")
    assert known.asked(FILE.url)


def test_what_is_refused_stays_refused(known: KnownUrls) -> None:
    elsewhere = Link("https://other.example/a.csv")
    known.sift([elsewhere], None, {elsewhere.url: Caption(rank=WHOLE_CAPTION)})
    assert known.sift([elsewhere]) == ((), ())
