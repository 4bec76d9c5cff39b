"""lodehound record: a replica of a site for the lab."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lodehound.cli.flags import with_options
from lodehound.cli.live import Config, JsonLog, Quiet, Screen, run, stopped_in_order
from lodehound.option_types import RecordOptions

Out = Annotated[Path, typer.Option(help="The recording: a .warc.gz, made or continued.")]


@with_options(RecordOptions)
def record(
    url: Annotated[str, typer.Argument(help="Where the site begins.", metavar="URL")],
    out: Out,
    config: Config = None,
    quiet: Quiet = False,
    json_log: JsonLog = False,
    **given: Any,
) -> None:
    """Record a site for the lab, breadth first; the same command continues a recording."""
    from lodehound.assembly.recording import open_state, state_folder
    from lodehound.assembly.starting import used_in
    from lodehound.config import CrawlConfig, command_options
    from lodehound.drivers.live.assemble import check_config
    from lodehound.stores.errors import refuse_url

    refuse_url(out)
    # Breadth first, whatever a config for crawls says: a recording takes no sides.
    given |= {"urls": (url,), "policy": "bfs", "record": str(out.absolute())}
    crawl_config = CrawlConfig.made_of(given, config, used=used_in(state_folder(out)))
    check_config(crawl_config)
    screen = Screen.of(command_options(config), quiet=quiet, json_log=json_log)
    with stopped_in_order() as stop:
        directory, resumed = open_state(crawl_config)
        with directory:
            run(crawl_config, directory, screen, stop, resumed=resumed)
