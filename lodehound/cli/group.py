"""The group of all commands: prints usage errors as one line, like all other errors."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from lodehound.core.errors import ConfigError

# Depending on its version, Typer has its own copy of click: this is UsageError in both.
USAGE: Any = typer.BadParameter.__mro__[1]


# What looks like the address of a site, with or without its scheme.
ADDRESS = re.compile(r"(?i)(https?://|[\w-]+(\.[\w-]+)+(/|:|$))")
CLOSING = tuple("'\")]}")  # a sentence that ends like this has no full stop yet


class Commands(TyperGroup):
    """Converts usage errors to our own."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for command in self.commands.values():
            _in_plain_words(command.params)

    def get_params(self, ctx: Any) -> Any:
        return _in_plain_words(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _in_plain_words([command.get_help_option(ctx)])
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and ADDRESS.match(args[0]) and args[0] not in self.commands:
            url = args[0] if "://" in args[0] else f"https://{args[0]}/"
            raise ConfigError(
                f"{args[0]!r} is no command. "
                f"Did you mean: lodehound crawl {shlex.join([url, *args[1:]])}"
            )
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> Any:
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        with one_line(ctx):
            return super().invoke(ctx)


def _in_plain_words(params: Any) -> Any:
    """Replace the names of Python types in the help of options."""
    for param in params:
        if param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: ""  # noqa: ARG005 - its name says enough
        elif param.metavar is None:
            param.metavar = "" if param.is_flag else param.name.upper()
    return params


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
