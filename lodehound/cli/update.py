"""lodehound update: a further round of a crawl, for what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lodehound.cli.live import JsonLog, Quiet, Screen, run, stopped_in_order
from lodehound.cli.options import takes
from lodehound.options import UpdateOptions


@takes(UpdateOptions, defaults=False)
def update(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    policy: Annotated[str | None, typer.Option(help="Choose by another policy.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another random seed.")] = None,
    auth: Annotated[str | None, typer.Option(help="As before: it is not stored.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="As before.")] = None,
    proxy: Annotated[str | None, typer.Option(help="As before.")] = None,
    quiet: Quiet = False,
    json_log: JsonLog = False,
    **given: Any,
) -> None:
    """Come back to a crawled site for new and changed files."""
    from lodehound.assembly.updating import begin_round, updated_config
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.run import run_crawl  # noqa: F401 - before anything is opened
    from lodehound.stores.crawl_dir import CrawlDir

    with stopped_in_order() as stop, CrawlDir.open(directory) as opened:
        config = CrawlConfig.from_json(opened.config, auth=auth, header=header, proxy=proxy)
        given |= {"policy": policy, "seed": seed}
        changes = {name: value for name, value in given.items() if value is not None}
        config = updated_config(config, changes)
        begin_round(opened, config)
        run(config, opened, Screen(quiet=quiet, json_log=json_log), stop, resumed=True)
