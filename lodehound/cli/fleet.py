"""lodehound fleet: many sites at once, each in a crawl directory of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.filters import Filters, wanted_of
from lodehound.cli.group import Commands
from lodehound.cli.live import Config, Quiet, hosts_given, stopped_in_order
from lodehound.cli.options import BUDGETS, OUTPUT, WHERE, takes
from lodehound.options import CrawlOptions

if TYPE_CHECKING:
    from lodehound.assembly.running import StopRequest
    from lodehound.drivers.fleet.cluster import ClusterFleet
    from lodehound.stores.fleet import FleetStore

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

Directory = Annotated[Path, typer.Argument(help="A fleet directory.", metavar="DIR")]
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
    int | None,
    typer.Option(
        min=1,
        help="Maximum number of requests to all sites; they go where they bring most.",
        metavar="TOTAL",
        rich_help_panel=BUDGETS,
    ),
]
PerSite = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Maximum number of requests to each site.",
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


@takes(CrawlOptions)
def run(
    sites: Annotated[
        Path, typer.Argument(help="One URL per line; or .csv, .toml.", metavar="SITES")
    ],
    out: Annotated[
        Path, typer.Option(help="The fleet directory.", metavar="DIR", rich_help_panel=OUTPUT)
    ] = Path("fleet"),
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
    from lodehound.assembly.fleet import make_list, names_in, open_fleet
    from lodehound.config import config_options
    from lodehound.drivers.live.assemble import check_config

    given |= hosts_given(given) | {"requests": requests_per_site}
    if given.get("prior"):  # read by workers, wherever they run
        given["prior"] = str(Path(given["prior"]).absolute())
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen = config_options(config) | chosen
    jobs = jobs or os.cpu_count() or 1
    parts = parts or jobs
    made = make_list(sites, chosen, names=names_in(out), skip_bad=skip_bad, parts=parts)
    check_config(made.configs[0])  # what is wrong for all sites is said at once
    with stopped_in_order() as stop, open_fleet(out, shared=bool(cluster)) as store:
        store.enlist(made.sites)
        _say_left_out(made.duplicates, made.bad)
        _run(store, stop, requests=requests, jobs=jobs, cluster=cluster, quiet=quiet, given=given)


def resume(
    directory: Directory,
    jobs: Jobs = None,
    cluster: Cluster = "",
    requests: Total = None,
    auth: Annotated[str | None, typer.Option(help="As before: it is not stored.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="As before.")] = None,
    proxy: Annotated[str | None, typer.Option(help="As before.")] = None,
    quiet: Quiet = False,
) -> None:
    """Continue a fleet that was stopped or killed, with its list as it was."""
    from lodehound.assembly.fleet import open_fleet

    shared = bool(cluster)
    with stopped_in_order() as stop, open_fleet(directory, exists=True, shared=shared) as store:
        total = requests or int(store.meta().get("requests") or 0) or None
        secrets = {"auth": auth, "header": header, "proxy": proxy}
        _run(store, stop, requests=total, jobs=jobs, cluster=cluster, quiet=quiet, given=secrets)


def _say_left_out(duplicates: int, bad: list[str]) -> None:
    if duplicates:
        typer.echo(f"left out: {duplicates:,} sites that the list names twice", err=True)
    if bad:
        typer.echo(f"left out: {len(bad):,} sites, first {bad[0]}", err=True)


def _run(
    store: FleetStore,
    stop: StopRequest,
    *,
    requests: int | None,
    jobs: int | None,
    cluster: str,
    quiet: bool,
    given: dict[str, Any],
) -> None:
    from rich.console import Console

    from lodehound.config import SECRETS
    from lodehound.drivers.fleet.budget import FleetBudget
    from lodehound.drivers.fleet.host import HostOptions
    from lodehound.drivers.fleet.local import LocalFleet
    from lodehound.reports.fleet import FleetScreen, line_of_fleet

    console = Console()
    store.begin_run(requests)
    jobs = jobs or os.cpu_count() or 1
    secrets = {name: given[name] for name in SECRETS if given.get(name)}
    screen = FleetScreen(store, console, quiet=quiet)
    options = HostOptions(workers=jobs, shared=bool(cluster))
    fleet: LocalFleet | ClusterFleet
    if cluster:
        from lodehound.drivers.fleet.cluster import ClusterFleet

        fleet = ClusterFleet(store, jobs=jobs, options=options, secrets=secrets, address=cluster)
    else:
        fleet = LocalFleet(store, jobs=jobs, options=options, secrets=secrets)
    budget = FleetBudget(store, requests) if requests is not None else None

    def look() -> None:
        if budget is not None:
            budget.look()
        screen.draw()

    with screen.shown():
        fleet.run(stop, look)
    if not quiet:
        console.print(line_of_fleet(store.totals()), markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(_exit_code(store, stopped=stop.made))


def _exit_code(store: FleetStore, *, stopped: bool) -> int:
    """Return 4 if the user stopped it, 3 if no site answered, 1 if one failed otherwise."""
    from lodehound.assembly.endings import Exit

    totals = store.totals()
    if stopped and totals.states.get("waiting"):
        return Exit.STOPPED
    reasons = {site.reason for site in store.worst(totals.states.get("failed", 0))}
    if reasons == {"nothing reachable"} and totals.states["failed"] == totals.sites:
        return Exit.NOTHING_REACHABLE
    if "disk full" in reasons:
        return Exit.DISK_FULL
    return Exit.FAILED if reasons - {"nothing reachable"} else Exit.FINISHED


def status(
    directory: Directory,
    most: Annotated[int, typer.Option("--limit", min=0, help="Maximum number of sites.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per site.")] = False,
) -> None:
    """Say how a fleet stands, running or not: the worst sites first."""
    import dataclasses
    import json

    from rich.console import Console

    from lodehound.reports.fleet import line_of_fleet, table_of
    from lodehound.stores.crawl_dir.lock import holder
    from lodehound.stores.fleet import FleetStore

    with FleetStore(directory, write=False) as store:
        if as_json:
            for site in store.sites():
                values = dataclasses.asdict(site)
                del values["options"]
                sys.stdout.write(json.dumps(values) + "\n")
            return
        running = holder(directory)
        typer.echo(f"{directory}: {f'running, {running}' if running else 'not running'}")
        typer.echo(line_of_fleet(store.totals()))
        Console(highlight=False).print(table_of(store.worst(most)))


def _warn(note: str) -> None:
    typer.echo(f"warning: {note}", err=True)


@takes(Filters, grouped=False)
def list_(
    directory: Directory,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per find.")] = False,
    **given: Any,
) -> None:
    """List the finds of all sites, each with its site."""
    from lodehound.cli.catalogue import write_lines
    from lodehound.cli.listing import tabbed
    from lodehound.exports.fleet import fleet_finds, row_of_fleet
    from lodehound.exports.jsonl import line_of
    from lodehound.stores.fleet import FleetStore

    with FleetStore(directory, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        if json:
            write_lines(line_of(row_of_fleet(find)) for find in finds)
        else:
            write_lines(f"{find.site}\t{tabbed(find)}" for find in finds)


@takes(Filters, grouped=False)
def export(
    directory: Directory,
    to: Annotated[str, typer.Option(help="csv, jsonl, parquet or sqlite.", metavar="FORMAT")],
    output: Annotated[Path, typer.Option(help="The file.", metavar="FILE")],
    force: Annotated[bool, typer.Option("--force", help="Replace any file.")] = False,
    **given: Any,
) -> None:
    """Write one catalogue of the finds of all sites."""
    from lodehound.cli.signals import tidy_end
    from lodehound.exports.fleet import export_fleet, fleet_finds
    from lodehound.stores.fleet import FleetStore

    with tidy_end(), FleetStore(directory, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        count = export_fleet(finds, to, output, force=force)
    typer.echo(f"{count} finds written to {output}", err=True)


def report(
    directory: Directory,
    output: Annotated[
        Path | None, typer.Option(help="A folder.", metavar="FOLDER", show_default="DIR/report")
    ] = None,
) -> None:
    """Write a page about all sites, and one about each."""
    from lodehound.cli.signals import tidy_end
    from lodehound.reports.fleet_pages import write_fleet_report
    from lodehound.stores.fleet import FleetStore

    with tidy_end(), FleetStore(directory, write=False) as store:
        typer.echo(str(write_fleet_report(store, output or directory / "report")))


def update(
    directory: Directory,
    jobs: Jobs = None,
    cluster: Cluster = "",
    requests: Total = None,
    auth: Annotated[str | None, typer.Option(help="As before: it is not stored.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="As before.")] = None,
    proxy: Annotated[str | None, typer.Option(help="As before.")] = None,
    quiet: Quiet = False,
) -> None:
    """Come back to every site that has ended, for new and changed files."""
    from lodehound.assembly.fleet import open_fleet
    from lodehound.assembly.parts import is_part
    from lodehound.core.errors import ConfigError

    shared = bool(cluster)
    with stopped_in_order() as stop, open_fleet(directory, exists=True, shared=shared) as store:
        if any(is_part(start) for start in store.names()):
            raise ConfigError("A crawl with --scope web cannot be updated: begin a new one.")
        store.begin_update()
        secrets = {"auth": auth, "header": header, "proxy": proxy}
        _run(store, stop, requests=requests, jobs=jobs, cluster=cluster, quiet=quiet, given=secrets)


COMMANDS: dict[str, Callable[..., None]] = {
    "run": run, "status": status, "resume": resume, "update": update, "list": list_,
    "report": report, "export": export,
}  # fmt: skip
for name, command in COMMANDS.items():
    fleet_app.command(name=name)(command)
