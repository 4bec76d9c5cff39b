"""Screens that look back: the site map, what was learned, what was skipped, two crawls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lodehound.core.errors import LodehoundError
from lodehound.reports.diff import Difference, compare
from lodehound.reports.diff_page import groups_of_changes
from lodehound.reports.group_yields import GroupYield
from lodehound.reports.round_diff import compare_rounds
from lodehound.reports.site_map import treemap_of
from lodehound.reports.skipped import REASONS
from lodehound.stores.catalogue.crawl_rounds import rounds_of
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.text.shell import quoted
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.snapshots import Counted
from lodehound.workbench.state import SkipCounts, Workbench
from lodehound.workbench.web import (
    COUNTING,
    ROWS,
    bench_of,
    crawl_of,
    csv_response,
    page,
    page_number,
    pages_of,
)

SECTIONS = 200  # in the table
CHANGES = 200  # of one kind, on the page
SIDES = ("first", "second")  # of a comparison, in the query


def site_map(request: Request) -> Response:
    """Show where the data lies, and what was not visited."""
    crawl = crawl_of(request)
    by = "finds" if request.query_params.get("by") == "finds" else "urls"
    shot = bench_of(request).skips(crawl)
    counts: SkipCounts | None = shot.value
    return page(
        request, "map", title=crawl.name, here="map", crawl=crawl, shot=shot, by=by,
        tiles=treemap_of(counts.site_map, by) if counts else None,
        sections=counts.site_map.largest(by, SECTIONS) if counts else [],
    )  # fmt: skip


def learned(request: Request) -> Response:
    """Show what each group of links brought."""
    crawl = crawl_of(request)
    shot = bench_of(request).groups(crawl)
    groups: list[GroupYield] = shot.value or []
    number = min(page_number(request), pages_of(len(groups)))
    return page(
        request, "learned", title=crawl.name, here="learned", crawl=crawl, shot=shot,
        groups=groups[ROWS * (number - 1) : ROWS * number], total=len(groups), page=number,
        pages=pages_of(len(groups)),
    )  # fmt: skip


def skipped(request: Request) -> Response:
    """Show what was seen and not fetched."""
    crawl, reason = crawl_of(request), request.query_params.get("reason", "")
    reason = reason if reason in REASONS else ""
    shot = bench_of(request).skips(crawl)
    counts: SkipCounts | None = shot.value
    by_reason = counts.by_reason if counts else {}
    total = by_reason.get(reason, 0) if reason else sum(by_reason.values())
    number = min(page_number(request), pages_of(total))
    rows = counts.listed.rows(reason, first=ROWS * (number - 1), most=ROWS) if counts else ()
    return page(
        request, "skipped", title=crawl.name, here="skipped", crawl=crawl, shot=shot,
        counts=counts, reasons=REASONS, reason=reason, rows=list(rows), page=number,
        pages=pages_of(total), command=f"lodehound skipped {quoted(crawl.folder)}",
    )  # fmt: skip


# --- as CSV -----------------------------------------------------------------------------------


def analysis_csv(request: Request) -> Response:
    """Return a table of one of these screens."""
    name = request.url.path.rpartition("/")[2].removesuffix(".csv")
    header, get, rows = TABLES[name]
    value = get(bench_of(request), crawl_of(request)).value
    if value is None:
        raise HTTPException(503, COUNTING)
    return csv_response(name, header, rows(value, request))


def _sections(counts: SkipCounts, _: Request) -> Any:
    for one in counts.site_map.largest("urls", 1 << 30):
        yield one.name, one.finds, one.fetched, one.waiting, one.left_out


def _reasons(counts: SkipCounts, _: Request) -> Any:
    return [(reason, REASONS[reason], count) for reason, count in counts.by_reason.items()]


def _skipped(counts: SkipCounts, request: Request) -> Any:
    for one in counts.listed.rows(request.query_params.get("reason", "")):
        yield one.url, one.reason, one.detail, one.found_on


def _groups(groups: list[GroupYield], _: Request) -> Any:
    for one in groups:
        yield one.name, one.visits, one.direct, one.behind, round(one.rate, 4), one.example


Rows = Callable[[Any, Request], Any]
TABLES: dict[
    str, tuple[tuple[str, ...], Callable[[Workbench, WatchedCrawl], Counted], Rows]
] = {
    "sections": (("section", "finds", "fetched", "not visited", "left out"),
                 Workbench.skips, _sections),
    "reasons": (("reason", "meaning", "addresses"), Workbench.skips, _reasons),
    "skipped": (("url", "reason", "detail", "found_on"), Workbench.skips, _skipped),
    "groups": (("group", "followed", "finds", "finds behind", "per link", "example"),
               Workbench.groups, _groups),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """A crawl, or one round of it."""

    crawl: WatchedCrawl
    round: int = 0  # 0: as it is now

    @property
    def id(self) -> str:
        return f"{self.crawl.id}.{self.round}" if self.round else self.crawl.id

    @property
    def name(self) -> str:
        return f"{self.crawl.name}, round {self.round}" if self.round else self.crawl.name


# --- two crawls -------------------------------------------------------------------------------


def comparison(request: Request) -> Response:
    """Compare two crawls."""
    bench = bench_of(request)
    first, second = (_chosen(request, name) for name in SIDES)
    facts: dict[str, Any] = {"shot": None, "figures": [], "kinds": [], "command": ""}
    if first is not None and second is not None:
        shot = _compared(bench, first, second)
        facts |= {"shot": shot, "command": _diff_command(first, second)}
        if shot.value is not None:
            counts = shot.value.counts
            facts["figures"] = [(f"{count:,}", name, "") for name, count in counts.items()]
            facts["kinds"] = groups_of_changes(shot.value, CHANGES)
    return page(
        request, "compare", title="Compare", here="compare", sides=list(_sides(bench.crawls.all())),
        first=first, second=second, **facts,
    )  # fmt: skip


def comparison_csv(request: Request) -> Response:
    """Return all changes between two crawls."""
    first, second = (_chosen(request, name) for name in SIDES)
    if first is None or second is None:
        raise HTTPException(404, "Name two crawls: /compare.csv?first=...&second=...")
    difference = _compared(bench_of(request), first, second).value
    if difference is None:
        raise HTTPException(503, COUNTING)
    header = ("change", "url", "note", "title", "to", "size before", "size now", "table")
    return csv_response("changes", header, map(_change, difference.changes))


def _change(change: Any) -> tuple[Any, ...]:
    before, after = change.before, change.after
    return (
        change.what, change.url, change.note, change.title, change.to,
        before.size if before else None, after.size if after else None, change.table or "",
    )  # fmt: skip


def _chosen(request: Request, name: str) -> Side | None:
    text, _, number = request.query_params.get(name, "").partition(".")
    crawl = bench_of(request).crawls.one(text)
    if crawl is None:
        return None
    return Side(crawl, int(number) if number.isdigit() and len(number) < 6 else 0)


def _sides(crawls: list[WatchedCrawl]) -> Iterator[Side]:
    """Yield the crawls, and the rounds of those that have several."""
    for crawl in crawls:
        yield Side(crawl)
        if crawl.flaw():
            continue
        with CrawlReader(crawl.folder) as look:
            rounds = rounds_of(look.rows)
        if len(rounds) > 1:
            yield from (Side(crawl, mine.number) for mine in rounds)


def _compared(bench: Workbench, first: Side, second: Side) -> Counted:
    def make() -> Difference:
        for side in (first, second):
            if flaw := side.crawl.flaw():
                raise LodehoundError(f"{side.crawl.name}: {flaw}")
        with Catalogue(first.crawl.folder) as old, Catalogue(second.crawl.folder) as new:
            if first.round and second.round:
                return compare_rounds(old, first.round, second.round)
            return compare(old, new)

    if bool(first.round) != bool(second.round) or (first.round and first.crawl != second.crawl):
        raise HTTPException(400, "Compare two crawls, or two rounds of the same crawl.")
    stamp = (first.crawl.stamp(), second.crawl.stamp())
    return bench.counted(("compare", first.id, second.id), stamp, make)


def _diff_command(first: Side, second: Side) -> str:
    one, two = (quoted(side.crawl.folder) for side in (first, second))
    if first.round:
        return f"lodehound diff {one} --rounds {first.round} {second.round}"
    return f"lodehound diff {one} {two}"
