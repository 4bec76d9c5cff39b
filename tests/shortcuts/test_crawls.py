"""Crawls with shortcuts: APIs are asked at once when they pay, and cost little when they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.ending import Tally
from lodehound.assembly.trust import key_advice
from lodehound.config import CrawlConfig
from lodehound.core.api_guard import NO_API, REPEATS
from lodehound.core.known import KnownUrls
from lodehound.core.link import Link
from lodehound.core.listing import SPARE, listed_link
from lodehound.core.messages import Ask
from lodehound.core.scope import Scope
from lodehound.sites.portals import (
    CSV,
    CkanPortal,
    DataJsonSite,
    FolderSite,
    WordPressSite,
    html_page,
    not_found,
)
from lodehound.stores.records import Record
from tests.shortcuts.crawling import ROOT, Harvest, answerer, harvest

SEARCH = ROOT + "api/3/action/package_search"


def api_requests(done: Harvest) -> list[str]:
    return [url for url in done.urls if "/api/" in url]


def test_an_api_names_all_files_in_a_few_requests() -> None:
    done = harvest(CkanPortal(2500).get, requests=14)

    assert [step.new_links for step in done.steps[1:4]] == [1001, 1001, 500]
    assert [step.found for step in done.steps] == 4 * [False] + 10 * [True]


@pytest.mark.parametrize("linked", ["/api/3", "/api/3/action/package_search?rows=5&q=rivers"])
def test_a_portal_that_only_links_to_its_api_is_recognised(linked: str) -> None:
    """Its pages name no generator; a search for some datasets is no search for all."""
    portal = CkanPortal(2500)

    def get(url: str) -> Record:
        return html_page(url, "Data", [linked]) if url == ROOT else portal.get(url)

    done = harvest(get, requests=4)
    assert [url.partition("&sort")[0] for url in done.urls] == [
        ROOT,
        *(f"{SEARCH}?rows=1000&start={start}" for start in (0, 1000, 2000)),
    ]
    assert sum(step.new_links for step in done.steps[1:]) >= 2500


def test_without_shortcuts_no_api_is_asked() -> None:
    done = harvest(CkanPortal(20).get, requests=60, shortcuts="off")

    assert api_requests(done) == []


def test_an_api_that_is_not_there_costs_one_request_for_each_probe() -> None:
    portal = CkanPortal(20, api="absent")

    assert len(api_requests(harvest(portal.get, requests=60))) == 1


def test_without_an_api_facets_cost_at_most_three_times_the_pages_of_datasets() -> None:
    """Until 90 % of the files are found; the lists of this portal have no end."""
    done = harvest(CkanPortal(100, api="absent").get, requests=390)

    assert done.crawl.finds >= 90  # and 300 other requests at most


def test_the_same_file_by_api_and_by_page_is_one_find() -> None:
    done = harvest(CkanPortal(20).get, requests=60)

    assert len(done.finds) == len(set(done.finds)) == 20


@pytest.mark.parametrize("policy", ["bfs", "random", "sb-classifier", "lodehound", "sarsa"])
def test_every_policy_takes_shortcuts(policy: str) -> None:
    done = harvest(CkanPortal(60).get, requests=10, policy=policy)

    assert done.urls[1].startswith(SEARCH)


def changed(portal: CkanPortal, change: Callable[[str, Record], Record]) -> Callable[[str], Record]:
    """Return a portal whose API answers otherwise."""
    return lambda url: change(url, portal.get(url)) if "/api/" in url else portal.get(url)


def test_signs_of_many_apis_that_are_not_there_cost_three_requests() -> None:
    """Every page names another address of the API."""

    def get(url: str) -> Record:
        number = int(url.removeprefix(ROOT) or 0) if "wp-json" not in url else 99
        if number > 20:
            return not_found(url)
        page = html_page(url, "Blog", [f"/{number + 1}"])
        return replace(page, link_header=f'<{ROOT}{number}/wp-json/>; rel="https://api.w.org/"')

    done = harvest(get)

    assert sum("wp-json" in url for url in done.urls) == 3
    assert done.crawl.refused == {NO_API: 18}
    assert done.crawl.waiting == 0


def test_an_api_that_pages_for_ever_is_left() -> None:
    """It claims a thousand million datasets, and sends the first hundred again and again."""
    first = CkanPortal(100).get("/api/3/action/package_search?rows=100").body
    endless = first.replace(b'"count": 100', b'"count": 1000000000')
    portal = changed(
        CkanPortal(100), lambda url, _: Record(url, 200, "application/json", endless, len(endless))
    )
    done = harvest(portal, requests=10)

    assert len(api_requests(done)) == 4  # one with news, and three without
    assert done.crawl.refused[REPEATS] == 1


def test_a_list_without_end_leaves_most_of_a_budget_to_the_files() -> None:
    """Each answer names 100 of a thousand million datasets; 20 are asked for first."""
    portal = changed(
        CkanPortal(10**9),
        lambda url, _: CkanPortal(10**9).get(url.replace("rows=1000", "rows=100")),
    )
    done = harvest(portal, requests=200)

    assert (len(api_requests(done)), len(done.finds)) == (28, 171)


def test_an_unknown_answer_of_an_api_is_no_find() -> None:
    """A file of the same name that a page links to is one."""
    error = b'{"success": false, "error": {"__type": "Search Error"}}'
    home = b'<meta name=generator content="ckan 2.10"><a href=/data.json>Data</a>'

    def get(url: str) -> Record:
        kind, body = ("text/html", home) if url == ROOT else ("application/json", error)
        return Record(url, 200, kind, body, len(body))

    assert harvest(get).finds == [ROOT + "data.json"]


def test_a_page_in_place_of_an_answer_is_read_as_a_page() -> None:
    portal = changed(CkanPortal(20), lambda url, _: CkanPortal(20).get("/datasets"))
    done = harvest(portal, requests=30)

    assert len(api_requests(done)) == 1
    assert done.steps[1].new_links == 71  # ten datasets, the next page, and 60 facets


def test_a_shortcut_that_is_named_is_tried_without_signs() -> None:
    def silent(url: str) -> Record:
        return CkanPortal(20).get(url) if "/api/" in url or ".csv" in url else not_found(url)

    def get(url: str) -> Record:
        return silent(url) if url != ROOT else Record(url, 200, "text/html", b"<p>Data")

    assert harvest(get).finds == []
    assert len(harvest(get, shortcuts="ckan").finds) == 20


def test_only_metadata_means_that_no_file_is_requested() -> None:
    done = harvest(CkanPortal(1200).get, metadata_only=True)

    assert len(done.urls) == 3
    assert (done.crawl.stopped, done.crawl.finds) == ("exhausted", 1200)  # the datasets


def test_uploads_of_wordpress_are_listed_before_pages_are_read() -> None:
    """The fourth request is for texts; this site does not tell types apart."""
    with_api = harvest(WordPressSite(250, host=ROOT).get, requests=260)
    without = harvest(WordPressSite(250, api="absent", host=ROOT).get)

    assert [step.new_links for step in with_api.steps[:5]] == [5, 101, 101, 1, 50]
    assert (with_api.crawl.finds, without.crawl.finds) == (250, 50)


def test_folders_are_read_without_the_orders_of_their_columns() -> None:
    done = harvest(FolderSite(folders=10, files=30).get)

    assert (done.crawl.stopped, done.crawl.finds, len(done.urls)) == ("exhausted", 300, 311)
    assert harvest(FolderSite(10, 30, listed=False).get).crawl.finds == 10


def test_a_catalogue_in_one_file_is_read_when_a_page_links_to_it() -> None:
    with_file = harvest(DataJsonSite(200, host=ROOT).get)
    without = harvest(DataJsonSite(200, api="absent", host=ROOT).get)

    assert (with_file.crawl.finds, without.crawl.finds) == (200, 20)


def test_a_blog_that_only_its_feed_shows_is_read() -> None:
    posts = [f"/post/{number}" for number in range(30)]
    items = "".join(f"<item><link>{post}</link></item>" for post in posts)
    feed = f'<rss version="2.0"><channel>{items}</channel></rss>'.encode()
    home = b'<link rel=alternate type="application/rss+xml" href=/feed.xml><p>Blog'

    def get(url: str) -> Record:
        place = "/" + url.removeprefix(ROOT)
        if place in posts:
            return html_page(url, place, [f"/files{place}.csv"])
        if place.endswith(".csv"):
            return Record(url, 200, "text/csv", CSV, len(CSV))
        pages = {"/": ("text/html", home), "/feed.xml": ("application/rss+xml", feed)}
        return Record(url, 200, *pages[place]) if place in pages else not_found(url)

    assert sum(url.endswith(".csv") for url in harvest(get).finds) == 30


def mapped(url: str) -> Record:
    """A site of three pages in a row, with a sitemap that lists them, 20 others and two files."""
    pages = {"": ["a"], "a": ["b"], "b": ["b.csv"], "orphan": ["c.csv"]}
    pages |= {f"old/{number}": [] for number in range(20)}
    place = url.removeprefix(ROOT)
    if place == "sitemap.xml":
        listed = "".join(f"<url><loc>/{one}</loc></url>" for one in (*reversed(pages), "d.csv"))
        body = f"<urlset>{listed}</urlset>".encode()
        return Record(url, 200, "application/xml", body, len(body))
    if place in pages:
        return html_page(url, place, ["/" + link for link in pages[place]])
    return Record(url, 200, "text/csv", CSV, len(CSV)) if ".csv" in url else not_found(url)


def test_files_of_a_sitemap_come_first_and_pages_that_nothing_else_shows_last() -> None:
    done = harvest(mapped, shortcuts="sitemap", policy="bfs")
    places = [url.removeprefix(ROOT) for url in done.urls]

    assert places[:6] == ["", "sitemap.xml", "a", "d.csv", "b", "b.csv"]
    assert set(done.finds) == {ROOT + name for name in ("b.csv", "c.csv", "d.csv")}
    assert len(done.urls) == len(set(done.urls)) == 28


@pytest.mark.parametrize(("files", "maps"), [(0, 3), (50, 41)])
def test_sitemaps_of_an_index_are_read_as_long_as_they_list_files(files: int, maps: int) -> None:
    """After the index and two of its 40 sitemaps, the others wait until nothing else is left."""

    def get(url: str) -> Record:
        number = url.removeprefix(ROOT)
        if number == "sitemap.xml":
            body = "".join(f"<sitemap><loc>/{n}.xml</loc></sitemap>" for n in range(40))
            body = f"<sitemapindex>{body}</sitemapindex>"
        elif number.endswith(".xml"):
            names = [f"{number}-{n}.csv" for n in range(files)] or [number.replace(".xml", "000")]
            body = "".join(f"<url><loc>/{name}</loc></url>" for name in names)
            body = f"<urlset>{body}</urlset>"
        elif ".csv" in number:
            return Record(url, 200, "text/csv", CSV, len(CSV))
        else:
            return html_page(url, "Page", [f"/{int(number or 0) + 1}"])
        return Record(url, 200, "application/xml", body.encode(), len(body))

    done = harvest(get, shortcuts="sitemap", requests=900)

    assert sum(url.endswith(".xml") for url in done.urls) == maps


@pytest.mark.parametrize(("first", "fresh"), [(True, []), (False, [ROOT + "new"])])
def test_pages_of_a_list_are_held_back_in_the_first_round_only(
    *, first: bool, fresh: list[str]
) -> None:
    """In later ones, what a sitemap adds is new."""
    known = KnownUrls(Scope.around([ROOT]))
    known.holds_spare = first
    page = listed_link("sitemap", ROOT + "new", source=ROOT, depth=1, format=SPARE)
    shown, _ = known.sift([page], Link(ROOT))

    assert [link.url for link in shown] == fresh
    assert [link.url for link in known.take_spare(())] == ([ROOT + "new"] if first else [])


@pytest.mark.parametrize("policy", ["bfs", "sb-classifier", "lodehound", "sarsa"])
def test_every_policy_gets_the_pages_of_a_sitemap_in_the_end(policy: str) -> None:
    done = harvest(mapped, shortcuts="sitemap", policy=policy)

    assert (done.crawl.stopped, done.crawl.finds) == ("exhausted", 3)
    assert done.crawl.waiting == 0


def test_an_answer_of_an_api_is_no_find() -> None:
    done = harvest(CkanPortal(5).get, requests=20, want="files:json")

    assert done.finds == []


def test_an_api_that_needs_a_key_is_named_with_the_option_that_gives_it() -> None:
    portal = CkanPortal(5)

    def get(url: str) -> Record:
        return replace(portal.get(url), status=403) if "/api/" in url else portal.get(url)

    tally = Tally()
    crawl = make_crawl(CrawlConfig(urls=(ROOT,), requests=5))
    for ask in iter(crawl.next, None):
        if not isinstance(ask, Ask):
            break
        answer, link = answerer(get)(ask), crawl.choice_of(ask.number).link
        tally.count(link, answer, crawl.read(answer))
        crawl.receive(answer)

    assert list(tally.locked) == ["ckan"]
    assert key_advice("ckan") == "give it with --header 'Authorization: KEY'"
