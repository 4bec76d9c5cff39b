"""The reasons for requests, in the journal of a real crawl."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.live import Crawled, crawl, query, run
from tests.live.office import open_office

EXPECTED = re.compile(
    r"expected files: \d+% sure, by "
    r"(the ending|the place on the page|the link text|the page that links to it|similar links)"
)
VISIT = re.compile(
    r"(exploring )?(pages|files) like /.*: "
    r"(none visited yet|[\d,]+ files in [\d,]+ visits?), [\d.]+ files expected"
)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    with open_office(pages=60, files=20) as office:
        out = tmp_path_factory.mktemp("reasons") / "crawl"
        return crawl(office.server.url, "--sitemaps", out=out)


def reasons(out: Path) -> list[str]:
    return [why for (why,) in query(out, "SELECT why FROM asks ORDER BY number")]


def test_the_reason_for_a_start_url_is_that_it_is_one(crawled: Crawled) -> None:
    [(url, why)] = query(crawled.path, "SELECT url, why FROM asks WHERE number = 1")
    said = run("explain", crawled.path, url, "--quick").out
    assert why == "start URL"
    assert "start URL  " in said
    assert "sitemap" not in said


def test_every_reason_says_what_was_expected_or_that_it_explores(crawled: Crawled) -> None:
    """A probability says what it rests on; nothing "brought 0.0 files each"."""
    _, *all_others = reasons(crawled.path)
    others = [why for why in all_others if not why.startswith("API ")]  # sitemaps have signs
    unclear = [why for why in others if not (EXPECTED.match(why) or VISIT.match(why))]
    assert unclear == []
    assert any(EXPECTED.match(why) for why in others)
    assert any(VISIT.match(why) for why in others)
