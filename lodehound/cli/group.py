"""The group of all commands: prints usage errors as one line, like all other errors."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.urls import proposed
from lodehound.text.shell import joined

# Depending on its version, Typer has its own copy of click: this is UsageError in both.
USAGE: Any = typer.BadParameter.__mro__[1]


# What looks like the address of a site, with or without its scheme.
ADDRESS = re.compile(r"(?i)(https?://|[\w-]+(\.[\w-]+)+(/|:|$))")
# What stands in Typer's messages about numbers, and what to write.
NUMBERS = {
    "valid integer": "a whole number, for example {} 20",
    "valid float": "a number, for example {} 0.5",
    "valid number": "a number, for example {} 0.5",
}
CLOSING = tuple("'\")]}")  # a sentence that ends like this has no full stop yet


class ReaderGoneError(Exception):
    """Nobody reads our output any more: ``lodehound list DIR | head``."""


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
            url = args[0] if "://" in args[0] else proposed(args[0])
            raise ConfigError(
                f"{args[0]!r} is no command. "
                f"Did you mean: lodehound crawl {joined([url, *args[1:]])}"
            )
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **options: Any) -> Any:
        with one_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        try:
            with one_line(ctx):
                return super().invoke(ctx)
        except BrokenPipeError:  # before click makes it a failure
            raise ReaderGoneError from None


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
        said = " ".join(_said(error).split())
        dot = "." if said[-1:].isalnum() or said[-1:] in CLOSING else ""
        raise ConfigError(f"{said}{dot} See '{path} -h'.") from error


def _said(error: Any) -> str:
    """Return what is wrong: the option, the value, and what to write instead."""
    if type(error).__name__ == "NoSuchOption" and error.ctx is not None:
        params = [one for one in error.ctx.command.params if one.param_type_name == "option"]
        known = [name for param in params for name in param.opts]
        return str(UnknownNameError("option", error.option_name, known))
    message = str(error.format_message())
    wanted = next((words for name, words in NUMBERS.items() if name in message), "")
    option = next(iter(getattr(getattr(error, "param", None), "opts", ())), "")
    if not wanted or not option.startswith("--"):
        return message
    return f"{option} {_given(option)!r} is not understood: write {wanted.format(option)}"


def _given(option: str) -> str:
    """Return the value of an option as it was typed: usage errors do not contain it."""
    for word, following in itertools.pairwise([*sys.argv, ""]):
        if word == option:
            return following
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""


def _called(group: Any) -> str:
    if group is None:
        return "lodehound"
    return f"{group.command_path} {group.invoked_subcommand or ''}".strip()
