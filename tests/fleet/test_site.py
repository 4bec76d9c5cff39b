"""A site whose lease is lost asks for nothing more, and writes nothing more."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from lodehound.assembly.fleet_setup import make_list, open_fleet
from lodehound.config import CrawlConfig
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.drivers.fleet.site_run import SiteRun
from lodehound.inspect import Reader
from lodehound.stores.fleet import FleetSite, LeaseLostError
from tests.fleet import finds_of, listed
from tests.fleet.web import small_web
from tests.live import query


def test_a_worker_without_its_lease_asks_and_writes_nothing(tmp_path: Path) -> None:
    """Whenever it is lost: between two requests, or between a decision and its request."""
    asked: list[int] = []
    with small_web(sites=1, pages=12) as web:
        config = CrawlConfig(urls=(web.url(0),), delay=0.0, concurrency=1, inspect=False)
        site = FleetSite(1, "s", web.url(0), "", 1, "running", "", "", 0, 0, 0, 0, 0, 0.0, "", None)
        for lost_at in range(20, 60, 7):
            folder, checks = tmp_path / str(lost_at), 0
            answers = -1

            def check(lost: int = lost_at, folder: Path = folder) -> None:
                nonlocal checks, answers
                checks += 1
                if checks == lost:
                    asked.append(len(web.log))
                    answers = len(query(folder, "SELECT 1 FROM answers"))
                if checks >= lost:
                    raise LeaseLostError("lost")

            run = SiteRun(
                site, folder, config, check=check, mark=lambda _: None, team=[],
                reader=lambda _: Reader(),
            )  # fmt: skip
            with pytest.raises(LeaseLostError):
                asyncio.run(run.run())
            assert len(web.log) == asked[-1]
            assert len(query(folder, "SELECT 1 FROM answers")) == answers
    assert len(asked) == 6


def test_clocks_may_be_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers whose clocks jump by years keep their leases, and everything is found."""
    with small_web(sites=4, pages=6) as web, open_fleet(tmp_path / "out") as store:
        options = {"delay": 0.0, "inspect": False}
        made = make_list(listed(tmp_path, web.urls), options, names={})
        store.enlist(made.sites)
        store.begin_run(None)
        monkeypatch.setattr(time, "time", lambda: random.choice([0.0, 1e9, 4e9]))
        hosts = HostOptions(workers=2, beat=0.05, silence=5.0)

        async def run() -> None:
            await asyncio.gather(*(SiteHost(tmp_path / "out", hosts, {}).run() for _ in range(2)))

        asyncio.run(run())
        assert finds_of(tmp_path / "out") == web.everything()
        assert {site.reason for site in store.sites()} == {"exhausted"}
