"""Real crawls of a rough site by spiders of all manners, with the add-on and without."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest

from tests.scrapy.child import ADDON, Job, Result, crawl
from tests.scrapy.spiders import SPIDERS
from tests.servers import Case, Exchange, Knobs, RawServer

LINKS = {
    "/": "/p1 /p2 /moved /gone /broken /flaky.csv / /p1#top",
    "/p1": "/a.csv /p2 /moved-again /no-page.csv",
    "/p2": "/b.csv /p1 /loop /a.csv?x=1",
}
MOVED = {"/moved": "/c.csv", "/moved-again": "/c.csv", "/loop": "/loop"}
FILES = ("/a", "/b", "/c", "/urgent", "/twice")
FOUND = ["a.csv", "a.csv?x=1", "b.csv", "c.csv", "flaky.csv"]


async def show(x: Exchange) -> None:
    await x.page(x.entry.path, *LINKS[x.entry.path].split())


async def move(x: Exchange) -> None:
    await x.redirect(MOVED[x.entry.path])


async def send(x: Exchange) -> None:
    await x.answer(b"a,b\n1,2\n", "text/csv")


async def send_the_second_time(x: Exchange) -> None:
    gets = [e for e in x.server.log if (e.method, e.path) == ("GET", x.entry.path)]
    if x.entry.method == "GET" and len(gets) == 1:
        await x.answer(b"not now", "text/plain", status=503)
    await send(x)


async def break_off(x: Exchange) -> None:
    # Not before the first byte: then Twisted itself would sometimes ask again.
    await x.head(200, ["Content-Type: text/csv", "Content-Length: 100"])
    await x.send(b"a,b")


CASES = {
    **{path: Case("A page.", show) for path in LINKS},
    **{path: Case("A redirect.", move) for path in MOVED},
    **{path: Case("A file.", send) for path in FILES},
    "/flaky": Case("A file, at the second attempt.", send_the_second_time),
    "/broken": Case("A file that breaks off.", break_off),
}


Account = tuple[Counter[str], list[str]]


class Rough(NamedTuple):
    """One crawl of the rough site."""

    hits: Counter[str]  # how often what was asked for, HEADs apart
    result: Result

    @property
    def account(self) -> Account:
        return self.hits, sorted(map(str, self.result.items))


@pytest.fixture(scope="module")
def crawls() -> dict[str, Rough]:
    """Every spider without the add-on, with it ("+") and with a diary ("diary")."""
    diary = {**ADDON, "LODEHOUND_POLICY": "tests.scrapy.policies:Diary"}
    kinds: list[tuple[str, str, dict[str, Any]]]
    kinds = [(name, name, {}) for name in SPIDERS if name != "stuck"]
    learned = {**ADDON, "LODEHOUND_POLICY": "sb-classifier", "LODEHOUND_SEED": 1}  # it uses HEAD
    kinds += [(f"{name}+", name, learned) for name in SPIDERS]
    kinds += [("diary", "visitor", diary)]
    with ExitStack() as stack:
        servers = [
            stack.enter_context(RawServer(CASES, knobs=Knobs(), host="127.0.0.1", port=0))
            for _ in kinds
        ]
        jobs = [
            Job(spider, server.url, settings)
            for (_, spider, settings), server in zip(kinds, servers, strict=True)
        ]
        results = crawl(*jobs)
        hits = [
            Counter(
                f"{entry.method} {entry.path}" for entry in server.log if entry.method != "HEAD"
            )
            for server in servers
        ]
    return {
        kind[0]: Rough(*pair)
        for kind, pair in zip(kinds, zip(hits, results, strict=True), strict=True)
    }


def test_every_spider_gets_what_it_gets_without_the_addon(crawls: dict[str, Rough]) -> None:
    """Sync, async, lists, None, errors: same requests, each as often, and same items.

    Retries, redirects, duplicates, dont_filter, priorities, POSTs and dead
    links included; only the order differs.
    """
    names = [name for name in SPIDERS if name != "stuck"]
    plain = {name: crawls[name].account for name in names}

    assert {name: crawls[f"{name}+"].account for name in names} == plain
    assert crawls["visitor"].result.found == FOUND
    hits = crawls["visitor"].hits
    assert hits["GET /flaky.csv"] == hits["GET /broken"] == 2
    assert crawls["careless"].hits["POST /search"] == 1


def test_nothing_fails_or_is_out_of_date(crawls: dict[str, Rough]) -> None:
    log = crawls["visitor+"].result.log

    assert "learned order has failed" not in log
    assert "Deprecat" not in log
    assert crawls["visitor+"].result.stats["lodehound/heads"] > 0


def test_a_callback_that_waits_for_its_own_requests_comes_to_its_end(
    crawls: dict[str, Rough],
) -> None:
    result = crawls["stuck+"].result

    assert "the end" in result.found
    assert result.stats["finish_reason"] == "finished"


def test_the_policy_is_told_of_everything_once(crawls: dict[str, Rough]) -> None:
    """Finds, pages, dead links, failures; a retry or a redirect is the last answer."""
    result = crawls["diary"].result
    lines = [line.partition("Learned: ")[2] for line in result.log.splitlines()]

    assert sorted(line for line in lines if line.startswith("/")) == [
        "/ 200 no find ",
        "/a.csv 200 find html/body/p/a",
        "/a.csv 200 find html/body/p/a",
        "/b.csv 200 find html/body/p/a",
        "/broken 0 no find html/body/p/a",
        "/flaky.csv 200 find html/body/p/a",
        "/gone 404 no find html/body/p/a",
        "/loop 0 no find html/body/p/a",
        "/moved 200 find html/body/p/a",
        "/moved-again 0 no find html/body/p/a",
        "/no-page.csv 404 no find html/body/p/a",
        "/p1 200 no find html/body/p/a",
        "/p2 200 no find html/body/p/a",
    ]
    assert {name: result.stats[f"lodehound/{name}"] for name in ("finds", "chosen", "first")} == {
        "finds": 5,
        "chosen": 12,
        "first": 2,
    }
