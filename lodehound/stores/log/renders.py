"""What the journal says of rendered pages: what they cost and brought, and what they asked for."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, dataclass, fields, replace
from typing import Literal

from lodehound.core.link import Link
from lodehound.stores.log.crawl_rounds import CrawlRound, Rows
from lodehound.stores.log.events import storable

# What was done about a page that a browser may show more of. api: its links are in an API that
# is asked instead; fruitless: rendering pages like it had brought too little; missing: there is
# no browser; off: --render never; failed: the browser gave no page.
Rendition = Literal["rendered", "api", "fruitless", "missing", "off", "failed"]

BETWEEN_SIGNS = "; "
COSTS = """
    SELECT count(*), coalesce(sum(size), 0) FROM page_requests
    WHERE sent AND page >= {first} AND page < {end}"""
BY_OUTCOME = """
    SELECT outcome, count(*), sum(seconds), sum(requests), sum(bytes), sum(links)
    FROM renders GROUP BY outcome"""
FAILURE = "SELECT error FROM renders WHERE outcome = 'failed' ORDER BY number DESC LIMIT 1"
FINDS = """
    SELECT count(*) FROM finds WHERE found_on IN
        (SELECT url FROM renders WHERE outcome = 'rendered' AND links > 0)
    OR found_on IN (SELECT asks.url FROM asks JOIN renders ON asks.source = renders.url
        WHERE renders.outcome = 'api')"""
# Links of rendered pages that were followed, and those of them that brought something.
FOLLOWED = """
    SELECT renders.pattern, count(*), sum(found OR new_links > 0)
    FROM answers JOIN asks USING (number) JOIN renders ON renders.url = asks.source
    WHERE renders.outcome = 'rendered' GROUP BY renders.pattern"""

# Pages whose browser was killed, crashed or did not start: that says nothing of the page.
LOST = "browser: "
IS_LOST = f"outcome = 'failed' AND substr(error, 1, {len(LOST)}) = '{LOST}'"
COUNT_LOST = f"SELECT count(*) FROM renders WHERE {IS_LOST}"  # noqa: S608 - our own names
# Pages that were not rendered for want of a browser, and the links that led to them.
UNRENDERED = f"""
    SELECT renders.number, renders.url, source, depth, signs
    FROM renders JOIN asks USING (number)
    WHERE outcome IN ('missing', 'off') OR {IS_LOST} ORDER BY number"""  # noqa: S608 - as above


@dataclass(frozen=True, slots=True)
class UnrenderedPage:
    """A page that was not rendered for want of a browser."""

    number: int
    link: Link  # that led to it
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RenderRow:
    """A page that a browser may show more of, and what was done about it."""

    number: int
    url: str
    pattern: str
    signs: str
    outcome: Rendition
    seconds: float = 0.0
    requests: int = 0
    bytes: int = 0
    links: int = 0
    clicks: int = 0
    clicked_links: int = 0
    api: str = "[]"
    error: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether its browser failed, not the page: it is rendered again later."""
        return self.outcome == "failed" and self.error.startswith(LOST)


@dataclass(frozen=True, slots=True)
class RenderTotals:
    """What rendering cost and brought, and the pages that still seem to need it."""

    pages: int = 0  # that were rendered
    seconds: float = 0.0
    requests: int = 0
    bytes: int = 0
    links: int = 0  # new ones that the plain pages do not show
    finds: int = 0  # on the pages that were rendered, and in their APIs
    by_api: int = 0  # pages whose API was asked instead
    fruitless: int = 0  # pages left alone: rendering pages like them had brought too little
    failed: int = 0
    failure: str = ""  # why the last of these failed
    lost: int = 0  # of these, pages whose browser failed: resume renders them again
    missing: int = 0  # pages that seem to need a browser, and there is none
    off: int = 0  # pages that seem to need a browser, and none was wanted

    @property
    def unmet(self) -> int:
        """Pages that still seem to need a browser."""
        return self.failed + self.missing + self.off


@dataclass(frozen=True, slots=True)
class PageRequestRow:
    """One request that a rendered page made, or wanted to make."""

    page: int
    url: str
    type: str
    status: int
    mime: str
    size: int
    sent: bool
    error: str
    at: float


RENDER = tuple(field.name for field in fields(RenderRow))
PAGE_REQUEST = tuple(field.name for field in fields(PageRequestRow))
NEW_RENDER = f"INSERT OR REPLACE INTO renders VALUES ({', '.join('?' * len(RENDER))})"  # noqa: S608 - our own names
NEW_PAGE_REQUEST = (
    f"INSERT INTO page_requests ({', '.join(PAGE_REQUEST)}) "  # noqa: S608 - our own names
    f"VALUES ({', '.join('?' * len(PAGE_REQUEST))})"
)


def costs_of(rows: Rows, of: CrawlRound | None = None) -> tuple[int, int]:
    """Return the requests of rendered pages, of all rounds or of one, and their bytes."""
    first, end = (of.first, of.next_first) if of is not None else (0, None)
    [(requests, size)] = rows(COSTS.format(first=first, end=end or 1 << 62))
    return requests, size


def totals_of(rows: Rows) -> RenderTotals:
    """Return what rendering cost and brought."""
    counts = {outcome: figures for outcome, *figures in rows(BY_OUTCOME)}
    pages, seconds, requests, size, links = counts.get("rendered", (0, 0.0, 0, 0, 0))
    [(finds,)] = rows(FINDS)
    others = {
        name: counts[name][0]
        for name in ("fruitless", "failed", "missing", "off")
        if name in counts
    }
    by_api = counts["api"][0] if "api" in counts else 0
    failure = "".join(error for (error,) in rows(FAILURE))
    [(lost,)] = rows(COUNT_LOST)
    totals = RenderTotals(pages, seconds, requests, size, links, finds, by_api, **others)
    return replace(totals, failure=failure, lost=lost)


def unrendered_of(rows: Rows) -> list[UnrenderedPage]:
    """Return the pages that were not rendered for want of a browser."""
    return [
        UnrenderedPage(
            number,
            Link(url, source, depth=depth),
            tuple(str(signs).split(BETWEEN_SIGNS)),
        )
        for number, url, source, depth, signs in rows(UNRENDERED)
    ]


def values_of(row: RenderRow | PageRequestRow) -> list[object]:
    """Return the values of a row as SQLite accepts them."""
    return [storable(value) for value in astuple(row)]


def render_of(row: sqlite3.Row) -> RenderRow:
    return RenderRow(*(row[name] for name in RENDER))


def page_request_of(row: sqlite3.Row) -> PageRequestRow:
    values = {name: row[name] for name in PAGE_REQUEST}
    return PageRequestRow(**values | {"sent": bool(row["sent"])})
