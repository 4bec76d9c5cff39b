"""Prints lines. Every text that a command prints passes here or through `console.Console`."""

from __future__ import annotations

import typer

from lodehound.text.shell import visible


def echo(line: str, *, err: bool = False) -> None:
    """Print a line in which nothing is an order to the terminal.

    Args:
        line: The line; a line break in it becomes a space.
        err: Print it as a message, not as output.
    """
    typer.echo(visible(line.replace("\n", " ")), err=err)
