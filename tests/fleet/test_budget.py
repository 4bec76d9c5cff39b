"""The shared budget of a fleet: never exceeded, and no site keeps others from spending it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.fleet_figures import settle
from lodehound.assembly.fleet_setup import make_list, open_fleet
from lodehound.drivers.fleet.budget import FleetBudget
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.stores.fleet import FleetStore, NewSite, Progress
from tests.exports.crawls import CSV, add, begin
from tests.fleet import listed
from tests.fleet.web import small_web


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FleetStore]:
    with FleetStore.create(tmp_path, version="1") as store:
        store.enlist(NewSite(f"s{n}", f"https://s{n}.example/", "{}", n) for n in (1, 2))
        store.begin_run(100)
        yield store


def at(requests: int) -> Progress:
    return Progress(requests, requests, 0, 0, 9, 0.0, "")


def granted(store: FleetStore) -> list[int | None]:
    return [one.granted for one in store.standings()]


def test_what_was_granted_to_a_killed_worker_is_counted_once(store: FleetStore) -> None:
    """Its site goes on with the same grant; one that is given up has perhaps used all of it."""
    budget = FleetBudget(store, 100)
    budget.look()
    assert granted(store) == [20, 20]
    for number in (1, 2, 3):
        store.join(f"w{number}", "here")
        assert [lease.team for lease in store.claim(f"w{number}", 9)] == [1, 2]
        store.beat(f"w{number}", {1: at(4 * number)})
        budget.look()
        assert granted(store) == [20, 20]
        store.dismiss(f"w{number}", culprit=1)
    store.join("last", "here")
    store.claim("last", 9)
    for used in range(20, 101, 5):
        store.beat("last", {2: at(used)})
        budget.look()
    assert granted(store) == [20, 80]


def test_a_site_without_a_grant_is_not_taken_until_all_is_spent(store: FleetStore) -> None:
    store.join("one", "here")
    assert store.claim("one", 9) == []
    store.grant({2: 5})
    assert [lease.team for lease in store.claim("one", 9)] == [2]
    store.keep("spent", "1")
    assert [lease.team for lease in store.claim("one", 9)] == [1]


def test_what_a_killed_worker_has_not_told_is_read_from_the_journal(store: FleetStore) -> None:
    with begin(store.crawl_folder("s1")) as directory:
        for name in ("a.csv", "b.csv", "c.csv"):
            add(directory, name, CSV)
        made = directory.round_summary()
    store.grant({1: 9, 2: 9})
    store.join("one", "here")
    store.claim("one", 9)
    store.beat("one", {1: at(1), 2: at(2)})
    settle(store, None)
    assert [(one.requests, one.finds) for one in store.standings()] == [
        (made.requests, made.finds), (2, 2),
    ]  # fmt: skip
    assert made.requests >= 3


@pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")
def test_sites_that_have_used_their_grants_make_room_for_others(tmp_path: Path) -> None:
    """Two sites at a time, of six: all get their share of the budget, which is spent."""
    with small_web(sites=6, pages=200) as web, open_fleet(tmp_path / "out") as store:
        given = {"delay": 0.0, "inspect": False, "policy": "bfs"}
        made = make_list(listed(tmp_path, web.urls), given, names={})
        store.enlist(made.sites)
        store.begin_run(300)
        budget = FleetBudget(store, 300)

        async def run() -> None:
            running = asyncio.create_task(
                SiteHost(store.folder, HostOptions(sites=2, beat=0.2), {}).run()
            )
            while not running.done():
                await asyncio.sleep(budget.look())
            await running

        asyncio.run(run())
        assert len(web.asked()) == 300
        assert min(len(web.asked(web.host(site))) for site in range(6)) >= 20
        assert {(one.state, one.reason) for one in store.sites()} == {("ended", "requests")}
