"""The screen for exports, and the exports themselves: written to a temporary file, then sent."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from lodehound.exports import Notes, export, format_named
from lodehound.exports.formats import FORMATS
from lodehound.exports.output import WITH_FILES
from lodehound.reports.page import write_report
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.text.shell import quoted
from lodehound.workbench.crawls import WatchedCrawl
from lodehound.workbench.security import FILE_POLICY
from lodehound.workbench.web import bench_of, crawl_of, csv_response, page

ENDINGS = {"dcat": "jsonld", "nquads": "nq", "void": "ttl", "warc": "warc.gz"}
OF_RDF = {"nquads", "void"}
WITH_RDF = ("rdf", "markup")


def exports(request: Request) -> Response:
    """Show the formats, each with its command."""
    crawl = crawl_of(request)
    with Catalogue(crawl.folder) as catalogue:
        fits = {
            **dict.fromkeys(OF_RDF, str(catalogue.config.get("want") or "").startswith(WITH_RDF)),
            **dict.fromkeys(WITH_FILES, not catalogue.only_catalogues),
            "croissant": any(one.dataset.files for one in catalogue.datasets()),
        }
    fitting = [form for form in FORMATS.values() if fits.get(form.name, True)]
    rows = [(form, _command(crawl, form.name)) for form in fitting]
    report = f"lodehound report {quoted(crawl.folder)}"
    return page(
        request, "exports", title=crawl.name, here="exports", crawl=crawl, formats=rows,
        report_command=report,
    )  # fmt: skip


def formats_csv(request: Request) -> Response:
    crawl = crawl_of(request)
    rows = [(form.name, form.about, _command(crawl, form.name)) for form in FORMATS.values()]
    return csv_response("formats", ("format", "about", "command"), rows)


def download(request: Request) -> Response:
    """Return the finds in a format, or the report."""
    crawl, name = crawl_of(request), request.path_params["format"]
    bench = bench_of(request)
    path = bench.folder / f"export-{uuid4().hex}"
    ending = "html" if name == "report" else ENDINGS.get(name, name)
    if name == "report":
        path = path.with_suffix(".html")
        with crawl.opened() as (directory, look):
            write_report(directory, look, path)
    elif name not in FORMATS or format_named(name).shape == "folder":
        raise HTTPException(404, "There is no such export to download.")
    else:
        with Catalogue(crawl.folder) as catalogue:
            export(catalogue, format_named(name), str(path), notes=Notes())
    headers = {
        "Content-Security-Policy": FILE_POLICY,
        "Content-Disposition": f'attachment; filename="{crawl.id}.{ending}"',
    }
    return FileResponse(
        path, media_type="application/octet-stream", headers=headers,
        background=BackgroundTask(_remove, path),
    )  # fmt: skip


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _command(crawl: WatchedCrawl, name: str) -> str:
    place = quoted(crawl.folder)
    return f"lodehound export {place} --to {name} --output {name}.{ENDINGS.get(name, name)}"
