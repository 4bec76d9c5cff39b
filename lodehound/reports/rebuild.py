"""A crawl as it was: its config, its scope and its policy, made again from its directory."""

from __future__ import annotations

import json
from pathlib import Path

from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError
from lodehound.core.scope import Scope
from lodehound.drivers.live.assemble import make_crawl, make_scope, starts_of
from lodehound.drivers.live.reader import LiveReader
from lodehound.drivers.live.recorded import ReplicaReplies, is_offline, replica_files
from lodehound.registry import make_target, parse
from lodehound.reports.skipped import Skips
from lodehound.stores.crawl_dir import CrawlDir, restore
from lodehound.stores.crawl_dir.look import Look
from lodehound.stores.replica import Replica


def config_of(directory: CrawlDir) -> CrawlConfig:
    """Return what a crawl was told; nobody needs its secrets to look at it."""
    values = json.loads(directory.config)
    values.pop("had_secrets", None)
    return CrawlConfig.made_of(values)


def scope_of(config: CrawlConfig) -> Scope:
    """Return the scope that a crawl had."""
    replica = _replica_of(config)
    try:
        return make_scope(config, starts_of(config), replica)
    finally:
        if replica is not None:
            replica.replica.close()


def skips_of(directory: CrawlDir, look: Look, *, listing: bool = True) -> Skips:
    """Return what a crawl saw and did not fetch."""
    config = config_of(directory)
    target = make_target(parse("target", config.want))
    return Skips(look, scope_of(config), target, listing=listing)


def rebuild(directory: CrawlDir, *, until: int | None = None) -> Crawl:
    """Make the crawl anew and drive it through its journal, to its end or up to a request.

    Args:
        directory: What happened.
        until: Stop before the request of this number is chosen.
    """
    config = config_of(directory)
    reader = LiveReader(nofollow=config.nofollow)
    replica = _replica_of(config)
    try:
        crawl = make_crawl(config, reader, replica)
        restore(crawl, directory.journal, until=until)
    finally:
        if replica is not None:
            replica.replica.close()
    return crawl


def _replica_of(config: CrawlConfig) -> ReplicaReplies | None:
    """Return the recording that was the whole world of a crawl, without its bodies."""
    if not is_offline(config):
        return None
    files = replica_files(config)
    missing = [file for file in files if not Path(file).exists()]
    if missing:
        raise ConfigError(
            f"The crawl knew only what {str(missing[0])!r} holds, and that file is gone: "
            f"put it back where it was."
        )
    return ReplicaReplies(Replica.open(files, limit=0))
