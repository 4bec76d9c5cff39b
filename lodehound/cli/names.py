"""lodehound policies, targets, shortcuts: lists them, with parameters and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from lodehound.cli.echo import echo


def policies(
    name: Annotated[str, typer.Argument(help="Show only this one.")] = "",
) -> None:
    """List the policies with their parameters and defaults, including plug-ins."""
    _list("policy", name)


def targets(
    name: Annotated[str, typer.Argument(help="Show only this one.")] = "",
) -> None:
    """List the targets, including plug-ins."""
    _list("target", name)


def shortcuts(
    name: Annotated[str, typer.Argument(help="Show only this one.")] = "",
) -> None:
    """List the shortcuts: APIs, listings and feeds that a crawl can use, including plug-ins."""
    _list("shortcut", name)


def _list(kind: Literal["policy", "shortcut", "target"], only: str) -> None:
    from lodehound.core.errors import ConfigError
    from lodehound.registry import known, load_policy, load_shortcut, load_target, parse

    load: dict[str, Callable[[Any], type]] = {
        "policy": load_policy,
        "shortcut": load_shortcut,
        "target": load_target,
    }
    for name in [only] if only else sorted(known(kind)):
        try:
            cls = load[kind](parse(kind, name))
        except ConfigError as error:
            if only:
                raise
            echo(name)
            echo(f"    {error}")  # a broken plug-in does not hide the others
            continue
        _describe(name, cls)


def _describe(name: str, cls: type) -> None:
    from lodehound.core.policy import Policy
    from lodehound.registry import HANDED, parameters_of

    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    note = " (recorded sites only)" if getattr(cls, "needs_truth", False) else ""
    echo(f"{name}{note}")
    echo(f"    {summary}")
    for parameter in parameters_of(cls) if issubclass(cls, Policy) else ():
        if parameter.name in HANDED:
            continue
        default = _default(parameter.default)
        echo(f"    {parameter.name}={default}  [{parameter.choices}]  {parameter.doc}")
    if printed := getattr(cls, "as_printed", {}):
        written = ",".join(f"{name}={value}" for name, value in printed.items())
        echo(f"    paper  As the paper prints it: {written}")


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return "(required)"
    if isinstance(value, frozenset | tuple | list):
        return f"({len(value)} types)"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
