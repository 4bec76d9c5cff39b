"""The site as a graph, built in columns."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.urls import canonical
from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.policies.bfs import Bfs
from lodehound.sites import graph
from lodehound.stores.site import RecordedSite
from lodehound.targets.files import DATA_MIMES, Files


def crawled(site: RecordedSite, policy: Bfs | SbClassifier) -> list[bool]:
    """Crawl a site to its end; say of every GET whether it was a find."""
    _, steps = replay(site, policy=policy, target=Files())
    return [step.found for step in steps if step.method == "GET"]


@pytest.mark.parametrize(
    ("pages", "links", "files"), [(1, 5, 1), (2, 20, 0), (50, 1, 0), (777, 20, 77), (300, 5, 300)]
)
def test_everything_can_be_reached(pages: int, links: int, files: int) -> None:
    """A complete crawl asks for every page and file once, and finds every file."""
    site = graph(pages, links=links, files=files, groups=30)
    found = crawled(site, Bfs())
    assert (len(found), sum(found)) == (pages + files, files)


def test_links_and_columns() -> None:
    """Every page has so many links, files none, and every number points into its table."""
    site = graph(500, links=12, files=60, groups=40)
    assert np.diff(site.starts).tolist() == [12] * 500 + [0] * 60
    assert len(site.link_url) == len(site.link_path) == len(site.link_kind) == 6000
    assert site.link_url.min() >= 0
    assert site.link_url.max() < len(site.urls) == len(site.status) == 560
    assert site.link_path.max() < len(site.paths) == len(set(site.paths)) == 41


def test_addresses_are_canonical_and_stand_once() -> None:
    """URLs are written as we know them."""
    urls = graph(400, files=50).urls
    assert urls == [canonical(url) for url in urls]
    assert len(set(urls)) == 450


def test_types() -> None:
    """Pages are HTML, files are of the types that count as data."""
    site = graph(100, files=30)
    mimes = [site.mimes[number] for number in site.mime]
    assert mimes[:100] == ["text/html"] * 100
    assert set(mimes[100:]) <= DATA_MIMES


def test_files_hang_behind_few_groups() -> None:
    """The pages that link to files are reached by a tenth of the tag paths."""
    site = graph(5000, files=500, groups=100)
    page = np.repeat(np.arange(5000), 20)
    carriers = set(page[site.link_url >= 5000].tolist())
    behind = {
        int(path)
        for url, path in zip(site.link_url, site.link_path, strict=True)
        if int(url) in carriers
    }
    assert 1 <= len(behind) <= 10


def test_same_seed_same_graph() -> None:
    """The arguments decide every column; another seed makes another graph."""
    one, two, other = graph(300, seed=1), graph(300, seed=1), graph(300, seed=2)
    assert np.array_equal(one.link_url, two.link_url)
    assert np.array_equal(one.size, two.size)
    assert not np.array_equal(one.link_url, other.link_url)


def test_learning_finds_the_groups() -> None:
    """Half of the files come much sooner than breadth first brings them."""
    site = graph(5000, files=500, groups=30)
    half = [
        int(np.flatnonzero(np.cumsum(crawled(site, policy)) >= 250)[0])
        for policy in (SbClassifier(), Bfs())
    ]
    assert half[0] * 1.5 < half[1]


@pytest.mark.parametrize(
    ("pages", "options", "message"),
    [
        (0, {}, "1 page"),
        (10, {"links": 0}, "1 link"),
        (10, {"files": -1}, "0 files"),
        (10, {"links": 6, "files": 21}, "at most 20 files"),
    ],
)
def test_impossible_graphs_are_refused(pages: int, options: dict[str, int], message: str) -> None:
    """What cannot be built is refused with the limit."""
    with pytest.raises(ConfigError, match=message):
        graph(pages, **options)
