"""Screens that follow a crawl: all crawls, one crawl live, and the events of both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from lodehound.core.errors import LodehoundError
from lodehound.core.messages import SOON
from lodehound.reports.figures import pace_of
from lodehound.reports.fleet import line_of_fleet
from lodehound.reports.screen_text import in_bytes, in_time
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.fleet import DATABASE as FLEET
from lodehound.stores.fleet import FleetStore
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.request_reads import last_requests
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.figures import CrawlFigures, watch_command
from lodehound.workbench.finds import FindFilter, FindLine, lines_of
from lodehound.workbench.snapshots import PATIENCE
from lodehound.workbench.state import TrafficFigures, Workbench
from lodehound.workbench.web import COUNTING, bench_of, crawl_of, csv_response, page

LAST = 8  # finds and decisions
EVERY = 1.0  # seconds between two looks for changes
QUIET = 15  # looks without a change after which the connection is shown to be alive
DECISION_COLUMNS = ("number", "url", "method", "why", "asked_at", "answer")
MOST = 100_000  # decisions in a CSV file


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One crawl in the list of all."""

    crawl: WatchedCrawl
    running: bool
    figures: CrawlFigures | None
    flaw: str


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One request, why it was made and what came of it."""

    number: int
    url: str
    method: str
    why: str
    asked_at: str
    answer: str


def crawls(request: Request) -> Response:
    """Show all crawls."""
    bench = bench_of(request)
    return page(
        request, "crawls", title="Crawls", here="crawls", events="/events",
        rows=_rows(bench), places=bench.crawls.places, fleets=list(_fleets(bench)),
    )  # fmt: skip


def _fleets(bench: Workbench) -> Iterator[tuple[str, str]]:
    """Yield the fleets among the places, each with its figures in one line."""
    for place in bench.crawls.places:
        if (place / FLEET).is_file():
            try:
                with FleetStore(place, write=False) as store:
                    yield place.resolve().name, line_of_fleet(store.totals())
            except LodehoundError as error:
                yield place.resolve().name, str(error)


def crawls_csv(request: Request) -> Response:
    header = ("crawl", "folder", "running", "site", "want", "requests", "finds", "bytes",
              "seconds", "ended", "still to find")  # fmt: skip
    rows = [
        (row.crawl.name, row.crawl.folder, row.running, one.site, one.want, one.requests,
         one.finds, one.bytes, round(one.seconds, 1), one.ended, one.left)
        for row in _rows(bench_of(request))
        if (one := row.figures) is not None
    ]  # fmt: skip
    return csv_response("crawls", header, rows)


def _rows(bench: Workbench) -> list[CrawlRow]:
    rows, end = [], time.monotonic() + PATIENCE  # for all of them together
    for crawl in bench.crawls.all():
        flaw = crawl.flaw()
        shot = None if flaw else bench.figures(crawl, max(end - time.monotonic(), 0.0))
        figures = shot.value if shot else None
        flaw = flaw or (shot.error if shot else "")
        rows.append(CrawlRow(crawl, bool(crawl.crawling), figures, flaw))
    return rows


# --- one crawl --------------------------------------------------------------------------------


def live(request: Request) -> Response:
    """Show one crawl while it runs."""
    bench, crawl = bench_of(request), crawl_of(request)
    shot, traffic = bench.figures(crawl), bench.traffic(crawl)
    one: CrawlFigures | None = shot.value
    return page(
        request, "live", title=crawl.name, here="live", crawl=crawl,
        events=f"/crawl/{crawl.id}/events", shot=shot, one=one, running=bool(crawl.crawling),
        figures=_tiles(one) if one else [], traffic=traffic.value, traffic_shot=traffic,
        last_finds=_last_finds(crawl), decisions=list(_decisions(crawl, LAST)),
        watch=watch_command(crawl),
    )  # fmt: skip


def _tiles(one: CrawlFigures) -> list[tuple[str, str, str]]:
    return [
        (f"{one.finds:,}", "finds", f"{one.per_hundred:.1f} per 100 requests"),
        (f"{one.recent_per_hundred:.1f}", "finds per 100", "of the last 200 requests"),
        *(
            [(f"{one.estimate.expected:,.0f}", "still to find", _interval(one))]
            if one.estimate
            else []
        ),
        *_next_tile(one),
        (f"{one.requests:,}", "requests", pace_of(one.per_minute)),
        (in_bytes(one.bytes), "received", ""),
        (in_time(one.seconds), "of crawling", ""),
    ]


def _next_tile(one: CrawlFigures) -> list[tuple[str, str, str]]:
    """Return what the next 500 requests will bring."""
    soon = [each for each in one.outlook.next if each.requests == SOON] if one.outlook else []
    return [
        (f"{each.finds:,.0f}", f"in the next {SOON}", f"{each.low:,.0f} to {each.high:,.0f} finds")
        for each in soon
    ]


def _interval(one: CrawlFigures) -> str:
    estimate = one.estimate
    if estimate is None:
        return ""
    share = one.outlook.share_found if one.outlook is not None else None
    found = f"; {100 * share:.0f} % found" if share is not None else ""
    return f"{estimate.low:,.0f} to {estimate.high:,.0f}{found}"


def _last_finds(crawl: WatchedCrawl) -> list[FindLine]:
    with Catalogue(crawl.folder) as catalogue:
        return lines_of(catalogue, FindFilter(), most=LAST)


def _decisions(crawl: WatchedCrawl, most: int) -> Iterator[DecisionRow]:
    with CrawlReader(crawl.folder) as look:
        for row in last_requests(look, most):
            yield DecisionRow(
                row["number"], row["url"], row["method"], row["why"],
                row["asked_at"], _answer(row),
            )  # fmt: skip


def _answer(row: Any) -> str:
    if row["status"] is None:
        return "under way"
    if row["found"]:
        return "found"
    if not row["status"]:
        return str(row["error"]).partition(":")[0] or "no answer"
    return f"{row['status']} {row['mime']}"


def progress(request: Request) -> Response:
    """Return the finds against requests, for a chart that can be looked at closely."""
    traffic: TrafficFigures | None = bench_of(request).traffic(crawl_of(request)).value
    return JSONResponse(traffic.points if traffic is not None else [[]] * 5)


def live_csv(request: Request) -> Response:
    """Return a table of the live page."""
    crawl, name = crawl_of(request), request.url.path.rpartition("/")[2].removesuffix(".csv")
    if name == "decisions":
        rows = ([getattr(one, key) for key in DECISION_COLUMNS] for one in _decisions(crawl, MOST))
        return csv_response("decisions", DECISION_COLUMNS, rows)
    traffic: TrafficFigures | None = bench_of(request).traffic(crawl).value
    if traffic is None:
        raise HTTPException(503, COUNTING)
    return csv_response(name, *TABLES[name](traffic))


def _hosts(traffic: TrafficFigures) -> tuple[tuple[str, ...], list[Any]]:
    header = ("host", "requests", "failed", "busiest minute", "shortest gap", "median gap",
              "longest gap")  # fmt: skip
    hosts = traffic.hosts
    return header, [
        (one.name, one.requests, one.failed, one.busiest, *(one.gaps or ("", "", "")))
        for one in hosts
    ]


def _errors(traffic: TrafficFigures) -> tuple[tuple[str, ...], list[Any]]:
    errors = traffic.errors
    return ("error", "requests", "example"), [(e.name, e.count, e.example) for e in errors]


def _asleep(traffic: TrafficFigures) -> tuple[tuple[str, ...], list[Any]]:
    return ("host", "why"), list(traffic.asleep)


TABLES: dict[str, Callable[[TrafficFigures], tuple[tuple[str, ...], list[Any]]]] = {
    "hosts": _hosts, "errors": _errors, "asleep": _asleep,
}  # fmt: skip
NAMES = ("decisions", *TABLES)


# --- events -----------------------------------------------------------------------------------


async def events(request: Request) -> Response:
    """Stream an event for each change of any crawl."""
    bench = bench_of(request)

    def state() -> Hashable:
        stamps = tuple((one.id, one.stamp(), one.crawling) for one in bench.crawls.all())
        return stamps, bench.counted_at()

    return _changes(request, state)


async def crawl_events(request: Request) -> Response:
    """Stream an event for each change of one crawl."""
    crawl = await run_in_threadpool(crawl_of, request)
    bench = bench_of(request)
    return _changes(request, lambda: (crawl.stamp(), crawl.crawling, bench.counted_at()))


def _changes(request: Request, state: Callable[[], Hashable]) -> Response:
    async def stream() -> AsyncIterator[str]:
        known: Hashable = None  # so that a change since the page was made is told at once
        quiet = 0
        yield "retry: 3000\n\n"
        while not await request.is_disconnected() and not request.app.state.closing.is_set():
            now = await run_in_threadpool(state)
            quiet = quiet + 1 if now == known else 0
            if now != known:
                known = now
                yield "event: change\ndata: \n\n"
            elif quiet % QUIET == 0:
                yield ": still here\n\n"
            await asyncio.sleep(EVERY)

    return StreamingResponse(stream(), media_type="text/event-stream")
