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


class Commands(TyperGroup):
    """Turns usage errors into ours."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with one_line():
            return super().invoke(ctx)


@contextmanager
def one_line() -> Iterator[None]:
    """Say what is wrong, and where to read on.

    Raises:
        ConfigError: In place of a usage error.
    """
    try:
        yield
    except USAGE as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # no mistake: it shows the help
            raise
        path = error.ctx.command_path if error.ctx is not None else "lodehound"
        said = error.format_message().rstrip(".")
        raise ConfigError(f"{said}. See '{path} -h'.") from error
