"""The pages that a browser may show more of: what was done about them, cost and brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields, replace
from typing import Literal

from lodehound.core.link import Link
from lodehound.stores.catalogue.crawl_rounds import CrawlRound, Rows
from lodehound.stores.database.connect import storable_row
from lodehound.stores.database.crawl_database import CrawlDatabase

# What was done about a page that a browser may show more of. api: its links are in an API that
# is asked instead; fruitless: rendering pages like it had brought too little; missing: there is
# no browser; off: --render never; left: the budget was spent; failed: the browser gave no page.
Rendition = Literal["rendered", "api", "fruitless", "missing", "off", "left", "failed"]

BETWEEN_SIGNS = "; "
LOADERS = 5  # pages named that loaded a URL
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

RENDERS = "SELECT * FROM renders WHERE url = ? ORDER BY number"
LOADED = """
    SELECT asks.url, type, page_requests.status, page_requests.error, page_requests.sent
    FROM page_requests JOIN asks ON asks.number = page_requests.page
    WHERE page_requests.url = ? ORDER BY id LIMIT ?"""

# Pages whose browser was killed, crashed or did not start: that says nothing of the page.
LOST = "browser: "
IS_LOST = f"outcome = 'failed' AND substr(error, 1, {len(LOST)}) = '{LOST}'"
COUNT_LOST = f"SELECT count(*) FROM renders WHERE {IS_LOST}"  # noqa: S608 - our own names
# Pages that were not rendered for want of a browser, and the links that led to them.
UNRENDERED = f"""
    SELECT renders.number, renders.url, source, depth, signs
    FROM renders JOIN asks USING (number)
    WHERE outcome IN ('missing', 'off', 'left') OR {IS_LOST} ORDER BY number"""  # noqa: S608 - as above


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
    left: int = 0  # pages that waited for the browser when the budget was spent


RENDER = tuple(field.name for field in fields(RenderRow))
NEW_RENDER = f"INSERT OR REPLACE INTO renders VALUES ({', '.join('?' * len(RENDER))})"  # noqa: S608 - our own names


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
        for name in ("fruitless", "failed", "missing", "off", "left")
        if name in counts
    }
    by_api = counts["api"][0] if "api" in counts else 0
    failure = "".join(error for (error,) in rows(FAILURE))
    [(lost,)] = rows(COUNT_LOST)
    totals = RenderTotals(pages, seconds, requests, size, links, finds, by_api, **others)
    return replace(totals, failure=failure, lost=lost)


@dataclass(frozen=True, slots=True)
class LoadedBy:
    """A rendered page that asked for a URL."""

    page: str
    type: str  # script, fetch or xhr
    status: int
    error: str  # why it failed, or was not asked for
    sent: bool


def renders_of(rows: Rows, url: str) -> tuple[RenderRow, ...]:
    """Return what was done about a page that a browser may show more of."""
    return tuple(RenderRow(*row) for row in rows(RENDERS, url))


def loaders_of(rows: Rows, url: str) -> tuple[LoadedBy, ...]:
    """Return the first rendered pages that asked for a URL."""
    found = rows(LOADED, url, LOADERS)
    return tuple(
        LoadedBy(page, kind, status, error, bool(sent)) for page, kind, status, error, sent in found
    )


class RenderStore:
    """The pages of a crawl that a browser may show more of.

    Args:
        database: Where they are.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database
        self._rows = database.rows

    def __iter__(self) -> Iterator[RenderRow]:
        """Yield the pages in the order of the requests."""
        yield from (RenderRow(*row) for row in self._rows("SELECT * FROM renders ORDER BY number"))

    def add(self, row: RenderRow) -> None:
        """Keep what was done about a page, in place of an earlier try.

        It is committed with the next answer.
        """
        with self._database.writing() as db:
            db.execute(NEW_RENDER, storable_row(astuple(row)))

    def totals(self) -> RenderTotals:
        """Return what rendering cost and brought."""
        return totals_of(self._rows)

    def unrendered(self) -> list[UnrenderedPage]:
        """Return the pages that were not rendered for want of a browser."""
        return [
            UnrenderedPage(
                number, Link(url, source, depth=depth), tuple(str(signs).split(BETWEEN_SIGNS))
            )
            for number, url, source, depth, signs in self._rows(UNRENDERED)
        ]

    def followed(self) -> dict[str, tuple[int, int]]:
        """Return, by pattern, the links of rendered pages that were followed, and the useful."""
        return {name: (count, useful) for name, count, useful in self._rows(FOLLOWED)}
