"""Answers that list more than is read say so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lodehound.core.link import Link
from lodehound.core.listing import shortcut_of
from lodehound.core.messages import Answer, Ask, Page
from lodehound.registry import make_shortcuts
from lodehound.shortcuts.contract import Shortcut
from lodehound.shortcuts.feed import Feed
from lodehound.shortcuts.reading import ShortcutReader
from lodehound.shortcuts.sitemap import SitemapFiles
from tests.shortcuts import FIXTURES, TYPES

URL = "https://e.org/list"
SITEMAP = b"<urlset><url><loc>/a.csv</loc></url><url><loc>/b.csv</loc></url>"
FEED = b"<rss><channel><item><link>/a</link></item><item><link>/b</link></item>"


def read(body: bytes) -> Page:
    return read_by({"sitemap": SitemapFiles(), "feed": Feed()}, body, "application/xml")


def read_by(shortcuts: Mapping[str, Shortcut], body: bytes, mime: str) -> Page:
    """Read what an ordinary link led to."""

    def plain(answer: Answer, link: Link) -> Page:
        return Page(link.url, "GET", 200, mime, answer.body)

    return ShortcutReader(plain, shortcuts)(Answer(Ask(1, URL), 200, mime, body), Link(URL))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("udata", "udata/datasets.json"),
        ("opendatasoft", "opendatasoft/v2.json"),
        ("csw", "csw/geonetwork.xml"),
        ("dspace", "dspace/search.json"),
        ("socrata", "socrata/catalog.json"),
        ("drupal", "drupal/files.json"),
    ],
)
def test_an_answer_that_a_page_links_to_is_read_without_a_sign(name: str, file: str) -> None:
    body = (FIXTURES / file).read_bytes()
    page = read_by(make_shortcuts("auto"), body, TYPES[Path(file).suffix])

    assert page.listing is not None
    assert (page.listing.shortcut, page.listing.own) == (name, True)
    assert shortcut_of(page.links[0]) == name


def test_a_long_answer_is_not_read_without_a_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes long to read it only to see whose answer it is."""
    body = (FIXTURES / "udata/datasets.json").read_bytes()
    monkeypatch.setattr("lodehound.shortcuts.reading.MAX_UNASKED", len(body) - 1)
    assert read_by(make_shortcuts("auto"), body, "application/json").listing is None


@pytest.mark.parametrize(
    "body",
    [
        b'[{"id": "a", "type": "t", "text": "x"}]',
        b'{"resources": [{"path": "a.csv"}]}',
        b'{"results": [{"url": "/a.csv"}], "count": 1}',
        b'{"type": "FeatureCollection", "features": []}',
        b"<list><item>a</item></list>",
    ],
)
def test_other_documents_are_not_taken_for_answers(body: bytes) -> None:
    mime = "application/json" if body[:1] != b"<" else "application/xml"
    assert read_by(make_shortcuts("auto"), body, mime).listing is None


@pytest.mark.parametrize(
    ("body", "cut"),
    [
        (SITEMAP + b"</urlset>", False),
        (SITEMAP, True),  # damaged: the rest is missing
        (FEED + b"</channel></rss>", False),
        (FEED, True),
    ],
)
def test_a_list_without_its_end_is_cut(body: bytes, cut: bool) -> None:
    page = read(body)
    assert (len(page.links), page.cut) == (2, cut)


def test_a_list_with_more_entries_than_are_read_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lodehound.shortcuts.reading.MAX_ITEMS", 2)
    assert read(SITEMAP + b"</urlset>").cut


def test_of_a_long_answer_as_much_is_taken_in_as_of_a_sitemap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = read(FEED + b"</channel></rss>")
    monkeypatch.setattr("lodehound.shortcuts.reading.MAX_ITEMS", 1)
    page = read(FEED + b"</channel></rss>")
    assert (page.links, page.cut) == (whole.links[:1], True)


@pytest.mark.parametrize(
    "body",
    [
        b'{"stac_version": "1.0", "links": [' + b"[]," * 600_000 + b"[]]}",
        b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        + b"<a/>" * 100_000
        + b"</OAI-PMH>",
    ],
    ids=["JSON", "XML"],
)
def test_an_answer_that_would_take_seconds_is_left_out_as_too_long(body: bytes) -> None:
    mime = "application/json" if body[:1] == b"{" else "application/xml"
    page = read_by(make_shortcuts("auto"), body, mime)
    assert (page.listing, page.cut) == (None, True)
