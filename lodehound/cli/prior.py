"""lodehound learn-prior: what one site taught helps the next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lodehound.cli.echo import echo
from lodehound.core.shell import shown


def learn_prior(
    directories: Annotated[list[Path], typer.Argument(help="Crawls or fleets.", metavar="DIR...")],
    output: Annotated[Path, typer.Option(help="The file.", metavar="FILE")] = Path("prior.json"),
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
    want: Annotated[
        list[str] | None, typer.Option(help="A crawl's own target, to load it: module:Class.")
    ] = None,
    shortcuts: Annotated[
        list[str] | None, typer.Option(help="A crawl's own shortcuts, to load them.")
    ] = None,
) -> None:
    """Learn from finished crawls what helps crawls of other sites: crawl --prior FILE."""
    from lodehound.assembly.naming import named_options
    from lodehound.assembly.prior import learn_prior as learned
    from lodehound.cli.signals import tidy_end
    from lodehound.core.counts import counted
    from lodehound.stores.prior import write_prior

    named = named_options({"want": want, "shortcuts": shortcuts})
    lessons, crawls = learned(directories, lambda note: echo(note, err=True), named=named)
    with tidy_end():
        write_prior(output, lessons, crawls=crawls, force=force)
    echo(
        f"{counted(len(lessons), 'weight')} of {counted(crawls, 'crawl')} written to "
        f"{shown(output)}",
        err=True,
    )
