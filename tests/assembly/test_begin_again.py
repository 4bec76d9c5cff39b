"""A crawl of which nothing is sound is set aside, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.assembly.begin_again import begin_again, fleet_of
from lodehound.assembly.fleet_setup import open_fleet
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.fleet import FleetStore, NewSite
from lodehound.stores.locks.lock import Lock
from tests.assembly.crawls import begun


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A fleet whose one site has begun."""
    with open_fleet(tmp_path / "fleet") as store:
        store.enlist([NewSite("a.example", "https://a.example/", "{}", 1)])
        with begun(store.crawl_folder("a.example")):
            pass
    return tmp_path / "fleet"


def test_a_crawl_belongs_to_the_fleet_above_it(fleet: Path, tmp_path: Path) -> None:
    assert fleet_of(fleet / "sites" / "a.example") == fleet
    assert fleet_of(fleet / "other" / "a.example") is None
    assert fleet_of(tmp_path / "sites" / "a.example") is None


def test_all_of_a_crawl_is_moved_beside_it(tmp_path: Path) -> None:
    with begun(tmp_path / "c"):
        pass
    (tmp_path / "c" / "notes.txt").write_text("mine")
    place, command = begin_again(tmp_path / "c")
    assert place.parent == tmp_path
    assert place.name.startswith("damaged-c-")
    assert (place / "notes.txt").read_text() == "mine"
    assert not (tmp_path / "c").exists()
    assert command == f"lodehound crawl URL --out {tmp_path / 'c'}"


def test_a_site_of_a_fleet_waits_for_its_turn_again(fleet: Path) -> None:
    folder = fleet / "sites" / "a.example"
    with FleetStore(fleet) as store:
        store._db.execute("UPDATE sites SET state = 'failed', requests = 9")
    place, command = begin_again(folder)
    assert (place.parent, folder.exists()) == (fleet, False)
    assert command == f"lodehound fleet resume {fleet}"
    with FleetStore(fleet, write=False) as store:
        [site] = store.sites()
    assert (site.state, site.requests) == ("waiting", 0)


def test_a_site_that_lost_its_journal_can_begin_again(fleet: Path) -> None:
    """Outside of a fleet, a folder without a journal is no crawl."""
    (fleet / "sites" / "a.example" / "crawl.sqlite").unlink()
    begin_again(fleet / "sites" / "a.example")
    (fleet / "x").mkdir()
    with pytest.raises(ConfigError, match="There is no crawl in"):
        begin_again(fleet / "x")
    with pytest.raises(ConfigError, match="There is no crawl in"):
        begin_again(fleet / "sites" / "b.example")


def test_what_is_being_crawled_stays(fleet: Path, tmp_path: Path) -> None:
    with begun(tmp_path / "c"):
        pass
    for folder, held in (
        (tmp_path / "c", tmp_path / "c"),
        (fleet / "sites" / "a.example", fleet),
        (fleet / "sites" / "a.example", fleet / "sites" / "a.example"),
    ):
        lock = Lock(held)
        with pytest.raises(LodehoundError, match="process"):
            begin_again(folder)
        lock.release()
        assert folder.is_dir()
    begin_again(fleet / "sites" / "a.example")  # no lock of a refusal is left


def test_a_folder_that_cannot_be_moved_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    with begun(tmp_path / "c"):
        pass
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(LodehoundError, match=r"repair .* --begin-again' again"):
        begin_again(tmp_path / "c")
