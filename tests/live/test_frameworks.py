"""Sites made with real frameworks, crawled by a real browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import crawl, query
from tests.live.applications import NEEDS_BROWSER, Application
from tests.live.frameworks import FINDS, missing, site

pytestmark = [NEEDS_BROWSER, pytest.mark.skipif(bool(missing()), reason=missing())]
HTML = "SELECT url FROM answers WHERE status = 200 AND mime LIKE '%html%'"
RENDERED = "SELECT url FROM renders WHERE outcome = 'rendered'"
SENT = """SELECT url FROM answers WHERE sent
    UNION ALL SELECT url FROM page_requests WHERE sent"""


@dataclass(frozen=True)
class AllSites:
    """Sites that were crawled at once: by one process, with one browser."""

    path: Path
    applications: dict[str, Application]

    def urls(self, name: str, statement: str) -> list[str]:
        """Return the URLs of a site among those that a statement returns."""
        root = self.applications[name].url
        return [url for (url,) in query(self.path, statement) if url.startswith(root)]


def crawled(out: Path, mode: str, names: Iterable[str] = FINDS) -> AllSites:
    with ExitStack() as stack:
        applications = {name: stack.enter_context(site(name)) for name in names}
        urls = [application.url for application in applications.values()]
        done = crawl(*urls, "--want", "files:csv", "--early-stop", "off", render=mode, out=out)
    assert done.code == 0
    return AllSites(out, applications)


def counts(sites: AllSites, statement: str) -> dict[str, int]:
    return {name: len(sites.urls(name, statement)) for name in FINDS}


def unknown(sites: AllSites, name: str) -> Counter[str]:
    """Return the requests that a server saw and the journal does not know."""
    application = sites.applications[name]
    seen = Counter(application.url[:-1] + path for path in application.asked)
    return seen - Counter(sites.urls(name, SENT))


def test_everything_is_found_few_pages_are_rendered_and_the_journal_knows_all_requests(
    tmp_path: Path,
) -> None:
    sites = crawled(tmp_path / "crawl", "auto")
    pages, rendered = counts(sites, HTML), counts(sites, RENDERED)
    assert counts(sites, "SELECT final_url FROM finds") == FINDS
    assert {name for name in FINDS if 0 < rendered[name] <= 0.4 * pages[name]} == set(FINDS)
    assert [unknown(sites, name) for name in FINDS] == [Counter()] * len(FINDS)


@pytest.mark.soak
@pytest.mark.parametrize("name", FINDS)
def test_rendering_every_page_finds_no_more(name: str, tmp_path: Path) -> None:
    sites = crawled(tmp_path / "crawl", "always", [name])
    assert len(sites.urls(name, "SELECT final_url FROM finds")) == FINDS[name]
    assert len(sites.urls(name, RENDERED)) == len(sites.urls(name, HTML))
