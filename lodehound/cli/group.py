"""The group of all commands: what the user typed wrong is one line, like every other error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from lodehound.core.errors import ConfigError

# Typer has its own copy of click, or not, by its version: this is UsageError in both.
USAGE: Any = typer.BadParameter.__mro__[1]


CLOSING = tuple("'\")]}")  # a sentence that ends so has no dot yet


class Commands(TyperGroup):
    """Turns usage errors into ours."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with one_line(ctx):
            return super().invoke(ctx)


@contextmanager
def one_line(group: Any = None) -> Iterator[None]:
    """Say what is wrong, and where to read on.

    Args:
        group: The context of the group, if there is one: it knows the command that was called.

    Raises:
        ConfigError: In place of a usage error.
    """
    try:
        yield
    except USAGE as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # no mistake: it shows the help
            raise
        path = error.ctx.command_path if error.ctx is not None else _called(group)
        said = " ".join(error.format_message().split())
        dot = "." if said[-1:].isalnum() or said[-1:] in CLOSING else ""
        raise ConfigError(f"{said}{dot} See '{path} -h'.") from error


def _called(group: Any) -> str:
    if group is None:
        return "lodehound"
    return f"{group.command_path} {group.invoked_subcommand or ''}".strip()
