"""The commands, one module each; heavy imports happen when a command runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated

import typer

from lodehound.cli.catalogue import export, list_
from lodehound.cli.check import check
from lodehound.cli.demo import demo
from lodehound.cli.diff import diff
from lodehound.cli.fleet import fleet_app
from lodehound.cli.gate import gate
from lodehound.cli.group import Commands
from lodehound.cli.live import crawl, resume, status
from lodehound.cli.names import policies, shortcuts, targets
from lodehound.cli.prior import learn_prior
from lodehound.cli.race import race
from lodehound.cli.record import record
from lodehound.cli.repair import repair
from lodehound.cli.report import explain, report, skipped
from lodehound.cli.ui import ui
from lodehound.cli.update import update

EXAMPLES = """Examples:

  lodehound crawl https://www.example.org/ --requests 500 --out finds

  lodehound crawl https://www.example.org/ --want files:csv,xlsx --early-stop auto

  lodehound resume finds --requests +500
"""

app = typer.Typer(
    name="lodehound",
    cls=Commands,
    help="A focused crawler that learns where the data is.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# In the order in which a person needs them.
COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "Crawl": {
        "crawl": crawl, "status": status, "resume": resume, "update": update, "repair": repair,
    },
    "Look at what was found": {
        "list": list_, "report": report, "export": export, "explain": explain,
        "skipped": skipped, "diff": diff, "ui": ui,
    },
    "Learn more": {
        "demo": demo, "policies": policies, "targets": targets, "shortcuts": shortcuts,
    },
    "Compare policies": {
        "record": record, "race": race, "check": check, "gate": gate, "learn-prior": learn_prior,
    },
}  # fmt: skip
for panel, commands in COMMANDS.items():
    for name, command in commands.items():
        app.command(name=name, rich_help_panel=panel)(command)


app.add_typer(fleet_app, name="fleet", rich_help_panel="Crawl")


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


@cache
def command_line() -> Callable[[], object]:
    """Return what runs a command; a process that runs many builds it once."""
    return typer.main.get_command(app)
