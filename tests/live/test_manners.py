"""Hosts that ask for patience get it; what fails is tried again, and not for ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import crawl, paths
from tests.servers.hostile import HostileServer


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer() as server:
        yield server


def times_of(server: HostileServer, path: str) -> list[float]:
    return [entry.time for entry in server.log if entry.path == path]


@pytest.mark.parametrize("path", ["/429?tries=1&after=1", "/429?tries=1&after=2&date"])
def test_retry_after_is_waited_for(server: HostileServer, tmp_path: Path, path: str) -> None:
    """In seconds, or as a date, of which the server leaves out the parts of a second."""
    url = server.url + path[1:]
    done = crawl(url, out=tmp_path / "crawl", requests=2)
    first, second = times_of(server, path)
    assert second - first >= 0.9
    assert (done.code, done.rows[url].status, done.rows[url].tries) == (0, 200, 2)


def test_a_burst_of_failures_is_sat_out(server: HostileServer, tmp_path: Path) -> None:
    """The third try brings the page."""
    urls = [f"{server.url}503-burst?tries=2&status={code}" for code in (500, 502, 503, 504)]
    done = crawl(*urls, out=tmp_path / "crawl", requests=12)
    assert [(done.rows[url].status, done.rows[url].tries) for url in urls] == [(200, 3)] * 4
    assert done.code == 0


def test_tries_have_an_end(server: HostileServer, tmp_path: Path) -> None:
    """What fails every time is written down as it is; nothing else was reached."""
    url = f"{server.url}503-burst?tries=99"
    done = crawl(url, out=tmp_path / "crawl", retries=1)
    assert (done.code, done.rows[url].status, done.rows[url].tries) == (3, 503, 2)
    assert "nothing reachable: status 503" in done.out


def test_a_broken_section_does_not_cost_the_site(tmp_path: Path) -> None:
    """Pages that always fail, however many, make nobody give up the host."""
    broken = [f"/503-burst?tries=99&status=500&page={number}" for number in range(30)]
    with HostileServer(links=broken) as server:
        done = crawl(server.url, out=tmp_path / "crawl", policy="bfs", retries=1, concurrency=4)
        asked = paths(server.log)
    assert (done.code, len(done.finds)) == (0, 5)
    assert [asked.count(path) for path in broken] == [2] * len(broken)


def test_a_host_that_sleeps_does_not_outlast_the_time(
    server: HostileServer, tmp_path: Path
) -> None:
    """--time is kept although the only host asks for an hour of patience."""
    url = f"{server.url}429?tries=1&after=3600&hour"
    done = crawl(url, out=tmp_path / "crawl", time="0.5s")
    assert done.code == 3
    assert paths(server.log).count("/429?tries=1&after=3600&hour") == 1


def test_contact_and_name_are_sent(server: HostileServer, tmp_path: Path) -> None:
    """A site sees who asks and whom to write to."""
    crawl(server.url + "echo", out=tmp_path / "crawl", contact="me@e.org", requests=1)
    agent = server.log[-1].headers["user-agent"]
    assert agent.startswith("lodehound/")
    assert agent.endswith("(+me@e.org)")
