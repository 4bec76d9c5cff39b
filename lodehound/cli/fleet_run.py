"""Runs a fleet for the commands that do, and reports how it ended."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from lodehound.cli.echo import echo
from lodehound.text.counts import counted

if TYPE_CHECKING:
    from lodehound.assembly.running import StopRequest
    from lodehound.drivers.fleet.cluster import ClusterFleet
    from lodehound.drivers.fleet.host import HostOptions
    from lodehound.stores.fleet import FleetSite, FleetStore
    from lodehound.stores.remote.fleet import RemoteFleet


def run_fleet(
    opened: tuple[FleetStore, RemoteFleet | None],
    stop: StopRequest,
    *,
    requests: str | None,
    jobs: int | None,
    cluster: str,
    quiet: bool,
    given: dict[str, Any],
) -> None:
    """Run a fleet to its end, report how it ended, and exit with its code."""
    from lodehound.assembly.ending import Exit
    from lodehound.assembly.fleet_figures import settle
    from lodehound.cli.console import Console
    from lodehound.drivers.fleet.budget import FleetBudget
    from lodehound.drivers.fleet.host import HostOptions
    from lodehound.drivers.fleet.local import LocalFleet
    from lodehound.drivers.fleet.open_files import files_of
    from lodehound.options import SECRETS
    from lodehound.reports.fleet import FleetScreen, line_of_failed, line_of_fleet

    console, (store, remote) = Console(), opened
    settle(store, remote)
    total = _total(requests, store)
    store.begin_run(total)
    jobs = jobs or os.cpu_count() or 1
    secrets = {name: given[name] for name in (*SECRETS, "named") if given.get(name)}
    screen = FleetScreen(store, console, quiet=quiet)
    url = remote.url if remote is not None else ""
    files = files_of(site.options for site in store.sites())
    options = HostOptions(workers=jobs, files=files, shared=bool(cluster) and not url, url=url)
    if not (cluster or quiet):
        _report_limit(store, options)
    fleet: LocalFleet | ClusterFleet
    if cluster:
        from lodehound.drivers.fleet.cluster import ClusterFleet

        fleet = ClusterFleet(store, jobs=jobs, options=options, secrets=secrets, address=cluster)
    else:
        fleet = LocalFleet(store, jobs=jobs, options=options, secrets=secrets)
    budget = FleetBudget(store, total) if total is not None else None

    def look() -> float:
        pause = budget.look() if budget is not None else math.inf
        if remote is not None:
            remote.store()
        screen.draw()
        return pause

    with screen.shown():
        fleet.run(stop, look)
    store.check_place()
    if not quiet:
        console.print(line_of_fleet(store.totals()), markup=False, highlight=False, soft_wrap=True)
    failed = store.worst(store.totals().states.get("failed", 0))
    code = _exit_code(store, failed, stopped=stop.made)
    if code not in {Exit.FINISHED, Exit.STOPPED}:
        told = [site for site in failed if site.reason != "nothing reachable"] or failed
        echo(f"lodehound: {line_of_failed(told, url or str(store.folder))}", err=True)
    raise typer.Exit(code)


def _total(requests: str | None, store: FleetStore) -> int | None:
    """Return the requests to all sites together; +N means N more than were made."""
    from lodehound.config import CrawlConfig

    used = {"requests": store.totals().requests}
    return CrawlConfig.made_of({"requests": requests}, used=used).requests


def _report_limit(store: FleetStore, options: HostOptions) -> None:
    """Print one line if the system allows fewer sites at once than there could be."""
    from lodehound.drivers.fleet.open_files import limit, sites_within

    most = sites_within(options.files)
    wanted = store.count("waiting", "running") / options.workers
    if most < min(options.sites, wanted):
        echo(
            f"at most {counted(most, 'site')} at once in each process, because it may have "
            f"{limit():,} files open: more with a higher 'ulimit -n'",
            err=True,
        )


def _exit_code(store: FleetStore, failed: Sequence[FleetSite], *, stopped: bool) -> int:
    """Return 4 if the user stopped it, 3 if no site answered, 1 if one failed otherwise."""
    from lodehound.assembly.ending import Exit

    totals = store.totals()
    if stopped and totals.states.get("waiting"):
        return Exit.STOPPED
    reasons = {site.reason for site in failed}
    if reasons == {"nothing reachable"} and totals.states["failed"] == totals.sites:
        return Exit.NOTHING_REACHABLE
    if "disk full" in reasons:
        return Exit.DISK_FULL
    return Exit.FAILED if reasons - {"nothing reachable"} else Exit.FINISHED
