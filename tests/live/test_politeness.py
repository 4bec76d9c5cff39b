"""Hosts that ask for patience get it; what fails is tried again, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import ENDLESS, crawl, crawl_words, paths, query, start, wait_for
from tests.servers import Knobs
from tests.servers.hostile import HostileServer


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer() as server:
        yield server


def times_of(server: HostileServer, path: str) -> list[float]:
    return [entry.time for entry in server.log if entry.path == path]


def test_retry_after_is_waited_for(server: HostileServer, tmp_path: Path) -> None:
    """In seconds, or as a date, of which the server leaves out the parts of a second."""
    places = ["429?tries=1&after=1", "429?tries=1&after=2&date"]
    done = crawl(*(server.url + place for place in places), out=tmp_path / "crawl", requests=4)
    assert done.code == 0
    for place in places:
        first, second = times_of(server, f"/{place}")
        assert second - first >= 0.9
        row = done.rows[server.url + place]
        assert (row.status, row.tries) == (200, 2)


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


@pytest.mark.serial
def test_an_outage_is_sat_out(tmp_path: Path) -> None:
    """A server that is gone for a moment, with requests in flight, is found to the last file."""
    out, knobs = tmp_path / "crawl", Knobs(pages=30)
    links = [f"/page/{number}" for number in range(1, 30)]
    with HostileServer(knobs=knobs, links=links) as server:
        port = int(server.url.split(":")[2].strip("/"))
        child = start(*crawl_words(server.url, "--quiet", out=out, policy="bfs", backoff=0.1))
        wait_for(lambda: len(server.log) > 10)
    time.sleep(0.3)
    with HostileServer(knobs=knobs, links=links, port=port), child:
        assert child.communicate(timeout=ENDLESS) == ("", "")
    assert child.returncode == 0
    assert query(out, "SELECT count(*) FROM finds") == [(30,)]


def test_a_host_that_sleeps_does_not_outlast_the_time(
    server: HostileServer, tmp_path: Path
) -> None:
    """--time is kept although the only host asks for an hour of patience."""
    url = f"{server.url}429?tries=1&after=3600&hour"
    done = crawl(url, out=tmp_path / "crawl", time="2s")
    assert done.code == 3
    assert paths(server.log).count("/429?tries=1&after=3600&hour") == 1


def test_contact_and_name_are_sent(server: HostileServer, tmp_path: Path) -> None:
    """A site sees who asks and whom to write to."""
    crawl(server.url + "echo", out=tmp_path / "crawl", contact="me@e.org", requests=1)
    agent = server.log[-1].headers["user-agent"]
    assert agent.startswith("lodehound/")
    assert agent.endswith("(+me@e.org)")
