"""Screens that act, with ``--control``: start, pause, resume, change budgets."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from lodehound.assembly.trust import unnamed, written_options
from lodehound.config import CrawlConfig
from lodehound.core.errors import LodehoundError
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.layout import DATABASE
from lodehound.workbench import commands
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.state import Workbench
from lodehound.workbench.web import bench_of, crawl_of, form_of, page


def control(request: Request) -> Response:
    """Show the state of a crawl and how to change it."""
    return _control(request, crawl_of(request), _given(request, commands.BUDGETS))


async def pause(request: Request) -> Response:
    """Stop a crawl in order."""
    await form_of(request)
    crawl = await run_in_threadpool(crawl_of, request)
    try:
        await run_in_threadpool(commands.pause, crawl)
    except LodehoundError as error:
        return await run_in_threadpool(_control, request, crawl, {}, said=str(error))
    return RedirectResponse(f"/crawl/{crawl.id}/control", 303)


async def resume(request: Request) -> Response:
    """Continue a crawl."""
    given = await form_of(request)
    crawl = await run_in_threadpool(crawl_of, request)
    log = bench_of(request).folder / f"{crawl.id}.log"
    try:
        await run_in_threadpool(commands.resume, crawl, given, log)
    except LodehoundError as error:
        return await run_in_threadpool(_control, request, crawl, given, said=str(error))
    return RedirectResponse(f"/crawl/{crawl.id}/", 303)


def _control(
    request: Request, crawl: WatchedCrawl, given: dict[str, str], *, said: str = ""
) -> Response:
    bench = bench_of(request)
    with CrawlDir.open(crawl.folder, write=False) as directory:
        secrets = commands.missing_secrets(directory)
        config = CrawlConfig.without_secrets(directory.config)
    words = [commands.written(commands.resume_command(crawl, given))]
    words += [written_options(config, again)] if (again := unnamed(config)) else []
    return page(
        request, "control", title=crawl.name, here="control", crawl=crawl,
        events=f"/crawl/{crawl.id}/events", holder=crawl.crawling,
        one=bench.figures(crawl).value, said=said, secrets=secrets, fields=commands.BUDGETS,
        given=_filled(given, commands.BUDGETS),
        command=" ".join(words),
        pause_command=commands.written(commands.pause_command(crawl)),
        status=400 if said else 200,
    )  # fmt: skip


def new(request: Request) -> Response:
    """Show the form for a new crawl."""
    return _new(request, commands.BEGIN_WITH | _given(request, commands.FIELDS))


async def start(request: Request) -> Response:
    """Start a crawl."""
    given, bench = await form_of(request), bench_of(request)
    commands.tidy()
    try:
        place = new_place(bench)
        await run_in_threadpool(commands.start, place, given, bench.folder / "start.log")
    except LodehoundError as error:
        return await run_in_threadpool(_new, request, given, said=str(error))
    bench.crawls.look_again()
    return RedirectResponse(f"/crawl/{WatchedCrawl(place / given['folder']).id}/", 303)


def _new(request: Request, given: dict[str, str], *, said: str = "") -> Response:
    command = commands.crawl_command(new_place(bench_of(request)), given)
    return page(
        request, "start", title="Start a crawl", here="start", said=said,
        fields=commands.FIELDS, given=_filled(given, commands.FIELDS),
        command=commands.written(command), status=400 if said else 200,
    )  # fmt: skip


def new_place(bench: Workbench) -> Path:
    """Return the folder in which new crawls are made: the first one that is none itself."""
    places = [place.resolve() for place in bench.crawls.places]
    folders = [place for place in places if not (place / DATABASE).exists()]
    return folders[0] if folders else places[0].parent


def _given(request: Request, fields: tuple[tuple[str, str, str], ...]) -> dict[str, str]:
    asked = request.query_params
    return {name: asked[name][:500].strip() for name, *_ in fields if name in asked}


def _filled(given: dict[str, str], fields: tuple[tuple[str, str, str], ...]) -> dict[str, str]:
    return {name: given.get(name, "") for name, *_ in fields}
