"""An API that asks to wait: it waits alone, and the site goes on at the host's delay."""

from __future__ import annotations

import json
from pathlib import Path

from tests.live import crawl, paths, query, resume
from tests.servers import Case, Exchange
from tests.servers.hostile import HostileServer, fixed

CKAN = b'<meta name="generator" content="ckan 2.10"><a href="/page/1">data</a>'
DAY = "86400"
SEARCH = "/api/3/action/package_search"


class TiredPortal(HostileServer):
    """A portal whose API refuses for a while.

    Args:
        after: What Retry-After says.
        refusals: Requests that are refused before one is answered.
    """

    def __init__(self, after: str, refusals: int) -> None:
        super().__init__()
        self.after, self.refusals = after, refusals
        self.cases = {**self.cases, "/": Case("", fixed(CKAN)), "/api": Case("", self._search)}

    async def _search(self, x: Exchange) -> None:
        self.refusals -= 1
        if self.refusals >= 0:
            await x.answer(b"", status=429, headers=[f"Retry-After: {self.after}"])
            return
        package = {"title": "One", "resources": [{"url": self.url + "data/1.csv"}]}
        result = {"count": 1, "results": [package]}
        body = json.dumps({"success": True, "result": result}).encode()
        await x.answer(body, "application/json")

    @property
    def searched(self) -> list[int]:
        """When the API was asked: after how many other requests."""
        asked = [path.partition("?")[0] for path in paths(self.log)]
        return [index for index, path in enumerate(asked) if path == SEARCH]


def test_an_api_that_wants_a_day_does_not_hold_up_its_site(tmp_path: Path) -> None:
    """What it did not answer is left for ``resume``, and the screen says so."""
    out = tmp_path / "crawl"
    with TiredPortal(DAY, refusals=1) as portal:
        done = crawl(portal.url, out=out, delay=0.01)
        assert (done.code, len(done.finds), len(portal.searched)) == (6, 5, 1)
        assert "told to wait: the API ckan, for 1,440 min" in done.out
        assert SEARCH not in str(done.rows.keys())
        asked = len(paths(portal.log))
        again = resume(out)
        assert (again.code, portal.searched[1:]) == (0, [asked])
    assert [title for (title,) in query(out, "SELECT title FROM datasets")] == ["One"]


def test_an_api_that_wants_a_moment_is_asked_again_later(tmp_path: Path) -> None:
    """Meanwhile the pages of its host are asked for."""
    with TiredPortal("1", refusals=1) as portal:
        done = crawl(portal.url, out=tmp_path / "crawl", delay=0.01)
        searched = portal.searched
    assert (done.code, len(done.finds), len(searched)) == (0, 5, 2)
    assert searched[1] - searched[0] > 5


def test_an_api_that_always_refuses_is_given_up_in_the_end(tmp_path: Path) -> None:
    with TiredPortal("0", refusals=100) as portal:
        done = crawl(portal.url, out=tmp_path / "crawl", delay=0.01)
    [refused] = [row for url, row in done.rows.items() if SEARCH in url]
    assert (done.code, len(done.finds), refused.status, refused.tries) == (0, 5, 429, 3)
