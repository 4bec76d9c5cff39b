"""A fleet in an object store: what is committed is stored, and a fenced process stores nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest import mock

import pytest

from lodehound.assembly.fleet_setup import make_list, open_fleet, open_place, refuse_unstorable
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.stores.database.connect import connected
from lodehound.stores.errors import DiskFullError
from lodehound.stores.fleet import FleetStore, LeaseLostError
from lodehound.stores.remote import fleet as remote
from lodehound.stores.remote import mirror
from lodehound.stores.remote.mirror import Mirror, restore
from lodehound.stores.remote.objects import ObjectFolder, ObjectStoreError
from tests.fleet import finds_of, listed
from tests.fleet.web import SmallWeb, small_web

pytest.importorskip("fsspec")


@pytest.fixture
def objects() -> ObjectFolder:
    return ObjectFolder(f"memory://{uuid.uuid4().hex}/fleet")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connected(tmp_path / "db.sqlite", write=True)) as db:
        db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")
        yield db


def held(objects: ObjectFolder, path: Path) -> Mirror:
    one = Mirror(objects, path)
    one.claim()
    one.begin()
    one.push()
    return one


def rows_in(objects: ObjectFolder, path: Path) -> list[tuple[int, str]]:
    assert restore(objects, path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return db.execute("SELECT * FROM rows ORDER BY number").fetchall()


def change(db: sqlite3.Connection, turn: int) -> list[tuple[int, str]]:
    """Change many rows in one commit, and return them all."""
    db.execute("BEGIN")
    for number in range(200):
        db.execute("INSERT INTO rows (text) VALUES (?)", (f"{turn} {number} " * 20,))
    db.execute("UPDATE rows SET text = 'changed' WHERE number % 7 = ?", (turn % 7,))
    db.execute("DELETE FROM rows WHERE number % 5 = ?", (turn % 5,))
    db.execute("COMMIT")
    return [tuple(row) for row in db.execute("SELECT * FROM rows ORDER BY number")]


def test_every_commit_can_be_restored(
    objects: ObjectFolder, db: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when SQLite begins its log anew, and over snapshots."""
    monkeypatch.setattr(mirror, "LEAST", 300_000)
    holder = held(objects, tmp_path / "db.sqlite")
    kinds = set()
    for turn in range(12):
        wanted = change(db, turn)
        holder.committed()
        if turn % 5 == 4:
            db.execute("PRAGMA wal_checkpoint(RESTART)")
        holder.push()
        kinds |= {name.rpartition(".")[2] for name in objects.names("journal")[1:]}
        assert rows_in(objects, tmp_path / "copy.sqlite") == wanted
    monkeypatch.setattr(mirror, "LEAST", 10**9)
    db.execute("DELETE FROM rows WHERE number > 20")
    db.execute("VACUUM")
    wanted = [tuple(row) for row in db.execute("SELECT * FROM rows")]
    holder.committed()
    holder.push()
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted
    [(pages,)] = db.execute("PRAGMA page_count")
    assert (tmp_path / "copy.sqlite").stat().st_size == 4096 * pages  # it shrank
    assert kinds == {"pages"}  # a snapshot replaces what was before it
    assert not objects.names("journal")[0].startswith("00000001-00000000")
    holder.finish()
    assert len(objects.names("journal")) == 1
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted


def test_what_is_saved_is_in_the_store_at_once_and_once(
    objects: ObjectFolder, db: sqlite3.Connection, tmp_path: Path
) -> None:
    holder = held(objects, tmp_path / "db.sqlite")
    wanted = change(db, 1)
    holder.save()
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted
    before = objects.names("journal")
    holder.save()
    assert objects.names("journal") == before


def test_a_commit_that_was_rolled_back_is_not_stored(
    objects: ObjectFolder, db: sqlite3.Connection, tmp_path: Path
) -> None:
    holder = held(objects, tmp_path / "db.sqlite")
    wanted = change(db, 1)
    holder.committed()
    db.execute("PRAGMA cache_size = 2")  # pages go to the log before the commit
    db.execute("BEGIN")
    db.execute("UPDATE rows SET text = text || 'never'")
    db.execute("ROLLBACK")
    holder.committed()
    holder.push()
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted


def test_whoever_was_taken_over_stores_nothing(
    objects: ObjectFolder, db: sqlite3.Connection, tmp_path: Path
) -> None:
    """Not even by a write that it had begun before."""
    former = held(objects, tmp_path / "db.sqlite")
    wanted = change(db, 1)
    former.committed()
    former.push()
    later = Mirror(objects, tmp_path / "later.sqlite")
    later.claim()
    assert later.restore()
    later.begin()
    change(db, 2)
    former.committed()
    with pytest.raises(LeaseLostError, match="Another process has taken over"):
        former.push()
    former._put(b"late", "pages")
    later.push()
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted
    assert (former.epoch, later.epoch, former.lost) == (1, 2, True)


def test_an_epoch_is_claimed_once(objects: ObjectFolder) -> None:
    assert [objects.create("epochs/00000001", b"") for _ in range(2)] == [True, False]


def test_the_beginning_of_a_segment_counts_for_nothing(
    db: sqlite3.Connection, tmp_path: Path
) -> None:
    """A file system, unlike an object store, may show what a killed process was writing."""
    objects = ObjectFolder(f"{tmp_path.as_uri()}/store")
    holder = held(objects, tmp_path / "db.sqlite")
    wanted = change(db, 1)
    holder.committed()
    holder.push()
    change(db, 2)
    holder.committed()
    holder.push()
    last = tmp_path / "store/journal" / objects.names("journal")[-1]
    last.write_bytes(last.read_bytes()[:1000])
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted
    snapshot = objects.get(f"journal/{objects.names('journal')[0]}")
    assert snapshot is not None
    objects.put("journal/00000002-00000000.snapshot", snapshot[:100])
    assert rows_in(objects, tmp_path / "copy.sqlite") == wanted


def finds_now(host: SiteHost) -> list[int]:
    return [now.finds for run in host._runs.values() if (now := run.progress())]


def test_what_follows_a_gap_is_not_read(
    objects: ObjectFolder, db: sqlite3.Connection, tmp_path: Path
) -> None:
    holder = held(objects, tmp_path / "db.sqlite")
    rows = []
    for turn in range(3):
        rows.append(change(db, turn))
        holder.committed()
        holder.push()
    objects.delete(["journal/00000001-00000002.pages"])
    assert rows_in(objects, tmp_path / "copy.sqlite") == rows[0]


async def run_hosts(folder: Path, options: HostOptions) -> None:
    """Let a worker crawl half of two sites, then lose its lease; let another one go on."""
    lost = SiteHost(folder, options, {})
    running = asyncio.create_task(lost.run())
    while min(finds_now(lost), default=0) < 8:
        await asyncio.sleep(0.01)
    lost._store.dismiss(lost.worker)
    await asyncio.gather(running, return_exceptions=True)
    await SiteHost(folder, options, {}).run()


@contextmanager
def fleet_of(folder: Path, web: SmallWeb) -> Iterator[FleetStore]:
    with open_fleet(folder / "out") as store:
        options = {"delay": 0.01, "inspect": False, "concurrency": 2}
        store.enlist(make_list(listed(folder, web.urls), options, names={}).sites)
        store.begin_run(None)
        yield store
        assert {site.reason for site in store.sites()} == {"exhausted"}


def test_sites_go_on_from_the_store(tmp_path: Path) -> None:
    """A worker that never saw the folder of the first finds the rest; little is asked twice."""
    url = f"memory://{uuid.uuid4().hex}"
    with small_web(sites=2, pages=30) as web:
        with fleet_of(tmp_path, web):
            asyncio.run(run_hosts(tmp_path / "out", HostOptions(beat=0.05, silence=5.0, url=url)))
        for site in web.everything():
            folder = ObjectFolder(remote.url_of(url, site))
            assert restore(folder, tmp_path / "copy/sites" / site / "crawl.sqlite")
            assert len(folder.names("epochs")) == 2
        assert finds_of(tmp_path / "copy") == web.everything()
        asked = [(host, path) for host, path, _ in web.log if path != "/robots.txt"]
        assert len(asked) - len(set(asked)) <= 2 * 2 * web.sites
        files = ObjectFolder(remote.url_of(url, f"{web.host(0)}-{web.port}"))
        assert files.get(f"files/{web.host(0)}_{web.port}/table-0.csv") is not None


def test_a_crawl_waits_for_a_slow_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes as many requests as may be in flight, and goes on when the store does."""
    slow, push, asked = threading.Event(), Mirror.push, -1

    def push_slowly(self: Mirror) -> None:
        if self._number:  # the first snapshot is stored before the first request
            slow.wait(30)
        push(self)

    async def run(host: SiteHost) -> None:
        nonlocal asked
        running = asyncio.create_task(host.run())
        while not (web.asked() and any(one.paused for one in host._runs.values())):
            await asyncio.sleep(0.01)
        asked = len(web.asked())
        slow.set()
        await running

    monkeypatch.setattr(Mirror, "push", push_slowly)
    options = HostOptions(beat=0.05, url=f"memory://{uuid.uuid4().hex}")
    with small_web(sites=1, pages=30) as web, fleet_of(tmp_path, web):
        asyncio.run(run(SiteHost(tmp_path / "out", options, {})))
        assert 0 < asked <= 2 * 2


def test_only_one_process_runs_a_fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is dead is replaced, one that lives is not."""
    monkeypatch.setattr(remote, "SILENCE", 0.2)
    monkeypatch.setattr(remote, "LOOK", 0.05)
    url = f"memory://{uuid.uuid4().hex}"
    first = remote.RemoteFleet(url, tmp_path)
    with open_fleet(tmp_path) as store:
        first.store(now=True)

        def sleep(_: float) -> None:  # meanwhile the first goes on
            store.keep("beat", uuid.uuid4().hex)
            first.store(now=True)

        with monkeypatch.context() as patch:
            patch.setattr(time, "sleep", sleep)
            with pytest.raises(ConfigError, match="is being crawled by process"):
                remote.RemoteFleet(url, tmp_path / "second")
        (tmp_path / "second").mkdir()
        remote.RemoteFleet(url, tmp_path / "second")  # the first does nothing more
        store.keep("beat", "late")
        with pytest.raises(LeaseLostError):
            first.store(now=True)


def test_a_full_disk_of_this_machine_names_what_can_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder for temporary files is gone after the command: no fleet can go on there."""

    def create(folder: Path, **_: object) -> FleetStore:
        raise DiskFullError(folder, OSError("full"))

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(FleetStore, "create", create)
    with pytest.raises(DiskFullError) as full, open_place(f"file://{tmp_path}/fleet"):
        pass

    assert str(full.value) == (
        f"There is no space left in '{tmp_path}' (full): free some space, then run the same "
        "command again, or set TMPDIR to another folder."
    )


@pytest.mark.parametrize("option", ["warc", "keep_versions"])
def test_what_needs_a_folder_is_refused(option: str) -> None:
    with pytest.raises(ConfigError, match="cannot be kept in an object store"):
        refuse_unstorable([CrawlConfig.made_of({option: True})])


def test_the_memory_of_a_process_is_no_place_for_a_fleet() -> None:
    with (
        pytest.raises(ConfigError, match="lasts no longer than a process"),
        open_place("memory://x"),
    ):
        pass


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ConfigError, match=r"pip install 'lodehound\[cloud\]'"):
        ObjectFolder("s3://bucket/offices")


def test_what_a_library_says_of_a_store_has_no_credentials() -> None:
    with pytest.raises(ObjectStoreError, match=r'Invalid bucket name "\*\*\*@bucket"') as refused:
        ObjectFolder("s3://me:hunter22@bucket/offices").get("name")
    assert "hunter22" not in str(refused.value)


def test_a_url_that_no_library_knows_is_named() -> None:
    with pytest.raises(ConfigError, match="'strange://x' cannot be used"):
        ObjectFolder("strange://x")


@pytest.mark.parametrize("file", ["../mine", "files/../../mine", "/etc/hostname"])
def test_no_file_from_elsewhere_goes_to_the_store_or_comes_from_it(
    objects: ObjectFolder, tmp_path: Path, file: str
) -> None:
    """The catalogue in a store may be that of somebody else."""
    (tmp_path / "crawl").mkdir()
    (tmp_path / "mine").write_text("mine")
    path = tmp_path / "crawl" / "crawl.sqlite"
    with closing(connected(path, write=True)) as db:
        db.execute("CREATE TABLE finds (number, file)")
        db.execute("CREATE TABLE answers (number, seq)")
        db.execute("INSERT INTO answers VALUES (1, 1)")
        db.execute("INSERT INTO finds VALUES (1, ?)", (file,))
        with mock.patch.object(ObjectFolder, "put_file", side_effect=AssertionError):
            there = held(objects, path)
    with mock.patch.object(ObjectFolder, "get", return_value=b"theirs"):
        there.fetch([file])
    assert (tmp_path / "mine").read_text() == "mine"
