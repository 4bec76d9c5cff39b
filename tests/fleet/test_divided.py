"""One crawl of many hosts, divided over processes: no link is lost, no host is asked by two."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.divided import parts_of
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.fleet import FleetStore, NewSite, Progress
from tests.fleet import HASTE, finds_of, listed, status, workers_of
from tests.fleet.web import LinkedWeb, small_web
from tests.live import ENDLESS, query, run, run_many, start, wait_for

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")
PRIVATE = ("--allow-private", "127.0.0.0/8")
ANYWHERE = ("--scope", "web", *PRIVATE, "--policy", "bfs")


@pytest.fixture
def web() -> Iterator[LinkedWeb]:
    with small_web(sites=5, pages=6, kind=LinkedWeb) as web:
        yield web


def found(out: Path) -> list[str]:
    return sorted(url for urls in finds_of(out).values() for url in urls)


def hosts_asked(out: Path) -> list[str]:
    """Return the hosts that each part has asked, all in one list."""
    asked = "SELECT DISTINCT substr(url, 1, instr(substr(url, 8), '/') + 7) FROM asks"
    return [host for part in (out / "sites").iterdir() for (host,) in query(part, asked)]


@pytest.mark.soak
@linux
def test_a_killed_worker_loses_no_link(web: LinkedWeb, tmp_path: Path) -> None:
    """Everything is found once, over redirects and links from host to host."""
    out = tmp_path / "out"
    words = ["fleet", listed(tmp_path, [web.url(0)]), "--out", out, "--jobs", 2, "--parts", 3]
    words += [*HASTE, *ANYWHERE]
    words[words.index("--delay") + 1] = 0.1
    with start(*words) as child:
        wait_for(lambda: len(web.asked()) > 20 and len(workers_of(out)) == 2)
        os.kill(workers_of(out)[0], signal.SIGKILL)
        said, complained = child.communicate(timeout=ENDLESS)
    assert (child.returncode, said + complained) == (0, "")
    assert found(out) == sorted(web.tables())
    asked = Counter((host, path) for host, path, _ in web.log if path != "/robots.txt")
    assert sum(asked.values()) - len(asked) <= web.sites  # one request is in flight per host
    hosts = hosts_asked(out)
    assert len(hosts) == len(set(hosts)) == web.sites
    assert {one["reason"] for one in status(out).values()} == {"exhausted"}


@linux
@pytest.mark.soak
def test_a_budget_is_shared_and_a_stopped_crawl_goes_on(web: LinkedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["fleet", listed(tmp_path, [web.url(0)]), "--out", out, "--jobs", 2]
    done = run(*words, *HASTE, *ANYWHERE, "--requests", 30)
    assert (done.code, done.said) == (0, "")
    assert len(web.asked()) == 30
    done = run("fleet", "resume", out, "--jobs", 1, "--quiet", "--requests", 5000, *PRIVATE)
    assert (done.code, done.said) == (0, "")
    assert found(out) == sorted(web.tables())
    assert max(Counter((host, path) for host, path, _ in web.log).values()) <= 2


@linux
@pytest.mark.soak
def test_a_crawl_of_many_parts_goes_on(tmp_path: Path) -> None:
    """Its workers once only exchanged links, and were killed as silent before the first request."""
    out = tmp_path / "out"
    with small_web(sites=200, pages=6, kind=LinkedWeb) as web:
        words = ["fleet", listed(tmp_path, web.urls[:20]), "--out", out, "--jobs", 2]
        done = run(*words, *HASTE, *ANYWHERE, "--parts", 400, "--requests", 400)
        assert (done.code, done.said) == (0, "")
        assert len(web.asked()) == 400
    with FleetStore(out, write=False) as store:
        epochs = {row[0] for row in store._all("SELECT max(epoch) FROM teams")}
    assert max(epochs) <= 3  # begun, taken, given back: no worker was dismissed


def test_parts_share_start_urls_and_hosts() -> None:
    configs = [CrawlConfig(urls=(f"https://{n}.example/",), max_hosts=5) for n in (1, 2, 1)]
    assert [(part.urls, part.part, part.max_hosts) for part in parts_of(configs, 2, {})] == [
        (("https://1.example/", "https://2.example/"), (0, 2), 3),
        (("https://1.example/", "https://2.example/"), (1, 2), 2),
    ]
    assert len(parts_of(configs, 2, {"part 1 of 3": "", "part 2 of 3": "", "part 3 of 3": ""})) == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"finds": 5}, "--finds is for sites"),
        ({"requests": 5}, "--requests-per-site is for sites"),
        ({"delay": 3.0}, "the list is one crawl"),
    ],
)
def test_what_cannot_be_divided_is_refused(options: dict[str, float], said: str) -> None:
    common = {} if "delay" in options else options
    configs = [
        CrawlConfig.made_of({"urls": ("https://a.example/",)} | options),
        CrawlConfig.made_of({"urls": ("https://b.example/",)} | common),
    ]
    with pytest.raises(ConfigError, match=said):
        parts_of(configs, 2, {})


def test_sites_and_parts_have_folders_of_their_own(tmp_path: Path) -> None:
    sites = listed(tmp_path, ["http://127.0.0.1:9/"])
    (tmp_path / "out").mkdir()
    with FleetStore.create(tmp_path / "out", version="1") as store:
        store.enlist([NewSite("part-1", "part 1 of 1", "{}", 1)])
    words = ["fleet", sites, "--out", tmp_path / "out"]
    refused, updated = run_many([words, ["fleet", "update", tmp_path / "out"]], tmp_path)
    assert (refused.code, updated.code) == (2, 2)
    assert "holds the parts of a crawl with --scope web" in refused.err
    assert "cannot be updated" in updated.err


def waiting(*, sent: dict[int, int], taken: dict[int, int], idle: bool = True) -> Progress:
    return Progress(9, 0, 0, 0, 0, 0.0, "", idle=idle, sent=sent, taken=taken)


def test_a_divided_crawl_is_over_when_all_wait_and_no_link_is_under_way(tmp_path: Path) -> None:
    with FleetStore.create(tmp_path, version="1") as store:
        store.enlist(NewSite(f"part-{n}", f"part {n} of 2", "{}", n) for n in (1, 2))
        store.begin_run(None)
        store.join("one", "here")
        first, second = store.claim("one", 2)
        assert not store.is_quiet()
        store.beat("one", {1: waiting(sent={1: 4}, taken={}), 2: waiting(sent={}, taken={0: 3})})
        assert not store.is_quiet()
        store.beat("one", {2: waiting(sent={}, taken={0: 4})})
        assert store.is_quiet()
        # A part that has ended goes on if links come after all.
        store.end_site(second, 2, "ended", "exhausted", "")
        store.release(second)
        store.beat("one", {1: waiting(sent={1: 5}, taken={}, idle=False)})
        store.end_site(first, 1, "ended", "exhausted", "")
        assert [site.state for site in store.sites()] == ["ended", "waiting"]
        assert [lease.team for lease in store.claim("one", 2)] == [2]
