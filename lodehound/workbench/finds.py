"""Screens for finds: the list with its filters, and one find with preview and citation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from lodehound.inspect import Inspection
from lodehound.reports.citation import citation_of
from lodehound.reports.link_paths import way_to
from lodehound.reports.screen_text import clean, type_name
from lodehound.reports.verdict_words import worth_of
from lodehound.search.engine import numbers_for
from lodehound.search.question import terms_of
from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry, Facets
from lodehound.stores.catalogue.find_reads import copies_of, versions_of
from lodehound.stores.catalogue.wanted import ORDERS, Wanted
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.text.shell import quoted
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.security import FILE_POLICY
from lodehound.workbench.web import (
    COUNTING,
    ROWS,
    bench_of,
    crawl_of,
    csv_response,
    page,
    page_number,
    pages_of,
    whole_number,
)

LONG = 500  # characters of a filter


@dataclass(frozen=True, slots=True)
class FindFilter:
    """What the address of the list of finds asks for.

    Attributes:
        type: As the list shows it.
        rows: Least number of rows.
        news: A round and what happened in it: "2-new", "3-changed".
        order: One of those of `lodehound list`; "first" for the oldest first, "" for the best
            answers to the words or, without words, the newest first.
    """

    words: str = ""
    type: str = ""
    host: str = ""
    section: str = ""
    content: str = ""
    rows: int = 0
    statistics: str = ""
    news: str = ""
    order: str = ""

    def wanted(self, folder: Path) -> Wanted:
        """Return what that means for the catalogue of a crawl."""
        number, _, change = self.news.partition("-")
        changes = {change: True, "round": int(number)} if self.news else {}
        return Wanted(
            numbers=numbers_for(self.words, folder), shown_type=self.type, host=self.host,
            section=self.section, content=self.content, min_rows=self.rows,
            statistics=self.statistics, **changes,  # type: ignore[arg-type]
        )  # fmt: skip

    @property
    def sql_order(self) -> str:
        """Its order, as the catalogue knows it."""
        if not self.order:
            return "" if terms_of(self.words) else "new"  # the best answers first
        return self.order if self.order in ORDERS else "number"


@dataclass(frozen=True, slots=True)
class FindLine:
    """One line of the list of finds."""

    number: int
    title: str
    url: str
    host: str
    section: str
    type: str
    content: str
    size: int
    tables: int | None
    rows: int | None
    statistics: int | None
    found_on: str
    page_title: str
    fetched_at: str
    file: str

    @classmethod
    def of(cls, entry: CatalogueEntry) -> FindLine:
        find, read = entry.find, entry.read
        tables, rows, statistics = (read.tables, read.rows, read.statistics) if read else [None] * 3
        return cls(
            find.number, clean(entry.title, 300), find.final_url, entry.host, entry.section,
            entry.type, entry.content, find.size, tables, rows, statistics, find.found_on,
            clean(find.page_title, 300), find.fetched_at, find.file,
        )  # fmt: skip


COLUMNS = tuple(FindLine.__dataclass_fields__)


def finds(request: Request) -> Response:
    """Show the finds that fit."""
    crawl, query = crawl_of(request), _query(request)
    shot = bench_of(request).facets(crawl)
    facets: Facets | None = shot.value
    rounds = _rounds(facets) if facets else {}
    number, total, shown = 1, 0, list[FindLine]()
    if facets is not None and (not query.news or query.news in rounds):
        with Catalogue(crawl.folder, query.wanted(crawl.folder)) as catalogue:
            total = catalogue.count()
            number = min(page_number(request), pages_of(total))
            shown = lines_of(catalogue, query, first=ROWS * (number - 1), most=ROWS)
    return page(
        request, "finds", title=crawl.name, here="finds", crawl=crawl, shot=shot, query=query,
        facets=facets.values if facets else {}, finds=shown, total=total, page=number,
        pages=pages_of(total), asked=_asked(query), rounds=list(rounds.items()),
    )  # fmt: skip


def lines_of(
    catalogue: Catalogue, query: FindFilter, *, first: int = 0, most: int | None = None
) -> list[FindLine]:
    """Return some lines of the list."""
    return list(map(FindLine.of, catalogue.entries(query.sql_order, first=first, most=most)))


def _rounds(facets: Facets) -> dict[str, str]:
    """Return the changes of all rounds, as they are asked for and in words."""
    return {
        f"{number}-{change}": f"round {number}: {change} ({count:,})"
        for (number, change), count in facets.changes.items()
    }


def finds_csv(request: Request) -> Response:
    """Return all finds that fit."""
    crawl, query = crawl_of(request), _query(request)
    facets: Facets | None = bench_of(request).facets(crawl).value
    if facets is None:
        raise HTTPException(503, COUNTING)

    def rows() -> Iterator[Iterable[Any]]:
        if query.news and query.news not in _rounds(facets):
            return
        with Catalogue(crawl.folder, query.wanted(crawl.folder)) as catalogue:
            for entry in catalogue.entries(query.sql_order):
                yield asdict(FindLine.of(entry)).values()

    return csv_response("finds", COLUMNS, rows())


def _query(request: Request) -> FindFilter:
    asked = {name: value[:LONG] for name, value in request.query_params.items()}
    names = {field.name for field in fields(FindFilter)} - {"rows"}
    texts = {name: value for name, value in asked.items() if name in names}
    return FindFilter(**texts, rows=whole_number(request, "rows"))


def _asked(query: FindFilter) -> str:
    return urlencode({name: value for name, value in asdict(query).items() if value})


# --- one find ---------------------------------------------------------------------------------


def find(request: Request) -> Response:
    """Show everything that is known of one find."""
    crawl = crawl_of(request)
    with Catalogue(crawl.folder) as catalogue, CrawlReader(crawl.folder) as look:
        entry = _entry(catalogue, request)
        found = entry.find
        versions = versions_of(look, found.final_url)
        copies = copies_of(look, found.sha256, found.number) if found.sha256 else []
        return page(
            request, "find", title=crawl.name, here="finds", crawl=crawl, entry=entry,
            type=type_name(found.mime or entry.type), there=catalogue.path_of(found) is not None,
            worth=worth_of(str(catalogue.config.get("want") or ""), found.label, found.value),
            way=way_to(look, found.url), versions=_shown(versions), copies=copies,
            citation=citation_of(entry), explain_command=_explain(crawl, found.url),
        )  # fmt: skip


def _entry(catalogue: Catalogue, request: Request) -> CatalogueEntry:
    try:
        return catalogue.entry(request.path_params["number"])
    except (StopIteration, OverflowError):
        raise HTTPException(404, "There is no such find in this crawl.") from None


def _shown(versions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return versions if len(versions) > 1 else []


def versions_csv(request: Request) -> Response:
    crawl = crawl_of(request)
    with Catalogue(crawl.folder) as catalogue, CrawlReader(crawl.folder) as look:
        url = _entry(catalogue, request).find.final_url
        rows = [tuple(row.values()) for row in versions_of(look, url)]
    return csv_response("versions", ("number", "fetched_at", "file", "size", "note"), rows)


def _explain(crawl: WatchedCrawl, url: str) -> str:
    return f"lodehound explain {quoted(crawl.folder)} {quoted(url)}"


# --- its file ---------------------------------------------------------------------------------


def file(request: Request) -> Response:
    """Return the file, to be saved and never shown as a page of ours."""
    entry, path = _file(request)
    name = quote(entry.name.encode("utf-8", "replace"))
    headers = {
        "Content-Security-Policy": FILE_POLICY,
        "Content-Disposition": f"attachment; filename*=utf-8''{name}",
    }
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


def preview(request: Request) -> Response:
    """Show the first rows or words of a file, as text."""
    crawl, (entry, path) = crawl_of(request), _file(request)
    seen = bench_of(request).preview(path, entry.find.mime)
    lines = (clean(line, 400) for line in seen.opening.splitlines())
    return page(
        request, "preview", title=crawl.name, here="finds", crawl=crawl, seen=seen,
        number=entry.find.number, opening="\n".join(lines),
    )  # fmt: skip


def preview_csv(request: Request) -> Response:
    """Return the first rows of one table."""
    entry, path = _file(request)
    seen: Inspection = bench_of(request).preview(path, entry.find.mime)
    shown = [table for table in seen.tables if table.first]
    number = whole_number(request, "table", 1)
    if number > len(shown):
        raise HTTPException(404, "There is no such table in the preview.")
    table = shown[number - 1]
    return csv_response("preview", [column.name for column in table.facts], table.first)


def _file(request: Request) -> tuple[CatalogueEntry, Path]:
    with Catalogue(crawl_of(request).folder) as catalogue:
        entry = _entry(catalogue, request)
        path = catalogue.path_of(entry.find)
    if path is None:
        raise HTTPException(404, "The file is no longer in the crawl directory.")
    return entry, path
