"""Sites made with real frameworks, crawled by a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live import crawl, query
from tests.live.applications import NEEDS_BROWSER, Application
from tests.live.frameworks import FINDS, site

pytestmark = [pytest.mark.serial, NEEDS_BROWSER]
HTML = "SELECT count(*) FROM answers WHERE status = 200 AND mime LIKE '%html%'"
RENDERED = "SELECT count(*) FROM renders WHERE outcome = 'rendered'"
SENT = """SELECT url FROM answers WHERE sent
    UNION ALL SELECT url FROM page_requests WHERE sent"""


def unseen(path: Path, application: Application) -> list[str]:
    """Return the requests that a server saw and the journal does not know."""
    known = [url for (url,) in query(path, SENT)]
    seen = [application.url[:-1] + place for place in application.asked]
    return [url for url in seen if seen.count(url) > known.count(url)]


@pytest.mark.parametrize("name", FINDS)
def test_everything_is_found_and_few_pages_are_rendered(name: str, tmp_path: Path) -> None:
    """At most 40 % of the pages; and every request is in the journal."""
    with site(name) as application:
        words = ("--want", "files:csv", "--no-inspect")
        done = crawl(application.url, *words, render="auto", out=tmp_path / "crawl")
    [(pages,)], [(rendered,)] = query(done.path, HTML), query(done.path, RENDERED)
    assert (done.code, len(done.finds)) == (0, FINDS[name])
    assert 0 < rendered <= 0.4 * pages
    assert unseen(done.path, application) == []


@pytest.mark.soak
@pytest.mark.parametrize("name", FINDS)
def test_rendering_every_page_finds_no_more(name: str, tmp_path: Path) -> None:
    with site(name) as application:
        words = ("--want", "files:csv", "--no-inspect")
        done = crawl(application.url, *words, render="always", out=tmp_path / "crawl")
    pages = query(done.path, HTML)
    assert (done.code, len(done.finds), query(done.path, RENDERED)) == (0, FINDS[name], pages)
