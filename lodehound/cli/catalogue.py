"""lodehound list, export: the catalogue of a crawl, for people and for programs."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.echo import echo
from lodehound.cli.filters import Filters, check_type, tell_none, tell_round, wanted_of
from lodehound.cli.flags import with_options
from lodehound.text.shell import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lodehound.exports import Notes

Directory = Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")]
FORMATS = (
    "csv, jsonl, parquet, datapackage, dcat, croissant, nquads, ro-crate, void, sqlite, duckdb"
    " or warc."
)
SORTS = "title, type, size, rows, tables, statistics, value, file or url."


@with_options(Filters, grouped=False)
def list_(
    directory: Directory,
    sort: Annotated[str, typer.Option(help=SORTS, metavar="BY")] = "",
    reverse: Annotated[bool, typer.Option("--reverse", help="Reverse the order.")] = False,
    limit: Annotated[int | None, typer.Option(min=0, help="Maximum number of finds.")] = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="A table with complete titles, paths and URLs.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per find.")] = False,
    **given: Any,
) -> None:
    """List the finds of a crawl, running or not."""
    from lodehound.cli.list_table import json_lines, ordered, show, tabbed
    from lodehound.reports.verdict_words import unit_of
    from lodehound.stores.catalogue.entries import Catalogue

    with Catalogue(directory, wanted_of(given)) as catalogue:
        told = check_type(catalogue, given.get("type"))
        tell_round(catalogue)
        entries = ordered(catalogue, sort, reverse=reverse, limit=limit)
        unit = unit_of(str(catalogue.config.get("want") or ""))
        first = list(itertools.islice(entries, 1))
        if not (first or told) and limit != 0:
            tell_none(given)
        entries = itertools.chain(first, entries)
        if json:
            write_lines(json_lines(entries))
        elif wide or sys.stdout.isatty():
            show(entries, unit, catalogue.summary(), wide=wide)
        else:
            write_lines(tabbed(entry, unit) for entry in entries)


@with_options(Filters, grouped=False)
def export(
    directory: Directory,
    to: Annotated[str, typer.Option(help=FORMATS, metavar="FORMAT")],
    output: Annotated[
        str | None,
        typer.Option(
            help="A file or a folder; - for the standard output.",
            show_default="in the crawl directory",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Of the whole, where a format has one.")] = "",
    publisher: Annotated[str, typer.Option(help="Who publishes it, likewise.")] = "",
    contexts: Annotated[
        Path | None, typer.Option(help="Fetch JSON-LD contexts, and keep them in this folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
    **given: Any,
) -> None:
    """Write the finds of a crawl for other programs."""
    from lodehound.cli.signals import tidy_end
    from lodehound.exports import Notes, export, format_named
    from lodehound.stores.catalogue.entries import Catalogue
    from lodehound.stores.files.inside import refuse_links

    form = format_named(to)
    if output is None:
        refuse_links(directory, [form.default])
    place = str(directory / form.default) if output is None else output
    notes = Notes(title=title, publisher=publisher)
    if contexts is not None:
        from lodehound.drivers.live.example_pages import context_fetcher
        from lodehound.stores.contexts import Contexts

        notes.contexts = Contexts(contexts, fetch=context_fetcher())
    with tidy_end(), Catalogue(directory, wanted_of(given)) as catalogue:
        told = check_type(catalogue, given.get("type"))
        tell_round(catalogue)
        export(catalogue, form, place, notes=notes, force=force)
        if not (notes.written or told):
            tell_none(given)
        listed = to == "croissant" or (to in {"csv", "dcat"} and catalogue.only_catalogues)
    _say(notes, place, "dataset" if listed else "find")


def _say(notes: Notes, output: str, unit: str) -> None:
    from lodehound.text.counts import counted

    # The standard output may be the export.
    tables = f" and {counted(notes.tables, 'table')}" if notes.tables else ""
    echo(f"{counted(notes.written, unit)}{tables} written to {shown(output)}", err=True)
    for line in notes.said:
        echo(line, err=True)
    if notes.missing:
        left = counted(notes.missing, "find")
        echo(f"{left} left out: the file is no longer there", err=True)
    if notes.left_out:
        left = counted(notes.left_out, "statement")
        echo(
            f"{left} left out: RDF does not allow {'them' if notes.left_out > 1 else 'it'}",
            err=True,
        )


def write_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output, replacing what cannot be encoded."""
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
