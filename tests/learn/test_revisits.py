"""What revisits are worth, on pasts small enough to count by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.core.history import KnownUrl, PastVisit
from lodehound.core.link import Link
from lodehound.learn.news import FIND, OTHER, PAGE
from lodehound.learn.revisits import (
    ALIAS,
    PAGE_CHANGED,
    PAGE_SAME,
    STEM_CHANGED,
    STEM_NEWS,
    STEM_SAME,
    TWIN_CHANGED,
    TWIN_NEWS,
    TWIN_SAME,
    UNSEEN,
    Revisits,
    class_of,
    numbered,
    worth,
)

ROOT = "https://s.example/"


def known(
    at: str,
    *visits: PastVisit,
    status: int = 200,
    mime: str = "text/html",
    links: tuple[str, ...] = (),
    depth: int = 1,
    start: float = 0.0,
) -> KnownUrl:
    """A URL that was new at first, and visited again as told."""
    link = Link(at if "://" in at else ROOT + at, ROOT, depth=depth)
    seen = [PastVisit(start, "new"), *visits]
    found = mime == "text/csv"
    shown = tuple(ROOT + one for one in links)
    return KnownUrl(link, status, mime, found, "1", links=shown, visits=seen)


def same(*times: float) -> list[PastVisit]:
    return [PastVisit(time, "same") for time in times]


def changed(time: float, finds: int = 0, links: int = 0, *, claimed: bool = False) -> PastVisit:
    return PastVisit(time, "changed", links, finds, claimed)


# --- small parts ---------------------------------------------------------------------------------


def test_texts_are_numbered_as_they_come() -> None:
    assert numbered(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]


def test_the_second_find_is_worth_less_than_the_first() -> None:
    assert [worth(finds) for finds in (0, 1, 3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("status", "mime", "links", "is_"),
    [
        (200, "text/csv", (), FIND),
        (404, "text/csv", (), OTHER),
        (200, "text/html", (), PAGE),
        (404, "text/html", ("a",), OTHER),
        (200, "application/json", ("a",), PAGE),
        (200, "application/json", (), OTHER),
    ],
)
def test_what_a_known_url_is(status: int, mime: str, links: tuple[str, ...], is_: int) -> None:
    assert class_of(known("x", status=status, mime=mime, links=links)) == is_


# --- the layout of the past ----------------------------------------------------------------------


def test_a_page_shows_finds_and_lost_urls_each_once_and_no_pages() -> None:
    links = ("a.csv", "q", "lost", "nobody", "a.csv")
    urls = [known("q"), known("a.csv", mime="text/csv"), known("p", links=links)]
    one = Revisits([*urls, known("lost", status=404), known("z", links=("lost",))], 1.0)
    shown = [sorted(one.shown_on(number)) for number in range(5)]
    assert shown == [[], [], [1, 3], [], [3]]
    assert one.files.tolist() == [0, 0, 1, 0, 0]
    assert one.hub.tolist() == [0, 0, 1, 0, 0]


def test_visits_are_rows_but_for_the_first_and_those_that_failed() -> None:
    visits = [changed(2.0, finds=3), PastVisit(3.0, "failed"), PastVisit(5.0, "same", 0, 0)]
    one = Revisits([known("p", *visits), known("q")], 6.0)
    assert one.at.tolist() == [0, 0]
    assert one.when.tolist() == [2.0, 5.0]
    assert one.gap.tolist() == [2.0, 3.0]
    assert one.news.tolist() == [2.0, 0.0]
    assert (one.changed.tolist(), one.fresh.tolist()) == ([True, False], [True, False])
    assert one.wait.tolist() == [1.0, 6.0]
    assert one.usual == 2.0  # the median of 2, 3 and 1


def test_a_new_link_counts_for_a_tenth_of_a_find() -> None:
    one = Revisits([known("p", changed(1.0, links=10)), known("q", changed(1.0))], 2.0)
    assert one.news.tolist() == [1.0, 0.0]
    assert one.fresh.tolist() == [True, False]


def test_a_url_is_lost_until_it_comes_back() -> None:
    visits = [PastVisit(1, "gone"), PastVisit(2, "same"), PastVisit(3, "changed"), *same(4)]
    one = Revisits([known("p", *visits)], 5.0)
    assert one.lost.tolist() == [False, True, True, False]


def test_without_a_past_the_usual_time_is_a_day_and_a_clock_may_run_backwards() -> None:
    assert Revisits([known("p", start=3.0)], 3.0).usual == 1.0
    assert Revisits([known("p", start=3.0)], 2.0).wait.tolist() == [0.0]


def test_sitemaps_are_trusted_as_often_as_they_were_right() -> None:
    """Three of four before any claim; of these two, one was right."""
    visits = [changed(1.0, 1, claimed=True), PastVisit(2.0, "same", claimed=True), changed(3.0)]
    one = Revisits([known("p", *visits)], 4.0)
    assert one.trust == pytest.approx((3 + 1) / (4 + 2))
    assert one.gain.tolist() == pytest.approx([(1 + 0.3) / 3, 1.0, 0.3])


def test_places_in_a_series_and_depths() -> None:
    """The newest, the next two, all others; what stands alone is in no series."""
    urls = [
        known(f"d/{year}.csv", mime="text/csv", depth=year - 2018) for year in range(2020, 2025)
    ]
    one = Revisits([*urls, known("e/1.csv", mime="text/csv"), known("plain")], 1.0)
    assert one.rank.tolist() == [2, 2, 1, 1, 0, 3, 3]
    assert one.depth.tolist() == [2, 3, 4, 4, 4, 1, 1]


# --- what is expected ----------------------------------------------------------------------------


def test_before_any_revisit_a_url_is_expected_to_bring_what_its_class_does() -> None:
    """By the first factors: of hubs 1/2, and of what had no news and waited as usual 4 and 1."""
    one = Revisits(
        [known("p"), known("x", mime="text/plain"), known("a.csv", mime="text/csv")], 1.0
    )
    expected = [0.05 * 2, 0.01 * 2, -math.expm1(-0.02 * 2)]
    assert one.expected() == pytest.approx(expected)


def test_news_of_its_own_and_of_its_kind_are_expected_again() -> None:
    past = [changed(float(day), finds=1) for day in range(1, 6)]
    urls = [known("a/1", *past), known("a/2", *same(1, 2, 3, 4, 5)), known("b/1", *same(1, 5))]
    own, sister, stranger = Revisits(urls, 6.0).expected()
    assert own > 2 * sister > 2 * stranger > 0


def test_the_own_past_fades() -> None:
    """Each further visit leaves four fifths of the news and the days before it."""
    one = Revisits([known("p", changed(1.0, 1), *same(2.0))], 3.0)
    assert one.own_news.tolist() == pytest.approx([0.8])
    assert one.own_days.tolist() == pytest.approx([0.8 + 1])
    assert (one.quiet.tolist(), one.had_news.tolist()) == ([1], [1])
    assert one.reason(0, UNSEEN) == "news 0.8 in 2 revisits"
    assert one.reason(0, PAGE_SAME) == "its page is the same"


def test_what_the_relatives_showed_in_the_past() -> None:
    """What comes last counts: twins before other forms, these before the page."""
    urls = [
        known("https://s.example/a.csv", mime="text/csv"),  # of a page that changed
        known("https://s.example/b.csv", mime="text/csv"),  # has a twin that changed
        known("http://www.s.example/b.csv", mime="text/csv"),
        known("https://s.example/en/c", mime="text/html"),  # its other form had news
        known("https://s.example/de/c", mime="text/html"),
        known("https://s.example/d.csv", mime="text/csv"),  # of a page that is the same
        known("p", links=("a.csv",)),
        known("q", links=("d.csv",)),
    ]
    one = Revisits(urls, 1.0)
    every = np.arange(8)
    changes = np.array([False, False, True, False, True, False, True, False])
    fresh = np.array([False, False, False, False, True, False, False, False])
    states = one._past_states(every, fresh, changes).tolist()
    assert states == [
        PAGE_CHANGED, TWIN_CHANGED, TWIN_SAME, STEM_NEWS, STEM_SAME, PAGE_SAME, UNSEEN, UNSEEN,
    ]  # fmt: skip
    twins = one._past_states(np.array([1, 2]), np.array([False, True]), np.array([False, True]))
    assert twins.tolist() == [TWIN_NEWS, TWIN_SAME]
    forms = one._past_states(np.array([3, 4]), np.array([False, False]), np.array([True, False]))
    assert forms.tolist() == [STEM_SAME, STEM_CHANGED]


@pytest.mark.parametrize(
    ("state", "expected"),
    [(ALIAS, 0.02), (TWIN_SAME, 0.02), (STEM_SAME, 0.1), (PAGE_SAME, 0.14), (TWIN_NEWS, 0.5),
     (TWIN_CHANGED, 0.3), (STEM_NEWS, 0.3), (PAGE_CHANGED, 0.2)],
)  # fmt: skip
def test_what_relatives_show_raises_or_lowers_what_is_expected(state: int, expected: float) -> None:
    """News by the mean of what followed, never below what is expected alone; else by a factor."""
    one = Revisits([known("p")], 1.0)
    assert one.after(0, state, 0.2) == pytest.approx(expected)


def test_what_followed_in_the_past_counts_for_the_kind() -> None:
    """Two visits after a twin's change brought a find each: with four at 0.3 for all it is more."""
    twins = [known(at, *(changed(float(day), 1) for day in (1, 2))) for at in
             ("https://s.example/b", "http://www.s.example/b")]  # fmt: skip
    one = Revisits(twins, 3.0)
    of_class = (2 * 0.5 + 4) / (2 + 4)
    assert one.after(0, TWIN_NEWS, 0.0) == pytest.approx((4 + 2 * of_class) / (4 + 2))


def test_what_waits_longest_is_not_forgotten() -> None:
    """Two rounds and more; the best last, at a steady rate."""
    urls = [
        known("a", *same(1, 2, 3)),
        known("b", *same(1)),
        known("c", changed(1.0, 3)),
        known("d", *same(1, 2, 3)),
    ]
    assert Revisits(urls, 4.0).waiting_long() == [1, 2]
