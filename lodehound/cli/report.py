"""lodehound report, receipt, explain, skipped: what a crawl did, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError
from lodehound.text.shell import shown

if TYPE_CHECKING:
    from lodehound.stores.crawl_dir import CrawlDir
    from lodehound.stores.log.crawl_reader import CrawlReader

Directory = Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")]
Json = Annotated[bool, typer.Option("--json", help="For programs.")]
Want = Annotated[str | None, typer.Option(help="The crawl's own target, to load it: module:Class.")]


def report(
    directory: Directory,
    output: Annotated[
        str | None, typer.Option(help="Where to: DIR/report.html unless given; - for here.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace a file, whatever it is.")] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    number: Annotated[
        int | None, typer.Option("--round", help="Print what a round brought instead.", metavar="N")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --round: for programs.")] = False,
    want: Want = None,
) -> None:
    """Write one HTML page about a crawl; it needs no network and no server."""
    from lodehound.cli.signals import tidy_end

    if number is not None:
        if output is not None or force or open_:
            raise ConfigError("--round prints text: leave out --output, --force and --open.")
        _print_round(directory, number, as_json=as_json)
        return
    if as_json:
        raise ConfigError("--json needs --round N: the report of a whole crawl is an HTML page.")
    if open_ and output == "-":
        raise ConfigError("--open needs a file: leave out '--output -'.")
    with tidy_end(), _opened(directory, want=want) as (crawl, look):
        from lodehound.reports.page import make_report, write_report
        from lodehound.stores.files.inside import refuse_links

        if output is None:
            refuse_links(directory, ["report.html"])
        place = directory / "report.html" if output is None else Path(output)
        if output == "-":
            typer.echo(make_report(crawl, look, place))
        else:
            echo(shown(write_report(crawl, look, place, force=force)))
    if open_:
        _show(place)


def receipt(
    directory: Directory,
    output: Annotated[
        str | None,
        typer.Option(help="Where to: DIR/receipt.html unless given, with --json here; - for here."),
    ] = None,
    as_json: Json = False,
    force: Annotated[bool, typer.Option(help="Replace a file, whatever it is.")] = False,
    want: Want = None,
) -> None:
    """Write what a crawl covered and what it left out on one page, with hashes to sign."""
    from lodehound.cli.signals import tidy_end

    if output is None and as_json:
        output = "-"
    with tidy_end(), _opened(directory, want=want) as (crawl, look):
        from lodehound.reports.receipt import receipt_json, receipt_page, write_receipt
        from lodehound.stores.files.inside import refuse_links

        if output is None:
            refuse_links(directory, ["receipt.html"])
        place = directory / "receipt.html" if output is None else Path(output)
        if output == "-":
            typer.echo((receipt_json if as_json else receipt_page)(crawl, look), nl=False)
        else:
            echo(shown(write_receipt(crawl, look, place, as_json=as_json, force=force)))


def _print_round(directory: Path, number: int, *, as_json: bool) -> None:
    from lodehound.reports.round_report import round_lines, round_report
    from lodehound.stores.crawl_dir import CrawlDir

    with CrawlDir.open(directory, write=False) as opened:
        summary = round_report(opened, number)
    lines = [json.dumps(summary.as_json())] if as_json else round_lines(summary)
    for line in lines:
        echo(line)


def _show(page: Path) -> None:
    """Open a page in the browser, if there is one."""
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        echo(f"No browser could be started: open {shown(page)} yourself.", err=True)


def explain(
    directory: Directory,
    url: Annotated[str, typer.Argument(help="Any address.", metavar="URL")],
    quick: Annotated[bool, typer.Option(help="Only what the journal says.")] = False,
    as_json: Json = False,
    policy: Annotated[
        str | None, typer.Option(help="The crawl's own policy, to load it: module:Class.")
    ] = None,
    want: Want = None,
    shortcuts: Annotated[
        str | None, typer.Option(help="The crawl's own shortcuts, to load them.")
    ] = None,
) -> None:
    """Explain why an address was fetched, or why not."""
    given = {"policy": policy, "want": want, "shortcuts": shortcuts}
    with _opened(directory, **({"want": want} if quick else given)) as (crawl, look):
        from lodehound.reports.explain import explain as explained
        from lodehound.reports.explain_text import explanation_lines

        explanation = explained(crawl, look, url, quick=quick)
        if as_json:
            echo(json.dumps(explanation.as_json()))
            return
        for line in explanation_lines(explanation):
            echo(line)


def skipped(
    directory: Directory,
    reason: Annotated[str, typer.Option(help="Only these: robots, scope, error ...")] = "",
    counts: Annotated[bool, typer.Option(help="Only the counts.")] = False,
    as_json: Json = False,
    want: Want = None,
) -> None:
    """List every address that was not fetched, with its reason; the counts come first."""
    with _opened(directory, want=want) as (crawl, look):
        from lodehound.reports.skipped import skips_of
        from lodehound.reports.skipped_text import skipped_lines

        with skips_of(crawl, look, listing=not counts) as skips:
            for line in skipped_lines(skips, reason=reason, listing=not counts, as_json=as_json):
                echo(line)


@contextmanager
def _opened(directory: Path, **plug_ins: str | None) -> Iterator[tuple[CrawlDir, CrawlReader]]:
    """Open a crawl to look at it, with the plug-ins that matter and that the user names."""
    from lodehound.assembly.rebuild import config_of
    from lodehound.assembly.trust import named_again, notes_of_plug_ins
    from lodehound.stores.crawl_dir import CrawlDir
    from lodehound.stores.log.crawl_reader import CrawlReader

    with CrawlDir.open(directory, write=False) as crawl, CrawlReader(directory) as look:
        config = named_again(config_of(crawl), plug_ins)
        crawl.named = config.named
        for note in notes_of_plug_ins(config, plug_ins):
            echo(f"note: {note}", err=True)
        yield crawl, look
