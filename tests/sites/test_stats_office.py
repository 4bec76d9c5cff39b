"""The generated statistics office: its knobs do what they say."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.urls import canonical, extension_of, host_of
from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.policies.bfs import Bfs
from lodehound.read.links import read_links
from lodehound.sites import StatsOffice
from lodehound.sites.branch import least_pages
from lodehound.sites.html_pages import Anchor, Block, Frame, PlannedPage, page_html
from lodehound.stores.records import Damage, Record
from lodehound.stores.site import ABSENT, RecordedSite, build_site
from lodehound.stores.warc import read_warc, write_warc
from lodehound.targets.files import DATA_MIMES, Files

SITES = [
    StatsOffice(),
    StatsOffice(pages=50, files=5, redirects=0, dead=0.0),
    StatsOffice(pages=51, files=0, redirects=3, dead=0.3, seed=1),
    StatsOffice(pages=53, files=300, redirects=100, depth=2, host="http://localhost:8080/"),
    StatsOffice(pages=333, files=41, languages=("en", "fr", "de", "es"), seed=7),
    StatsOffice(pages=1201, files=177, depth=8, seed=3),
]


@cache
def site_of(office: StatsOffice) -> RecordedSite:
    return build_site("office", office.records())


def depths(site: RecordedSite, root: int = 0) -> dict[int, int]:
    """Return the clicks from a page to every URL; a redirect costs none."""
    depth = {root: 0}
    queue = [root]
    for number in queue:
        if number >= len(site.status):
            continue
        rows = slice(site.starts[number], site.starts[number + 1])
        steps = [(int(url), 1) for url in site.link_url[rows]]
        if site.location[number] != ABSENT:
            steps.append((int(site.location[number]), 0))
        for url, cost in steps:
            if url not in depth:
                depth[url] = depth[number] + cost
                queue.append(url)
    return depth


def kinds(site: RecordedSite) -> Counter[str]:
    """Count the recorded URLs by what they are."""
    found: Counter[str] = Counter()
    for status, mime in zip(site.status.tolist(), site.mime.tolist(), strict=True):
        name = site.mimes[mime]
        found["redirect" if status == 301 else "file" if name in DATA_MIMES else name] += 1
    return found


def requests_to(policy: Bfs | SbClassifier, site: RecordedSite, finds: int) -> int:
    """Return how many requests a policy needs for so many finds."""
    crawl, steps = replay(site, policy=policy, target=Files())
    return next(step.number for step in steps if crawl.finds == finds)


@pytest.mark.parametrize("office", SITES, ids=str)
def test_knobs_are_exact(office: StatsOffice) -> None:
    """There are as many pages, files and redirects as asked for, and nothing else."""
    expected = {"text/html": office.pages, "file": office.files, "redirect": office.redirects}
    assert kinds(site_of(office)) == Counter(expected)


@pytest.mark.parametrize("office", SITES, ids=str)
def test_everything_can_be_reached(office: StatsOffice) -> None:
    """Links and redirects lead from the root to every record."""
    site = site_of(office)
    assert set(depths(site)) == set(range(len(site.urls)))
    assert site.root == office.host


@pytest.mark.parametrize("office", SITES, ids=str)
def test_share_of_dead_links(office: StatsOffice) -> None:
    """So many of the addresses linked to are absent, and they are the site's own."""
    site = site_of(office)
    own = [url for url in site.urls if host_of(url) == host_of(office.host)]
    dead = len(own) - len(site.status)
    assert dead / len(own) == pytest.approx(office.dead, abs=1 / len(own))


@pytest.mark.parametrize("office", SITES, ids=str)
def test_addresses_are_canonical_and_stand_once(office: StatsOffice) -> None:
    """Every record has an address of its own, written as we know it."""
    urls = [record.url for record in office.records()]
    assert urls == [canonical(url) for url in urls]
    assert len(set(urls)) == len(urls)


@pytest.mark.parametrize("depth", range(2, 9))
def test_depth_of_the_releases(depth: int) -> None:
    """The archive's releases are so many clicks from the home page."""
    site = site_of(StatsOffice(pages=400, depth=depth, seed=depth))
    releases = {
        int(url)
        for url, path in zip(site.link_url, site.link_path, strict=True)
        if "releases-list" in site.paths[path]
    }
    found = depths(site)
    assert {found[url] for url in releases} == {depth}


@pytest.mark.parametrize("depth", range(2, 9))
def test_smallest_sites(depth: int) -> None:
    """The least number of pages suffices for a release with files, and so does every other."""
    least = least_pages(depth)
    for pages in range(least, least + 5):
        records = list(StatsOffice(pages=pages, files=3, depth=depth).records())
        assert sum("html" in record.content_type for record in records) == pages
        assert any(b'main class="release"' in record.body for record in records)
    with pytest.raises(ConfigError, match=f"needs at least {least} pages"):
        StatsOffice(pages=least - 1, depth=depth)


def test_same_seed_same_site() -> None:
    """The knobs decide every byte; another seed makes another site."""
    office = StatsOffice(pages=120, files=20, languages=("en", "de"))
    assert list(office.records()) == list(office.records())
    assert list(office.records()) != list(replace(office, seed=1).records())


def test_records_survive_a_warc(tmp_path: Path) -> None:
    """The site can be written and read again without loss."""
    office = StatsOffice(pages=60, files=20, redirects=5)
    write_warc(tmp_path / "office.warc.gz", office.records())
    assert list(read_warc(tmp_path / "office.warc.gz", Damage())) == list(office.records())


def test_some_files_have_no_ending() -> None:
    """One file in five cannot be told by its address."""
    records = [record for record in StatsOffice().records() if "html" not in record.content_type]
    bare = [record for record in records if record.status == 200 and not extension_of(record.url)]
    assert len(bare) == 16


def test_csv_files_are_tables() -> None:
    """A CSV file can be read as one."""

    def rows(record: Record) -> list[list[str]]:
        return list(csv.reader(io.StringIO(record.body.decode(), newline="")))

    tables = [rows(r) for r in StatsOffice().records() if r.content_type == "text/csv"]
    assert all(table[0] == ["period", "value"] and len(table) > 4 for table in tables)
    assert all(float(row[1]) > 0 for table in tables for row in table[1:])


def test_every_page_has_menu_and_sidebar() -> None:
    """The frame of its language stands around every page."""
    site = site_of(StatsOffice(pages=80, files=8, languages=("en", "fr")))
    for number in range(len(site.status)):
        paths = {link.tag_path for link in site.links(number, 0)}
        if "html" in site.mimes[site.mime[number]]:
            assert {path.split("/")[2] for path in paths} >= {"nav.menu", "div.page", "header.top"}
            assert any("aside.sidebar" in path for path in paths)


def test_texts_and_addresses_are_escaped() -> None:
    """Nothing that a page says can become markup."""
    evil = Anchor('/x?a=1&b="><a href=/evil>', "</a><a href=/evil>'")
    block = Block('"><a href=/evil>', evil.text, [evil])
    page = PlannedPage("/", evil.text, '"><a href=/evil>', block.style, (evil,), evil.text, [block])
    body = page_html(page, Frame(evil.text, [evil], [evil], block, evil))
    links = read_links(body, url="https://e.org/").links
    assert {link.url for link in links} == {"https://e.org/x?a=1&b=%22%3E%3Ca%20href=/evil%3E"}
    assert len(links) == 6


def test_learning_beats_breadth_first() -> None:
    """Tag paths tell where the files are: half of them come with half the requests."""
    for seed in range(3):
        site = site_of(StatsOffice(seed=seed))
        learned = requests_to(SbClassifier(seed=seed), site, 40)
        assert 2 * learned < requests_to(Bfs(), site, 40)


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"pages": 10}, "needs at least 19 pages"),
        ({"languages": ("xx",)}, "no language 'xx'"),
        ({"languages": ()}, "at least one language"),
        ({"languages": ("en", "en")}, "each language only once"),
        ({"depth": 9}, "give 2 to 8"),
        ({"files": -1}, "0 or more"),
        ({"dead": 1.0}, "a share below 1"),
        ({"host": "https://stats.example/sub/"}, "not the root of a site"),
        ({"host": "stats.example"}, "not the root of a site"),
    ],
)
def test_impossible_knobs_are_named(knobs: dict[str, object], message: str) -> None:
    """A site that cannot be is refused with the way out."""
    with pytest.raises(ConfigError, match=message):
        StatsOffice(**knobs)  # type: ignore[arg-type]
