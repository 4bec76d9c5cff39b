"""lodehound check: does a policy or target fulfil its contract?"""

from __future__ import annotations

import contextlib
from typing import Annotated

import typer


def check(
    name: Annotated[str, typer.Argument(help="NAME or module:Class, parameters after a colon.")],
) -> None:
    """Run the contract checks on a policy or target."""
    from lodehound.checks import SmallWeb, policy_checks, target_checks
    from lodehound.core.policy import ResumablePolicy
    from lodehound.registry import make_policy, make_target, parse

    if _is_target(name):
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


def _is_target(name: str) -> bool:
    """Return whether a name means a target; an unknown name is reported as a policy."""
    from lodehound.core.errors import ConfigError
    from lodehound.registry import load_policy, load_target, parse

    with contextlib.suppress(ConfigError):
        load_policy(parse("policy", name))
        return False
    with contextlib.suppress(ConfigError):
        load_target(parse("target", name))
        return True
    return False


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
