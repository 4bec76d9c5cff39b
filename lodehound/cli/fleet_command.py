"""lodehound fleet: many sites at once, each in a crawl directory of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.echo import echo
from lodehound.cli.filters import Filters, wanted_of
from lodehound.cli.flags import AuthAgain, HeaderAgain, ProxyAgain, with_options
from lodehound.cli.fleet_run import run_fleet
from lodehound.cli.group import Commands
from lodehound.cli.live import Config, Quiet, hosts_given, stopped_in_order
from lodehound.cli.named_again import named_in_fleet
from lodehound.option_types import CrawlOptions, NamedFleetOptions
from lodehound.options import BUDGETS, OUTPUT, WHERE
from lodehound.text.shell import shown

HELP = {"-h", "--help"}


class FleetCommands(Commands):
    """Takes a list of sites where a command could stand: that runs it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in HELP:
            args = ["run", *args]
        return list(super().parse_args(ctx, args))


fleet_app = typer.Typer(
    cls=FleetCommands,
    help="Crawl many sites at once: lodehound fleet SITES.txt --out DIR",
    no_args_is_help=True,
)

if TYPE_CHECKING:
    from lodehound.stores.fleet import FleetStore

Command = Callable[..., None]
Directory = Annotated[
    str, typer.Argument(help="A fleet directory, or the URL of an object store.", metavar="DIR")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Number of worker processes.",
        show_default="one per processor",
        metavar="N",
        rich_help_panel=WHERE,
    ),
]
Cluster = Annotated[
    str,
    typer.Option(
        help="Run the workers on a Ray cluster: auto, or its address.",
        metavar="ADDRESS",
        rich_help_panel=WHERE,
        show_default=False,
    ),
]
Total = Annotated[
    str | None,
    typer.Option(
        help="Maximum number of requests to all sites; they go where they bring most. "
        "+N for N more.",
        metavar="TOTAL",
        rich_help_panel=BUDGETS,
    ),
]
PerSite = Annotated[
    str | None,
    typer.Option(
        help="Maximum number of requests to each site; +N for N more.",
        metavar="N",
        rich_help_panel=BUDGETS,
    ),
]
Parts = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Number of parts that a crawl with --scope web is divided into.",
        show_default="one per worker",
        metavar="N",
        rich_help_panel=WHERE,
    ),
]
SkipBad = Annotated[
    bool,
    typer.Option(
        "--skip-bad", help="Leave out sites that cannot be crawled.", rich_help_panel=WHERE
    ),
]


@with_options(CrawlOptions)
def run(
    sites: Annotated[
        Path, typer.Argument(help="One URL per line; or .csv, .toml.", metavar="SITES")
    ],
    out: Annotated[
        str,
        typer.Option(
            help="The fleet directory, or the URL of an object store.",
            metavar="DIR",
            rich_help_panel=OUTPUT,
        ),
    ] = "fleet",
    jobs: Jobs = None,
    cluster: Cluster = "",
    requests_per_site: PerSite = None,
    requests: Total = None,
    skip_bad: SkipBad = False,
    parts: Parts = None,
    config: Config = None,
    quiet: Quiet = False,
    **given: Any,
) -> None:
    """Crawl the sites of a list; the same command continues where it stopped."""
    from lodehound.drivers.fleet.processes import prepare

    if not cluster:
        prepare()  # while this process imports the rest, reads the list and checks the options
    from lodehound.assembly.fleet_figures import used_at
    from lodehound.assembly.fleet_setup import (
        make_list,
        names_in,
        open_place,
        refuse_unstorable,
    )
    from lodehound.config import config_options
    from lodehound.drivers.live.assemble import check_config, with_files
    from lodehound.stores.remote.objects import is_url

    given |= hosts_given(given) | {"requests": requests_per_site}
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen = config_options(config) | chosen
    jobs = jobs or os.cpu_count() or 1
    parts = parts or jobs
    made = make_list(
        sites, chosen, names=names_in(out), used=used_at(out), skip_bad=skip_bad, parts=parts
    )
    check_config(made.configs[0])  # what is wrong for all sites is said at once
    with_files(made.configs[0], lambda *_: [])  # workers read them again, and fetch pages
    if is_url(out):
        refuse_unstorable(made.configs)
    with stopped_in_order() as stop, open_place(out, shared=bool(cluster)) as opened:
        opened[0].enlist(made.sites)
        _say_left_out(made.duplicates, made.bad)
        given["named"] = frozenset(pair for one in made.configs for pair in one.named)
        run_fleet(
            opened, stop, requests=requests, jobs=jobs, cluster=cluster, quiet=quiet, given=given
        )


def _continues(word: str, prepare: Callable[[FleetStore, str | None], str | None]) -> Command:
    """Return a command that runs a fleet again.

    Args:
        word: Its name.
        prepare: Changes the list, and returns the budget of requests; its docstring is the help.
    """

    @with_options(NamedFleetOptions, grouped=False)
    def command(
        directory: Directory,
        jobs: Jobs = None,
        cluster: Cluster = "",
        requests: Total = None,
        auth: AuthAgain = None,
        header: HeaderAgain = None,
        proxy: ProxyAgain = None,
        quiet: Quiet = False,
        **again: Any,
    ) -> None:
        from lodehound.assembly.fleet_setup import open_place

        given, shared = _checked(auth=auth, header=header, proxy=proxy), bool(cluster)
        with stopped_in_order() as stop, open_place(directory, exists=True, shared=shared) as there:
            given["named"] = named_in_fleet(there[0], directory, word, requests, again)
            total = prepare(there[0], requests)
            run_fleet(
                there, stop, requests=total, jobs=jobs, cluster=cluster, quiet=quiet, given=given
            )

    command.__doc__ = prepare.__doc__
    return command


def _resumed(store: FleetStore, requests: str | None) -> str | None:
    """Continue a fleet that was stopped or killed, with its list as it was."""
    return requests or store.meta().get("requests") or None


def _updated(store: FleetStore, requests: str | None) -> str | None:
    """Come back to every site that has ended, for new and changed files."""
    from lodehound.assembly.divided import is_part
    from lodehound.core.errors import ConfigError

    if any(is_part(start) for start in store.names()):
        raise ConfigError("A crawl with --scope web cannot be updated: begin a new one.")
    store.begin_update()
    # In addition to those of sites that have not ended.
    return requests if requests is None else f"+{requests.removeprefix('+')}"


def _checked(**secrets: Any) -> dict[str, Any]:
    """Return secrets that are given again; refuse those that no request can be made with."""
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.network import check_network

    check_network(CrawlConfig.made_of(secrets))
    return secrets


def _say_left_out(duplicates: int, bad: list[str]) -> None:
    if duplicates:
        echo(f"left out: {duplicates:,} sites that the list names twice", err=True)
    if bad:
        echo(f"left out: {len(bad):,} sites, first {bad[0]}", err=True)


def status(
    directory: Directory,
    most: Annotated[int, typer.Option("--limit", min=0, help="Maximum number of sites.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per site.")] = False,
) -> None:
    """Show how a fleet stands, running or not: the worst sites first."""
    import dataclasses
    import json

    from lodehound.cli.console import Console
    from lodehound.reports.fleet import line_of_fleet, table_of
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.locks.lock import holder
    from lodehound.stores.remote.fleet import local_copy, runner_of
    from lodehound.stores.remote.objects import is_url

    with local_copy(directory) as folder, FleetStore(folder, write=False) as store:
        if as_json:
            for site in store.sites():
                values = dataclasses.asdict(site)
                del values["options"]
                sys.stdout.write(json.dumps(values) + "\n")
            return
        running = runner_of(directory) if is_url(directory) else holder(folder)
        echo(f"{shown(directory)}: {f'running, {running}' if running else 'not running'}")
        echo(line_of_fleet(store.totals()))
        Console(highlight=False).print(table_of(store.worst(most)))


def _warn(note: str) -> None:
    echo(f"warning: {note}", err=True)


@with_options(Filters, grouped=False)
def list_(
    directory: Directory,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per find.")] = False,
    **given: Any,
) -> None:
    """List the finds of all sites, each with its site."""
    from lodehound.cli.catalogue import write_lines
    from lodehound.cli.list_table import tabbed
    from lodehound.exports.fleet_catalogue import fleet_finds, row_of_fleet
    from lodehound.exports.jsonl import line_of
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.remote.fleet import local_copy

    copy = local_copy(directory, crawls=True)
    with copy as folder, FleetStore(folder, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        if json:
            write_lines(line_of(row_of_fleet(find)) for find in finds)
        else:
            write_lines(f"{find.site}\t{tabbed(find)}" for find in finds)


@with_options(Filters, grouped=False)
def export(
    directory: Directory,
    to: Annotated[str, typer.Option(help="csv, jsonl, parquet or sqlite.", metavar="FORMAT")],
    output: Annotated[
        Path, typer.Option(help="The file; - for the standard output.", metavar="FILE")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
    **given: Any,
) -> None:
    """Write one catalogue of the finds of all sites."""
    from lodehound.cli.signals import tidy_end
    from lodehound.exports.fleet_catalogue import export_fleet, fleet_finds
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.remote.fleet import local_copy

    copy = local_copy(directory, crawls=True)
    with tidy_end(), copy as folder, FleetStore(folder, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        count = export_fleet(finds, to, output, force=force)
    echo(f"{count} finds written to {shown(output)}", err=True)


def report(
    directory: Directory,
    output: Annotated[
        Path | None, typer.Option(help="A folder.", metavar="FOLDER", show_default="DIR/report")
    ] = None,
) -> None:
    """Write a page about all sites, and one about each."""
    from lodehound.cli.signals import tidy_end
    from lodehound.core.errors import ConfigError
    from lodehound.reports.fleet_pages import write_fleet_report
    from lodehound.stores.files.inside import refuse_links
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.remote.fleet import local_copy
    from lodehound.stores.remote.objects import is_url

    if output is None and is_url(directory):
        raise ConfigError("The report of a fleet in an object store needs --output FOLDER.")
    copy = local_copy(directory, crawls=True)
    with tidy_end(), copy as folder, FleetStore(folder, write=False) as store:
        if output is None:
            refuse_links(folder, ["report/index.html"], ["report"])
        echo(shown(write_fleet_report(store, output or folder / "report", _warn)))


COMMANDS: dict[str, Command] = {
    "run": run, "status": status, "resume": _continues("resume", _resumed),
    "update": _continues("update", _updated), "list": list_,
    "report": report, "export": export,
}  # fmt: skip
for name, command in COMMANDS.items():
    fleet_app.command(name=name)(command)
