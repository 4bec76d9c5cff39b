"""Puts a live crawl together from what the user said."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urlsplit

import aiohttp

from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl, Reader
from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import AutoStop, Budget, EarlyStop, StopRule
from lodehound.core.target import Target
from lodehound.core.urls import canonical, host_of
from lodehound.drivers.live.addresses import AddressGuard, literal, name_of
from lodehound.drivers.live.engine import Live
from lodehound.drivers.live.fetch import Fetcher, Limits
from lodehound.drivers.live.inspecting import Inspector
from lodehound.drivers.live.keeper import Keeper
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.reader import LiveReader
from lodehound.drivers.live.recorded import (
    ReplicaReplies,
    check_replica,
    is_offline,
    open_replica,
    open_responses,
)
from lodehound.drivers.live.responses import Responses
from lodehound.drivers.live.robots import RobotsBook, origin_of
from lodehound.drivers.live.session import Session
from lodehound.drivers.live.sitemaps import Sitemaps
from lodehound.inspect import FileLimits, Options
from lodehound.registry import (
    default_policy,
    load_target,
    make_policy,
    make_target,
    need_parameter,
    parse,
)
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.restore import restore
from lodehound.stores.topics import TopicOptions, split_names
from lodehound.version import VERSION

PRODUCT = "lodehound"
HEADER = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:([^\r\n\0]*)")  # RFC 9110, 5
# Headers that are no credentials, whatever they hold; any other may be one.
HARMLESS = {"Accept", "Accept-Language", "Cache-Control", "Dnt", "From", "User-Agent"}


def starts_of(config: CrawlConfig) -> list[str]:
    return [canonical(url) for url in config.urls]


def user_agent(config: CrawlConfig) -> str:
    """Say honestly who asks, and whom to write to."""
    if config.user_agent:
        return config.user_agent
    contact = f" (+{config.contact})" if config.contact else ""
    return f"{PRODUCT}/{VERSION}{contact}"


def check_config(config: CrawlConfig) -> None:
    """FindRow what cannot be run before anything is made or asked."""
    check_manners(config)
    check_replica(config)
    for name in [name for name in ("weights", "idf") if getattr(config, name)]:
        need_parameter(name, [settled(config).policy])
    _check_starts(make_crawl(config, LiveReader()).scope, starts_of(config))
    request_headers(config)
    _check_proxy(config)
    AddressGuard.made_of(starts_of(config), config.allow_private)


def _check_starts(scope: Scope, starts: list[str]) -> None:
    """Refuse to begin where --allow-hosts or --block-hosts say not to go."""
    for url in starts:
        if not scope.lets_host(host_of(url)):
            raise ConfigError(
                f"The start URL {url} is on a host that --allow-hosts or --block-hosts keep out."
            )


def settled(config: CrawlConfig) -> CrawlConfig:
    """Name the policy for good: a crawl is continued with the one that began it."""
    return config if config.policy else replace(config, policy=default_policy(config.want))


def make_crawl(config: CrawlConfig, reader: Reader, replica: ReplicaReplies | None = None) -> Crawl:
    """Make the crawl itself: policy, target, scope, budgets."""
    starts = starts_of(config)
    target = make_target(parse("target", config.want), topic_options(config).of_target())
    policy = make_policy(
        parse("policy", settled(config).policy),
        seed=config.seed,
        given=topic_options(config).of_policy(target),
    )
    return Crawl(
        [Link(url, kind="") for url in starts],
        policy=policy,
        target=target,
        read=reader,
        scope=make_scope(config, starts, replica),
        budget=Budget(
            requests=config.requests, bytes=config.bytes, seconds=config.time, finds=config.finds
        ),
        rules=make_rules(config, policy),
        per_host=config.per_host,
        max_hosts=config.max_hosts,
    )


def topic_options(config: CrawlConfig) -> TopicOptions:
    """Return what was said of a topic, as it was when the crawl began."""
    return TopicOptions(
        categories=split_names(config.categories),
        about=config.about_text,
        vectors=config.vectors,
        idf=config.idf,
        weights=tuple(json.loads(config.weights_before or "[]")),
    )


def make_scope(
    config: CrawlConfig, starts: list[str], replica: ReplicaReplies | None = None
) -> Scope:
    target = make_target(parse("target", config.want), topic_options(config).of_target())
    web = (config.scope or target.scope) == "web"
    scope = target.widen(Scope.around(starts, web=web, block=config.block, traps=config.traps))
    if replica is not None and not replica.fallback:
        scope = replace(scope, hosts=replica.replica.hosts, without=replica.replica.without)
    return replace(
        scope,
        include=config.include,
        exclude=config.exclude,
        under=config.under,
        max_depth=config.max_depth,
        allowed=frozenset(map(host_name, config.allow_hosts)),
        barred=frozenset(map(host_name, config.block_hosts)),
    )


def host_name(text: str) -> str:
    """Return a host as it stands in URLs.

    >>> host_name("Bücher.Example"), host_name("https://a.example:8080/x")
    ('xn--bcher-kva.example', 'a.example:8080')
    """
    url = canonical(text if "://" in text else f"http://{text}/")
    if not url:
        raise ConfigError(f"{text!r} is no host: write a name such as www.example.org.")
    return host_of(url)


def make_rules(config: CrawlConfig, policy: Policy) -> list[StopRule]:
    if config.early_stop == "off":
        return []
    if config.early_stop == "auto":
        return [AutoStop(policy)]
    if config.early_stop != "paper":
        raise ConfigError(
            f"early_stop {config.early_stop!r} is not understood: use off, auto or paper."
        )
    return [
        EarlyStop(
            nu=config.stop_nu,
            epsilon=config.stop_epsilon,
            gamma=config.stop_gamma,
            kappa=config.stop_kappa,
        )
    ]


def check_manners(config: CrawlConfig) -> None:
    """Let robots.txt be ignored only on this machine, or when asked for twice."""
    if not config.ignore_robots or config.yes_ignore_robots or is_offline(config):
        return
    names = {name_of(host_of(url)) for url in starts_of(config)}
    local = {n for n in names if n == "localhost" or (literal(n) and n.startswith(("127.", "::1")))}
    if names != local:
        raise ConfigError(
            "--ignore-robots works on this machine's own servers only; if the site is yours, "
            "add --yes-ignore-robots."
        )


def request_headers(config: CrawlConfig) -> tuple[dict[str, str], dict[str, str]]:
    """Return the headers that everybody gets, and those that only the start hosts get."""
    accept = load_target(parse("target", config.want)).accept
    everywhere = {"User-Agent": user_agent(config), "Accept": accept}
    secret: dict[str, str] = {}
    for text in config.header:
        written = HEADER.fullmatch(text)
        if written is None:  # the message does not repeat it: it may hold a password
            raise ConfigError("A --header is not understood: write Name: value.")
        name, value = written[1].title(), written[2].strip()
        (everywhere if name in HARMLESS else secret)[name] = value
    if auth := _auth(config):
        secret["Authorization"] = auth
    return everywhere, secret


def secret_origins(starts: list[str]) -> set[str]:
    """Return where credentials may go: to the start URLs' own hosts, or the same behind TLS."""
    origins = {origin_of(url) for url in starts}
    plain = {origin for origin in origins if origin.startswith("http:") and origin.count(":") == 1}
    return origins | {origin.replace("http:", "https:", 1) for origin in plain}


def _check_proxy(config: CrawlConfig) -> None:
    place = urlsplit(config.proxy)
    if config.proxy and not (place.scheme in {"http", "https"} and place.hostname):
        raise ConfigError("--proxy is not understood: write http://HOST:PORT.")  # no secrets shown


def make_limits(config: CrawlConfig) -> Limits:
    return Limits(
        connect=config.connect_timeout,
        first_byte=config.read_timeout,
        total=config.total_timeout,
        slowest=config.min_speed,
        patience=min(20.0, config.read_timeout),
        body=config.max_file,
    )


def make_live(
    config: CrawlConfig,
    directory: CrawlDir,
    *,
    resumed: bool,
    warn: Callable[[str], None] = lambda _: None,
) -> Callable[[], Live]:
    """Make a crawl ready to run; the rest is made inside the running loop.

    Args:
        config: What the crawl is told.
        directory: Where it is kept.
        resumed: There is a journal to go on from.
        warn: Takes what the user should know of a damaged replica.
    """
    with ExitStack() as undo:
        # Before the replica is read: half a record at its end is cut off.
        responses = open_responses(config, directory.path)
        undo.callback(responses.close)
        replica = open_replica(config, directory.path)
        if replica is not None:
            undo.callback(replica.replica.close)
            for note in replica.replica.damage.notes:
                warn(note)
        session = make_session(config, directory, replica, responses, resumed=resumed)
        session.take_up()
        undo.pop_all()
    return lambda: _open(config, session)


def make_session(
    config: CrawlConfig,
    directory: CrawlDir,
    replica: ReplicaReplies | None,
    responses: Responses,
    *,
    resumed: bool,
) -> Session:
    reads = load_target(parse("target", config.want)).reads
    reader = LiveReader(nofollow=config.nofollow, reads=reads)
    crawl = make_crawl(config, reader, replica)
    earlier = directory.journal.summary().at if resumed else 0.0
    if resumed:
        restore(crawl, directory.journal)
    begun = time.monotonic()
    return Session(
        crawl,
        keeper=Keeper(
            directory,
            files=not config.record,
            inspector=make_inspector(config, directory, crawl.target),
        ),
        politeness=make_politeness(config),
        robots=RobotsBook(
            user_agent(config).partition("/")[0].split()[0],
            ignore=config.ignore_robots,
            max_delay=config.max_crawl_delay,
        ),
        clock=lambda: earlier + time.monotonic() - begun,
        # What answers at once is best asked one by one: every choice knows all answers before it.
        concurrency=1 if is_offline(config) else config.concurrency,
        retries=config.retries,
        sitemaps=Sitemaps({host_of(url) for url in starts_of(config)}) if config.sitemaps else None,
        replica=replica,
        responses=responses,
    )


def make_inspector(config: CrawlConfig, directory: CrawlDir, target: Target) -> Inspector | None:
    if config.record or not config.inspect or not target.inspected:
        return None
    limits = FileLimits(seconds=config.inspect_time, memory_bytes=config.inspect_memory)
    inspector = Inspector(directory, Options(limits=limits))
    inspector.take_up()
    return inspector


def make_politeness(config: CrawlConfig) -> Politeness:
    return Politeness(
        delay=config.delay,
        per_host=config.concurrency,
        backoff=0.0 if is_offline(config) else config.backoff,  # nobody needs a rest
        seed=config.seed,
    )


def _open(config: CrawlConfig, session: Session) -> Live:
    starts = starts_of(config)
    headers, secrets = request_headers(config)
    return Live(
        session,
        fetcher=Fetcher(
            limits=make_limits(config),
            guard=AddressGuard.made_of(starts, config.allow_private),
            insecure=config.insecure,
            proxy=config.proxy or None,
        ),
        headers=headers,
        secrets=secrets,
        secret_origins=secret_origins(starts),
        blocks=session.crawl.scope.blocks,
    )


def _auth(config: CrawlConfig) -> str:
    if not config.auth:
        return ""
    user, colon, password = config.auth.partition(":")
    if not colon:
        raise ConfigError("--auth is not understood: write user:password.")
    return aiohttp.BasicAuth(user, password, encoding="utf-8").encode()
