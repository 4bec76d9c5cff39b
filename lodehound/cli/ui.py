"""lodehound ui: the workbench in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def ui(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(help="Crawl directories, or folders of crawls.", metavar="DIR..."),
    ] = None,
    control: Annotated[
        bool, typer.Option("--control", help="Also start, pause and resume crawls.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="By default 8180, or any that is free."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Show crawls in the browser, on this machine only; the current folder unless named."""
    from lodehound.workbench.server import serve

    def ready(url: str) -> None:
        typer.echo(f"The workbench is at {url}")
        typer.echo("Stop it with Ctrl-C; crawls go on.")
        if open_:
            import webbrowser

            webbrowser.open(url)

    serve(directories or [Path()], port=port, control=control, ready=ready)
