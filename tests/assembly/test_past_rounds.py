"""What earlier rounds know is read from the journal, the same before a round and in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import make_crawl, make_scope
from lodehound.assembly.past_rounds import days, history_before, resume_round, round_of
from lodehound.core.history import History
from lodehound.core.link import Link
from lodehound.core.listing import LISTED
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.targets.files import Files
from tests.assembly.crawls import CSV, ROOT, SITE, begun, config_of, go_on

NEW_SITE: dict[str, list[str] | bytes] = {**SITE, "list": ["a.csv", "b.csv", "c.csv"], "c.csv": CSV}


def two_rounds(folder: Path, requests: int = 100, **options: Any) -> CrawlDir:
    """Crawl the site, begin a round, and make some of its requests on the changed site."""
    with begun(folder, **options) as directory:
        go_on(make_crawl(config_of(**options)), directory)
        directory.begin_round()
        go_on(resume_round(config_of(**options), directory), directory, requests, NEW_SITE)
    return CrawlDir.open(folder)


def past_of(directory: CrawlDir, number: int = 2, **options: Any) -> History:
    config = config_of(**options)
    of = next(one for one in directory.facts.rounds() if one.number == number)
    return history_before(of, config, directory, make_scope(config, Files()))


def test_a_moment_in_days() -> None:
    assert days("1970-01-02T12:00:00+00:00") == 1.5
    assert days("long ago") == 0.0


def test_the_round_that_made_a_request(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c", 2) as directory:
        first = directory.facts.rounds()[1].first
        assert round_of(directory).number == 2
        assert round_of(directory, first).number == 2
        assert round_of(directory, first - 1).number == 1
        assert round_of(directory, 0).number == 1


def test_every_url_is_known_with_what_its_last_visit_brought(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c", 0) as directory:
        past = past_of(directory)
        began = directory.facts.rounds()[0].began_at
    by_place = {one.link.url.removeprefix(ROOT): one for one in past}
    assert by_place.keys() == {"", "list", "gone", "a.csv", "b.csv"}  # not what is out of scope
    assert (by_place[""].link.kind, by_place["list"].link.kind) == ("", "a")
    assert by_place["list"].links == (ROOT + "a.csv", ROOT + "b.csv", ROOT)
    assert [by_place[at].status for at in ("", "gone", "a.csv")] == [200, 404, 200]
    assert [by_place[at].found for at in ("list", "a.csv")] == [False, True]
    assert by_place["a.csv"].digest != by_place["b.csv"].digest
    [visit] = by_place["list"].visits
    assert (visit.time, visit.links, visit.finds) == (days(began), 2, 2)
    assert past.requests == 5


def test_a_history_is_at_the_beginning_of_its_round(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c", 0) as directory:
        past = past_of(directory)
        assert past.time == days(directory.facts.rounds()[1].began_at)
        assert past_of(directory, 1).requests == 0
        assert [one.link.url for one in past_of(directory, 1)] == []


def test_the_past_of_a_third_round_has_two_visits(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c") as directory:
        directory.begin_round()
        past = past_of(directory, 3)
        second = directory.facts.rounds()[1]
    visits = {one.link.url.removeprefix(ROOT): one.visits for one in past}
    assert [one.change for one in visits["list"]] == ["new", "changed"]
    assert [one.change for one in visits["a.csv"]] == ["new", "same"]
    assert [(one.change, one.time) for one in visits["c.csv"]] == [
        ("new", days(second.began_at))
    ]  # fmt: skip
    assert past.requests > second.first


def test_what_was_offered_is_known_if_the_scope_lets_it_in(tmp_path: Path) -> None:
    """A URL that was offered and never asked for waits for the next round."""
    with begun(tmp_path / "c") as directory:
        links = tuple(Link(ROOT + at, ROOT + "map.xml", kind="sitemap") for at in ("x", "y.jpg"))
        directory.journal.offered(ROOT + "map.xml", links)
        go_on(make_crawl(config_of()), directory, 1)
        directory.begin_round()
        past = past_of(directory)
    known = past.get(ROOT + "x")
    assert known is not None
    assert (known.visits, known.link.source, known.link.kind) == ([], ROOT + "map.xml", "sitemap")
    assert past.get(ROOT + "y.jpg") is None


@pytest.mark.parametrize(("day", "claimed"), [("2000-01-01", False), ("2999-01-01", True)])
def test_dates_of_a_listing_are_kept_with_the_visits(
    tmp_path: Path, day: str, claimed: bool
) -> None:
    """A sitemap says in the second round that a page has changed since the first."""
    listed = Link(ROOT + "list", ROOT, "sitemap/loc", around=day, kind=LISTED, depth=1)
    with begun(tmp_path / "c") as directory:
        go_on(make_crawl(config_of()), directory)
        directory.begin_round()
        crawl = resume_round(config_of(), directory)
        read = crawl._read
        crawl._read = lambda answer, link: replace(read(answer, link), links=(listed,))
        assert go_on(crawl, directory) == ["", "list"]
        directory.begin_round()
        known = past_of(directory, 3).get(ROOT + "list")
    assert known is not None
    assert [one.claimed for one in known.visits] == [False, claimed]


def test_a_limit_of_hosts_holds_for_the_past(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c", 0) as directory:
        assert len(past_of(directory)) == 5
        assert len(past_of(directory, scope="web")) == 6
        assert len(past_of(directory, scope="web", max_hosts=1)) == 5


def test_depth_may_let_in_what_another_page_shows_nearer(tmp_path: Path) -> None:
    site: dict[str, list[str] | bytes] = {"": ["b", "a"], "a": ["c"], "c": ["z"], "b": ["z"]}
    options = {"max_depth": 2, "policy": "dfs"}
    with begun(tmp_path / "c", **options) as directory:
        assert go_on(make_crawl(config_of(**options)), directory, 4, site) == ["", "a", "c", "b"]
        directory.begin_round()
        assert past_of(directory, max_depth=2).get(ROOT + "z") is not None
        assert past_of(directory, max_depth=1).get(ROOT + "z") is None


def test_a_round_goes_on_after_its_own_events_only(tmp_path: Path) -> None:
    with two_rounds(tmp_path / "c", 2) as directory:
        crawl = resume_round(config_of(), directory)
        whole = directory.journal.last_ask()
        assert crawl.requests == 2
        first = resume_round(config_of(), directory, until=3)
        assert first.requests == 2
        assert go_on(crawl, directory, 1, NEW_SITE) != []
        assert directory.journal.last_ask() == whole + 1


def test_a_target_given_judges_in_place_of_the_crawls_own(tmp_path: Path) -> None:
    target = Files()
    with two_rounds(tmp_path / "c", 1) as directory:
        assert resume_round(config_of(), directory, target=target).target is target
