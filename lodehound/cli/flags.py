"""Flags made of a crawl's options, for every command that makes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo

from lodehound.config import check_written
from lodehound.core.errors import ConfigError
from lodehound.options import OPTIONS, PANELS, WRITERS, OptionTable
from lodehound.text.values import alternatives

# In the order of the help.
FLAGS = [name for panel in PANELS for name, one in OPTIONS.items() if one.panel == panel]

# What is not stored, of a crawl or a fleet that goes on.
AuthAgain = Annotated[str | None, typer.Option(help="As before: it is not stored.")]
HeaderAgain = Annotated[list[str] | None, typer.Option(help="As before.")]
ProxyAgain = Annotated[str | None, typer.Option(help="As before.")]


def with_options(
    options: type, *, grouped: bool = True, defaults: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command flags for options, beside its own; None when a flag is not given.

    Args:
        options: A TypedDict, of lodehound.option_types say.
        grouped: Show them in the groups of a crawl's options.
        defaults: Show the defaults of a new crawl.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        hints = get_type_hints(options, include_extras=True)
        mine = {p.name for p in own}  # the command means something else by these
        names = [
            name for name in (FLAGS if grouped else hints) if name in hints and name not in mine
        ]
        flags = [_flag(n, hints[n], grouped=grouped, defaults=defaults) for n in names]
        arguments = [p for p in own if _is_argument(p.annotation)]
        switches = [p for p in own if not _is_argument(p.annotation)]
        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in (*arguments, *flags, *switches)]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
        return command

    return decorate


def _is_argument(hint: Any) -> bool:
    return isinstance(get_args(hint)[1], ArgumentInfo)


def _flag(name: str, hint: Any, *, grouped: bool, defaults: bool) -> inspect.Parameter:
    kind, text = get_args(hint) if get_origin(hint) is Annotated else (hint, OPTIONS[name].help)
    panel, metavar = (OPTIONS[name].panel, OPTIONS[name].value) if grouped else (None, None)
    shown = _default(name) if grouped and defaults else False
    word = f"--{name.replace('_', '-')}"
    names = [word] if kind is bool and not grouped else []  # without --no-NAME
    option = typer.Option(
        *names,
        help=text,
        rich_help_panel=panel,
        metavar=metavar,
        show_default=shown,
        callback=_check(name) if grouped and kind is not bool else None,
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[_typed(name, kind) | None, option],
    )


def _check(name: str) -> Callable[[Any], Any]:
    """Return what refuses a text that is no value of an option, naming the flag as it is typed."""

    def check(value: Any) -> Any:
        try:
            if isinstance(value, str) and not OPTIONS[name].in_file:
                check_written(name, value)
        except ConfigError as error:
            words = str(error).removeprefix(name).removeprefix(" =")
            raise ConfigError(f"--{name.replace('_', '-')}{words}") from error
        return value

    return check


def _default(name: str) -> str | bool:
    """Return the default of an option as it is written; False if there is none to show."""
    value = OptionTable.__dataclass_fields__[name].default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in {None, "", ()}:
        return False
    write = WRITERS.get(OPTIONS[name].unit)
    return write(value) if write is not None else f"{value:g}" if value != str(value) else value


def _typed(name: str, kind: Any) -> Any:
    """Return the type of a flag: one of the types that a program may use."""
    kinds = alternatives(kind)
    if any(get_origin(one) for one in kinds if get_origin(one) is not Literal):
        return str if OPTIONS[name].in_file else list[str]
    is_read = name in OPTIONS and kinds[0] is not bool  # by lodehound.config, with its messages
    return str if is_read or get_origin(kinds[0]) is Literal else kinds[0]
