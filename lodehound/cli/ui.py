"""lodehound ui: the workbench in the browser."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from lodehound.cli.echo import echo


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
    from lodehound.workbench.access import USER, Access
    from lodehound.workbench.opening import LinkPage
    from lodehound.workbench.server import serve

    page = LinkPage()

    def ready(access: Access) -> None:
        typer.echo(  # at once: 'head -1' reads no more
            f"The workbench is at {access.link}\n"
            "The link works once, then the next one is shown. If it is not found, open\n"
            f"{access.address} as user {USER} with the password {access.password}\n"
            "Stop it with Ctrl-C; crawls go on."
        )
        if open_:
            try:
                page.open(access.link)
            except OSError as error:
                echo(f"The browser cannot be opened ({error}): open the link yourself.")

    def used(link: str) -> None:
        page.remove()
        with contextlib.suppress(OSError):  # nobody reads it any more
            echo(f"A browser has used the link. The next one is {link}")

    serve(
        directories or [Path()], port=port, control=control,
        ready=ready, used=used, ended=page.remove,
    )  # fmt: skip
