"""Makes a crawl from its config: policy, target, scope, budget, stop rules."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import replace
from functools import partial

from lodehound.assembly.replicas import check_replica, is_offline
from lodehound.assembly.shortcuts import AUTO, OFF, lanes_with, reader_with, shortcuts_of
from lodehound.assembly.trust import policy_spec, target_spec
from lodehound.config import CrawlConfig
from lodehound.core.auto_stop import AutoStop
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Forecaster
from lodehound.core.history import History
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, EarlyStop, StopRule
from lodehound.core.target import Target
from lodehound.core.urls import canonical, host_of, name_of
from lodehound.read.page import read_page
from lodehound.registry import PAPER, default_policy, make_policy, make_target, need_parameter
from lodehound.stores.replica import Replica
from lodehound.stores.topics import TopicOptions, split_names


def starts_of(config: CrawlConfig) -> list[str]:
    return [canonical(url) for url in config.urls]


def check_crawl(config: CrawlConfig) -> None:
    """Refuse what cannot be run, before anything is made or asked."""
    check_robots(config)
    check_replica(config)
    check_seed(config)
    for name in [name for name in ("weights", "idf") if getattr(config, name)]:
        whole = with_policy(config)
        need_parameter(name, [whole.policy], named=whole.is_named("policy"))
    scope = make_crawl(config).scope
    for url in starts_of(config):
        if not scope.lets_host(host_of(url)):
            raise ConfigError(
                f"The start URL {url} is on a host that --allow-hosts or --block-hosts keep out."
            )


def check_robots(config: CrawlConfig) -> None:
    """Refuse to ignore robots.txt, except on this machine or when asked for twice."""
    if not config.ignore_robots or config.yes_ignore_robots or is_offline(config):
        return
    if not all(_is_local(name_of(host_of(url))) for url in starts_of(config)):
        raise ConfigError(
            "--ignore-robots works on this machine's own servers only; if the site is yours, "
            "add --yes-ignore-robots."
        )


def check_seed(config: CrawlConfig) -> None:
    """Refuse two seeds: the policy's own would decide, and the journal would name the other."""
    policy = with_policy(config).policy
    own = policy_spec(with_policy(config)).params.get("seed", "")
    if config.seed and own.isdecimal() and int(own) != config.seed:
        raise ConfigError(
            f"--policy {policy} has seed={own}, and --seed is {config.seed}: leave out one of them."
        )


def _is_local(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def with_policy(config: CrawlConfig) -> CrawlConfig:
    """Name the policy for good: the default may be another one when the crawl is resumed.

    A policy as its paper prints it sees what pages show: APIs and sitemaps only if they are named.
    """
    if not config.policy:
        taught = bool(config.weights or config.idf)
        default = default_policy(config.want, taught=taught, named=config.is_named("want"))
        return config.with_named(policy=default)
    if PAPER in policy_spec(config).params and config.shortcuts == AUTO:
        return config.with_named(shortcuts=OFF, speculative_links=False)
    return config


def make_crawl(
    config: CrawlConfig,
    replica: Replica | None = None,
    *,
    history: History | None = None,
    target: Target | None = None,
) -> Crawl:
    """Make the crawl itself.

    Args:
        config: What the user said.
        replica: The recorded site that answers, if one does.
        history: What earlier rounds know, if there were any.
        target: Stands for the one that the config names, which may not be loaded.
    """
    target = target or target_of(config)
    shortcuts = shortcuts_of(config, target)
    lanes = lanes_with(policy_of(config, target), shortcuts, config)
    crawl: Crawl
    read = partial(
        read_page,
        nofollow=config.nofollow,
        reads=target.reads,
        speculative=config.speculative_links,
        digest=True,
        captioned=lambda link: crawl.is_captioned(link),  # noqa: PLW0108 - it is made below
    )
    scope = make_scope(config, target, replica)
    crawl = Crawl(
        [Link(url, kind="") for url in starts_of(config) if scope.is_mine(host_of(url))],
        policy=lanes,
        target=target,
        read=reader_with(read, shortcuts, config),
        scope=scope,
        budget=budget_of(config),
        rules=make_rules(config, lanes, first_round=not (history and history.requests)),
        per_host=config.per_host,
        max_hosts=config.max_hosts,
        history=history,
    )
    return crawl


def budget_of(config: CrawlConfig) -> Budget:
    return Budget(
        requests=config.requests, bytes=config.bytes, seconds=config.time, finds=config.finds
    )


def target_of(config: CrawlConfig) -> Target:
    return make_target(target_spec(config), topic_options(config).of_target())


def policy_of(config: CrawlConfig, target: Target) -> Policy:
    return make_policy(
        policy_spec(with_policy(config)),
        seed=config.seed,
        given=topic_options(config).of_policy(target),
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


def make_scope(config: CrawlConfig, target: Target, replica: Replica | None = None) -> Scope:
    """Make the scope. If a replica is all there is to crawl, what it does not hold is outside."""
    web = (config.scope or target.scope) == "web"
    around = Scope.around(starts_of(config), web=web, block=config.block, traps=config.traps)
    scope = target.adapt(around)
    if replica is not None and is_offline(config):
        scope = replace(scope, hosts=replica.hosts, without=replica.without)
    return replace(
        scope,
        include=config.include,
        exclude=config.exclude,
        under=config.under,
        max_depth=config.max_depth,
        allowed=frozenset(map(host_name, config.allow_hosts)),
        barred=frozenset(map(host_name, config.block_hosts)),
        part=config.part,
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


def make_rules(config: CrawlConfig, lanes: Lanes, *, first_round: bool = True) -> list[StopRule]:
    """Return what watches every step: the forecaster first, then the rule that may stop.

    Unless the user names a rule, the first round of a crawl without a budget of requests stops when
    hardly anything is left, if its policy can tell. A catalogue of APIs ends by itself.
    """
    forecaster, rule = Forecaster(lanes), config.stop_rule
    if not config.early_stop and not (first_round and forecaster.can_tell):
        rule = "off"
    if rule == "auto":
        return [forecaster, AutoStop(forecaster)]
    if rule != "paper":
        return [forecaster]
    return [
        forecaster,
        EarlyStop(
            nu=config.stop_nu,
            epsilon=config.stop_epsilon,
            gamma=config.stop_gamma,
            kappa=config.stop_kappa,
        ),
    ]
