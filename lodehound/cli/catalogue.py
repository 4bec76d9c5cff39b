"""lodehound list, export, diff: the catalogue of a crawl, for people and for programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lodehound.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lodehound.exports import Notes
    from lodehound.exports.diff import Change, Difference
    from lodehound.stores.crawl_dir.catalogue import CatalogueEntry

Directory = Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")]
FORMATS = "csv, jsonl, parquet, datapackage, dcat, nquads, ro-crate, void or warc."


def list_(
    directory: Directory,
    like: Annotated[str, typer.Option(help="Text in an address, title, name or column.")] = "",
    type: Annotated[  # noqa: A002
        str | None, typer.Option(help="csv, xlsx, pdf..., or a MIME type.")
    ] = None,
    min_rows: Annotated[int, typer.Option(min=0, help="Rows of the largest table, at least.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per find.")] = False,
) -> None:
    """List the finds of a crawl, running or not."""
    from lodehound.reports.worth import unit_of
    from lodehound.stores.crawl_dir.catalogue import Catalogue, Wanted

    if type is not None and not type.strip(" ."):
        raise ConfigError("--type is empty: name one, csv or application/pdf say.")
    with Catalogue(directory) as catalogue:
        entries = catalogue.entries(Wanted(like, type or "", min_rows))
        unit = unit_of(str(catalogue.config.get("want") or ""))
        if json:
            _write(_json_lines(entries))
        elif sys.stdout.isatty():
            _show(entries, unit)
        else:
            _write(_tabbed(entry, unit) for entry in entries)


def export(
    directory: Directory,
    to: Annotated[str, typer.Option(help=FORMATS, metavar="FORMAT")],
    output: Annotated[str, typer.Option(help="A file or a folder; - for the standard output.")],
    title: Annotated[str, typer.Option(help="Of the whole, where a format has one.")] = "",
    publisher: Annotated[str, typer.Option(help="Who publishes it, likewise.")] = "",
    contexts: Annotated[
        Path | None, typer.Option(help="Fetch JSON-LD contexts, and keep them in this folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
) -> None:
    """Write the finds of a crawl for other programs."""
    from lodehound.cli.signals import tidy_end
    from lodehound.exports import Notes, export, format_named
    from lodehound.stores.crawl_dir.catalogue import Catalogue

    form = format_named(to)
    notes = Notes(title=title, publisher=publisher)
    if contexts is not None:
        from lodehound.drivers.live.documents import context_fetcher
        from lodehound.stores.contexts import Contexts

        notes.contexts = Contexts(contexts, fetch=context_fetcher())
    with tidy_end(), Catalogue(directory) as catalogue:
        export(catalogue, form, output, notes=notes, force=force)
    _say(notes, output)


def diff(
    first: Annotated[Path, typer.Argument(help="The earlier crawl.", metavar="DIR1")],
    second: Annotated[Path, typer.Argument(help="The later crawl.", metavar="DIR2")],
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Compare two crawls: finds added, gone and changed."""
    from lodehound.exports.diff import compare
    from lodehound.stores.crawl_dir.catalogue import Catalogue

    with Catalogue(first) as old, Catalogue(second) as new:
        difference = compare(old, new)
    _write([_difference_json(difference)] if json else _difference_lines(difference))


def _say(notes: Notes, output: str) -> None:
    # The standard output may be the export.
    typer.echo(f"{notes.written} finds written to {output}", err=True)
    if notes.missing:
        typer.echo(f"{notes.missing} finds left out: their file is no longer there", err=True)


def _write(lines: Iterator[str] | list[str]) -> None:
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def _json_lines(entries: Iterator[CatalogueEntry]) -> Iterator[str]:
    from lodehound.exports.columns import row_of
    from lodehound.exports.jsonl import line_of

    return (line_of(row_of(entry)) for entry in entries)


# --- list ------------------------------------------------------------------------------------


def _tabbed(entry: CatalogueEntry, unit: str = "") -> str:
    from lodehound.stores.crawl_dir.catalogue import one_line

    find, seen = entry.find, entry.seen
    rows, columns = (str(seen.rows), str(seen.columns)) if seen else ("", "")
    texts = (find.final_url, find.file, find.mime, entry.kind)
    ends = (find.anchor, find.page_title, find.found_on)
    more = (find.label, f"{find.value:.12g}") if unit else ()
    cells = [*map(one_line, texts), str(find.bytes), rows, columns, *map(one_line, (*ends, *more))]
    return "\t".join(cells)


def _show(entries: Iterator[CatalogueEntry], unit: str = "") -> None:
    """Show a table that fits the terminal, line by line: there may be very many."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    room = max(console.width - 33, 30)
    name, anchor = room // 2, room - room // 2
    last = "label, link" if unit else "link"
    heading = _line(("type", "size", unit or "rows", "file", last), name, anchor)
    console.print(Text(heading, style="bold"), no_wrap=True, crop=True)
    count = 0
    for entry in entries:
        console.print(Text(_line(_shown(entry, unit), name, anchor)), no_wrap=True, crop=True)
        count += 1
    console.print(Text(f"{count} finds", style="dim"))


def _shown(entry: CatalogueEntry, unit: str) -> tuple[str, str, str, str, str]:
    from lodehound.reports.clean import in_bytes
    from lodehound.reports.worth import number_of

    find = entry.find
    rows = f"{entry.rows:,}" if entry.seen and entry.seen.tables else ""
    size = ("≥" if find.truncated else "") + in_bytes(find.size)
    link = find.anchor or find.page_title
    if unit:
        rows, link = number_of(find.value), ": ".join(filter(None, (find.label, link)))
    return entry.kind or entry.ending, size, rows, entry.name, link


def _line(cells: tuple[str, str, str, str, str], name: int, anchor: int) -> str:
    from rich.cells import cell_len, set_cell_size

    from lodehound.stores.crawl_dir.catalogue import one_line

    kind, size, rows, file, text = (one_line(cell, 300) for cell in cells)
    file = file if cell_len(file) < name else set_cell_size(file, name - 2) + "…"
    text = text if cell_len(text) <= anchor else set_cell_size(text, anchor - 1) + "…"
    return f"{kind[:8]:8} {size:>9} {rows:>11}  {set_cell_size(file, name)}{text}"


# --- diff ------------------------------------------------------------------------------------


def _difference_lines(difference: Difference) -> Iterator[str]:
    for what, count in difference.counts.items():
        yield f"{what:8} {count}"
    yield from map(_change_line, difference.changes)


def _change_line(change: Change) -> str:
    from lodehound.stores.crawl_dir.catalogue import one_line

    state = change.after or change.before
    file = state.file if state else ""
    return "\t".join([change.what, one_line(change.url, 5000), change.note, one_line(file)])


def _difference_json(difference: Difference) -> str:
    import dataclasses

    from lodehound.exports.jsonl import line_of

    changes = [dataclasses.asdict(change) for change in difference.changes]
    return line_of({"counts": difference.counts, "changes": changes})
