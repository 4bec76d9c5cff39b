"""Sites made with real frameworks, crawled by a real browser."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import crawl, query
from tests.live.applications import NEEDS_BROWSER, Application
from tests.live.frameworks import FINDS, site

pytestmark = [pytest.mark.serial, NEEDS_BROWSER]
HTML = "SELECT url FROM answers WHERE status = 200 AND mime LIKE '%html%'"
RENDERED = "SELECT url FROM renders WHERE outcome = 'rendered'"
SENT = """SELECT url FROM answers WHERE sent
    UNION ALL SELECT url FROM page_requests WHERE sent"""


@dataclass(frozen=True)
class AllSites:
    """All sites, crawled at once: one process and one browser."""

    path: Path
    applications: dict[str, Application]

    def urls(self, name: str, statement: str) -> list[str]:
        """Return the URLs of a site among those that a statement returns."""
        root = self.applications[name].url
        return [url for (url,) in query(self.path, statement) if url.startswith(root)]


def crawled(out: Path, mode: str) -> AllSites:
    with ExitStack() as stack:
        applications = {name: stack.enter_context(site(name)) for name in FINDS}
        urls = [application.url for application in applications.values()]
        done = crawl(*urls, "--want", "files:csv", "--no-inspect", render=mode, out=out)
    assert done.code == 0
    return AllSites(out, applications)


@pytest.fixture(scope="module")
def auto(tmp_path_factory: pytest.TempPathFactory) -> AllSites:
    return crawled(tmp_path_factory.mktemp("auto") / "crawl", "auto")


@pytest.fixture(scope="module")
def always(tmp_path_factory: pytest.TempPathFactory) -> AllSites:
    return crawled(tmp_path_factory.mktemp("always") / "crawl", "always")


@pytest.mark.parametrize("name", FINDS)
def test_everything_is_found_and_few_pages_are_rendered(name: str, auto: AllSites) -> None:
    pages, rendered = len(auto.urls(name, HTML)), len(auto.urls(name, RENDERED))
    assert len(auto.urls(name, "SELECT final_url FROM finds")) == FINDS[name]
    assert 0 < rendered <= 0.4 * pages


@pytest.mark.parametrize("name", FINDS)
def test_every_request_that_a_server_saw_is_in_the_journal(name: str, auto: AllSites) -> None:
    application = auto.applications[name]
    seen = Counter(application.url[:-1] + path for path in application.asked)
    assert seen - Counter(auto.urls(name, SENT)) == Counter()


@pytest.mark.soak
@pytest.mark.parametrize("name", FINDS)
def test_rendering_every_page_finds_no_more(name: str, always: AllSites) -> None:
    assert len(always.urls(name, "SELECT final_url FROM finds")) == FINDS[name]
    assert len(always.urls(name, RENDERED)) == len(always.urls(name, HTML))
