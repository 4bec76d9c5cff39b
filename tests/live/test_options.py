"""The options of a crawl, each seen from the other side: in the server's log."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import target_of
from lodehound.assembly.shortcuts import sitemaps_of
from lodehound.config import CrawlConfig
from lodehound.options import OPTIONS
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import (
    HASTE,
    Crawled,
    crawl,
    crawl_words,
    paths,
    query,
    resume,
    run,
    run_many,
)
from tests.servers import Case, Exchange
from tests.servers.hostile import HostileServer

ROWS = b"a,b\n1,2\n"
PAGES = {
    "": "<a href=a/>A</a> <a href=b/>B</a> <a href=old>old</a> <a rel=nofollow href=n.csv>N</a>",
    "a/": "<a href=1.csv>1</a> <a href=2.csv>2</a> <a href=sub/>sub</a>",
    "a/sub/": "<a href=3.csv>3</a>",
    "b/": "<a href=4.csv>4</a> <a href=/closed/>closed</a>",
    "old": "<meta http-equiv=refresh content='0; url=/new/'>",
    "new/": "<a href=5.csv>5</a>",
    "closed/": "<meta name=robots content=nofollow><a href=6.csv>6</a>",
    "script": "<script>go()</script>",
}
FILES = "a/1.csv a/2.csv a/sub/3.csv b/4.csv new/5.csv closed/6.csv n.csv".split()
HIDDEN = "hidden/7.csv"  # only a sitemap leads there


def records(root: str) -> Iterator[Record]:
    """The site, which is at this address."""
    for path, body in PAGES.items():
        yield Record(root + path, 200, "text/html", f"<!doctype html>{body}".encode())
    for path in [*FILES, HIDDEN]:
        yield Record(root + path, 200, "text/csv", ROWS)
    listed = f"<urlset><url><loc>{root}{HIDDEN}</loc></url></urlset>"
    yield Record(f"{root}sitemap.xml", 200, "application/xml", listed.encode())


@pytest.fixture(scope="module")
def shared() -> Iterator[SiteServer]:
    with SiteServer() as server:
        server.serve(records(server.url))
        yield server


class Site:
    """The site, and what was asked of it since the test began."""

    def __init__(self, server: SiteServer) -> None:
        self.url = server.url
        self._server = server
        self._before = len(server.log)

    @property
    def asked(self) -> list[str]:
        return [path.removeprefix("/") for path in paths(self._server.log[self._before :])]

    def found(self, done: Crawled) -> set[str]:
        return {url.removeprefix(self.url) for url in done.finds}


@pytest.fixture
def site(shared: SiteServer) -> Site:
    return Site(shared)


# Words after the URL, and the files that are not found because of them.
LIMITS: dict[str, tuple[list[str], str]] = {
    "none": ([], ""),
    "include": (
        ["--include", "*/a/*", "--include", "*/b/"],
        "b/4.csv new/5.csv closed/6.csv n.csv",
    ),
    "exclude": (["--exclude", "*/sub/*", "--exclude", "*4.csv"], "a/sub/3.csv b/4.csv"),
    "under": (["--under", "/a/"], "b/4.csv new/5.csv closed/6.csv n.csv"),
    "max depth": (["--max-depth", "2"], "a/sub/3.csv closed/6.csv"),
    "nofollow": (["--nofollow"], "closed/6.csv n.csv"),
    "want": (["--want", "files:xlsx"], " ".join(FILES)),
}


@pytest.fixture(scope="module")
def limited(
    shared: SiteServer, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Crawled, set[str]]]:
    """A crawl for each, and what it asked for."""
    folder = tmp_path_factory.mktemp("limits")
    commands = []
    for name, (words, _) in LIMITS.items():
        # Each goes by its own name, so that the server can tell them apart.
        more = [*words, "--user-agent", name.replace(" ", "-")]
        commands.append(crawl_words(shared.url, *more, out=folder / name, policy="bfs"))
    done = run_many(commands, folder)
    return {
        name: (replace(one, path=folder / name), asked_by(shared, name.replace(" ", "-")))
        for name, one in zip(LIMITS, done, strict=True)
    }


def asked_by(server: SiteServer, agent: str) -> set[str]:
    log = [one for one in server.log if one.headers["user-agent"] == agent]
    return {path.removeprefix("/") for path in paths(log)}


@pytest.mark.parametrize("name", LIMITS)
def test_where_a_crawl_may_go(
    limited: dict[str, tuple[Crawled, set[str]]], site: Site, name: str
) -> None:
    """A meta refresh is followed; what is out of bounds is neither asked for nor found."""
    done, asked = limited[name]
    out_of_bounds = set(LIMITS[name][1].split())
    assert (done.code, site.found(done)) == (0, set(FILES) - out_of_bounds)
    assert name == "want" or not out_of_bounds & asked


@pytest.mark.parametrize(("policy", "requests"), [("bfs", 1), ("sb-classifier", 6)])
def test_requests_are_never_exceeded(
    site: Site, tmp_path: Path, policy: str, requests: int
) -> None:
    """Not by HEADs, redirects or what is in flight."""
    done = crawl(site.url, out=tmp_path / "crawl", requests=requests, policy=policy)
    assert (done.code, len(site.asked)) == (0, requests)


def test_finds_are_never_exceeded(site: Site, tmp_path: Path) -> None:
    """Eight requests may be in flight, but no more than could be finds."""
    done = crawl(site.url, out=tmp_path / "crawl", finds=2)
    assert (done.code, len(site.found(done))) == (0, 2)
    assert "as many finds as wanted" in done.out


def test_no_request_starts_once_the_bytes_are_spent(site: Site, tmp_path: Path) -> None:
    """The last answer may be longer than what was left, and is the last."""
    done = crawl(site.url, out=tmp_path / "crawl", bytes="250", concurrency=1)
    sizes = [size for (size,) in query(done.path, "SELECT size FROM answers ORDER BY seq")]
    assert (done.code, len(site.asked)) == (0, len(sizes))
    assert sum(sizes[:-1]) < 250 <= sum(sizes)


def test_time_is_kept(tmp_path: Path) -> None:
    """A site without end, and one second."""
    with HostileServer() as server:
        done = crawl(server.url + "calendar", out=tmp_path / "crawl", time="1s", delay=0.05)
    assert done.code == 0
    assert "the time is up" in done.out
    assert max(at for (at,) in query(done.path, "SELECT at FROM answers")) < 20


def test_a_sitemap_that_robots_txt_names_is_read(tmp_path: Path) -> None:
    """It shows a file that no page shows; the usual place is not tried."""
    with SiteServer() as server:
        rules = f"Sitemap: {server.url}map.xml\n".encode()
        listed = f"<urlset><url><loc>{server.url}a.csv</loc></url></urlset>".encode()
        server.serve([
            Record(server.url, 200, "text/html", b"<p>Hello"),
            Record(server.url + "robots.txt", 200, "text/plain", rules),
            Record(server.url + "map.xml", 200, "application/xml", listed),
            Record(server.url + "a.csv", 200, "text/csv", b"a,b\n1,2\n"),
        ])  # fmt: skip
        crawl(server.url, out=tmp_path / "crawl")
        asked = Counter(paths(server.log))

    assert (asked["/map.xml"], asked["/a.csv"], asked["/sitemap.xml"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("options", "sitemaps"),
    [
        ({}, "named"),
        ({"sitemaps": True}, "usual"),
        ({"shortcuts": "sitemap"}, "usual"),
        ({"shortcuts": "off"}, "none"),
        ({"metadata_only": True}, "none"),
        ({"scope": "web"}, "none"),
        ({"want": "markup"}, "none"),
    ],
)
def test_these_sitemaps_are_read(options: dict[str, Any], sitemaps: str) -> None:
    config = CrawlConfig.made_of({"urls": ("https://e.org/",)} | options)

    assert sitemaps_of(config, target_of(config)) == sitemaps


def test_sitemaps_are_read_when_wanted(site: Site, tmp_path: Path) -> None:
    """They show files that no page shows, and have their line."""
    done = crawl(site.url, "--sitemaps", out=tmp_path / "crawl")
    assert site.found(done) == {*FILES, HIDDEN}
    assert site.asked.count("sitemap.xml") == 1
    assert "1 URL listed in 1 answer" in done.out


def test_pages_that_need_a_script_are_said(site: Site, tmp_path: Path) -> None:
    """Nobody has to wonder why nothing was found."""
    done = crawl(site.url + "script", out=tmp_path / "crawl")
    said = "1 page seems to need JavaScript; 'lodehound resume' with --render auto renders it"
    assert said in done.out


def test_pages_that_need_a_browser_are_said_where_there_is_none(site: Site, tmp_path: Path) -> None:
    """At the end, by status, and in the list of what was skipped."""
    out = tmp_path / "crawl"
    nowhere = os.environ | {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    done = run(*crawl_words(site.url + "script", out=out, render="auto"), env=nowhere)
    status, skipped = run_many([["status", out], ["skipped", out, "--reason", "script"]], tmp_path)
    said = "1 page seems to need JavaScript, and there is no browser: pip install"
    assert (done.code, said in " ".join(done.out.split()), said in status.out) == (0, True, True)
    assert f"{site.url}script  [script: there is no browser" in skipped.out


async def tagged(x: Exchange) -> None:
    await x.answer(b"<!doctype html><a href=/data/1.csv>1</a>", headers=["X-Robots-Tag: nofollow"])


def test_a_tag_in_the_header_is_nofollow_too(tmp_path: Path) -> None:
    """X-Robots-Tag says for a page what its meta element would."""
    with HostileServer() as server:
        server.cases = {**server.cases, "/tagged": Case("", tagged)}
        done = crawl(server.url + "tagged", "--nofollow", out=tmp_path / "crawl")
        assert (done.code, paths(server.log)) == (0, ["/tagged"])


def test_quiet_is_quiet(site: Site, tmp_path: Path) -> None:
    """Not a word from a crawl that goes well, nor from one that has nothing left to do."""
    done = crawl(site.url, "--quiet", out=tmp_path / "crawl")
    again = resume(tmp_path / "crawl", "--quiet")
    assert [(one.code, one.said) for one in (done, again)] == [(0, ""), (0, "")]


def test_a_log_for_programs(site: Site, tmp_path: Path) -> None:
    """A JSON object a line: one for each request in the order of the answers, one for the end."""
    done = crawl(site.url, "--json-log", out=tmp_path / "crawl", concurrency=1)
    *steps, end = map(json.loads, done.out.splitlines())
    numbers = [number for (number,) in query(done.path, "SELECT number FROM answers ORDER BY seq")]
    assert [step["number"] for step in steps] == numbers
    assert {step["find"]["final_url"] for step in steps if step["found"]} == done.finds.keys()
    assert (end["event"], end["reason"], end["exit_code"]) == ("end", "exhausted", 0)
    assert (end["finds"], done.err) == (len(FILES), "")


def test_what_is_shown_is_whole(site: Site, tmp_path: Path) -> None:
    """A long path is neither cut nor broken, so that it can be copied."""
    out = tmp_path / "-".join(["a-long-name"] * 10)
    done = crawl(site.url, out=out)
    assert f"{out / 'files'}\n" in done.out
    assert f"{out / 'crawl.sqlite'}\n" in done.out


WRITTEN = """
urls = ["{url}"]
out = "named"
quiet = true
json-log = false
want = "files:csv"
policy = "bfs"
seed = 7
requests = 100
bytes = "1MB"
time = "1m"
finds = 3
early-stop = "paper"
stop-nu = 10
stop-epsilon = 0.1
stop-gamma = 0.5
stop-kappa = 2
include = ["*"]
exclude = ["*/sub/*", "*/closed/*"]
under = "/"
max-depth = 5
block = false
traps = false
shortcuts = "off"
metadata-only = false
sitemaps = false
nofollow = true
speculative-links = false
contact = "me@e.org"
user-agent = "tester/1"
delay = 0
concurrency = 2
ignore-robots = true
yes-ignore-robots = true
max-crawl-delay = 2
retries = 0
backoff = 0.1
max-file = "1kB"
connect-timeout = 1
read-timeout = 2
total-timeout = 3
min-speed = 1
allow-private = ["127.0.0.0/8"]
insecure = true
header = ["X-Test: 1"]
auth = "me:hush"
proxy = "{url}"
categories = ""
about = []
like = []
vectors = "auto"
idf = ""
weights = ""
scope = "site"
per-host = 500
max-hosts = 5
allow-hosts = []
block-hosts = ["other.example"]
inspect = true
inspect-time = "20s"
inspect-memory = "1GiB"
render = "never"
browser = ""
render-hosts = []
warc = true
keep-versions = true
replica = ""
fallback = ""
"""


def test_every_option_may_stand_in_a_file(site: Site, tmp_path: Path) -> None:
    """All of them, by their names on the command line, which wins over the file."""
    (tmp_path / "crawl.toml").write_text(WRITTEN.format(url=site.url))
    done = run("crawl", "--config", "crawl.toml", "--seed", 8, cwd=tmp_path, out=tmp_path / "named")
    [(text,)] = query(done.path, "SELECT value FROM meta WHERE key = 'config'")
    told = json.loads(text)
    written = {line.partition(" ")[0].replace("-", "_") for line in WRITTEN.split("\n")[1:-1]}
    assert (done.code, done.said, len(done.finds)) == (0, "", 3)
    own = {"out", "quiet", "json_log"}
    assert written == {name for name, one in OPTIONS.items() if not one.is_internal} | own
    assert (told["seed"], told["bytes"], told["time"]) == (8, 10**6, 60.0)
    assert told.keys().isdisjoint({"auth", "header", "proxy"})
    assert "robots.txt" not in site.asked


def test_every_flag_of_a_hasty_crawl_is_one() -> None:
    """The tests say nothing that the command does not understand."""
    fields = CrawlConfig.__dataclass_fields__
    assert {flag.removeprefix("--").replace("-", "_") for flag in HASTE} <= fields.keys()
