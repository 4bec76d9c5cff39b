"""The options of a crawl, once: for every command that makes one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple

import typer


class Option(NamedTuple):
    """One option, under the name it has in a crawl's config."""

    name: str
    type: Any
    help: str


# What both a crawl and a recording may be told.
COMMON = (
    Option("requests", int, "Most requests."),
    Option("bytes", str, "Most volume: 500MB, 2GB."),
    Option("time", str, "Longest time: 90s, 15m, 2h."),
    Option("delay", float, "Seconds between requests to a host."),
    Option("concurrency", int, "Requests in flight."),
    Option("include", list[str], "Only URLs like this (*)."),
    Option("exclude", list[str], "No URLs like this (*)."),
    Option("under", str, "Only paths that begin so."),
    Option("max_depth", int, "Most links from the start."),
    Option("max_file", str, "Longest body: 100MB; more is cut."),
    Option("contact", str, "Whom a site may write to."),
    Option("user_agent", str, "Another name to go by."),
    Option("header", list[str], "Name: value."),
    Option("auth", str, "user:password, for the start hosts."),
    Option("proxy", str, "Proxy for every request."),
    Option("nofollow", bool, "Keep to nofollow."),
    Option("sitemaps", bool, "Read sitemaps and feeds."),
    Option("ignore_robots", bool, "For your own sites."),
    Option("yes_ignore_robots", bool, "Yes, really."),
    Option("allow_private", list[str], "HOST or CIDR."),
    Option("insecure", bool, "Take any certificate."),
    Option("block", bool, "Leave multimedia out."),
    Option("traps", bool, "Leave out what looks like a trap."),
    Option("retries", int, "Further tries of a failed request."),
    Option("backoff", float, "First rest of a failing host."),
    Option("connect_timeout", float, "Seconds."),
    Option("read_timeout", float, "Seconds."),
    Option("total_timeout", float, "Seconds."),
    Option("min_speed", int, "Bytes per second."),
)
# What only a crawl is told: what counts, who decides, what is kept.
CRAWL = (
    Option("want", str, "What counts as a find; files unless given."),
    Option("policy", str, "NAME or NAME:param=value,...; the target's own unless given."),
    Option("scope", str, "site or web: any host reached; the target's own unless given."),
    Option("per_host", int, "Most URLs of one host."),
    Option("max_hosts", int, "Most hosts."),
    Option("allow_hosts", str, "FILE: only these hosts and those below them."),
    Option("block_hosts", str, "FILE: none of these hosts, nor those below them."),
    Option("categories", str, "Of a topic: wider subjects."),
    Option("about", list[str], "Of a topic: text files."),
    Option("like", list[str], "Of a topic: example pages."),
    Option("vectors", str, "Of a topic: wordllama, a file, or none."),
    Option("idf", str, "Of a topic: a corpus, or document frequencies."),
    Option("weights", str, "What was learned: from this file, and to it."),
    Option("finds", int, "Most finds."),
    Option("early_stop", str, "off, auto or paper."),
    Option("seed", int, "Random seed."),
    Option("inspect", bool, "Look into the finds; yes unless told otherwise."),
    Option("inspect_time", str, "Longest for one file: 20s."),
    Option("inspect_memory", str, "Most memory for one file: 1GiB."),
    Option("warc", bool, "Keep every response as WARC."),
    Option("replica", str, "A recorded site that answers."),
    Option("fallback", str, "live: fetch what it lacks."),
)


def takes(*options: Sequence[Option]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options beside its own; it gets them by name, None when not given."""
    added = [option for some in options for option in some]

    def dress(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [_parameter(option) for option in added]
        # Arguments first, as their author has them; the command's own switches come last.
        parameters = [p.replace(kind=p.KEYWORD_ONLY) for p in (*own, *more)]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
        return command

    return dress


def _parameter(option: Option) -> inspect.Parameter:
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.type | None, typer.Option(help=option.help)],
    )
