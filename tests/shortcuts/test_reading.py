"""Answers that list more than is read say so."""

from __future__ import annotations

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.shortcuts.feed import Feed
from lodehound.shortcuts.reading import ShortcutReader
from lodehound.shortcuts.sitemap import SitemapFiles

URL = "https://e.org/list"
SITEMAP = b"<urlset><url><loc>/a.csv</loc></url><url><loc>/b.csv</loc></url>"
FEED = b"<rss><channel><item><link>/a</link></item><item><link>/b</link></item>"


def read(body: bytes) -> Page:
    def plain(answer: Answer, link: Link) -> Page:
        return Page(link.url, "GET", 200, "application/xml", answer.body)

    reader = ShortcutReader(plain, {"sitemap": SitemapFiles(), "feed": Feed()})
    return reader(Answer(Ask(1, URL), 200, "application/xml", body), Link(URL))


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
