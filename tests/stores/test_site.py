"""A recorded site in columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.link import Link
from lodehound.read.links import read_links
from lodehound.stores.records import Damage, Record
from lodehound.stores.site import ABSENT, build_site
from tests.helpers import ROOT, failed, file, moved, page, place, recorded, url


def test_what_every_url_answers() -> None:
    """Status, type, sizes and where it points, by the number of the URL."""
    site = build_site(
        "s",
        [
            Record(ROOT, 200, "Text/HTML; charset=utf-8", b"<a href=x>", 10, 44),
            Record(url("x"), 200, "text/csv", b"a", 99, 40),
            Record(url("old"), 301, "", b"", 0, 30, "x#top"),
        ],
    )

    assert [site.mimes[number] for number in site.mime] == ["text/html", "text/csv", ""]
    assert site.status.tolist() == [200, 200, 301]
    assert (site.size.tolist(), site.head_size.tolist()) == ([10, 99, 0], [44, 40, 30])
    assert site.location.tolist() == [ABSENT, ABSENT, 1]
    assert (site.root, set(site.hosts), set(site.cut)) == (ROOT, {"s.example"}, set())


def test_links_are_those_of_the_page() -> None:
    """Every field of every link comes back, at the depth that is asked for."""
    body = (
        b"<base href=/b/><div id=i><p class='c d'>near <a href=x>one</a> far</p><area href=y></div>"
    )
    site = build_site("s", [Record(ROOT, 200, "text/html", body), Record(url("b/x"), 200)])

    assert site.links(0, 3) == read_links(body, url=ROOT, depth=2).links
    assert site.links(1, 3) == ()
    assert len(site.links(0, 1)) == 2


def test_links_of_headers_and_of_json() -> None:
    """A recorded site shows what a live crawl would see, each link with its kind."""
    body = b'{"resources": [{"url": "/y.csv"}]}'
    listed = Record(url("x.json"), 200, "application/json", body, link_header="</z>; rel=item")
    site = build_site("s", [Record(ROOT, 200, "text/html", b"<embed src=x.json>"), listed])

    assert [link.kind for link in site.links(0, 1)] == ["embed"]
    assert [(link.url, link.kind, link.tag_path) for link in site.links(1, 1)] == [
        (url("y.csv"), "json", "json/resources/url"),
        (url("z"), "header", "header/link[item]"),
    ]


def test_numbers_of_urls() -> None:
    """Recorded URLs come first; what is only linked to is absent."""
    site = recorded({"": page("a", "gone"), "a": page("")})

    assert [site.number(url(at)) for at in ("", "a", "gone", "never")] == [0, 1, ABSENT, ABSENT]
    assert site.urls == [ROOT, url("a"), url("gone")]


def test_of_two_records_the_first_counts() -> None:
    """The same address in another writing is the same URL."""
    site = build_site(
        "s",
        [
            Record(ROOT, 200, "text/html", b"<a href=a>"),
            Record("HTTPS://S.example:443/#x", 404),
            Record(ROOT, 500),
        ],
    )

    assert (len(site.status), site.status[0], len(site.links(0, 1))) == (1, 200, 1)


def test_what_is_no_address_is_left_out() -> None:
    """Records of DNS look-ups and the like are no pages."""
    site = build_site("s", [Record("", 200), Record("dns:s.example", 200), Record(ROOT, 200)])

    assert site.urls == [ROOT]


@pytest.mark.parametrize(
    ("record", "read"),
    [
        (page("x"), True),
        (Record("", 203, "application/xhtml+xml", b"<a href=x>"), True),
        (failed(404), False),
        (Record("", 300, "text/html", b"<a href=x>"), False),
        (Record("", 199, "text/html", b"<a href=x>"), False),
        (moved("y"), False),
        (Record("", 200, "text/plain", b"<a href=x>"), False),
        (Record("", 200, "", b"<a href=x>"), False),
    ],
)
def test_only_pages_have_links(record: Record, read: bool) -> None:
    """HTML that came with 2xx."""
    assert bool(recorded({"": record}).links(0, 1)) is read


def test_the_charset_of_the_header_counts() -> None:
    """It was recorded with the page, and is used when its links are read."""
    record = Record(
        ROOT, 200, "text/html; charset=windows-1251", "<a href=x>да</a>".encode("cp1251")
    )

    assert build_site("s", [record]).links(0, 1)[0].anchor == "да"


def test_redirects_to_nowhere() -> None:
    """A place that is no address is no place; one that is not recorded is."""
    site = recorded({"": moved("mailto:x"), "a": moved("https://other.example/"), "b": moved("")})

    assert site.location.tolist() == [ABSENT, site.urls.index("https://other.example/"), ABSENT]


def test_a_location_beside_a_success_is_no_redirect() -> None:
    """Nor is one beside a page, which may say itself that it has moved."""
    page_that_moved = Record("", 200, "text/html", b"<meta http-equiv=refresh content='0;url=c'>")
    site = recorded(
        {
            "a": replace(file(), location="/b"),
            "b": replace(page(), location="/c"),
            "c": page_that_moved,
            "d": page(),
        }
    )

    assert site.location.tolist() == [ABSENT, ABSENT, ABSENT, ABSENT]
    moved_page = recorded({"": page(), "a": page_that_moved})
    assert [moved_page.urls[number] for number in moved_page.location if number != ABSENT] == [
        url("c")
    ]


def test_an_empty_recording() -> None:
    """No records make a site of nothing, without an error here."""
    site = build_site("s", [])

    assert (len(site.status), site.urls, site.hosts) == (0, [], frozenset())


def test_damage_is_handed_on() -> None:
    """What was noted while the records were read belongs to the site."""
    damage = Damage(["torn"], 1)

    assert build_site("s", [], damage=damage).damage is damage
    assert build_site("s", []).damage == Damage()


PLACES = st.sampled_from(["", "a", "b", "c", "d", "gone", "https://o.example/"])
GRAPHS = st.dictionaries(
    PLACES, st.lists(PLACES.map("nav:".__add__) | PLACES, max_size=6), min_size=1
)


@settings(max_examples=60)
@given(GRAPHS)
def test_any_graph_comes_back(graph: dict[str, list[str]]) -> None:
    """Links of every page, in order, with their paths and words."""
    site = recorded({at: page(*shown) for at, shown in graph.items()})

    for number, (at, shown) in enumerate(graph.items()):
        found = site.links(number, 1)
        expected = [one.removeprefix("nav:") for one in shown]
        assert [link.anchor for link in found] == expected
        assert [place(link.url) for link in found] == expected
        paths = [f"html/body/p{'.nav' if one.startswith('nav:') else ''}/a" for one in shown]
        assert [link.tag_path for link in found] == paths
        assert {link.source for link in found} <= {url(at)}
        assert all(isinstance(link, Link) for link in found)


def test_sizes_of_files_are_kept() -> None:
    """More than four gigabytes too."""
    assert recorded({"": page("big"), "big": file(size=5_000_000_000)}).size[1] == 5_000_000_000
