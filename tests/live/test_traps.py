"""Sites without an end: budgets hold, and what only repeats itself is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.sites import EndlessPortal
from lodehound.sites.server import SiteServer
from tests.live import crawl, crawl_words, in_terminal, paths, query
from tests.servers import Case, Exchange
from tests.servers.hostile import HostileServer

BUDGET = 30


async def nest(x: Exchange) -> None:
    """Link to a folder of the same name within this one, as broken relative links do."""
    await x.page("nested", x.entry.path + "folder/")


async def grow(x: Exchange) -> None:
    """Link to this address and a little more."""
    await x.page("grown", f"{x.entry.path}&and={len(x.entry.path)}" + "-more" * 10)


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer() as server:
        traps = {"/nest": Case("", nest), "/grow": Case("", grow)}
        server.cases = {**server.cases, **traps}
        yield server


@pytest.mark.parametrize("path", ["calendar", "session"])
def test_what_has_no_end_ends_with_the_budget(
    server: HostileServer, tmp_path: Path, path: str
) -> None:
    """A calendar goes on for ever, and so do session ids; the budget of requests does not."""
    before = len(paths(server.log))
    done = crawl(server.url + path, out=tmp_path / "crawl", requests=BUDGET)
    assert (done.code, len(paths(server.log)) - before) == (0, BUDGET)
    assert "the budget of requests is spent" in done.out


def test_what_has_no_end_ends_at_a_depth(server: HostileServer, tmp_path: Path) -> None:
    """Twelve months after the first is far enough."""
    done = crawl(server.url + "calendar/1990/1", out=tmp_path / "crawl", max_depth=12)
    assert (done.code, len(done.rows)) == (0, 13)
    assert f"{server.url}calendar/1991/01" in done.rows


@pytest.mark.parametrize("path", ["nest/", "grow?a"])
def test_what_repeats_itself_is_left(server: HostileServer, tmp_path: Path, path: str) -> None:
    """Without any budget: addresses that repeat a part three times, or grow and grow."""
    done = crawl(server.url + path, out=tmp_path / "crawl")
    assert done.code == 0
    assert "every link was followed" in done.out
    assert 1 < len(done.rows) < 10


def test_early_stopping_leaves_a_portal_whose_facets_never_end(tmp_path: Path) -> None:
    """Within 500 requests of the last find. The screen shows the drought, and how to go on."""
    out = tmp_path / "crawl"
    with SiteServer() as server:
        server.serve(EndlessPortal("facets", datasets=12).get)
        words = ("--early-stop", "auto")
        screen = in_terminal(crawl_words(server.url, *words, out=out))
    [(last, requests)] = query(
        out, "SELECT max(number) FILTER (WHERE found), max(number) FROM answers"
    )
    assert query(out, "SELECT count(*) FROM finds") == [(12,)]
    assert requests - last <= max(500, 0.25 * requests)
    assert re.search(r"drought .*\d{3} requests since the last find", screen)
    assert "finds had become rare" in screen
    assert "--early-stop off" in screen
