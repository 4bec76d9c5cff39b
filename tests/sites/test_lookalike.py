"""Disguised real sites."""

from __future__ import annotations

from lodehound.sites.lookalike import PlacedLink, page_of
from lodehound.stores.records import Record
from lodehound.stores.site import build_site

PAGE = "https://e.example/"


def test_links_are_read_at_the_places_they_were_put() -> None:
    links = [
        PlacedLink(f"{PAGE}a", "html/body.x.y#top/ul/li/a.b", "one & two"),
        PlacedLink(f"{PAGE}b", "html/body.x.y#top/ul/li/a.b", ""),
        PlacedLink(f"{PAGE}c?d=1&e=2", "html/body.x.y#top/table/tbody/tr/td/a", "three"),
    ]
    site = build_site("e", [Record(PAGE, 200, "text/html", page_of(links))])
    assert [PlacedLink(*link[:1], *link[2:4]) for link in site.links(0, 0)] == links
