"""A worker with many sites: it ends in order, whatever ends it."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.fleet_setup import make_list, open_fleet
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.stores.errors import DiskFullError
from lodehound.stores.fleet import FleetStore
from tests.fleet import listed
from tests.fleet.web import SmallWeb, small_web

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with small_web(sites=8, pages=200) as web:
        yield web


@pytest.fixture
def store(web: SmallWeb, tmp_path: Path) -> Iterator[FleetStore]:
    given = {"delay": 0.05, "inspect": False}
    made = make_list(listed(tmp_path, web.urls), given, names={})
    with open_fleet(tmp_path / "out") as store:
        store.enlist(made.sites)
        store.begin_run(None)
        yield store


async def crawling(host: SiteHost, web: SmallWeb) -> asyncio.Task[None]:
    """Start a worker, and wait until it crawls all sites."""
    running = asyncio.create_task(host.run())
    while len({name for name, _, _ in web.log}) < web.sites:
        await asyncio.sleep(0.02)
    return running


def test_a_dismissed_worker_ends_without_an_error(web: SmallWeb, store: FleetStore) -> None:
    async def run() -> None:
        host = SiteHost(store.folder, HostOptions(beat=0.1), {}, worker="one")
        running = await crawling(host, web)
        store.dismiss("one")
        await running

    asyncio.run(run())
    assert {site.state for site in store.sites()} == {"waiting"}


def test_a_full_disk_ends_a_worker_with_that_error(
    web: SmallWeb, store: FleetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its sites are received to the end first, and what it had open is closed."""
    full = DiskFullError(store.folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "go on")

    async def run() -> SiteHost:
        host = SiteHost(store.folder, HostOptions(beat=0.1), {}, worker="one")
        running = await crawling(host, web)
        monkeypatch.setattr(FleetStore, "claim", lambda *_: (_ for _ in ()).throw(full))
        with pytest.raises(DiskFullError):
            await running
        return host

    host = asyncio.run(run())
    assert host._runs == {}
    assert store.beats() == {}  # it has dismissed itself
