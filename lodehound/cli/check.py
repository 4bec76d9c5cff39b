"""lodehound check: does a policy, target or shortcut fulfil its contract?"""

from __future__ import annotations

import contextlib
from typing import Annotated, Literal

import typer


def check(
    name: Annotated[str, typer.Argument(help="NAME or module:Class, parameters after a colon.")],
) -> None:
    """Run the contract checks on a policy, target or shortcut."""
    from lodehound.checks import SmallWeb, policy_checks, target_checks
    from lodehound.core.policy import ResumablePolicy
    from lodehound.registry import load_shortcut, make_policy, make_target, parse
    from lodehound.shortcut_checks import shortcut_checks

    kind = _kind_of(name)
    if kind == "shortcut":
        made = load_shortcut(parse(kind, name))
        broken = [_try(c.__name__, lambda c=c: c(made)) for c in shortcut_checks()]
    elif kind == "target":
        spec = parse("target", name)
        make_target(spec)
        broken = [
            _try(c.__name__, lambda c=c: c(lambda: make_target(spec))) for c in target_checks()
        ]
    else:
        spec = parse("policy", name)
        web = SmallWeb()
        resumable = isinstance(make_policy(spec, truth=web), ResumablePolicy)
        broken = [
            _try(c.__name__, lambda c=c: c(lambda: make_policy(spec, seed=1, truth=web)))
            for c in policy_checks(resumable=resumable)
        ]
        if not resumable:
            typer.echo("note    it cannot continue crawls of other policies: see CONTRIBUTING.md")
    if any(broken):
        raise typer.Exit(1)


def _kind_of(name: str) -> Literal["policy", "shortcut", "target"]:
    """Return what a name means; an unknown name is reported as a policy."""
    from lodehound.core.errors import ConfigError
    from lodehound.registry import load_policy, load_shortcut, load_target, parse

    with contextlib.suppress(ConfigError):
        load_policy(parse("policy", name))
        return "policy"
    with contextlib.suppress(ConfigError):
        load_target(parse("target", name))
        return "target"
    with contextlib.suppress(ConfigError):
        load_shortcut(parse("shortcut", name))
        return "shortcut"
    return "policy"


def _try(name: str, run: object) -> bool:
    """Run one check and print its result; return True if it failed."""
    title = name.removeprefix("check_").replace("_", " ")
    try:
        run()  # type: ignore[operator]
    except AssertionError as error:
        typer.echo(f"broken  {title}: {error}")
        return True
    except Exception as error:  # plug-in code runs here: any exception is a result
        typer.echo(f"broken  {title}: it raised {type(error).__name__}: {error}")
        return True
    typer.echo(f"kept    {title}")
    return False
