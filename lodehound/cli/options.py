"""Flags made of a crawl's options, for every command that makes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo

from lodehound.config import WRITERS, CrawlConfig
from lodehound.core.values import alternatives
from lodehound.options import FILES

WHAT, WHERE, BUDGETS, POLITENESS = "What to find", "Where to crawl", "Budgets", "Politeness"
TOPICS, NETWORK, OUTPUT = "Topics", "Network", "Output"
JAVASCRIPT = "Pages that need JavaScript"
# The groups of the help, and what stands for the value of an option.
PANELS = {
    WHAT: "want:WHAT policy:NAME prior:FILE seed:N inspect inspect_time:TIME inspect_memory:SIZE",
    WHERE: (
        "scope:SCOPE per_host:N max_hosts:N allow_hosts:FILE block_hosts:FILE include:PATTERN "
        "exclude:PATTERN under:PATH max_depth:N shortcuts:NAMES metadata_only sitemaps "
        "speculative_links nofollow block traps"
    ),
    BUDGETS: "requests:N bytes:SIZE time:TIME finds:N early_stop:RULE max_file:SIZE",
    POLITENESS: (
        "delay:SECONDS concurrency:N contact:ADDRESS user_agent:TEXT ignore_robots "
        "yes_ignore_robots retries:N backoff:SECONDS"
    ),
    TOPICS: "categories:NAMES about:FILE like:URL vectors:NAME idf:FILE weights:FILE",
    NETWORK: (
        "header:HEADER auth:USER:PASSWORD proxy:URL allow_private:HOST insecure "
        "connect_timeout:SECONDS read_timeout:SECONDS total_timeout:SECONDS min_speed:N "
        "replica:FILE fallback:live"
    ),
    JAVASCRIPT: "render:WHEN browser:PROGRAM render_hosts:HOST",
    OUTPUT: "warc keep_versions",
}
PLACES = {
    word.partition(":")[0]: (panel, word.partition(":")[2])
    for panel, words in PANELS.items()
    for word in words.split()
}


def takes(
    options: type, *, grouped: bool = True, defaults: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command flags for options, beside its own; None when a flag is not given.

    Args:
        options: A TypedDict, of lodehound.options say.
        grouped: Show them in the groups of a crawl's options.
        defaults: Show the defaults of a new crawl.
    """

    def dress(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        hints = get_type_hints(options, include_extras=True)
        mine = {p.name for p in own}  # the command means something else by these
        names = [name for name in (PLACES if grouped else hints) if _is_flag(hints.get(name))]
        names = [name for name in names if name not in mine]
        more = [_flag(n, hints[n], grouped=grouped, defaults=defaults) for n in names]
        arguments = [p for p in own if _is_argument(p.annotation)]
        switches = [p for p in own if not _is_argument(p.annotation)]
        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in (*arguments, *more, *switches)]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
        return command

    return dress


def _is_argument(hint: Any) -> bool:
    return isinstance(get_args(hint)[1], ArgumentInfo)


def _is_flag(hint: Any) -> bool:
    return get_origin(hint) is Annotated


def _flag(name: str, hint: Any, *, grouped: bool, defaults: bool) -> inspect.Parameter:
    kind, text = get_args(hint)
    panel, metavar = PLACES[name] if grouped else (None, None)
    shown = _default(name) if grouped and defaults else False
    names = [f"--{name}"] if kind is bool and not grouped else []  # without --no-NAME
    option = typer.Option(
        *names, help=text, rich_help_panel=panel, metavar=metavar, show_default=shown
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[_typed(name, kind) | None, option],
    )


def _default(name: str) -> str | bool:
    """Return the default of an option as it is written; False if there is none to show."""
    value = CrawlConfig.__dataclass_fields__[name].default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in {None, "", ()}:
        return False
    write = WRITERS.get(name)
    return write(value) if write is not None else f"{value:g}" if value != str(value) else value


def _typed(name: str, kind: Any) -> Any:
    """Return the type of a flag: one of the types that a program may use."""
    kinds = alternatives(kind)
    if any(get_origin(one) for one in kinds if get_origin(one) is not Literal):
        return str if name in FILES else list[str]
    return str if str in kinds or get_origin(kinds[0]) is Literal else kinds[0]
