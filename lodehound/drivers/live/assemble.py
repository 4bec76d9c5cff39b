"""Puts a live crawl together: the session, its politeness, and the network around it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from lodehound.assembly.build import check_crawl, host_name, make_crawl, starts_of, with_policy
from lodehound.assembly.past_rounds import resume_round
from lodehound.assembly.replicas import is_offline, with_replica
from lodehound.assembly.shortcuts import sitemaps_of
from lodehound.assembly.topic_files import Fetch, with_topic
from lodehound.assembly.trust import refuse_strange_record, refuse_unnamed
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError
from lodehound.core.target import Target
from lodehound.drivers.live.browser import (
    Browser,
    Browsers,
    check_browser,
    find_browser,
    is_installed,
)
from lodehound.drivers.live.engine import Live
from lodehound.drivers.live.example_pages import fetch_examples
from lodehound.drivers.live.inspecting import Inspector
from lodehound.drivers.live.network import (
    check_network,
    guard_of,
    make_fetcher,
    request_headers,
    secret_origins,
    user_agent,
)
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.recorded import ReplicaReplies, open_replica, open_responses
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendering import Rendering
from lodehound.drivers.live.resources import Clock
from lodehound.drivers.live.responses import Responses
from lodehound.drivers.live.robots_book import MAX_TRIES, RobotsBook
from lodehound.drivers.live.session import Session
from lodehound.inspect import FileLimits, Options, Reader
from lodehound.learn.render_choice import RenderChoice
from lodehound.read.scripts import STRONG
from lodehound.stores.catalogue.renders import Rendition
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.version import VERSION


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What a crawl has in common with other crawls of the same process."""

    politeness: Politeness
    reader: Callable[[Options], Reader]  # inspects files


def prepare(config: CrawlConfig) -> CrawlConfig:
    """Read what the config of a new crawl names, once, and refuse what cannot be run.

    A crawl that is resumed must mean the same.
    """
    if config.record:
        raise ConfigError("'record' is a command of its own: lodehound record URL --out FILE.")
    config = with_policy(with_files(config, fetch_examples))
    if not config.urls:
        raise ConfigError("There is no start URL: lodehound crawl https://www.example.org/")
    check_config(config)
    return config


def with_files(config: CrawlConfig, fetch: Fetch) -> CrawlConfig:
    """Read the files that a config names, and with ``fetch`` the pages."""
    return with_topic(with_replica(config), fetch)


def check_config(config: CrawlConfig) -> None:
    """Refuse what cannot be run, before anything is made or asked."""
    check_crawl(config)
    check_means(config)


def check_means(config: CrawlConfig) -> None:
    """Refuse what no request can be made with, also of a crawl that is continued.

    That is headers and a proxy that are none, a browser that is not there, hosts that are none.
    """
    check_network(config)
    for host in config.render_hosts:
        host_name(host)
    if config.render == "always" or config.browser:
        check_browser(config.browser)


def make_session(
    config: CrawlConfig,
    directory: CrawlDir,
    *,
    resumed: bool,
    warn: Callable[[str], None] = lambda _: None,
    shared: SharedParts | None = None,
) -> Session:
    """Make a crawl ready to run, or to go on from its journal.

    Args:
        config: What the user said.
        directory: Where it is kept.
        resumed: There is a journal to go on from.
        warn: Takes what the user should know of a damaged replica.
        shared: What it shares with other crawls of this process, if there are any.
    """
    refuse_unnamed(config, directory.path)
    refuse_strange_record(config, directory.path)
    with ExitStack() as undo:
        # Before the replica is read: half a record at its end is cut off.
        responses = open_responses(config, directory.path)
        undo.callback(responses.close)
        replica = open_replica(config, directory.path)
        if replica is not None:
            undo.callback(replica.replica.close)
            for note in replica.replica.damage.notes:
                warn(note)
        session = _session(config, directory, replica, responses, resumed=resumed, shared=shared)
        session.resend()
        undo.pop_all()
    return session


def _session(
    config: CrawlConfig,
    directory: CrawlDir,
    replica: ReplicaReplies | None,
    responses: Responses,
    *,
    resumed: bool,
    shared: SharedParts | None,
) -> Session:
    recorded = replica.replica if replica is not None else None
    earlier = directory.round_summary().at if resumed else 0.0
    make = partial(resume_round, directory=directory) if resumed else make_crawl
    crawl = make(config, replica=recorded)
    directory.facts.begin_run(VERSION, with_policy(config).policy, config.seed)
    begun = time.monotonic()
    clock = lambda: earlier + time.monotonic() - begun  # noqa: E731 - two parts share it
    recorder = Recorder(
        crawl,
        directory,
        files=not config.record,
        versions=config.keep_versions,
        inspector=make_inspector(config, directory, crawl.target, shared),
    )
    return Session(
        crawl,
        recorder=recorder,
        politeness=shared.politeness if shared else make_politeness(config),
        robots=RobotsBook(
            user_agent(config).partition("/")[0].split()[0],
            ignore=config.ignore_robots,
            max_delay=config.max_crawl_delay,
            max_tries=min(MAX_TRIES, 1 + config.retries),
        ),
        clock=clock,
        # What answers at once is best asked one by one: every choice knows all answers before it.
        concurrency=1 if is_offline(config) else config.concurrency,
        retries=config.retries,
        sitemaps=sitemaps_of(config, crawl.target),
        replica=replica,
        responses=responses,
        rendering=make_rendering(config, crawl, recorder, clock, resumed=resumed),
    )


def make_rendering(
    config: CrawlConfig, crawl: Crawl, recorder: Recorder, clock: Clock, *, resumed: bool
) -> Rendering:
    rendering = Rendering(
        crawl,
        recorder,
        choice=RenderChoice(always=config.render == "always", strong=STRONG),
        hosts=map(host_name, config.render_hosts),
        obstacle=render_obstacle(config),
        clock=clock,
    )
    if resumed:
        rendering.restore(recorder.directory.renders)
    return rendering


def render_obstacle(config: CrawlConfig) -> Rendition | None:
    """Return why no page is rendered (not wanted, or no browser); None if pages may be."""
    never = config.record or (is_offline(config) and config.render != "always")
    if config.render == "never" or never:
        return "off"
    return None if is_installed() and find_browser(config.browser) else "missing"


def make_inspector(
    config: CrawlConfig, directory: CrawlDir, target: Target, shared: SharedParts | None
) -> Inspector | None:
    if config.record or not config.inspect or not target.inspected:
        return None
    limits = FileLimits(seconds=config.inspect_time, memory_bytes=config.inspect_memory)
    options = Options(limits=limits)
    inspector = Inspector(directory, options, shared.reader(options) if shared else None)
    inspector.requeue()
    return inspector


def make_politeness(config: CrawlConfig) -> Politeness:
    return Politeness(**politeness_options(config))


def politeness_options(config: CrawlConfig) -> dict[str, Any]:
    return {
        "delay": config.delay,
        "max_in_flight": config.concurrency,
        "backoff": 0.0 if is_offline(config) else config.backoff,  # nobody needs a rest
        "seed": config.seed,
    }


def make_live(
    config: CrawlConfig,
    session: Session,
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
    browsers: Browsers | None = None,
) -> Live:
    """Open the network around a session. Call it inside the running loop.

    Args:
        config: What the user said.
        session: Made of it.
        guard: Entered before every request, and before every reply is taken in.
        browsers: Shared with other crawls of this process, if there are any.
    """
    starts = starts_of(config)
    headers, secrets = request_headers(config)
    return Live(
        session,
        fetcher=make_fetcher(config, guard_of(config, session.recorder.directory)),
        headers=headers,
        secrets=secrets,
        secret_origins=secret_origins(starts),
        blocks=session.crawl.scope.blocks,
        guard=guard,
        browser=make_browser(config, browsers) if session.rendering.obstacle is None else None,
    )


def make_browser(config: CrawlConfig, browsers: Browsers | None = None) -> Browser:
    program = find_browser(config.browser)
    place = browsers.get(program) if browsers is not None else program
    return Browser(place, user_agent=user_agent(config))
