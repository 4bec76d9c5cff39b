"""The application: routes, errors, static files."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from jinja2 import TemplateError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.repair.damage import blame_damage
from lodehound.workbench import analysis, control, exporting, finds, watching
from lodehound.workbench.access import Access
from lodehound.workbench.analysis import SIDES
from lodehound.workbench.security import Gate
from lodehound.workbench.state import Workbench
from lodehound.workbench.web import bench_of, page

STATIC = {
    "report.css": ("lodehound.reports", "html/report.css"),
    "workbench.css": ("lodehound.workbench", "static/workbench.css"),
    "workbench.js": ("lodehound.workbench", "static/workbench.js"),
    "icon.svg": ("lodehound.workbench", "static/icon.svg"),
    "chart.js": ("lodehound.workbench", "static/chart.js"),
}
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# What reading rows that somebody else wrote may raise.
ODD = (
    ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RuntimeError,
    sqlite3.Error, TemplateError,
)  # fmt: skip
DAY = "private, max-age=86400"

CRAWL = "/crawl/{crawl}"
FIND = CRAWL + "/finds/{number:int}"
ROUTES = (
    Route("/", watching.crawls),
    Route("/crawls.csv", watching.crawls_csv),
    Route("/events", watching.events),
    Route("/compare", analysis.comparison),
    Route("/compare.csv", analysis.comparison_csv),
    Route("/start", control.new, methods=["GET"]),
    Route("/start", control.start, methods=["POST"]),
    Route(CRAWL + "/", watching.live),
    Route(CRAWL + "/events", watching.crawl_events),
    Route(CRAWL + "/progress.json", watching.progress),
    Route(CRAWL + "/finds", finds.finds),
    Route(CRAWL + "/finds.csv", finds.finds_csv),
    Route(FIND, finds.find),
    Route(FIND + "/file", finds.file),
    Route(FIND + "/preview", finds.preview),
    Route(FIND + "/preview.csv", finds.preview_csv),
    Route(FIND + "/versions.csv", finds.versions_csv),
    Route(CRAWL + "/map", analysis.site_map),
    Route(CRAWL + "/learned", analysis.learned),
    Route(CRAWL + "/skipped", analysis.skipped),
    Route(CRAWL + "/control", control.control, methods=["GET"]),
    Route(CRAWL + "/control/pause", control.pause, methods=["POST"]),
    Route(CRAWL + "/control/resume", control.resume, methods=["POST"]),
    Route(CRAWL + "/exports", exporting.exports),
    Route(CRAWL + "/formats.csv", exporting.formats_csv),
    Route(CRAWL + "/exports/{format}", exporting.download),
    *(Route(f"{CRAWL}/{name}.csv", watching.live_csv, name=name) for name in watching.NAMES),
    *(Route(f"{CRAWL}/{name}.csv", analysis.analysis_csv, name=name) for name in analysis.TABLES),
)


def make_app(places: Sequence[Path], *, access: Access, control: bool) -> Starlette:
    """Return the application.

    Args:
        places: Crawl directories, and folders that contain some.
        access: The addresses of the workbench and its secrets.
        control: Whether crawls may be started and stopped.
    """
    bench = Workbench(places, control=control)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.closing = asyncio.Event()
        try:
            yield
        finally:
            bench.close()

    app = Starlette(
        routes=[*ROUTES, Route("/static/{name}", static)],
        middleware=[Middleware(Gate, access=access)],
        exception_handlers={
            HTTPException: _failed,
            LodehoundError: _refused,
            **dict.fromkeys(ODD, _unreadable),
        },
        lifespan=lifespan,
    )
    app.state.bench, app.state.access = bench, access
    return app


def static(request: Request) -> Response:
    """Return one of our own files; no other path exists."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404, "There is no such file.")
    package, path = STATIC[name]
    body = files(package).joinpath(path).read_bytes()
    kind = TYPES[name.rpartition(".")[2]]
    return Response(body, media_type=kind, headers={"Cache-Control": DAY})


async def _failed(request: Request, error: Exception) -> Response:
    code = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else str(error)
    text = "There is no such page." if detail == "Not Found" else detail
    return page(request, "message", title="Not available", text=text, status=code)


async def _unreadable(request: Request, error: Exception) -> Response:
    """Show the damage of the crawls that a page is about; raise the error if there is none."""
    asked = [request.path_params.get("crawl"), *map(request.query_params.get, SIDES)]
    names = {name.partition(".")[0] for name in asked if name}
    try:
        for crawl in await run_in_threadpool(bench_of(request).crawls.all):
            if crawl.id in names:
                await run_in_threadpool(blame_damage, crawl.folder, error)
    except LodehoundError as damage:
        return await _refused(request, damage)
    raise error


async def _refused(request: Request, error: Exception) -> Response:
    code = 400 if isinstance(error, ConfigError) else 503
    return page(request, "message", title="Not available", text=str(error), status=code)
