"""lodehound search, show, cite: which file answers a question, what is in it, how to cite it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lodehound.cli.catalogue import write_lines
from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError, UnknownNameError

if TYPE_CHECKING:
    from lodehound.stores.catalogue.entries import Catalogue, CatalogueEntry

Directory = Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")]
Find = Annotated[
    str, typer.Argument(help="Its number in 'list --json', its URL, or its path.", metavar="FIND")
]
YEARS = re.compile(r"(\d{4})(?:\s*(?:-|to)\s*(\d{4}))?")
FORMS = ("text", "bibtex", "csl-json")
PREVIEWED = 10  # answers whose first rows are read
LONGEST = 3000  # characters of a line: a stranger's catalogue may have addresses of megabytes


def search(
    question: Annotated[str, typer.Argument(help="In plain words.", metavar="QUESTION")],
    directories: Annotated[
        list[Path],
        typer.Argument(help="Crawl directories, fleets, folders of crawls.", metavar="DIR..."),
    ],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of answers.")] = 10,
    type_: Annotated[
        str, typer.Option("--type", help="csv, xlsx, pdf..., or a MIME type.", metavar="TYPE")
    ] = "",
    years: Annotated[
        str, typer.Option(help="Tables that cover a year, or some of 2010-2020.", metavar="YEARS")
    ] = "",
    site: Annotated[str, typer.Option(help="Only finds of this host.", metavar="HOST")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per answer.")] = False,
) -> None:
    """List the finds that answer a question, and why."""
    from lodehound.exports.jsonl import line_of
    from lodehound.inspect import PREVIEW, Options, Reader
    from lodehound.reports.answers import answer_lines, answer_row
    from lodehound.search.engine import Filter
    from lodehound.search.engine import search as searched
    from lodehound.stores.crawl_dir.folders import crawls_in

    only = Filter(type_.lower().lstrip("."), _years(years), site.lower())
    folders = crawls_in(directories)
    answers = searched(
        question, folders, limit=limit, only=only, warn=lambda text: echo(text, err=True)
    )
    with Reader(Options(limits=PREVIEW)) as reader:
        shown = [
            reader.inspect(one.path, one.entry.find.mime) if one.path and at < PREVIEWED else None
            for at, one in enumerate(answers)
        ]
    if as_json:
        write_lines(line_of(answer_row(*one)) for one in zip(answers, shown, strict=True))
        return
    for place, (answer, preview) in enumerate(zip(answers, shown, strict=True), 1):
        if place > 1:
            echo("")
        for line in answer_lines(answer, place, preview):
            echo(line[:LONGEST])
    if not answers:
        echo("No find has any of these words: ask in other words, or with fewer options.", err=True)


def _years(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    match = YEARS.fullmatch(text.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise ConfigError(f"--years {text!r} is not understood: write 2019, or 2010-2020.")
    return first, last


def show(
    directory: Directory,
    find: Find,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show one find: its title, tables, columns and first rows, where and why it was found."""
    from lodehound.exports.columns import row_of
    from lodehound.exports.jsonl import line_of
    from lodehound.inspect import PREVIEW, Options, Reader
    from lodehound.reports.answers import find_lines, find_row

    with _found(directory, find) as (catalogue, entry), Reader(Options(limits=PREVIEW)) as reader:
        path = catalogue.path_of(entry.find)
        preview = reader.inspect(path, entry.find.mime) if path else None
        place = str(path) if path else ""
        if as_json:
            write_lines([line_of(row_of(entry) | find_row(entry, preview, place))])
            return
        for line in find_lines(entry, preview, place):
            echo(line[:LONGEST])


def cite(
    directory: Directory,
    find: Find,
    form: Annotated[
        str, typer.Option("--format", help="text, bibtex or csl-json.", metavar="FORMAT")
    ] = "text",
) -> None:
    """Print how to cite a find: as text, for BibTeX, or as CSL-JSON."""
    from lodehound.reports.citation import citation_of

    if form not in FORMS:
        raise UnknownNameError("format", form, FORMS)
    with _found(directory, find) as (_, entry):
        citation = citation_of(entry)
    as_json = json.dumps([citation.csl], ensure_ascii=False, indent=2)
    forms = {"text": citation.text, "bibtex": citation.bibtex, "csl-json": as_json}
    write_lines(forms[form].splitlines())


@contextmanager
def _found(directory: Path, find: str) -> Iterator[tuple[Catalogue, CatalogueEntry]]:
    """Open a catalogue, and yield it with the find that is named."""
    from lodehound.stores.catalogue.entries import Catalogue
    from lodehound.stores.catalogue.named import one_named

    with Catalogue(directory) as catalogue:
        yield catalogue, one_named(catalogue, find)
