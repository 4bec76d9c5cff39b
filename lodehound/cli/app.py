"""The commands, one module each; heavy imports happen when a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

from lodehound.cli.catalogue import export, list_
from lodehound.cli.check import check
from lodehound.cli.demo import demo
from lodehound.cli.diff import diff
from lodehound.cli.gate import gate
from lodehound.cli.group import Commands
from lodehound.cli.live import crawl, resume, status
from lodehound.cli.names import policies, targets
from lodehound.cli.race import race
from lodehound.cli.record import record
from lodehound.cli.report import explain, report, skipped

app = typer.Typer(
    name="lodehound",
    cls=Commands,
    help="A focused crawler that learns where the data is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    crawl, resume, status, record, demo, race, gate, check, policies, targets,
    export, diff, report, explain, skipped,
):  # fmt: skip
    app.command()(command)
app.command(name="list")(list_)  # `list` is a built-in name


def _version(wanted: bool) -> None:
    if wanted:
        from lodehound.version import VERSION

        typer.echo(f"lodehound {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A focused crawler that learns where the data is."""
