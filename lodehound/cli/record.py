"""lodehound record: a replica of a site for the lab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.options import COMMON, takes

if TYPE_CHECKING:
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

Out = Annotated[Path, typer.Option(help="The recording: a .warc.gz, made or continued.")]


@takes(COMMON)
def record(
    url: Annotated[str, typer.Argument(help="Where the site begins.", metavar="URL")],
    out: Out,
    config: Annotated[Path | None, typer.Option(help="A TOML file of these options.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show nothing but errors.")] = False,
    json_log: Annotated[bool, typer.Option(help="One JSON object per request.")] = False,
    **given: Any,
) -> None:
    """Record a site for the lab, breadth first; the same command continues a recording."""
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
