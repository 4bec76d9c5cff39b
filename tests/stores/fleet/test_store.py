"""Leases: a site has one holder, and a former one finds itself fenced."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.exports.fleet_catalogue import fleet_finds
from lodehound.stores.errors import DamagedCrawlError
from lodehound.stores.fleet import FleetStore, Lease, LeaseLostError, NewSite, Progress
from tests.exports.crawls import CSV, add, begin
from tests.stores.repair.attacks import rows


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FleetStore]:
    with FleetStore.create(tmp_path, version="1") as store:
        store.enlist(NewSite(f"s{n}", f"https://s{n}.example/", "{}", n) for n in (1, 2, 3))
        store.begin_run(None)
        yield store


def states(store: FleetStore) -> list[str]:
    return [site.state for site in store.sites()]


def test_a_team_has_one_holder(store: FleetStore) -> None:
    for worker in ("one", "two"):
        store.join(worker, "here")
    assert store.claim("one", 2) == [Lease(1, "one", 2), Lease(2, "one", 2)]
    assert store.claim("two", 9) == [Lease(3, "two", 2)]
    assert store.claim("two", 9) == []
    assert states(store) == ["running"] * 3


def test_a_dismissed_worker_is_fenced(store: FleetStore) -> None:
    """It can neither go on nor say how its site ended nor claim anew; its sites wait again."""
    store.join("one", "here")
    [lease] = store.claim("one", 1)
    store.check(lease)
    store.dismiss("one")
    with pytest.raises(LeaseLostError):
        store.check(lease)
    with pytest.raises(LeaseLostError):
        store.end_site(lease, 1, "ended", "exhausted", "")
    assert not store.beat("one", {})
    assert store.claim("one", 1) == []
    assert states(store) == ["waiting"] * 3


def test_the_old_lease_is_none_even_for_the_same_worker(store: FleetStore) -> None:
    store.join("one", "here")
    [old] = store.claim("one", 1)
    store.release(old)
    store.begin_run(None)
    store.join("one", "here")
    [new] = store.claim("one", 1)
    assert new.epoch > old.epoch
    store.release(old)  # says nothing of the new one
    store.check(new)
    with pytest.raises(LeaseLostError):
        store.check(old)


def test_what_ended_is_not_claimed_again(store: FleetStore) -> None:
    store.join("one", "here")
    for lease in store.claim("one", 3):
        store.end_site(lease, lease.team, "ended", "exhausted", "")
        store.release(lease)
    assert store.claim("one", 3) == []
    store.begin_run(None)
    assert states(store) == ["ended"] * 3


def test_a_run_goes_on_with_what_was_stopped_or_failed(store: FleetStore) -> None:
    store.join("one", "here")
    first, second, _ = store.claim("one", 3)
    store.end_site(first, 1, "failed", "nothing reachable", "")
    store.end_site(second, 2, "ended", "requests", "")
    store.begin_run(None)
    assert states(store) == ["waiting"] * 3


def test_a_site_that_workers_die_over_is_left_alone(store: FleetStore) -> None:
    for number in range(3):
        assert states(store)[0] == "waiting"
        store.join(f"w{number}", "here")
        store.claim(f"w{number}", 3)
        store.dismiss(f"w{number}", culprit=1)
    assert states(store) == ["failed", "waiting", "waiting"]
    store.join("last", "here")
    assert [lease.team for lease in store.claim("last", 3)] == [2, 3]


def test_teams_are_shared_evenly(store: FleetStore) -> None:
    store.join("one", "here")
    assert store.share_of("one", 2) == 2
    store.claim("one", 2)
    assert (store.share_of("one", 2), store.share_of("one", 1)) == (0, 1)


def test_a_beat_tells_how_sites_stand(store: FleetStore) -> None:
    store.join("one", "here")
    store.claim("one", 3)
    assert store.beat("one", {2: Progress(10, 4, 999, 3, 7, 60.0, "waiting for s2.example")})
    assert store.beats() == {"one": 1}
    site = store.worst(1)[0]
    assert (site.name, site.requests, site.finds, site.obstacle) == (
        "s2", 10, 4, "waiting for s2.example",
    )  # fmt: skip


def test_an_update_is_a_further_round_of_sites_that_have_made_requests(store: FleetStore) -> None:
    store.join("one", "here")
    leases = store.claim("one", 3)
    store.beat("one", {1: Progress(10, 4, 999, 3, 7, 60.0, "")})
    for number in (1, 2):
        store.end_site(leases[number - 1], number, "ended", "requests", "")
    store.begin_update()
    standing = [(site.state, site.rounds, site.requests, site.finds) for site in store.sites()]
    assert standing == [("waiting", 2, 0, 0), ("waiting", 1, 0, 0), ("running", 1, 0, 0)]


def test_a_site_that_left_the_list_rests(store: FleetStore) -> None:
    store.enlist([NewSite("s3", "https://s3.example/", "{}", 1)])
    store.begin_run(None)
    store.join("one", "here")
    assert [site.name for lease in store.claim("one", 9) for site in store.sites_of(lease)] == [
        "s3"
    ]


def test_a_site_that_cannot_be_read_is_named(store: FleetStore) -> None:
    folder = store.crawl_folder("s2")
    folder.mkdir(parents=True)
    (folder / "crawl.sqlite").write_text("no database, however long it may be")
    notes: list[str] = []
    assert list(fleet_finds(store, warn=notes.append)) == []
    [note] = notes
    assert note == (
        f"The crawl in '{folder}' is damaged (file is not a database): "
        f"save all that is sound with 'lodehound repair {folder}'."
    )


def test_a_damaged_list_of_sites_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "fleet.sqlite").write_text("no database, however long it may be")
    with pytest.raises(SiteError) as caught, FleetStore(tmp_path, write=False) as store:
        store.sites()
    assert str(caught.value) == (
        f"The list of the fleet in '{tmp_path}' is damaged (file is not a database): move its "
        f"files fleet.sqlite* elsewhere, then run 'lodehound fleet SITES.txt --out {tmp_path}' "
        "again; its crawls go on."
    )


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE sites SET finds = 'many'", "table sites: finds is of the wrong type in 3 rows"),
        ("UPDATE sites SET team = 1.5", "table sites: team is of the wrong type in 3 rows"),
        ("UPDATE sites SET team = 9", "table sites: site 1 cannot be read"),
        ("UPDATE sites SET per_minute = 9e999", "per_minute is of the wrong type in 3 rows"),
        ("UPDATE sites SET requests = -1", "table sites: site 1 cannot be read"),
        ("UPDATE sites SET links = 1 << 60", "links is of the wrong type in 3 rows"),
        ("UPDATE sites SET name = '../' || name", "table sites: site 1 cannot be read"),
        ("UPDATE sites SET name = '.' || name", "table sites: site 1 cannot be read"),
        ("UPDATE sites SET reason = x'ff'", "table sites: site 1 cannot be read"),
        ("UPDATE sites SET state = 'lost'", "table sites: site 1 cannot be read"),
        ("UPDATE meta SET value = 'ten' WHERE key = 'requests'", "table meta: 'requests' cannot"),
        ("DROP TABLE teams", "no such table: teams"),
    ],
)
def test_a_damaged_list_is_named_before_anything_is_done(
    store: FleetStore, statement: str, problem: str
) -> None:
    db = sqlite3.connect(store.path)
    with db:
        db.execute(statement)
    db.close()
    with pytest.raises(SiteError) as caught:
        FleetStore(store.folder)
    assert f"The list of the fleet in '{store.folder}' is damaged (" in str(caught.value)
    assert problem in str(caught.value)
    assert "its crawls go on." in str(caught.value)


def test_an_error_that_a_damaged_site_causes_names_the_site(store: FleetStore) -> None:
    folder = store.crawl_folder("s2")
    with begin(folder) as directory:
        add(directory, "births.csv", CSV)
    rows(folder, "UPDATE inspections SET pages = 9e999")
    looking = FleetStore(store.folder, write=False)
    with pytest.raises(DamagedCrawlError, match=r"repair .*/sites/s2"), looking:
        raise ZeroDivisionError
