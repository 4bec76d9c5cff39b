"""A data portal with an endless supply of new URLs, as in crawler traps."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from html import escape
from typing import Literal, get_args
from urllib.parse import parse_qsl, urlencode, urlsplit

from lodehound.core.errors import ConfigError
from lodehound.stores.records import Record

Trap = Literal["facets", "calendar", "sort", "session"]

HTML = "text/html; charset=utf-8"
PER_PAGE = 10  # datasets on a list page
FACETS = 12  # facet fields, each with FACET_VALUES values: 6 ** 12 lists
FACET_VALUES = 5
SORTS = ("title", "date", "size", "score", "views", "rating")
VIEWS = ("grid", "list", "compact")


@dataclass(frozen=True, slots=True)
class EndlessPortal:
    """A portal of datasets, one page and one CSV file each, and one kind of trap.

    Args:
        trap: ``facets``: filters that can be combined freely. ``calendar``: earlier and later
            months without end. ``sort``: orders, views and page numbers beyond the last page.
            ``session``: page links with a session id, a new one on every page.
        datasets: Number of datasets, and of files.
        host: Root of the site.

    >>> portal = EndlessPortal("calendar", datasets=20)
    >>> portal.get("/dataset/7").body.count(b".csv")
    1
    """

    trap: Trap
    datasets: int = 120
    host: str = "https://portal.example/"

    def __post_init__(self) -> None:
        if self.trap not in get_args(Trap) or self.datasets < 1:
            raise ConfigError(f"A portal needs a trap of {get_args(Trap)} and at least 1 dataset.")

    def get(self, url: str) -> Record:
        """Return the response for a URL, or for its path and query."""
        parts = urlsplit(url)
        if parts.path.startswith("/files/") and parts.path.endswith(".csv"):
            return Record(url, 200, "text/csv", b"year,value\n2001,1\n2002,2\n", size=26)
        links = self.links(url)
        if links is None:
            return Record(url, 404, HTML, b"<p>Not found</p>", size=16)
        session = zlib.crc32(url.encode()) if self.trap == "session" else 0
        return _page(url, links, session)

    def links(self, url: str) -> list[tuple[str, str]] | None:
        """Return text and place of the links on a page; None if there is no such page."""
        parts = urlsplit(url)
        match parts.path.strip("/").split("/"):
            case [""]:
                return [("Datasets", "/datasets"), ("Events", "/events/2026-01"), ("About", "/a")]
            case ["datasets"]:
                return self._list(dict(parse_qsl(parts.query)))
            case ["dataset", number] if number.isdigit() and int(number) < self.datasets:
                return [("Datasets", "/datasets"), ("Download CSV", f"/files/{number}.csv")]
            case ["events", month] if self.trap == "calendar":
                return _around(month)
            case ["a" | "events", *_]:
                return [("Home", "/")]
        return None

    def _list(self, query: dict[str, str]) -> list[tuple[str, str]]:
        """Return the links of a list of datasets: those that match, and the trap."""
        chosen = {key: value for key, value in query.items() if key.startswith("f")}
        matching = [n for n in range(self.datasets) if all(_has(n, *f) for f in chosen.items())]
        page = int(query.get("page", "1")) if query.get("page", "1").isdigit() else 1
        last = max(-(-len(matching) // PER_PAGE), 1)
        shown = matching[(min(page, last) - 1) * PER_PAGE :][:PER_PAGE]
        links = [(f"Dataset {n}", f"/dataset/{n}") for n in shown]
        if page < last or self.trap == "sort":
            links.append(("Next", _datasets(query | {"page": str(page + 1)})))
        if self.trap == "facets":
            fields = [f"f{n}" for n in range(FACETS) if f"f{n}" not in query]
            values = [(f, str(v)) for f in fields for v in range(FACET_VALUES)]
            links += [(f"{f} = {v}", _datasets(chosen | {f: v})) for f, v in values]
        if self.trap == "sort":
            links += [(f"by {s}", _datasets(query | {"sort": s})) for s in SORTS]
            links += [(o, _datasets(query | {"order": o})) for o in ("asc", "desc")]
            links += [(v, _datasets(query | {"view": v})) for v in VIEWS]
        return links


def _has(dataset: int, field: str, value: str) -> bool:
    return str(zlib.crc32(f"{dataset} {field}".encode()) % FACET_VALUES) == value


def _datasets(query: dict[str, str]) -> str:
    return f"/datasets?{urlencode(sorted(query.items()))}"


def _around(month: str) -> list[tuple[str, str]]:
    """Return the months before and after a month, and its days."""
    year, _, number = month.partition("-")
    if not (year.isdigit() and number.isdigit()):
        return [("Home", "/")]
    at = 12 * int(year) + int(number) - 1
    months = [f"{n // 12}-{n % 12 + 1:02}" for n in (at - 1, at + 1)]
    days = [(f"{day}", f"/events/{month}/{day}") for day in range(1, 29)]
    return [("Earlier", f"/events/{months[0]}"), ("Later", f"/events/{months[1]}"), *days]


def _page(url: str, links: list[tuple[str, str]], session: int) -> Record:
    items = []
    for text, place in links:
        mark = "&" if "?" in place else "?"
        own = f"{place}{mark}sid={session:08x}" if session and ".csv" not in place else place
        items.append(f'<li><a href="{escape(own)}">{escape(text)}</a></li>')
    body = f"<!DOCTYPE html><title>Portal</title><ul>{''.join(items)}</ul>".encode()
    return Record(url, 200, HTML, body, size=len(body))
