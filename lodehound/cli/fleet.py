"""lodehound fleet: many sites at once, each in a crawl directory of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.filters import Filters, wanted_of
from lodehound.cli.group import Commands
from lodehound.cli.live import Config, Quiet, hosts_given, stopped_in_order
from lodehound.cli.options import BUDGETS, OUTPUT, WHERE, takes
from lodehound.core.shell import shown
from lodehound.options import CrawlOptions

if TYPE_CHECKING:
    from lodehound.assembly.running import StopRequest
    from lodehound.drivers.fleet.cluster import ClusterFleet
    from lodehound.stores.fleet import FleetSite, FleetStore
    from lodehound.stores.remote.fleet import RemoteFleet

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
    from lodehound.assembly.fleet import make_list, names_in, open_place, refuse_unstorable
    from lodehound.config import config_options
    from lodehound.drivers.live.assemble import check_config, with_files
    from lodehound.stores.remote.objects import is_url

    given |= hosts_given(given) | {"requests": requests_per_site}
    if given.get("prior"):  # read by workers, wherever they run
        given["prior"] = str(Path(given["prior"]).absolute())
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen = config_options(config) | chosen
    jobs = jobs or os.cpu_count() or 1
    parts = parts or jobs
    made = make_list(sites, chosen, names=names_in(out), skip_bad=skip_bad, parts=parts)
    check_config(made.configs[0])  # what is wrong for all sites is said at once
    with_files(made.configs[0], lambda *_: [])  # workers read them again, and fetch pages
    if is_url(out):
        refuse_unstorable(made.configs)
    with stopped_in_order() as stop, open_place(out, shared=bool(cluster)) as opened:
        opened[0].enlist(made.sites)
        _say_left_out(made.duplicates, made.bad)
        _run(opened, stop, requests=requests, jobs=jobs, cluster=cluster, quiet=quiet, given=given)


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
    from lodehound.assembly.fleet import open_place

    shared, secrets = bool(cluster), _checked(auth=auth, header=header, proxy=proxy)
    with stopped_in_order() as stop, open_place(directory, exists=True, shared=shared) as opened:
        total = requests or int(opened[0].meta().get("requests") or 0) or None
        _run(opened, stop, requests=total, jobs=jobs, cluster=cluster, quiet=quiet, given=secrets)


def _checked(**secrets: Any) -> dict[str, Any]:
    """Return secrets that are given again; refuse those that no request can be made with."""
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.network import check_network

    check_network(CrawlConfig.made_of(secrets))
    return secrets


def _say_left_out(duplicates: int, bad: list[str]) -> None:
    if duplicates:
        typer.echo(f"left out: {duplicates:,} sites that the list names twice", err=True)
    if bad:
        typer.echo(f"left out: {len(bad):,} sites, first {bad[0]}", err=True)


def _run(
    opened: tuple[FleetStore, RemoteFleet | None],
    stop: StopRequest,
    *,
    requests: int | None,
    jobs: int | None,
    cluster: str,
    quiet: bool,
    given: dict[str, Any],
) -> None:
    from lodehound.assembly.endings import Exit
    from lodehound.cli.console import Console
    from lodehound.config import SECRETS
    from lodehound.drivers.fleet.budget import FleetBudget
    from lodehound.drivers.fleet.host import HostOptions
    from lodehound.drivers.fleet.local import LocalFleet
    from lodehound.reports.fleet import FleetScreen, line_of_failed, line_of_fleet

    console, (store, remote) = Console(), opened
    store.begin_run(requests)
    jobs = jobs or os.cpu_count() or 1
    secrets = {name: given[name] for name in SECRETS if given.get(name)}
    screen = FleetScreen(store, console, quiet=quiet)
    url = remote.url if remote is not None else ""
    options = HostOptions(workers=jobs, shared=bool(cluster) and not url, url=url)
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
        if remote is not None:
            remote.store()
        screen.draw()

    with screen.shown():
        fleet.run(stop, look)
    store.check_place()
    if not quiet:
        console.print(line_of_fleet(store.totals()), markup=False, highlight=False, soft_wrap=True)
    failed = store.worst(store.totals().states.get("failed", 0))
    code = _exit_code(store, failed, stopped=stop.made)
    if code not in {Exit.FINISHED, Exit.STOPPED}:
        told = [site for site in failed if site.reason != "nothing reachable"] or failed
        typer.echo(f"lodehound: {line_of_failed(told, url or str(store.folder))}", err=True)
    raise typer.Exit(code)


def _exit_code(store: FleetStore, failed: Sequence[FleetSite], *, stopped: bool) -> int:
    """Return 4 if the user stopped it, 3 if no site answered, 1 if one failed otherwise."""
    from lodehound.assembly.endings import Exit

    totals = store.totals()
    if stopped and totals.states.get("waiting"):
        return Exit.STOPPED
    reasons = {site.reason for site in failed}
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

    from lodehound.cli.console import Console
    from lodehound.reports.fleet import line_of_fleet, table_of
    from lodehound.stores.crawl_dir.lock import holder
    from lodehound.stores.fleet import FleetStore
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
        typer.echo(f"{shown(directory)}: {f'running, {running}' if running else 'not running'}")
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
    from lodehound.stores.remote.fleet import local_copy

    copy = local_copy(directory, crawls=True)
    with copy as folder, FleetStore(folder, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        if json:
            write_lines(line_of(row_of_fleet(find)) for find in finds)
        else:
            write_lines(f"{find.site}\t{tabbed(find)}" for find in finds)


@takes(Filters, grouped=False)
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
    from lodehound.exports.fleet import export_fleet, fleet_finds
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.remote.fleet import local_copy

    copy = local_copy(directory, crawls=True)
    with tidy_end(), copy as folder, FleetStore(folder, write=False) as store:
        finds = fleet_finds(store, wanted_of(given), warn=_warn)
        count = export_fleet(finds, to, output, force=force)
    typer.echo(f"{count} finds written to {shown(output)}", err=True)


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
    from lodehound.stores.fleet import FleetStore
    from lodehound.stores.remote.fleet import local_copy
    from lodehound.stores.remote.objects import is_url

    if output is None and is_url(directory):
        raise ConfigError("The report of a fleet in an object store needs --output FOLDER.")
    copy = local_copy(directory, crawls=True)
    with tidy_end(), copy as folder, FleetStore(folder, write=False) as store:
        typer.echo(shown(write_fleet_report(store, output or folder / "report")))


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
    from lodehound.assembly.fleet import open_place
    from lodehound.assembly.parts import is_part
    from lodehound.core.errors import ConfigError

    shared, secrets = bool(cluster), _checked(auth=auth, header=header, proxy=proxy)
    with stopped_in_order() as stop, open_place(directory, exists=True, shared=shared) as opened:
        if any(is_part(start) for start in opened[0].names()):
            raise ConfigError("A crawl with --scope web cannot be updated: begin a new one.")
        opened[0].begin_update()
        if requests is not None:  # in addition to those of sites that have not ended
            requests += opened[0].totals().requests
        _run(
            opened, stop, requests=requests, jobs=jobs, cluster=cluster, quiet=quiet, given=secrets
        )


COMMANDS: dict[str, Callable[..., None]] = {
    "run": run, "status": status, "resume": resume, "update": update, "list": list_,
    "report": report, "export": export,
}  # fmt: skip
for name, command in COMMANDS.items():
    fleet_app.command(name=name)(command)
