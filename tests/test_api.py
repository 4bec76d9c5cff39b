"""Crawling from a program: in a script, and where an event loop runs already."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lodehound
import lodehound.api
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir

OFFICE = StatsOffice(pages=50, files=6, redirects=2)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with SiteServer() as server:
        server.serve(StatsOffice(pages=50, files=6, redirects=2, host=server.url).records())
        yield server.url


def crawl(url: str, out: Path, **options: Any) -> list[lodehound.Find]:
    return list(lodehound.crawl(url, out=out, delay=0, backoff=0.05, **options))


def test_every_find_is_on_disk_when_it_comes(url: str, tmp_path: Path) -> None:
    finds = []
    for find in lodehound.crawl(url, out=tmp_path / "c", delay=0):
        assert find.path.stat().st_size == find.bytes
        finds.append(find)

    assert len(finds) == OFFICE.files
    assert all(find.found_on.startswith(url) and find.why for find in finds)


def test_it_works_inside_a_running_event_loop(url: str, tmp_path: Path) -> None:
    async def notebook_cell() -> int:
        return len(crawl(url, tmp_path / "c"))

    assert asyncio.run(notebook_cell()) == OFFICE.files


def test_leaving_the_loop_ends_the_crawl_in_good_order(url: str, tmp_path: Path) -> None:
    for _ in lodehound.crawl(url, out=tmp_path / "c", delay=0):
        break

    more = list(lodehound.api.run([url], tmp_path / "d", {"delay": 0, "finds": 1}))
    assert more[-1]["reason"] == "finds"
    with CrawlDir.open(tmp_path / "c") as left:
        assert left.journal.summary().finds >= 1


def test_mistakes_are_config_errors(url: str, tmp_path: Path) -> None:
    with pytest.raises(lodehound.ConfigError, match="Did you mean 'sb-classifier'"):
        crawl(url, tmp_path / "c", policy="sb-clasifier")
    with pytest.raises(lodehound.ConfigError, match="no option 'colour'"):
        crawl(url, tmp_path / "c", colour="red")
    with pytest.raises(lodehound.ConfigError, match="give text, numbers or lists"):
        crawl(url, tmp_path / "c", include={1})


def test_nothing_reachable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(lodehound.LodehoundError, match="nothing reachable"):
        crawl("http://127.0.0.1:1/", tmp_path / "c", retries=0)
