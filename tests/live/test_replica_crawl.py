"""Crawls of a replica: without the network, before the network, and those that make one."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.drivers.replay import replay
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.sites.server import SiteServer
from lodehound.stores.cache import open_site
from lodehound.stores.warc import write_warc
from lodehound.targets.files import Files
from tests.helpers import ROOT, http, url, warc
from tests.live import Crawled, paths, query, resume, run, start, wait_for
from tests.live.replicas import (
    HASTE,
    office,
    refused,
    responses,
    served,
    steps,
    tear,
    totals,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SiteServer, Path]]:
    with served(tmp_path_factory.mktemp("site")) as both:
        yield both


@pytest.fixture
def replica(tmp_path: Path) -> Path:
    """A recording of a site that nobody could reach."""
    path = tmp_path / "site.warc.gz"
    write_warc(path, office().records())
    return path


def crawl(out: Path, *words: object) -> Crawled:
    return run("crawl", *words, "--out", out, "--quiet", out=out)


def asked(crawled: Crawled) -> Counter[str]:
    return Counter(address for (address,) in query(crawled.path, "SELECT url FROM answers"))


# --- a replica and nothing else ----------------------------------------------------------------


def test_the_order_is_that_of_the_lab(replica: Path, tmp_path: Path) -> None:
    """Same policy, same seed, same requests; without a URL the first response is the start."""
    words = ("--replica", replica, "--seed", 1, "--json-log", "--out", tmp_path / "out")
    crawled = run("crawl", *words)
    lab = open_site([replica], cache=tmp_path / "cache")
    _, expected = replay(lab, policy=LodehoundPolicy(seed=1), target=Files())

    assert crawled.code == 0
    assert [
        (step["method"], step["url"], step["status"], step["found"]) for step in steps(crawled.out)
    ] == [(step.method, step.url, step.status, step.found) for step in expected]


def test_killed_and_resumed_from_elsewhere(replica: Path, tmp_path: Path) -> None:
    """The crawl knows its replica by its whole path; finds are those of the lab."""
    out = tmp_path / "out"
    words = ("crawl", "--replica", replica.name, "--out", "out", "--policy", "bfs", "--json-log")
    with start(*words, cwd=tmp_path) as child:
        assert child.stdout is not None
        for _ in range(10):
            child.stdout.readline()
        child.kill()
    crawled = resume(out, "--quiet")

    assert (crawled.code, crawled.said) == (0, "")
    requests, finds, volume = totals(replica)
    assert (len(asked(crawled)), len(crawled.finds)) == (requests, finds)
    assert query(out, "SELECT sum(bytes) FROM finds") == [(volume,)]


def test_resumed_with_another_policy(
    replica: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The policy and the seed are kept; what cannot be run changes nothing."""
    out = tmp_path / "out"
    run("crawl", "--replica", replica, "--out", out, "--policy", "bfs", "--requests", 20)
    kept = "SELECT json_extract(value, '$.policy', '$.seed') FROM meta WHERE key = 'config'"

    said = refused(monkeypatch, capsys, "resume", out, "--policy", "bsf")
    assert "There is no policy 'bsf'. Did you mean 'bfs'?" in said
    assert "recorded site" in refused(monkeypatch, capsys, "resume", out, "--policy", "omniscient")
    assert "seed is -1" in refused(monkeypatch, capsys, "resume", out, "--seed", -1)
    assert query(out, kept) == [('["bfs",0]',)]

    words = ("--policy", "sb-classifier:b=5", "--seed", 2, "--requests", 1000)
    crawled = resume(out, *words, "--quiet")

    assert (crawled.code, crawled.said) == (0, "")
    assert query(out, kept) == [('["sb-classifier:b=5",2]',)]
    assert query(out, "SELECT first, policy, seed FROM runs") == [
        (1, "bfs", 0),
        (21, "sb-classifier:b=5", 2),
    ]
    assert len(crawled.finds) == totals(replica)[1]


ANCHORS = "a.csv b.zip c.png busy missing left private/x https://sub.s.example/y".split()
PAGE = "".join(f"<a href={place}>{place}</a>" for place in ANCHORS).encode()
RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 20\n"
ODD = [
    warc(ROOT, http(PAGE, Content_Type="text/html")),
    warc(url("robots.txt"), http(RULES, Content_Type="text/plain")),
    warc(
        url("a.csv"),
        http(b"a,b", Content_Type="text/csv", Content_Length="5000", Last_Modified="today"),
        WARC_Truncated="length",
    ),
    warc(url("b.zip"), http(Content_Type="application/zip"), WARC_Truncated="unspecified"),
    warc(url("c.png"), http(b"png", Content_Type="image/png")),
    warc(url("busy"), http(status="503 Busy", Retry_After="3000")),
]


def test_an_odd_replica(tmp_path: Path) -> None:
    """Absent is 404; what was left out is not asked for; robots.txt counts, and no delay does."""
    path = tmp_path / "odd.warc"
    path.write_bytes(b"".join(ODD))
    (tmp_path / "odd.cut.txt.gz").write_bytes(gzip.compress(url("left").encode()))
    crawled = crawl(tmp_path / "out", "--replica", path, "--policy", "bfs", "--warc")

    assert crawled.code == 0
    rows = {address.removeprefix(ROOT): row for address, row in crawled.rows.items()}
    assert {at: (row.status, row.cut, row.sent, row.tries) for at, row in rows.items()} == {
        "": (200, 0, 1, 1),
        "a.csv": (200, 1, 1, 1),
        "b.zip": (200, 1, 1, 1),
        "busy": (503, 0, 1, 1),
        "missing": (404, 0, 1, 1),
        "private/x": (0, 0, 0, 1),
    }
    assert rows["a.csv"].size == 5000
    finds = "SELECT final_url, truncated, bytes, last_modified FROM finds ORDER BY 1"
    assert query(crawled.path, finds) == [(url("a.csv"), 1, 3, "today"), (url("b.zip"), 1, 0, "")]
    kept = [one.url.removeprefix(ROOT) for one in responses(crawled.path / "crawl.warc.gz")]
    assert kept == ["", "robots.txt", "a.csv", "b.zip", "busy"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--replica", "site.warc", "--fallback", "live"), "site.warc+more.warc.gz"),
        (("https://s.example/", "--fallback", "live"), "--fallback live needs a replica"),
        (("--replica", "site.warc", "--fallback", "lives"), "use live"),
        (("--replica", "none.warc.gz"), "no recorded site"),
        (("--replica", "none.warc.gz", "--fallback", "live"), "no start URL"),
    ],
    ids=["nothing can be added", "no replica", "no such fallback", "no file", "no start"],
)
def test_what_cannot_be_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    """Said before anything is made."""
    monkeypatch.chdir(tmp_path)
    Path("site.warc").write_bytes(ODD[0])

    assert said in refused(monkeypatch, capsys, "crawl", *words, "--out", "out")
    assert [entry.name for entry in tmp_path.iterdir()] == ["site.warc"]


# --- a replica before the network --------------------------------------------------------------


def test_what_is_missing_is_fetched_and_added(
    site: tuple[SiteServer, Path], tmp_path: Path
) -> None:
    """Nothing recorded is asked for again; afterwards the replica is the whole site."""
    server, generated = site
    replica = tmp_path / "site.warc.gz"
    part = run("record", server.url, "--out", replica, "--requests", 30, *HASTE)
    held, begun = {one.url for one in responses(replica)}, len(server.log)
    crawled = crawl(tmp_path / "out", "--replica", replica, "--fallback", "live", *HASTE)

    assert (part.code, crawled.code) == (0, 0)
    log = server.log[begun:]
    fetched = {server.url + entry.path[1:] for entry in log if entry.method == "GET"}
    assert not held & {server.url + entry.path[1:] for entry in log}
    assert {one.url for one in responses(replica)} == held | fetched
    assert not (tmp_path / "site.cut.txt.gz").exists()
    assert totals(replica) == totals(generated)
    assert len(crawled.finds) == totals(generated)[1]


def test_a_new_file_for_what_is_missing(site: tuple[SiteServer, Path], tmp_path: Path) -> None:
    """A replica that cannot grow stays as it is; killed and resumed, the new file is whole."""
    server, generated = site
    old, more, out = tmp_path / "old.warc", tmp_path / "more.warc.gz", tmp_path / "out"
    old.write_bytes(gzip.decompress(generated.read_bytes())[: generated.stat().st_size // 2])
    before = old.read_bytes()
    begun = len(server.log)
    words = ("--replica", f"{old}+{more}", "--fallback", "live", "--delay", 0.01, "--out", out)
    with start("crawl", server.url, *words, "--policy", "bfs", "--quiet") as child:
        wait_for(lambda: len(server.log) >= begun + 10)
        child.kill()
    tear(more)
    resumed = resume(out, "--quiet", "--replica", f"{old}+{more}")

    assert resumed.code == 0
    assert "old.warc" in resumed.err  # its last record is half there
    assert old.read_bytes() == before
    asked_for = Counter(paths(server.log[begun:]))
    assert sum(count - 1 for count in asked_for.values()) <= 1  # in flight when it was killed
    requests, finds, _ = totals(generated)
    assert (len(asked(resumed)), len(resumed.finds)) == (requests, finds)
    assert {one.url for one in responses(more)} >= {server.url + p[1:] for p in asked_for}


# --- the network, kept -------------------------------------------------------------------------


def test_a_crawl_that_keeps_every_response(site: tuple[SiteServer, Path], tmp_path: Path) -> None:
    """Killed and resumed, its WARC file is whole and is the site."""
    server, generated = site
    out = tmp_path / "out"
    begun = len(server.log)
    words = (server.url, "--out", out, "--delay", 0.01, "--policy", "bfs", "--warc", "--quiet")
    with start("crawl", *words) as child:
        wait_for(lambda: len(server.log) >= begun + 25)
        child.kill()
    tear(out / "crawl.warc.gz")
    resumed = resume(out, "--quiet")

    assert (resumed.code, resumed.said) == (0, "")
    kept = responses(out / "crawl.warc.gz")
    assert kept[0].url == server.url
    assert {one.url for one in kept} == {server.url + one.path[1:] for one in server.log[begun:]}
    assert totals(out / "crawl.warc.gz") == totals(generated)
