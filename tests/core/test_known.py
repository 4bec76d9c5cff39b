"""Which URLs are known: admitted, refused, asked for; and the APIs among them."""

from __future__ import annotations

from collections import Counter

import pytest

from lodehound.core.api_guard import MAX_EMPTY, MAX_FAILED, MAX_REPEATED, ApiGuard
from lodehound.core.errors import ConfigError
from lodehound.core.known import KnownUrls
from lodehound.core.left_out import LeftOut
from lodehound.core.link import Link
from lodehound.core.listing import (
    API,
    LISTED,
    Dataset,
    ListedFile,
    Listing,
    api_of,
    is_guess,
    is_probe,
    is_spare,
    listed_link,
    page_link,
    probe_link,
    promise_of,
    shortcut_of,
)
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import TOO_DEEP, Scope
from lodehound.core.target import judge_answer
from lodehound.targets.files import Files
from tests.helpers import ROOT, url


def link(at: str, *, depth: int = 1) -> Link:
    return Link(url(at), ROOT, depth=depth)


def around(**options: int) -> KnownUrls:
    """Return what is known of a crawl that began at the root."""
    known = KnownUrls(Scope.around([ROOT]), **options)
    known.admit([Link(ROOT)])
    return known


def places(links: tuple[Link, ...]) -> list[str]:
    return [one.url.removeprefix(ROOT) for one in links]


# --- admitting and refusing ----------------------------------------------------------------------


def test_a_start_is_admitted_once_and_waits() -> None:
    known = KnownUrls(Scope.around([ROOT]))
    assert known.admit([Link("HTTPS://S.example"), Link(ROOT)]) == (Link(ROOT, kind=""),)
    assert (len(known), known.waiting, known.offered(ROOT), known.asked(ROOT)) == (
        1,
        1,
        True,
        False,
    )
    with pytest.raises(ConfigError, match="is no web address"):
        known.admit([Link("x")])
    with pytest.raises(ConfigError, match="There is no start URL"):
        KnownUrls(Scope()).admit([])
    assert KnownUrls(Scope(part=(0, 2))).admit([]) == ()


def test_links_are_new_or_seen_again_or_refused() -> None:
    known = around()
    fresh, again = known.sift([link("a"), link("a"), link(""), link("p.jpg"), link("p.jpg")])
    assert (places(fresh), places(again)) == (["a"], ["a", ""])
    assert known.refused == Counter({"blocked extension": 1})
    assert (len(known), known.waiting) == (2, 2)
    assert not known.is_new(link("a"))
    assert not known.is_new(link("q.jpg"))
    assert known.is_new(link("b"))


def test_what_was_asked_for_waits_no_longer() -> None:
    known = around()
    known.sift([link("a")])
    assert known.ask(url("a"), "HEAD")
    assert (known.asked(url("a")), known.waiting) == (False, 2)
    assert not known.ask(url("a"), "HEAD")
    assert known.ask(url("a"), "GET")
    assert (known.asked(url("a")), known.waiting) == (True, 1)
    assert not known.ask(url("a"), "GET")
    known.ask(url("unseen"), "GET")  # of a redirect: nobody waited for it
    assert (known.offered(url("unseen")), known.waiting) == (True, 1)


def test_a_host_is_full_after_so_many_gets() -> None:
    known = around(per_host=2)
    assert known.has_limit
    assert not around().has_limit
    known.ask(ROOT, "GET")
    known.ask(url("a"), "HEAD")
    assert not known.host_is_full(url("b"))
    known.ask(url("a"), "GET")
    assert known.host_is_full(url("b"))
    assert not known.host_is_full("https://t.example/")
    assert not around().host_is_full(ROOT)


def test_so_many_hosts_and_no_more() -> None:
    known = KnownUrls(Scope.around([ROOT], web=True), max_hosts=2)
    known.admit([Link(ROOT)])
    urls = [ROOT + "a", "https://t.example/1", "https://u.example/", "https://t.example/2"]
    fresh, _ = known.sift([Link(one, ROOT) for one in urls])
    assert [one.url for one in fresh] == [urls[0], urls[1], urls[3]]
    assert known.refused == Counter({"too many hosts": 1})


def test_what_is_too_deep_may_come_nearer() -> None:
    known = KnownUrls(Scope(sites=("s.example",), max_depth=2))
    assert known.sift([link("a", depth=3)]) == ((), ())
    assert (known.left_out.deep, known.refused) == ({url("a")}, Counter())
    assert places(known.sift([link("a", depth=2)])[0]) == ["a"]
    assert known.left_out.deep == set()


def test_links_of_earlier_rounds_are_offered_if_they_are_in_scope() -> None:
    known = around()
    assert known.offer([link("a"), link("p.jpg"), link(""), link("a")]) == [True, False, True, True]
    assert known.waiting == 2
    assert not known.holds_spare


def test_pages_that_only_a_list_names_wait_for_all_others() -> None:
    known = around()
    request = page_link("sitemap", url("map.xml"), promise=0, source=ROOT, depth=1)
    spare = [Link(url(at), ROOT, "api/sitemap/spare", kind=LISTED) for at in ("x", "y", "z")]
    fresh, again = known.sift([*spare, spare[0], link("a")], request)
    assert (places(fresh), again, known.waiting) == (["a"], (), 2)
    assert known.is_spare(url("x"))
    assert places(known.sift([link("x")])[0]) == ["x"]  # a page shows it
    assert places(known.take_spare([])) == ["y", "z"]
    assert not known.is_spare(url("y"))
    assert known.take_spare([]) == ()


def test_spare_pages_of_sleeping_hosts_wait() -> None:
    known = around()
    request = page_link("sitemap", url("map.xml"), promise=0, source=ROOT, depth=1)
    known.sift([Link(url("x"), ROOT, "api/sitemap/spare", kind=LISTED)], request)
    assert known.take_spare(["s.example"]) == ()
    assert places(known.take_spare([])) == ["x"]


# --- requests to APIs ----------------------------------------------------------------------------


def probe(host: str = "s.example", number: int = 0) -> Link:
    return probe_link(
        "ckan", f"https://{host}/api/{number}", root=f"https://{host}/", source=ROOT, depth=1
    )


PAGE = page_link("ckan", url("api/page"), promise=5, source=ROOT, depth=1)
FILE = listed_link("ckan", url("a.csv"), source=ROOT, depth=2, format="CSV")


def test_probes_that_find_no_api_are_left_out_after_a_few() -> None:
    guard = ApiGuard()
    for number in range(MAX_FAILED):
        assert guard.refusal(probe(number=9)) == ""
        assert not guard.repeats(probe("www.s.example", number), [], [])
    assert guard.refusal(probe(number=9)) == "no API on this host so far"
    assert (
        guard.refusal(probe("t.example")) == guard.refusal(PAGE) == guard.refusal(link("a")) == ""
    )


def test_a_probe_that_lists_something_of_its_own_has_not_failed() -> None:
    guard = ApiGuard()
    for fresh, again in (([FILE], []), ([], [FILE]), ([PAGE], []), ([], [PAGE])):
        guard.repeats(probe(), fresh, again)
    assert guard.refusal(probe(number=9)) == ""
    for fresh in ([probe()], [link("a")], []):
        guard.repeats(probe(), fresh, [])
    assert guard.refusal(probe(number=9)) != ""


def test_an_api_that_lists_the_same_again_and_again_repeats_itself() -> None:
    guard = ApiGuard()
    for _ in range(MAX_REPEATED - 1):
        assert not guard.repeats(PAGE, [PAGE], [FILE])
    assert not guard.repeats(PAGE, [FILE], [FILE])  # news: it begins anew
    for _ in range(MAX_REPEATED - 1):
        assert not guard.repeats(PAGE, [], [FILE])
    assert guard.repeats(PAGE, [], [FILE])


def test_an_api_that_lists_nothing_but_requests_ends() -> None:
    guard = ApiGuard()
    for _ in range(MAX_EMPTY - 1):
        assert not guard.repeats(PAGE, [PAGE], [])
    assert guard.repeats(PAGE, [PAGE], [])


def test_further_requests_of_an_api_that_repeats_itself_are_refused() -> None:
    known = around()
    known.sift([FILE])
    for number in range(MAX_REPEATED):
        more = PAGE._replace(url=url(f"api/{number}"))
        fresh, again = known.sift([more, link(f"{number}"), FILE][::2], PAGE)
    assert (places(fresh), places(again)) == ([], ["a.csv"])
    assert known.refused == Counter({"the API repeats itself": 1})
    assert not known.is_new(more)


# --- links of APIs -------------------------------------------------------------------------------


def test_what_a_link_of_an_api_says() -> None:
    assert [shortcut_of(one) for one in (probe(), PAGE, FILE, link("a"))] == ["ckan"] * 3 + [""]
    assert [api_of(one) for one in (PAGE, FILE)] == ["s.example ckan", ""]
    assert [is_probe(one) for one in (probe(), PAGE, FILE)] == [True, False, False]
    assert [promise_of(one) for one in (PAGE, probe())] == [5, 0]
    assert promise_of(PAGE._replace(around="9" * 10)) == 0
    assert promise_of(PAGE._replace(around="9" * 9)) == 999_999_999
    assert [is_guess(one) for one in (probe(), FILE)] == [True, False]
    assert not is_guess(PAGE._replace(around=PAGE.url))
    assert is_spare(FILE._replace(tag_path="api/sitemap/spare"))
    assert not is_spare(FILE)


@pytest.mark.parametrize(
    ("format_", "path"),
    [
        ("CSV", "csv"),
        ("text/csv; charset=utf-8", "csv"),
        ("http://x/file-type/JSON", "json"),
        ("", "file"),
        (".xlsx", "xlsx"),
        ("x" * 30, "x" * 20),
    ],
)
def test_the_tag_path_of_a_listed_file_ends_with_its_format(format_: str, path: str) -> None:
    made = listed_link("ckan", url("a"), source=ROOT, depth=2, format=format_, title="t" * 300)
    assert (made.tag_path, made.kind, made.depth, made.anchor) == (
        f"api/ckan/{path}", LISTED, 2, "t" * 200,
    )  # fmt: skip


def test_the_finds_of_a_listing_are_its_datasets_and_loose_files() -> None:
    listing = Listing("ckan", (Dataset(files=(ListedFile("b"),)),), (ListedFile("a"),))
    assert listing.finds == 0
    assert Listing("ckan", listing.datasets, listing.files, is_wanted=True).finds == 2


# --- what is left out, and what is judged --------------------------------------------------------


def test_links_to_files_that_the_user_may_want_are_counted_by_host() -> None:
    left = LeftOut(("data", "*"))
    other = "https://t.example/"
    for at, reason in [
        (other + "a.csv", "other site"),
        (other + "b.csv", "other site"),
        (other + "page", "other site"),
        (ROOT + "data/c.csv", "not included"),
        (ROOT + "d.csv", "excluded"),
    ]:
        left.note(Link(at, ROOT), reason)
    left.note(Link(other + "api", ROOT, kind=LISTED), "host not allowed")
    left.deep = {url("deep.csv"), url("page")}
    assert left.all_files() == {
        "other site": {"t.example": 2},
        "not included": {"s.example": 1},
        "host not allowed": {"t.example": 1},
        TOO_DEEP: {"s.example": 1},
    }
    assert left.examples == {"t.example": other + "a.csv", "s.example": ROOT + "data/c.csv"}
    assert left.near == {"data": 1}


@pytest.mark.parametrize(
    ("listing", "followed", "mime", "found"),
    [
        (None, link("a"), "text/csv", True),
        (Listing("ckan"), link("a"), "text/csv", False),
        (Listing("ckan", own=True), link("a"), "text/csv", True),
        (None, probe(), "text/csv", False),
        (None, PAGE._replace(around=PAGE.url), "text/csv", True),
    ],
)
def test_what_an_api_answers_is_no_find(
    listing: Listing | None, followed: Link, mime: str, found: bool
) -> None:
    page = Page(url("a"), "GET", 200, mime, listing=listing)
    verdict = judge_answer(Files(), page, followed)
    assert verdict.found == found
    assert found or verdict == NOT_FOUND
    assert isinstance(verdict, Verdict)
    assert API != LISTED
