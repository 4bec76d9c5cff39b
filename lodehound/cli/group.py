"""The group of all commands: prints usage errors as one line, like all other errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from lodehound.core.errors import ConfigError

# Depending on its version, Typer has its own copy of click: this is UsageError in both.
USAGE: Any = typer.BadParameter.__mro__[1]


CLOSING = tuple("'\")]}")  # a sentence that ends like this has no full stop yet


class Commands(TyperGroup):
    """Converts usage errors to our own."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with one_line(ctx):
            return super().invoke(ctx)


@contextmanager
def one_line(group: Any = None) -> Iterator[None]:
    """Print what is wrong, and where to find help.

    Args:
        group: The context of the group, if there is one: it knows the current command.

    Raises:
        ConfigError: Instead of a usage error.
    """
    try:
        yield
    except USAGE as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # not an error: it shows the help
            raise
        path = error.ctx.command_path if error.ctx is not None else _called(group)
        said = " ".join(error.format_message().split())
        dot = "." if said[-1:].isalnum() or said[-1:] in CLOSING else ""
        raise ConfigError(f"{said}{dot} See '{path} -h'.") from error


def _called(group: Any) -> str:
    if group is None:
        return "lodehound"
    return f"{group.command_path} {group.invoked_subcommand or ''}".strip()
