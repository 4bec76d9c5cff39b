"""Crawls with shortcuts: APIs are asked at once when they pay, and cost little when they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lodehound.core.known import REPEATS
from lodehound.sites.portals import CkanPortal, not_found
from lodehound.stores.records import Record
from tests.shortcuts.crawling import ROOT, Harvest, harvest

SEARCH = ROOT + "api/3/action/package_search"


def api_requests(done: Harvest) -> list[str]:
    return [url for url in done.urls if "/api/" in url]


def test_an_api_names_all_files_in_a_few_requests() -> None:
    done = harvest(CkanPortal(2500).get, requests=14)

    assert [step.new_links for step in done.steps[1:4]] == [1001, 1001, 500]
    assert [step.found for step in done.steps] == 4 * [False] + 10 * [True]


def test_without_shortcuts_no_api_is_asked() -> None:
    done = harvest(CkanPortal(20).get, requests=60, shortcuts="off")

    assert api_requests(done) == []


def test_an_api_that_is_not_there_costs_one_request_for_each_probe() -> None:
    portal = CkanPortal(20, api="absent")

    assert len(api_requests(harvest(portal.get, requests=60))) == 1


def test_the_same_file_by_api_and_by_page_is_one_find() -> None:
    done = harvest(CkanPortal(20).get, requests=60)

    assert len(done.finds) == len(set(done.finds)) == 20


@pytest.mark.parametrize("policy", ["bfs", "random", "sb-classifier", "lodehound", "sarsa"])
def test_every_policy_takes_shortcuts(policy: str) -> None:
    done = harvest(CkanPortal(60).get, requests=10, policy=policy)

    assert done.urls[1].startswith(SEARCH)


def changed(portal: CkanPortal, change: Callable[[str, Record], Record]) -> Callable[[str], Record]:
    """Return a portal whose API answers otherwise."""
    return lambda url: change(url, portal.get(url)) if "/api/" in url else portal.get(url)


def test_an_api_that_pages_for_ever_is_left() -> None:
    """It claims a thousand million datasets, and sends the first twenty again and again."""
    first = CkanPortal(20).get("/api/3/action/package_search?rows=20").body
    endless = first.replace(b'"count": 20', b'"count": 1000000000')
    portal = changed(
        CkanPortal(20), lambda url, _: Record(url, 200, "application/json", endless, len(endless))
    )
    done = harvest(portal, requests=40)

    assert len(api_requests(done)) == 4  # one with news, and three without
    assert done.crawl.refused[REPEATS] == 1


def test_a_page_in_place_of_an_answer_is_read_as_a_page() -> None:
    portal = changed(CkanPortal(20), lambda url, _: CkanPortal(20).get("/datasets"))
    done = harvest(portal, requests=30)

    assert len(api_requests(done)) == 1
    assert done.steps[1].new_links == 71  # ten datasets, the next page, and 60 facets


def test_a_shortcut_that_is_named_is_tried_without_signs() -> None:
    def silent(url: str) -> Record:
        return CkanPortal(20).get(url) if "/api/" in url or ".csv" in url else not_found(url)

    def get(url: str) -> Record:
        return silent(url) if url != ROOT else Record(url, 200, "text/html", b"<p>Data")

    assert harvest(get).finds == []
    assert len(harvest(get, shortcuts="ckan").finds) == 20


def test_only_metadata_means_that_no_file_is_requested() -> None:
    done = harvest(CkanPortal(1200).get, metadata_only=True)

    assert len(done.urls) == 3
    assert (done.crawl.stopped, done.crawl.finds) == ("exhausted", 0)


def test_an_answer_of_an_api_is_no_find() -> None:
    done = harvest(CkanPortal(5).get, requests=20, want="files:json")

    assert done.finds == []
