"""robots.txt in a session: how long it is valid, and that it covers sitemaps too."""

from __future__ import annotations

import pytest

from lodehound.drivers.live.fetch import Reply
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.robots_book import RobotsBook
from tests.drivers.live.test_session import CSV, HTML, ROOT, World, page

DAY = 24 * 3600.0
ORIGIN = ROOT.rstrip("/")


@pytest.mark.parametrize(("reply", "seconds"), [(Reply(404), DAY), (Reply(500), 300.0)])
def test_robots_txt_expires(reply: Reply, seconds: float) -> None:
    """After 24 hours (RFC 9309, 2.4), or five minutes if it could not be fetched."""
    robots = RobotsBook("lodehound")
    assert robots.rules_for(ORIGIN, ORIGIN, 1000.0) == "unknown"
    robots.learn(ORIGIN, reply, 1000.0)

    assert robots.rules_for(ORIGIN, ORIGIN, 999.9 + seconds) != "unknown"
    assert robots.rules_for(ORIGIN, ORIGIN, 1000.0 + seconds) == "unknown"


def test_expired_rules_are_fetched_again_and_obeyed() -> None:
    """The page that was allowed yesterday is not requested today."""
    web = {ROOT: page("a", "b"), ROOT + "robots.txt": Reply(404)}
    world = World(web, politeness=Politeness(delay=0.6 * DAY, jitter=0.0)).run(until=0.7 * DAY)
    web[ROOT + "robots.txt"] = Reply(200, {}, b"User-agent: *\nDisallow: /a\n")
    world.run()

    assert world.urls == ["robots.txt", "", "robots.txt", "b"]
    assert world.session.tally.unsent == {"robots.txt disallows": 1}


def test_forbidden_sitemaps_and_feeds_are_not_fetched() -> None:
    """Wherever they are named: in robots.txt, or on a page."""
    rules = f"User-agent: *\nDisallow: /no\nSitemap: {ROOT}map\nSitemap: {ROOT}no/map\n"
    feeds = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="{at}">'
        for at in ("feed", "no/feed")
    )
    web = {
        ROOT + "robots.txt": Reply(200, {}, rules.encode()),
        ROOT + "map": Reply(200, {}, b"<sitemapindex></sitemapindex>"),
        ROOT: Reply(200, HTML, f'{feeds}<a href="a.csv">x</a>'.encode()),
        ROOT + "a.csv": CSV,
    }
    world = World(web, sitemaps="usual").run()

    fetched = {"robots.txt", "map", "sitemap.xml", "", "feed", "a.csv"}
    assert set(world.urls) == fetched
