"""lodehound record: a replica of a site for the lab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

Out = Annotated[Path, typer.Option(help="The recording: a .warc.gz, made or continued.")]


def record(
    url: Annotated[str, typer.Argument(help="Where the site begins.", metavar="URL")],
    out: Out,
    requests: Annotated[int | None, typer.Option(help="Most requests.")] = None,
    bytes: Annotated[str | None, typer.Option(help="Most volume: 500MB, 2GB.")] = None,  # noqa: A002
    time: Annotated[str | None, typer.Option(help="Longest time: 90s, 15m, 2h.")] = None,
    delay: Annotated[float | None, typer.Option(help="Seconds between requests to a host.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Requests in flight.")] = None,
    include: Annotated[list[str] | None, typer.Option(help="Only URLs like this (*).")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="No URLs like this (*).")] = None,
    under: Annotated[str | None, typer.Option(help="Only paths that begin so.")] = None,
    max_depth: Annotated[int | None, typer.Option(help="Most links from the start.")] = None,
    max_file: Annotated[str | None, typer.Option(help="Longest body: 100MB; more is cut.")] = None,
    contact: Annotated[str | None, typer.Option(help="Whom a site may write to.")] = None,
    user_agent: Annotated[str | None, typer.Option(help="Another name to go by.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="Name: value.")] = None,
    auth: Annotated[str | None, typer.Option(help="user:password, for the start host.")] = None,
    proxy: Annotated[str | None, typer.Option(help="Proxy for every request.")] = None,
    nofollow: Annotated[bool | None, typer.Option(help="Keep to nofollow.")] = None,
    sitemaps: Annotated[bool | None, typer.Option(help="Read sitemaps and feeds.")] = None,
    ignore_robots: Annotated[bool | None, typer.Option(help="For your own sites.")] = None,
    yes_ignore_robots: Annotated[bool | None, typer.Option(help="Yes, really.")] = None,
    allow_private: Annotated[list[str] | None, typer.Option(help="HOST or CIDR.")] = None,
    insecure: Annotated[bool | None, typer.Option(help="Take any certificate.")] = None,
    block: Annotated[bool | None, typer.Option(help="Leave multimedia out.")] = None,
    traps: Annotated[bool | None, typer.Option(help="Leave out what looks like a trap.")] = None,
    retries: Annotated[int | None, typer.Option(help="Further tries of a failed request.")] = None,
    backoff: Annotated[float | None, typer.Option(help="First rest of a failing host.")] = None,
    connect_timeout: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    read_timeout: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    total_timeout: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    min_speed: Annotated[int | None, typer.Option(help="Bytes per second.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of these options.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show nothing but errors.")] = False,
    json_log: Annotated[bool, typer.Option(help="One JSON object per request.")] = False,
) -> None:
    """Record a site for the lab, breadth first; the same command continues a recording."""
    given = dict(locals())
    for name in ("url", "out", "config", "quiet", "json_log"):
        del given[name]
    from lodehound.cli.live import exit_codes, need_live, tuples

    need_live()
    from lodehound.config import CrawlConfig, command_options
    from lodehound.drivers.live.assemble import check_config
    from lodehound.drivers.live.record import open_state

    # Breadth first, whatever a config for crawls says: a recording takes no sides.
    given |= {"urls": (url,), "policy": "bfs", "record": str(out.absolute())}
    told = CrawlConfig.made_of(tuples(given), config)
    own = command_options(config)
    quiet, json_log = quiet or own.get("quiet", False), json_log or own.get("json_log", False)
    check_config(told)
    with exit_codes():
        directory, resumed = open_state(told)
        with directory:
            go_on(told, directory, quiet=quiet, json_log=json_log, resumed=resumed)


def go_on(
    told: CrawlConfig, directory: CrawlDir, *, quiet: bool, json_log: bool, resumed: bool
) -> None:
    """Record until there is nothing left, a budget is spent, or the user stops it."""
    from rich.console import Console

    from lodehound.cli.live import complain, run
    from lodehound.drivers.live.record import end_recording
    from lodehound.reports.recording import print_recording

    console = Console()
    ending = run(told, directory, console, quiet=quiet, json_log=json_log, resumed=resumed)
    summary = directory.journal.summary()
    left_out = end_recording(told, directory, ending)
    if quiet or json_log:
        complain(ending)
    else:
        print_recording(
            console,
            Path(told.record),
            summary,
            ending,
            left_out=left_out,
            state=directory.path,
        )
    raise typer.Exit(int(ending.code))
