"""Flags made of a crawl's options, for every command that makes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from lodehound.core.values import alternatives

FILES = {"allow_hosts", "block_hosts"}  # on the command line a file names them


def takes(options: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command flags for options, beside its own; None when a flag is not given.

    Args:
        options: A TypedDict of lodehound.options.
    """

    def dress(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        hints = get_type_hints(options, include_extras=True).items()
        more = [_flag(name, *get_args(hint)) for name, hint in hints if _is_flag(hint)]
        # Arguments first, as their author has them; the command's own switches come last.
        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in (*own, *more)]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
        return command

    return dress


def _is_flag(hint: Any) -> bool:
    return get_origin(hint) is Annotated


def _flag(name: str, kind: Any, text: str) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[_typed(name, kind) | None, typer.Option(help=text)],
    )


def _typed(name: str, kind: Any) -> Any:
    """Return the type of a flag: one of the types that a program may use."""
    kinds = alternatives(kind)
    if any(get_origin(one) for one in kinds if get_origin(one) is not Literal):
        return str if name in FILES else list[str]
    return str if str in kinds or get_origin(kinds[0]) is Literal else kinds[0]
