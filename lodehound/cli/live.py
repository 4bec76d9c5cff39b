"""lodehound crawl, resume, status: crawling the real web."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from lodehound.cli.echo import echo
from lodehound.cli.flags import AuthAgain, HeaderAgain, ProxyAgain, with_options
from lodehound.cli.named_again import allowed, changes_of
from lodehound.core.errors import ConfigError, ContractError
from lodehound.option_types import CrawlOptions, NamedResumeOptions
from lodehound.options import OUTPUT, WHERE
from lodehound.text.shell import shown

if TYPE_CHECKING:
    from lodehound.assembly.ending import Ending
    from lodehound.assembly.running import StopRequest, Watcher
    from lodehound.cli.console import Console
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

From = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        help="Further start URLs: a URL, a file with one per line, or - for standard input.",
        metavar="URL|FILE",
        rich_help_panel=WHERE,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="The crawl directory; it must be new.",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        show_default="finds",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        help="Read these options from a TOML file.", metavar="FILE", rich_help_panel=OUTPUT
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Show nothing but errors.", rich_help_panel=OUTPUT)
]
JsonLog = Annotated[
    bool,
    typer.Option("--json-log", help="Print one JSON object per request.", rich_help_panel=OUTPUT),
]


@with_options(CrawlOptions)
def crawl(
    urls: Annotated[list[str] | None, typer.Argument(help="Start URLs.", metavar="URL...")] = None,
    start: From = None,
    out: Out = None,
    config: Config = None,
    quiet: Quiet = False,
    json_log: JsonLog = False,
    **given: Any,
) -> None:
    """Crawl a site and keep what it holds of what you want."""
    from lodehound.assembly.starting import begin
    from lodehound.config import CrawlConfig, command_options, toml_urls
    from lodehound.drivers.live.assemble import prepare

    own = command_options(config)
    starts = _starts(urls, start) or _starts(toml_urls(config), own.get("from"))
    given |= hosts_given(given) | {"urls": starts}
    crawl_config = prepare(CrawlConfig.made_of(given, config))
    place = out or Path(own.get("out", "finds"))
    screen = Screen.of(own, quiet=quiet, json_log=json_log)
    with stopped_in_order() as stop, begin(crawl_config, place) as directory:
        run(crawl_config, directory, screen, stop, resumed=False)


def _starts(urls: Sequence[str] | None, start: Sequence[str] | None) -> list[str] | None:
    from lodehound.stores.locate import read_starts

    return [*(urls or ()), *read_starts(start or [], sys.stdin.buffer)] or None


def hosts_given(given: dict[str, Any]) -> dict[str, Any]:
    """Read lists of hosts, which go into the crawl's config: files, or URLs between commas."""
    from lodehound.stores.locate import read_lines

    names = [name for name in ("allow_hosts", "block_hosts") if given.get(name) is not None]
    hosts = {}
    for name in names:
        flag = f"--{name.replace('_', '-')}"
        text = given[name]
        hosts[name] = text.split(",") if "://" in text else read_lines(text, flag)
        if not hosts[name]:
            raise ConfigError(f"{flag} {given[name]!r} names no host.")
    return hosts


@with_options(NamedResumeOptions, defaults=False)
def resume(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    policy: Annotated[str | None, typer.Option(help="Continue with another policy.")] = None,
    seed: Annotated[int | None, typer.Option(help="Continue with another random seed.")] = None,
    auth: AuthAgain = None,
    header: HeaderAgain = None,
    proxy: ProxyAgain = None,
    quiet: Quiet = False,
    json_log: JsonLog = False,
    **given: Any,
) -> None:
    """Continue a crawl that was stopped, killed, or has spent its budget."""
    from lodehound.assembly.changes import with_changes
    from lodehound.assembly.resuming import nothing_to_do, used_so_far
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.assemble import check_means, render_obstacle
    from lodehound.stores.crawl_dir import CrawlDir

    with stopped_in_order() as stop, CrawlDir.open(directory) as opened:
        config = CrawlConfig.from_json(opened.config, auth=auth, header=header, proxy=proxy)
        changes = changes_of(given | {"policy": policy, "seed": seed})
        config = allowed(config, opened, given, changes, "resume")
        used = used_so_far(opened)
        config = with_changes(config, changes, used)
        check_means(config)
        renders = render_obstacle(config) is None
        if said := nothing_to_do(config, opened, used, changes, renders=renders):
            if not quiet:
                echo(said, err=json_log)
            return
        if changes:  # a secret that is given for this run is not asked for in later ones
            opened.keep_config(config.as_json())
        run(config, opened, Screen(quiet=quiet, json_log=json_log), stop, resumed=True)


def status(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show how a crawl stands, running or not."""
    import json

    from lodehound.reports.status_rows import standing_of, standing_rows
    from lodehound.stores.crawl_dir import CrawlDir

    with CrawlDir.open(directory, write=False) as opened:
        if as_json:
            echo(json.dumps(standing_of(opened)))
            return
        echo(f"{shown(directory)}: {opened.state}")
        for name, text in standing_rows(opened):
            echo(f"{name:11} {text}")


@contextmanager
def stopped_in_order() -> Iterator[StopRequest]:
    """Catch signals, and end with the documented code also outside of the crawl proper."""
    from lodehound.assembly.ending import Exit
    from lodehound.cli.signals import stopping
    from lodehound.stores.errors import DiskFullError

    try:
        with stopping() as stop:
            yield stop
    except DiskFullError as error:
        echo(f"lodehound: {' '.join(str(error).split())}", err=True)
        raise typer.Exit(int(Exit.DISK_FULL)) from None
    except ContractError as error:
        echo(f"lodehound: a plug-in broke its contract: {error}", err=True)
        raise typer.Exit(int(Exit.FAILED)) from None
    except KeyboardInterrupt:
        echo("lodehound: stopped by the user", err=True)
        raise typer.Exit(int(Exit.STOPPED)) from None


@dataclass(frozen=True, slots=True)
class Screen:
    """How a crawl is shown."""

    quiet: bool = False
    json_log: bool = False

    @classmethod
    def of(cls, own: dict[str, Any], *, quiet: bool, json_log: bool) -> Self:
        """Join what the command line says with what a config file says of the command."""
        return cls(quiet or own.get("quiet", False), json_log or own.get("json_log", False))

    def watcher(self, console: Console) -> Watcher | None:
        from lodehound.reports.progress import JsonLines, LiveScreen, PlainLines

        if self.json_log:
            return JsonLines()
        if self.quiet:
            return None
        return LiveScreen(console) if console.is_terminal else PlainLines(console)


def run(
    config: CrawlConfig, directory: CrawlDir, screen: Screen, stop: StopRequest, *, resumed: bool
) -> None:
    """Run a crawl or a recording to its end, show the result, and exit with its code."""
    ending = run_to_end(config, directory, screen, stop, resumed=resumed)
    raise typer.Exit(int(ending.code))


def run_to_end(
    config: CrawlConfig, directory: CrawlDir, screen: Screen, stop: StopRequest, *, resumed: bool
) -> Ending:
    """Run a crawl or a recording to its end, and show the result."""
    from lodehound.cli.console import Console
    from lodehound.drivers.live.run import run_crawl

    console = Console()
    ending = run_crawl(
        config,
        directory,
        resumed=resumed,
        watcher=screen.watcher(console),
        stop=stop,
        warn=lambda note: echo(f"warning: {note}", err=True),
    )
    show = _end_recording if config.record else _print_summary
    show(config, directory, ending, Console(quiet=screen.quiet or screen.json_log))
    if ending.code and (screen.quiet or screen.json_log):
        echo(f"lodehound: {ending.reason}: {ending.detail}", err=True)
    return ending


def _print_summary(_: CrawlConfig, directory: CrawlDir, ending: Ending, console: Console) -> None:
    from lodehound.reports.summary import print_summary

    print_summary(console, directory, ending)


def _end_recording(
    config: CrawlConfig, directory: CrawlDir, ending: Ending, console: Console
) -> None:
    from lodehound.assembly.recording import end_recording
    from lodehound.reports.summary import print_recording

    summary = directory.summary()
    left_out = end_recording(config, directory, ending)
    out = Path(config.record)
    print_recording(console, out, summary, ending, left_out=left_out, state=directory.path)
