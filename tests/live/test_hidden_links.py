"""A site whose files are named in every way but by an ordinary link, crawled by the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import Crawled, crawl, query, run

JSON_LD = json.dumps({"@type": "Report", "encoding": {"contentUrl": "/jsonld.csv"}})
PAGE = f"""<!DOCTYPE html><title>Home</title>
<link rel=alternate type=text/csv href=/link.csv>
<meta http-equiv=refresh content="60; url=/refresh.csv">
<script type="application/ld+json">{JSON_LD}</script>
<div itemscope><link itemprop=contentUrl href=/microdata.csv>
<span itemprop=downloadUrl> /microdata-text.csv </span><span itemprop=url>not a URL</span></div>
<embed src=/embed.csv><object data=/object.csv></object>
<form action=/form.csv></form>
<select><option value=/option.csv>A year</select>
<button data-file=/data.csv>Table</button>
<button onclick="location.href = '/onclick.csv'">Table</button>
<script>window.state = {{"file": "\\/script.csv"}}</script>
<a href=/api>All files</a><a href=/picture.csv><img alt="A map"></a>"""
LISTED = {"resources": [{"name": "Listed", "downloadUrl": "/json.csv"}]}

DECLARED = {"link", "refresh", "jsonld", "microdata", "embed", "object", "header"}
DECLARED |= {"microdata-text"}
GUESSED = {"form", "option", "data", "onclick", "script", "json"}


def records() -> Iterator[Record]:
    named = "</app.css>; rel=preload, </header.csv>; rel=describedby"
    yield Record("https://e.org/", 200, "text/html", PAGE.encode(), link_header=named)
    yield Record("https://e.org/api", 200, "application/json", json.dumps(LISTED).encode())
    for name in sorted(DECLARED | GUESSED | {"picture"}):
        yield Record(f"https://e.org/{name}.csv", 200, "text/csv", f"{name},value\n1,2\n".encode())


@pytest.fixture(scope="module")
def server() -> Iterator[SiteServer]:
    with SiteServer(list(records())) as serving:
        yield serving


@pytest.fixture(scope="module")
def crawled(server: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    done = crawl(server.url, out=tmp_path_factory.mktemp("hidden") / "crawl", want="files:csv")
    assert done.code == 0, done.said
    return done


def found(done: Crawled) -> set[str]:
    return {url.rpartition("/")[2].removesuffix(".csv") for url in done.finds}


def test_every_kind_leads_to_its_file(crawled: Crawled) -> None:
    assert found(crawled) == DECLARED | GUESSED | {"picture"}


def test_guesses_can_be_left_out(server: SiteServer, tmp_path: Path) -> None:
    """What is declared stays; the two spellings of the option are the two ways it can be."""
    words = [server.url, "--no-speculative-links", "--want", "files:csv"]
    without = crawl(*words, out=tmp_path / "without")
    words[1] = "--speculative-links"
    wanted = crawl(*words, out=tmp_path / "with")

    assert found(without) == DECLARED | {"picture"}
    assert found(wanted) == DECLARED | GUESSED | {"picture"}


def test_as_the_paper_prints_it_only_what_pages_show(server: SiteServer, tmp_path: Path) -> None:
    """No API, no sitemap, no hidden link, and nothing refused by HEAD."""
    words = [server.url, "--policy", "sb-classifier:paper", "--want", "files:csv"]
    done = crawl(*words, out=tmp_path / "crawl")

    assert found(done) == {"picture"}
    asked = {url.rpartition("/")[2] for (url,) in query(done.path, "SELECT url FROM asks")}
    assert asked == {"", "api", "picture.csv"}


def test_the_catalogue_has_the_text_of_images(crawled: Crawled) -> None:
    anchors = dict(query(crawled.path, "SELECT url, anchor FROM finds"))

    assert [anchor for url, anchor in anchors.items() if "picture" in url] == ["A map"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("jsonld", "named in JSON-LD of the page"),
        ("header", "named in the Link header"),
        ("option", "option of a list “A year”"),
        ("json", "listed in a JSON document “Listed”"),
        ("picture", "link “A map”"),
    ],
)
def test_explain_says_how_a_file_was_named(
    server: SiteServer, crawled: Crawled, name: str, words: str
) -> None:
    done = run("explain", crawled.path, f"{server.url}{name}.csv", "--quick")

    assert done.code == 0
    assert any(line.strip().startswith(words) for line in done.out.splitlines()), done.out
