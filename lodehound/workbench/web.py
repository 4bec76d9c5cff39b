"""What every page needs: the workbench, the crawl that a URL names, templates, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, StreamingResponse

from lodehound.exports.csv_file import safe
from lodehound.reports.template import environment
from lodehound.workbench.access import Access, same
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.state import Workbench

ROWS = 50  # of a table on a page
COUNTING = "It is still being counted: try again in a few seconds."
LINES = 500  # of a CSV file that are sent at a time


def bench_of(request: Request) -> Workbench:
    bench: Workbench = request.app.state.bench
    return bench


def access_of(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def crawl_of(request: Request) -> WatchedCrawl:
    """Return the crawl that the URL names, if it can be read."""
    crawl = bench_of(request).crawls.one(request.path_params["crawl"])
    if crawl is None:
        raise HTTPException(404, "There is no such crawl here. It may have been moved.")
    if flaw := crawl.flaw():
        raise HTTPException(503, flaw)
    return crawl


def page(
    request: Request,
    name: str,
    *,
    title: str,
    here: str = "",
    crawl: WatchedCrawl | None = None,
    events: str = "",
    status: int = 200,
    **facts: Any,
) -> HTMLResponse:
    """Return a page.

    Args:
        request: The request.
        name: The template, without its ending.
        title: The title.
        here: The place in the navigation.
        crawl: The crawl that it is about.
        events: The URL that says when something changes.
        status: The HTTP status.
        facts: Variables of the template.
    """
    bench = bench_of(request)
    template = environment("lodehound.workbench").get_template(f"{name}.html.jinja")
    made = template.render(
        title=title, here=here, crawl=crawl, events=events, csrf=access_of(request).form_token,
        control=bench.control, this_url=_url_of(request), **facts,
    )  # fmt: skip
    return HTMLResponse(made.encode("utf-8", "replace"), status)


def _url_of(request: Request) -> str:
    """Return the path and the query of a page, with which it asks for itself again."""
    query = request.url.query
    return request.url.path + (f"?{query}" if query else "")


def page_number(request: Request) -> int:
    """Return which page of a table is asked for, from 1."""
    return whole_number(request, "page", 1)


def whole_number(request: Request, name: str, least: int = 0) -> int:
    """Return a number in the query, or the least one for anything else."""
    text = request.query_params.get(name, "")
    return max(int(text), least) if text.isascii() and text.isdigit() and len(text) < 10 else least


def pages_of(count: int) -> int:
    return max(1, -(-count // ROWS))


def csv_response(
    name: str, header: Iterable[str], rows: Iterable[Iterable[Any]]
) -> StreamingResponse:
    """Return a table as a file that no spreadsheet executes.

    Its first rows are read here: what cannot be read is said by a page.
    """
    passing = iter(rows)
    rows = chain(list(islice(passing, LINES)), passing)
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    lines = csv_lines(header, rows)
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[bytes]:
    yield _lines([header])
    passing = iter(rows)
    while some := list(islice(passing, LINES)):
        yield _lines(some)


def _lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else safe(str(value))


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form of ours.

    Raises:
        HTTPException: The workbench only reads, or the form is not from one of its pages, is too
            large, or cannot be given to a command.
    """
    bench = bench_of(request)
    if not bench.control:
        raise HTTPException(
            403, "The workbench only reads: start it with 'lodehound ui --control'."
        )
    try:
        body = (await request.body()).decode("utf-8", "replace")
    except ClientDisconnect:  # the rest of a body without a length was cut off
        raise HTTPException(413, "The form is too large.") from None
    fields = dict(parse_qsl(body, keep_blank_values=True))
    if not same(fields.pop("csrf", ""), access_of(request).form_token):
        raise HTTPException(403, "The form is not from this workbench: open the page again.")
    if any("\0" in value for value in fields.values()):
        raise HTTPException(400, "The form holds a character that no command can take.")
    return {name: value.strip() for name, value in fields.items()}
