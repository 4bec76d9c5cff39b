"""lodehound check: does a policy, target or shortcut fulfil its contract?"""

from __future__ import annotations

import contextlib
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lodehound.cli.echo import echo

if TYPE_CHECKING:
    from lodehound.shortcuts.contract import Shortcut
    from lodehound.shortcuts.documents import Fetched


def check(
    name: Annotated[str, typer.Argument(help="NAME or module:Class, parameters after a colon.")],
    answer: Annotated[
        Path | None, typer.Option(help="Shortcut: a recorded answer of the API, which lists files.")
    ] = None,
    url: Annotated[str, typer.Option(help="With --answer: where it came from.")] = "",
) -> None:
    """Run the contract checks on a policy, target or shortcut."""
    from lodehound.checks import SmallWeb, policy_checks, target_checks
    from lodehound.core.errors import ConfigError
    from lodehound.registry import load_shortcut, make_policy, make_target, parse

    kind = _kind_of(name)
    if answer is not None and kind != "shortcut":
        raise ConfigError(f"--answer is for shortcuts, and {name!r} is a {kind}: leave it out.")
    if kind == "shortcut":
        broken = _check_shortcut(load_shortcut(parse(kind, name)), answer, url)
    elif kind == "target":
        spec = parse("target", name)
        make_target(spec)
        broken = [
            _try(c.__name__, lambda c=c: c(lambda: make_target(spec))) for c in target_checks()
        ]
    else:
        spec = parse("policy", name)
        web = SmallWeb()
        make_policy(spec, truth=web)
        broken = [
            _try(c.__name__, lambda c=c: c(lambda: make_policy(spec, seed=1, truth=web)))
            for c in policy_checks()
        ]
    if any(broken):
        raise typer.Exit(1)


def _check_shortcut(made: type[Shortcut], answer: Path | None, url: str) -> list[bool]:
    """Run the checks of a shortcut; return which of them failed."""
    from lodehound.checks import DoesNotApplyError
    from lodehound.shortcut_checks import check_lists_files, shortcut_checks

    def lists_files() -> None:
        if answer is None:
            raise DoesNotApplyError("give a recorded answer with --answer FILE")
        check_lists_files(made, _recorded(made, answer, url))

    broken = [_try(c.__name__, lambda c=c: c(made)) for c in shortcut_checks()]
    return [*broken, _try(check_lists_files.__name__, lists_files)]


def _recorded(made: type[Shortcut], answer: Path, url: str) -> Fetched:
    """Return a recorded answer; unless said otherwise, it came from the first probe."""
    from lodehound.core.errors import ConfigError
    from lodehound.shortcuts.documents import Fetched

    try:
        body = answer.read_bytes()
    except OSError as error:
        raise ConfigError(f"{str(answer)!r} cannot be read: {error.strerror or error}.") from error
    xml = body.lstrip()[:5] == b"<?xml"
    mime = mimetypes.guess_type(answer.name)[0] or ("application/xml" if xml else "")
    return Fetched(url or made().probes("https://www.example.org/")[0], mime, body)


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
    from lodehound.checks import DoesNotApplyError

    title = name.removeprefix("check_").replace("_", " ")
    try:
        run()  # type: ignore[operator]
    except DoesNotApplyError as error:
        echo(f"-       {title}: does not apply: {error}")
        return False
    except AssertionError as error:
        echo(f"broken  {title}: {error}")
        return True
    except Exception as error:  # plug-in code runs here: any exception is a result
        echo(f"broken  {title}: it raised {type(error).__name__}: {error}")
        return True
    echo(f"kept    {title}")
    return False
