"""The options of a crawl, shared by the commands that run one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple

import typer


class Option(NamedTuple):
    """One option, with its name in the config of a crawl."""

    name: str
    type: Any
    help: str


# Options of crawls and recordings.
COMMON = (
    Option("requests", int, "Maximum number of requests."),
    Option("bytes", str, "Maximum volume: 500MB, 2GB."),
    Option("time", str, "Maximum time: 90s, 15m, 2h."),
    Option("delay", float, "Seconds between requests to a host."),
    Option("concurrency", int, "Maximum number of requests in flight."),
    Option("include", list[str], "Only URLs that match (* is any text)."),
    Option("exclude", list[str], "No URLs that match (* is any text)."),
    Option("under", str, "Only paths that start with this."),
    Option("max_depth", int, "Maximum number of links from the start."),
    Option("max_file", str, "Maximum length of a body: 100MB; longer ones are truncated."),
    Option("contact", str, "Contact for site owners, sent in the user agent."),
    Option("user_agent", str, "User agent to send instead."),
    Option("header", list[str], "Extra header for the start hosts, as Name: value."),
    Option("auth", str, "user:password for the start hosts."),
    Option("proxy", str, "Proxy for every request."),
    Option("nofollow", bool, "Obey nofollow."),
    Option("sitemaps", bool, "Read sitemaps and feeds."),
    Option("ignore_robots", bool, "Ignore robots.txt, for your own sites."),
    Option("yes_ignore_robots", bool, "Confirm --ignore-robots for other machines."),
    Option("allow_private", list[str], "Private HOST or CIDR to allow."),
    Option("insecure", bool, "Accept any certificate."),
    Option("block", bool, "Leave out multimedia."),
    Option("traps", bool, "Leave out URLs that look like traps."),
    Option("retries", int, "Retries of a failed request."),
    Option("backoff", float, "Seconds to pause after the first failure of a host."),
    Option("connect_timeout", float, "Seconds."),
    Option("read_timeout", float, "Seconds."),
    Option("total_timeout", float, "Seconds."),
    Option("min_speed", int, "Minimum speed in bytes per second."),
)
# Options of crawls only.
CRAWL = (
    Option("want", str, "What counts as a find; default: files."),
    Option("policy", str, "NAME or NAME:param=value,...; default: depends on the target."),
    Option("scope", str, "site, or web for any host; default: depends on the target."),
    Option("per_host", int, "Maximum number of URLs per host."),
    Option("max_hosts", int, "Maximum number of hosts."),
    Option("allow_hosts", str, "FILE: only these hosts and their subdomains."),
    Option("block_hosts", str, "FILE: none of these hosts and their subdomains."),
    Option("categories", str, "Topic: broader subjects."),
    Option("about", list[str], "Topic: text files that describe it."),
    Option("like", list[str], "Topic: example pages."),
    Option("vectors", str, "Topic: wordllama, a file, or none."),
    Option("idf", str, "Topic: a corpus, or document frequencies."),
    Option("weights", str, "File to read learned weights from, and to write them to."),
    Option("finds", int, "Maximum number of finds."),
    Option("early_stop", str, "off, auto or paper."),
    Option("seed", int, "Random seed."),
    Option("inspect", bool, "Inspect the finds; default: yes."),
    Option("inspect_time", str, "Maximum time per file: 20s."),
    Option("inspect_memory", str, "Maximum memory per file: 1GiB."),
    Option("warc", bool, "Store every response as WARC."),
    Option("replica", str, "Recorded site to crawl instead of the network."),
    Option("fallback", str, "live: fetch what the replica lacks."),
)


def takes(*options: Sequence[Option]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add these options to a command; it gets them by name, None if not given."""
    added = [option for some in options for option in some]

    def dress(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [_parameter(option) for option in added]
        # Arguments first, in their order; the command's own switches come last.
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
