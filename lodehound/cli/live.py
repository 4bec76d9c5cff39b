"""lodehound crawl, resume, status: crawling the real web."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lodehound.cli.options import COMMON, CRAWL, takes
from lodehound.core.errors import ConfigError, ContractError

if TYPE_CHECKING:
    from rich.console import Console

    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.run import Ending, Watcher
    from lodehound.stores.crawl_dir import CrawlDir

Out = Annotated[
    Path | None, typer.Option(help="The crawl directory, made new: finds unless given.")
]


@takes(CRAWL, COMMON)
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
    need_live()
    from lodehound.cli.topics import with_topic
    from lodehound.config import CrawlConfig, command_options
    from lodehound.stores.crawl_dir import CrawlDir
    from lodehound.version import VERSION

    own = command_options(config)
    place = out or Path(own.get("out", "finds"))
    quiet, json_log = quiet or own.get("quiet", False), json_log or own.get("json_log", False)
    given |= _hosts(given) | {"urls": _starts(urls, start)}
    told = with_topic(_on_replica(CrawlConfig.made_of(tuples(given), config)))
    if not told.urls:
        raise ConfigError("There is no start URL: lodehound crawl https://www.example.org/")
    _check(told)
    from lodehound.drivers.live.assemble import settled

    told = settled(told)
    with exit_codes(), CrawlDir.create(place, config=told.as_json(), version=VERSION) as directory:
        _go(told, directory, quiet=quiet, json_log=json_log, resumed=False)


def _starts(urls: list[str] | None, start: list[str] | None) -> list[str] | None:
    from lodehound.lab.locate import read_starts

    lines = sys.stdin.readlines() if start and "-" in start else ()
    return [*(urls or ()), *read_starts(start or [], lines)] or None


def _hosts(given: dict[str, Any]) -> dict[str, Any]:
    """Read the files that list hosts: what they say goes into the crawl's config."""
    from lodehound.lab.locate import read_lines

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
    auth: Annotated[str | None, typer.Option(help="As before: it is not stored.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="As before.")] = None,
    proxy: Annotated[str | None, typer.Option(help="As before.")] = None,
    quiet: Annotated[bool, typer.Option(help="Show nothing but errors.")] = False,
    json_log: Annotated[bool, typer.Option(help="One JSON object per request.")] = False,
) -> None:
    """Continue a crawl that was stopped, killed, or has spent its budget."""
    need_live()
    import dataclasses

    from lodehound.cli.record import go_on
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir

    with exit_codes(), CrawlDir.open(directory) as opened:
        secrets = tuples({"auth": auth, "header": header, "proxy": proxy})
        told = CrawlConfig.from_json(opened.config, **secrets)
        if requests is not None:
            told = dataclasses.replace(told, requests=_more(requests, told.requests))
            opened.keep_config(told.as_json())
        go = go_on if told.record else _go
        go(told, opened, quiet=quiet, json_log=json_log, resumed=True)


def status(directory: Annotated[Path, typer.Argument(help="A crawl directory.")]) -> None:
    """Say how a crawl stands, running or not."""
    from lodehound.reports.summary import MEANINGS
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
def exit_codes() -> Iterator[None]:
    """End with the documented code also outside of the crawl proper."""
    from lodehound.drivers.live.run import Exit, StopSignals
    from lodehound.stores.crawl_dir.errors import DiskFullError

    try:
        with StopSignals():
            yield
    except DiskFullError as error:
        sys.stderr.write(f"lodehound: {' '.join(str(error).split())}\n")
        raise typer.Exit(int(Exit.DISK_FULL)) from None
    except ContractError as error:
        sys.stderr.write(f"lodehound: a plug-in broke its contract: {error}\n")
        raise typer.Exit(int(Exit.FAILED)) from None
    except KeyboardInterrupt:
        sys.stderr.write("lodehound: stopped by the user\n")
        raise typer.Exit(int(Exit.STOPPED)) from None


def need_live() -> None:
    try:
        import aiohttp  # noqa: F401
        import scrapy  # noqa: F401
    except ImportError as error:
        raise ConfigError("Live crawling needs an extra: pip install 'lodehound[live]'.") from error


def tuples(given: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}


def _more(text: str, before: int | None) -> int:
    digits = text.removeprefix("+")
    if not digits.isdigit():
        raise ConfigError(f"--requests {text!r} is not understood: write N, or +N for more.")
    return int(digits) + ((before or 0) if text.startswith("+") else 0)


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
    told: CrawlConfig,
    directory: CrawlDir,
    console: Console,
    *,
    quiet: bool,
    json_log: bool,
    resumed: bool,
) -> Ending:
    """Run a crawl to its end, shown as the user wants it."""
    from lodehound.cli.topics import keeping_weights
    from lodehound.drivers.live.assemble import make_live
    from lodehound.drivers.live.run import run_crawl

    live = make_live(
        told,
        directory,
        resumed=resumed,
        warn=lambda note: typer.echo(f"warning: {note}", err=True),
    )
    with keeping_weights(told, live) as begin:
        return run_crawl(begin, directory, _watcher(console, quiet=quiet, json_log=json_log))


def complain(ending: Ending) -> None:
    """Say in one line what went wrong, if something did."""
    if ending.code:
        sys.stderr.write(f"lodehound: {ending.reason}: {ending.detail}\n")


def _watcher(console: Any, *, quiet: bool, json_log: bool) -> Watcher | None:
    from lodehound.reports.progress import JsonLines, LiveScreen, PlainLines

    if json_log:
        return JsonLines()
    if quiet:
        return None
    return LiveScreen(console) if console.is_terminal else PlainLines(console)
