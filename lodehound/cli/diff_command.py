"""lodehound diff: compares two crawls, or two rounds of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError
from lodehound.text.shell import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lodehound.reports.diff import Change, Difference
    from lodehound.stores.catalogue.entries import Catalogue


def diff(
    first: Annotated[Path, typer.Argument(help="The earlier crawl.", metavar="DIR1")],
    second: Annotated[
        Path | None, typer.Argument(help="The later crawl.", metavar="DIR2", show_default=False)
    ] = None,
    rounds: Annotated[
        tuple[int, int] | None, typer.Option(help="Two rounds of one crawl.", metavar="M N")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write an HTML page.", metavar="FILE")] = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if the site has changed.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
) -> None:
    """Compare two crawls, or two rounds of one: finds added, gone, moved and changed."""
    from lodehound.cli.catalogue import write_lines
    from lodehound.cli.signals import tidy_end
    from lodehound.stores.catalogue.entries import Catalogue

    if (second is None) == (rounds is None):
        raise ConfigError("diff needs either a second crawl or --rounds M N.")
    with tidy_end(), Catalogue(first) as old, Catalogue(second or first) as new:
        difference = _compared(old, new, rounds)
        if html is not None:
            from lodehound.reports.diff_page import write_diff

            written = write_diff(old, new, difference, html, force=force)
    if json:
        write_lines([_difference_json(difference)])
    elif html is not None:
        echo(shown(written))
    else:
        write_lines(_difference_lines(difference))
    if exit_code and difference.differs:
        raise typer.Exit(1)


def _compared(old: Catalogue, new: Catalogue, rounds: tuple[int, int] | None) -> Difference:
    from lodehound.reports.diff import compare
    from lodehound.reports.round_diff import compare_rounds, failed_rounds

    if rounds is None:
        return compare(old, new)
    difference = compare_rounds(old, *rounds)
    for number in failed_rounds(old, rounds):
        echo(
            f"Round {number} failed: nothing was reachable. "
            "The files of the last round before that did not fail are compared.",
            err=True,
        )
    return difference


def _difference_lines(difference: Difference) -> Iterator[str]:
    for what, count in difference.counts.items():
        yield f"{what:16} {count}"
    yield from map(_change_line, difference.changes)


def _change_line(change: Change) -> str:
    from lodehound.stores.texts import one_line

    state = change.after or change.before
    more = change.to or str(change.table or "")
    cells = (change.url, change.note, state.file if state else "", more, change.title)
    return "\t".join([change.what, *(one_line(cell, 5000) for cell in cells)])


def _difference_json(difference: Difference) -> str:
    import dataclasses

    from lodehound.exports.jsonl import line_of

    changes = [dataclasses.asdict(change) for change in difference.changes]
    return line_of({"counts": difference.counts, "changes": changes})
