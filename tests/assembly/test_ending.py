"""How a crawl ended: reasons, codes and notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from unittest import mock

import pytest

from lodehound.assembly.ending import (
    Ending,
    Exit,
    Tally,
    cap_notes,
    catalogue_notes,
    ending_of,
)
from lodehound.core.link import Link
from lodehound.core.listing import API, LISTED, Dataset, ListedFile, Listing, page_link
from lodehound.core.messages import Answer, Ask, Page, Stop
from lodehound.stores.crawl_dir import CrawlDir
from tests.assembly.crawls import ROOT, config_of


def directory(reached: int = 1, answering: Collection[str] = ()) -> CrawlDir:
    """A crawl that knows how many answers there were, and which hosts gave some."""
    made = mock.MagicMock()
    made.round_summary.return_value.reached = reached
    made.journal.answering_hosts.return_value = set(answering)
    return made


def ended(stop: Stop | None, *, stopped: bool = False, **known: Any) -> Ending:
    return ending_of(stop, Tally(), directory(**known), stopped=stopped)


# --- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "detail", "sentence"),
    [
        ("exhausted", "", "every link was followed"),
        ("early-stop", "no find in 9", "finds had become rare: no find in 9"),
        ("disk full", "", "disk full"),
    ],
)
def test_an_end_in_words(reason: str, detail: str, sentence: str) -> None:
    assert Ending(Exit.FINISHED, reason, detail).sentence == sentence


def test_a_crawl_ends_for_the_reason_it_gives() -> None:
    assert ended(Stop("requests", "9 of 9")) == Ending(Exit.FINISHED, "requests", "9 of 9")
    assert ended(None) == Ending(Exit.FINISHED, "exhausted")


def test_a_user_stops_it_unless_it_had_ended_by_then() -> None:
    kept = "what was in flight is kept"
    assert ended(None, stopped=True) == Ending(Exit.STOPPED, "user", kept)
    assert ended(Stop("finds"), stopped=True) == Ending(Exit.FINISHED, "finds")


def test_a_crawl_without_an_answer_has_reached_nothing() -> None:
    """However it stopped. A robots.txt costs nothing, and is counted beside."""
    assert ended(Stop("requests"), reached=0).code == Exit.NOTHING_REACHABLE
    tally = Tally(side_requests=2)
    end = ending_of(Stop("exhausted"), tally, directory(0), stopped=False)
    assert end.reason == "nothing reachable"
    assert end.detail == "no start URL answered"
    assert end.notes == (("not counted", "2 requests for robots.txt"),)


def test_what_stood_in_the_way_is_named_once_without_redirects() -> None:
    tally = Tally(details=["timeout", "timeout"])
    tally.statuses.update([404, 301, 0, 404])
    end = ending_of(None, tally, directory(0), stopped=False)
    assert end.detail == "timeout; status 404"


@pytest.mark.parametrize(
    ("reason", "silent", "code"),
    [
        ("unreachable", {"a.example"}, Exit.UNREACHABLE),
        ("unreachable", {"dead.example"}, Exit.FINISHED),
        ("exhausted", {"a.example"}, Exit.FINISHED),
    ],
)
def test_a_host_that_fell_silent_is_a_failure_and_a_dead_one_is_not(
    reason: Any, silent: set[str], code: Exit
) -> None:
    tally = Tally()
    for host in silent:
        tally.set_aside(host, "timeout")
    end = ending_of(Stop(reason), tally, directory(answering={"a.example"}), stopped=False)
    assert end.code == code


# --- what a session counts -----------------------------------------------------------------------


def answer(status: int = 200, **more: Any) -> Answer:
    return Answer(Ask(1, ROOT + "x"), status, **more)


def count(tally: Tally, status: int, **more: Any) -> None:
    """Count an answer that lists nothing."""
    tally.count(Link(ROOT + "x"), answer(status, **more), Page(ROOT + "x", "GET", status, ""))


def test_statuses_and_errors_of_requests_that_were_made() -> None:
    tally = Tally()
    count(tally, 200)
    count(tally, 0, error="timeout: 3 s")
    count(tally, 0, error="robots.txt: disallowed", sent=False)
    count(tally, 301, location="/y" * 300)
    assert tally.statuses == {200: 1, 0: 1, 301: 1}
    assert tally.details == ["timeout: 3 s", f"status 301 to {('/y' * 300)[:200]}"]


def test_the_first_five_errors_are_kept() -> None:
    tally = Tally()
    for number in range(7):
        tally.note(f"error {number}")
    assert tally.details == [f"error {number}" for number in range(5)]


def test_hosts_that_are_silent_the_worst_first_and_why() -> None:
    tally = Tally()
    for host, detail in [("a", "refused"), ("b", ""), ("b", "slow"), ("c", ""), ("b", "late")]:
        tally.set_aside(host, "timeout", detail)
    assert tally.unsent == {"timeout": 5}
    assert tally.silent_hosts == "b (timeout: slow), a (timeout: refused), c"
    assert tally.details == [
        "timeout: refused", "timeout", "timeout: slow", "timeout", "timeout: late"
    ]  # fmt: skip
    tally.set_aside("d", "timeout")
    assert tally.silent_hosts.endswith(", c and 1 more host")


def test_what_apis_list_is_counted_by_shortcut() -> None:
    tally = Tally()
    links = (Link(ROOT + "a.csv", kind=LISTED), Link(ROOT + "next", kind=API))
    page = Page(ROOT, "GET", 200, "application/json", links=links, listing=Listing("ckan"))
    tally.count(links[1], answer(), page)
    assert (tally.listed, tally.api_answers, tally.locked) == ({"ckan": 1}, {"ckan": 1}, {})

    dataset = Dataset(files=(ListedFile(ROOT + "b"), ListedFile(ROOT + "c")))
    listing = Listing("ckan", (dataset,), (ListedFile(ROOT + "d"),), is_wanted=True)
    tally.count(links[1], answer(), Page(ROOT, "GET", 200, "", links=links, listing=listing))
    assert (tally.listed, tally.api_answers) == ({"ckan": 4}, {"ckan": 2})
    end = ending_of(None, tally, directory(), stopped=False)
    assert end.notes == (("ckan", "4 URLs listed in 2 answers"),)


@pytest.mark.parametrize(
    ("kind", "status", "locked"),
    [(API, 401, True), (API, 403, True), (API, 404, False), ("a", 401, False)],
)
def test_an_api_that_wants_a_key_says_how_to_give_it(kind: str, status: int, locked: bool) -> None:
    tally = Tally()
    link = page_link("ckan", ROOT, promise=0, source=ROOT, depth=1)._replace(kind=kind)
    tally.count(link, answer(status), Page(ROOT, "GET", status, ""))
    notes = ending_of(None, tally, directory(), stopped=False).notes
    advice = f"{ROOT}x needs a key: give it with --header 'Authorization: KEY'"
    assert notes == ((("ckan", advice),) if locked else ())


# --- notes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dropped", "refused", "words"),
    [
        (0, {}, []),
        (0, {"other site": 3}, []),
        (1, {}, ["--per-host 5 left out 1 link"]),
        (0, {"too many hosts": 2}, ["--max-hosts 7 left out 2 links"]),
    ],
)
def test_limits_on_hosts_are_named(
    dropped: int, refused: Mapping[str, int], words: list[str]
) -> None:
    config = config_of(per_host=5, max_hosts=7)
    notes = cap_notes(config, dropped=dropped, refused=refused)
    assert notes == tuple(("cap", one) for one in words)


@pytest.mark.parametrize(
    ("only", "found", "noted"), [(True, False, 1), (True, True, 0), (False, False, 0)]
)
def test_a_catalogue_without_an_api_is_empty(only: bool, found: bool, noted: int) -> None:
    there = directory()
    there.finds.has_listings.return_value = found  # type: ignore[attr-defined]
    assert len(catalogue_notes(config_of(metadata_only=only), there)) == noted
