"""Listings, APIs and feeds of real servers: harvested, killed on the way, and resumed."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.sites.portals import CSV, CkanPortal, WordPressSite, html_page, not_found
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import ENDLESS, Crawled, crawl_words, paths, query, resume, run, start, wait_for
from tests.live.web_servers import is_installed, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")


def answers(folder: Path) -> int:
    """Return how many answers were committed; 0 before the first."""
    if not (folder / "crawl.sqlite").exists():
        return 0
    try:
        (count,) = query(folder, "SELECT count(*) FROM answers")[0]
    except Exception:
        return 0
    return int(count)


def killed_and_resumed(url: str, out: Path, *, after: int, **options: object) -> Crawled:
    """Crawl, kill it once so many answers are committed, and resume it to the end."""
    with start(*crawl_words(url, "--quiet", out=out, **options)) as child:
        wait_for(lambda: answers(out) >= after or child.poll() is not None)
        child.kill()
        child.communicate(timeout=ENDLESS)
    assert child.returncode == -9
    assert answers(out) > 0
    return resume(out, "--quiet")


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server


def csv_finds(done: Crawled) -> int:
    return sum(url.endswith(".csv") for url in done.finds)


def asked_twice(server: SiteServer, part: str) -> list[str]:
    counts = Counter(path for path in paths(server.log) if part in path)
    return [path for path, count in counts.items() if count > 1]


def test_a_crawl_that_is_killed_while_it_pages_through_an_api_goes_on(
    server: SiteServer, tmp_path: Path
) -> None:
    """At most the answer that was on its way is asked for again."""
    server.serve(WordPressSite(250, host=server.url).get)
    done = killed_and_resumed(server.url, tmp_path / "crawl", after=2, concurrency=1, finds=250)

    assert (done.code, csv_finds(done)) == (0, 250)
    assert len(asked_twice(server, "/wp-json/")) <= 1
    (listed,) = query(done.path, "SELECT count(DISTINCT url) FROM listed")[0]
    assert listed == 250


def test_a_portal_that_grows_while_it_is_read_is_read_to_its_new_end(
    server: SiteServer, tmp_path: Path
) -> None:
    """The total is that of the last answer, not of the first."""
    small, large = (CkanPortal(count, host=server.url) for count in (1500, 2200))
    asked: list[str] = []

    def get(place: str) -> Record:
        asked.append(place)
        return (large if sum("/api/" in one for one in asked) > 1 else small).get(place)

    server.serve(get)
    done = run(
        *crawl_words(server.url, "--metadata-only", out=tmp_path / "crawl"), out=tmp_path / "crawl"
    )

    (listed,) = query(done.path, "SELECT count(DISTINCT url) FROM listed")[0]
    assert (done.code, listed) == (0, 2200)
    assert "ckan" in done.out


def test_robots_txt_closes_an_api_too(server: SiteServer, tmp_path: Path) -> None:
    server.serve(CkanPortal(20, api="forbidden", host=server.url).get)
    done = run(*crawl_words(server.url, "--requests", 10, out=tmp_path / "c"), out=tmp_path / "c")

    assert [path for path in paths(server.log) if "/api/" in path] == []
    sent = {url: row.sent for url, row in done.rows.items() if "/api/" in url}
    assert list(sent.values()) == [0]


def test_listed_files_on_other_hosts_are_counted_and_the_way_to_fetch_them_is_said(
    server: SiteServer, tmp_path: Path
) -> None:
    portal = CkanPortal(20, host=server.url)

    def get(place: str) -> Record:
        record = portal.get(place)
        elsewhere = record.body.replace(f"{server.url}files/".encode(), b"https://e.example/")
        return replace(record, body=elsewhere) if "/api/" in place else record

    server.serve(get)
    done = run(*crawl_words(server.url, "--requests", 5, out=tmp_path / "c"), out=tmp_path / "c")

    said = " ".join(done.out.split())
    assert "left out 20 links to files on other hosts: e.example fetched by lodehound" in said
    assert re.search(rf"crawl {re.escape(server.url)} https://e.example/\d+.csv --out", said)


def test_a_catalogue_of_nothing_is_said(server: SiteServer, tmp_path: Path) -> None:
    server.serve(CkanPortal(20, api="absent", host=server.url).get)
    done = run(*crawl_words(server.url, "--metadata-only", out=tmp_path / "c"), out=tmp_path / "c")

    assert (done.code, len(done.rows)) == (0, 2)
    assert "no API answered" in done.out


def test_an_api_that_limits_its_rate_is_asked_again_later(
    server: SiteServer, tmp_path: Path
) -> None:
    portal, asked = CkanPortal(20, host=server.url), Counter[str]()

    def get(place: str) -> Record:
        asked[place] += 1
        refused = "/api/" in place and asked[place] == 1
        return Record(place, 429, "text/plain", b"", 0) if refused else portal.get(place)

    server.serve(get)
    done = run(*crawl_words(server.url, "--metadata-only", out=tmp_path / "c"), out=tmp_path / "c")

    assert [row.tries for url, row in done.rows.items() if "/api/" in url] == [2]
    assert query(done.path, "SELECT count(*) FROM datasets") == [(20,)]


def blog(posts: int) -> Callable[[str], Record]:
    """A blog whose home page names nothing but its feed."""
    items = "".join(f"<item><link>/post/{number}</link></item>" for number in range(posts))
    feed = f'<rss version="2.0"><channel>{items}</channel></rss>'.encode()
    home = b'<link rel=alternate type="application/rss+xml" href=/feed.xml><p>Blog'

    def get(place: str) -> Record:
        if place == "/":
            return Record(place, 200, "text/html", home, len(home))
        if place == "/feed.xml":
            return Record(place, 200, "application/rss+xml", feed, len(feed))
        if place.endswith(".csv"):
            return Record(place, 200, "text/csv", CSV, len(CSV))
        if place.startswith("/post/"):
            return html_page(place, place, [f"/files{place}.csv"])
        return not_found(place)

    return get


@pytest.mark.parametrize("posts", [20, pytest.param(2000, marks=pytest.mark.soak)])
def test_a_blog_that_only_its_feed_shows_is_harvested(
    server: SiteServer, tmp_path: Path, posts: int
) -> None:
    server.serve(blog(posts))
    done = killed_and_resumed(server.url, tmp_path / "crawl", after=posts // 2)

    assert (done.code, csv_finds(done)) == (0, posts)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("nginx", 200),
        pytest.param("nginx", 10_000, marks=pytest.mark.soak),
        pytest.param("apache2", 10_000, marks=pytest.mark.soak),
    ],
)
def test_listings_of_web_servers_are_harvested(tmp_path: Path, name: str, files: int) -> None:
    """Ten folders; the orders of the columns are never asked for."""
    if not is_installed(name):
        pytest.skip(f"{name} is not installed")
    root = tmp_path / "www"
    for number in range(files):
        folder = root / f"folder{number % 10}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"tabelle {number}.csv").write_bytes(CSV)
    with serving(name, root, tmp_path / "state") as url:
        done = killed_and_resumed(url, tmp_path / "crawl", after=files // 2)

    assert (done.code, csv_finds(done), len(done.rows)) == (0, files, files + 11)
    sizes = query(done.path, "SELECT DISTINCT size, shortcut FROM listed")
    assert sizes == [(len(CSV), "directory")]
