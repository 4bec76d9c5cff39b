"""lodehound crawl, resume, status: crawling the real web."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from lodehound.cli.options import takes
from lodehound.core.errors import ConfigError, ContractError
from lodehound.options import CrawlOptions

if TYPE_CHECKING:
    from rich.console import Console

    from lodehound.assembly.endings import Ending
    from lodehound.assembly.running import StopRequest, Watcher
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

Out = Annotated[
    Path | None, typer.Option(help="The crawl directory, made new: finds unless given.")
]


@takes(CrawlOptions)
def crawl(
    urls: Annotated[list[str] | None, typer.Argument(help="Start URLs.", metavar="URL...")] = None,
    start: Annotated[
        list[str] | None, typer.Option("--from", help="Further start URLs, a file of them, or -.")
    ] = None,
    out: Out = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of these options.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show nothing but errors.")] = False,
    json_log: Annotated[bool, typer.Option(help="One JSON object per request.")] = False,
    **given: Any,
) -> None:
    """Crawl a site and keep what it holds of what you want."""
    from lodehound.assembly.directory import begin
    from lodehound.config import CrawlConfig, command_options
    from lodehound.drivers.live.assemble import prepare

    own = command_options(config)
    given |= _hosts(given) | {"urls": _starts(urls, start)}
    crawl_config = prepare(CrawlConfig.made_of(given, config))
    place = out or Path(own.get("out", "finds"))
    screen = Screen.of(own, quiet=quiet, json_log=json_log)
    with stopped_in_order() as stop, begin(crawl_config, place) as directory:
        run(crawl_config, directory, screen, stop, resumed=False)


def _starts(urls: list[str] | None, start: list[str] | None) -> list[str] | None:
    from lodehound.stores.locate import read_starts

    lines = sys.stdin.readlines() if start and "-" in start else ()
    return [*(urls or ()), *read_starts(start or [], lines)] or None


def _hosts(given: dict[str, Any]) -> dict[str, Any]:
    """Read the files that list hosts: what they say goes into the crawl's config."""
    from lodehound.stores.locate import read_lines

    names = [name for name in ("allow_hosts", "block_hosts") if given.get(name) is not None]
    hosts = {}
    for name in names:
        flag = f"--{name.replace('_', '-')}"
        hosts[name] = read_lines(given[name], flag)
        if not hosts[name]:
            raise ConfigError(f"{flag} {given[name]!r} names no host.")
    return hosts


def resume(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.")],
    requests: Annotated[str | None, typer.Option(help="A new budget: N, or +N for more.")] = None,
    policy: Annotated[str | None, typer.Option(help="Go on with another policy.")] = None,
    seed: Annotated[int | None, typer.Option(help="Go on with another random seed.")] = None,
    auth: Annotated[str | None, typer.Option(help="As before: it is not stored.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="As before.")] = None,
    proxy: Annotated[str | None, typer.Option(help="As before.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show nothing but errors.")] = False,
    json_log: Annotated[bool, typer.Option(help="One JSON object per request.")] = False,
) -> None:
    """Continue a crawl that was stopped, killed, or has spent its budget."""
    need_live()
    from lodehound.cli.record import go_on
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

    with exit_codes(), CrawlDir.open(directory) as opened:
        secrets = tuples({"auth": auth, "header": header, "proxy": proxy})
        told = CrawlConfig.from_json(opened.config, **secrets)
        changes: dict[str, Any] = {"policy": policy, "seed": seed}
        if requests is not None:
            changes["requests"] = _more(requests, told.requests)
        changes = {name: value for name, value in changes.items() if value is not None}
        if changes:
            told = _changed(told, changes)
            opened.keep_config(told.as_json())
        go = go_on if told.record else _go
        go(told, opened, quiet=quiet, json_log=json_log, resumed=True)


def status(directory: Annotated[Path, typer.Argument(help="A crawl directory.")]) -> None:
    """Say how a crawl stands, running or not."""
    from lodehound.assembly.endings import MEANINGS
    from lodehound.stores.crawl_dir import CrawlDir

    with CrawlDir.open(directory, write=False) as opened:
        summary = opened.journal.summary()
        typer.echo(f"{directory}: {opened.state}")
        if opened.ended:
            typer.echo(f"ended     {MEANINGS.get(opened.ended, opened.ended)}")
        typer.echo(f"requests  {summary.requests}")
        typer.echo(f"finds     {summary.finds}")
        typer.echo(f"volume    {summary.bytes / 1e6:.1f} MB")
        typer.echo(f"time      {summary.at:.1f} s")
        for name, count in summary.statuses.items():
            typer.echo(f"{name:9} {count}")
        for name, count in summary.errors.items():
            typer.echo(f"error     {count} x {name}")


@contextmanager
def stopped_in_order() -> Iterator[StopRequest]:
    """Catch signals, and end with the documented code also outside of the crawl proper."""
    from lodehound.assembly.endings import Exit
    from lodehound.cli.signals import stopping
    from lodehound.stores.crawl_dir.errors import DiskFullError

    try:
        with stopping() as stop:
            yield stop
    except DiskFullError as error:
        sys.stderr.write(f"lodehound: {' '.join(str(error).split())}\n")
        raise typer.Exit(int(Exit.DISK_FULL)) from None
    except ContractError as error:
        sys.stderr.write(f"lodehound: a plug-in broke its contract: {error}\n")
        raise typer.Exit(int(Exit.FAILED)) from None
    except KeyboardInterrupt:
        sys.stderr.write("lodehound: stopped by the user\n")
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

def _more(text: str, before: int | None) -> int:
    digits = text.removeprefix("+")
    if not digits.isdigit():
        raise ConfigError(f"--requests {text!r} is not understood: write N, or +N for more.")
    return int(digits) + ((before or 0) if text.startswith("+") else 0)


def _changed(told: CrawlConfig, changes: dict[str, Any]) -> CrawlConfig:
    """Return the changed config of a crawl, if it can be run."""
    import dataclasses

    from lodehound.drivers.live.assemble import check_config

    if told.record and changes.keys() & {"policy", "seed"}:
        raise ConfigError("A recording is made breadth first: resume it without --policy, --seed.")
    changed = dataclasses.replace(told, **changes)
    if "policy" in changes:
        check_config(changed)
    return changed


def _check(told: CrawlConfig) -> None:
    """FindRow mistakes before the directory is made."""
    from lodehound.drivers.live.assemble import check_config

    if told.record:
        raise ConfigError("'record' is a command of its own: lodehound record URL --out FILE.")
    check_config(told)


def _on_replica(told: CrawlConfig) -> CrawlConfig:
    """Name the replica's files for good; without a URL, start at its first response."""
    if not told.replica:
        return told
    import dataclasses

    from lodehound.lab.locate import locate
    from lodehound.stores.replica import root_of

    *others, last = told.replica.split("+")
    # A file for what is fetched may be new.
    new = told.fallback and last.endswith(".warc.gz") and not Path(last).exists()
    known = "+".join(others) if new and not Path(told.replica).exists() else told.replica
    files = locate(known) if known else ()
    names = [str(file.absolute()) for file in files]
    if known != told.replica:
        names.append(str(Path(last).absolute()))
    urls = told.urls or ((root_of(files),) if files else ())
    return dataclasses.replace(told, replica="+".join(names), urls=urls)


def _go(
    told: CrawlConfig, directory: CrawlDir, *, quiet: bool, json_log: bool, resumed: bool
) -> None:
    from rich.console import Console

    from lodehound.reports.summary import print_summary

    console = Console()
    ending = run(told, directory, console, quiet=quiet, json_log=json_log, resumed=resumed)
    if not quiet and not json_log:
        print_summary(console, directory, ending)
    else:
        complain(ending)
    raise typer.Exit(int(ending.code))


def run(
    config: CrawlConfig, directory: CrawlDir, screen: Screen, stop: StopRequest, *, resumed: bool
) -> None:
    """Run a crawl or a recording to its end, say what came of it, and exit with its code."""
    from rich.console import Console

    from lodehound.drivers.live.run import run_crawl

    console = Console()
    ending = run_crawl(
        config,
        directory,
        resumed=resumed,
        watcher=screen.watcher(console),
        stop=stop,
        warn=lambda note: typer.echo(f"warning: {note}", err=True),
    )
    show = _end_recording if config.record else _print_summary
    show(config, directory, ending, Console(quiet=screen.quiet or screen.json_log))
    if ending.code and (screen.quiet or screen.json_log):
        sys.stderr.write(f"lodehound: {ending.reason}: {ending.detail}\n")
    raise typer.Exit(int(ending.code))


def _print_summary(_: CrawlConfig, directory: CrawlDir, ending: Ending, console: Console) -> None:
    from lodehound.reports.summary import print_summary

    print_summary(console, directory, ending)


def _end_recording(
    config: CrawlConfig, directory: CrawlDir, ending: Ending, console: Console
) -> None:
    from lodehound.assembly.record import end_recording
    from lodehound.reports.recording import print_recording

    summary = directory.journal.summary()
    left_out = end_recording(config, directory, ending)
    out = Path(config.record)
    print_recording(console, out, summary, ending, left_out=left_out, state=directory.path)
