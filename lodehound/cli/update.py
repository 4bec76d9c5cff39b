"""lodehound update: a further round of a crawl, for what is new."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.echo import echo
from lodehound.cli.flags import AuthAgain, HeaderAgain, ProxyAgain, with_options
from lodehound.cli.live import JsonLog, Quiet, Screen, run_to_end, stopped_in_order
from lodehound.cli.named_again import allowed, changes_of
from lodehound.core.errors import ConfigError
from lodehound.option_types import NamedUpdateOptions

if TYPE_CHECKING:
    from lodehound.reports.round_report import RoundReport


@with_options(NamedUpdateOptions, defaults=False)
def update(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    policy: Annotated[str | None, typer.Option(help="Choose by another policy.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another random seed.")] = None,
    auth: AuthAgain = None,
    header: HeaderAgain = None,
    proxy: ProxyAgain = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 7 if files are new, changed or gone.")
    ] = False,
    notify: Annotated[
        str | None,
        typer.Option(
            help="Run this when the round has ended: it gets its JSON.", metavar="COMMAND"
        ),
    ] = None,
    quiet: Quiet = False,
    json_log: JsonLog = False,
    **given: Any,
) -> None:
    """Come back to a crawled site for new and changed files."""
    from lodehound.assembly.ending import Exit
    from lodehound.assembly.updating import before_round, begin_round, inherited, updated_config
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.assemble import check_means
    from lodehound.reports.round_report import round_report
    from lodehound.stores.crawl_dir import CrawlDir

    command = _command(notify)
    changes = changes_of(given | {"policy": policy, "seed": seed})
    with stopped_in_order() as stop, ExitStack() as stack:
        with before_round(directory):
            opened = stack.enter_context(CrawlDir.open(directory))
            config = CrawlConfig.from_json(opened.config, auth=auth, header=header, proxy=proxy)
            config = allowed(config, opened, given, changes, "update")
            before, config = config, updated_config(config, changes)
            if (kept := inherited(before, changes)) and not (quiet or json_log):
                echo(f"note: as in the round before, {kept}; 'none' is no limit", err=True)
            check_means(config)
            begin_round(opened, config)
        screen = Screen(quiet=quiet, json_log=json_log)
        ending = run_to_end(config, opened, screen, stop, resumed=True)
        report = round_report(opened)
    if command:
        _notify(command, report)
    if exit_code and ending.code == Exit.FINISHED and report.has_news:
        raise typer.Exit(int(Exit.NEWS))
    raise typer.Exit(int(ending.code))


def _command(text: str | None) -> list[str]:
    """Split a command as a shell does; refuse one that cannot be run, before the round begins."""
    if text is None:
        return []
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConfigError(f"--notify {text!r} is not understood: {error}.") from error
    if not words or shutil.which(words[0]) is None:
        raise ConfigError(f"--notify {text!r} cannot be run: there is no such command.")
    return words


def _notify(command: list[str], report: RoundReport) -> None:
    """Run a command with the JSON of a round as its standard input."""
    document = json.dumps(report.as_json()) + "\n"
    try:
        done = subprocess.run(command, input=document, text=True, check=False)  # noqa: S603 - the user's own
    except OSError as error:
        echo(f"warning: --notify {command[0]!r} failed: {error}", err=True)
        return
    if done.returncode:
        echo(f"warning: --notify {command[0]!r} exited with {done.returncode}", err=True)
