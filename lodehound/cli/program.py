"""The commands, one module each; heavy imports happen when a command runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer

from lodehound.cli.answers import cite, search, show
from lodehound.cli.catalogue import export, list_
from lodehound.cli.check import check
from lodehound.cli.diff_command import diff
from lodehound.cli.echo import echo
from lodehound.cli.fleet_command import fleet_app
from lodehound.cli.group import Commands
from lodehound.cli.live import crawl, resume, status
from lodehound.cli.names import policies, shortcuts, targets
from lodehound.cli.record_command import record
from lodehound.cli.repair_command import repair
from lodehound.cli.report import explain, receipt, report, skipped
from lodehound.cli.sql_command import sql
from lodehound.cli.ui import ui
from lodehound.cli.update import update
from lodehound.core.errors import ConfigError

EXAMPLES = """Examples:

  lodehound crawl https://www.example.org/ --requests 500 --out finds

  lodehound crawl https://www.example.org/ --want files:csv,xlsx --early-stop auto

  lodehound resume finds --requests +500
"""

# In the order in which a person needs them. The lab brings those without a function.
COMMANDS: dict[str, dict[str, Callable[..., None] | None]] = {
    "Crawl": {
        "crawl": crawl, "status": status, "resume": resume, "update": update, "repair": repair,
    },
    "Look at what was found": {
        "search": search, "show": show, "cite": cite, "list": list_, "sql": sql,
        "report": report, "receipt": receipt, "export": export, "explain": explain,
        "skipped": skipped, "diff": diff, "ui": ui,
    },
    "Learn more": {
        "demo": None, "policies": policies, "targets": targets, "shortcuts": shortcuts,
    },
    "Compare policies": {
        "record": record, "race": None, "check": check, "gate": None,
    },
}  # fmt: skip
PANELS = {name: panel for panel, names in COMMANDS.items() for name in names}


class AllCommands(Commands):
    """Our commands, and those of installed packages, which are imported when they are needed."""

    @cached_property
    def _plug_ins(self) -> Any:
        """The commands that entry points name; ours keep their names."""
        plugged = typer.Typer(cls=Commands)
        for entry in sorted(entry_points(group="lodehound.command")):
            if entry.name not in self.commands:
                panel = PANELS.get(entry.name, "Plug-ins")
                plugged.command(name=entry.name, rich_help_panel=panel)(_loaded(entry))
        return typer.main.get_group(plugged).commands

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            self.commands.update(self._plug_ins)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        self.commands.update(self._plug_ins)
        return sorted(super().list_commands(ctx), key=lambda name: [*PANELS, name].index(name))


def _loaded(entry: EntryPoint) -> Callable[..., None]:
    """Return the command of a plug-in; one that cannot be loaded reports it when it is called."""
    try:
        command: Callable[..., None] = entry.load()
    except Exception as error:  # anybody's code runs here
        message = f"The command {entry.name!r} ({entry.value}) cannot be loaded: {error!r}."

        def command() -> None:
            raise ConfigError(message)

        command.__doc__ = "Cannot be loaded."
    return command


app = typer.Typer(
    name="lodehound",
    cls=AllCommands,
    help="A focused crawler that learns where the data is.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for title, commands in COMMANDS.items():
    for name, command in commands.items():
        if command is not None:
            app.command(name=name, rich_help_panel=title)(command)
app.add_typer(fleet_app, name="fleet", rich_help_panel="Crawl")


def _version(wanted: bool) -> None:
    if wanted:
        from lodehound.version import VERSION

        echo(f"lodehound {VERSION}")
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
