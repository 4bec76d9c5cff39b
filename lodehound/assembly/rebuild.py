"""A crawl as it was: its config, its scope and its policy, made again from its directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.build import make_scope, target_of
from lodehound.assembly.past_rounds import resume_round
from lodehound.assembly.replicas import is_offline, replica_files
from lodehound.assembly.trust import without_plug_ins
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.replica import Replica


def config_of(directory: CrawlDir) -> CrawlConfig:
    """Return the config of a crawl without its secrets: nobody needs them to look at it."""
    config = CrawlConfig.without_secrets(directory.config)
    return replace(config, named=directory.named)


def scope_of(config: CrawlConfig) -> Scope:
    """Return the scope that a crawl had, as far as its target may be loaded."""
    with whole_replica(config) as replica:
        return make_scope(config, known_target(config), replica)


def known_target(config: CrawlConfig) -> Target:
    """Return the target of a crawl; one that stands for it if it may not be loaded."""
    return without_plug_ins(config)[1] or target_of(config)


def rebuild(directory: CrawlDir, *, until: int | None = None) -> Crawl:
    """Make a round of the crawl anew and drive it through its journal, to its end or a request.

    Args:
        directory: What happened.
        until: Stop before the request of this number is chosen. The policy is the one that
            made the request; otherwise the one that goes on when the crawl is resumed.
    """
    config = config_of(directory)
    run = directory.facts.run_of(until) if until is not None else None
    if run is not None and run.policy:
        config = replace(config, policy=run.policy, seed=run.seed)
    config, target = without_plug_ins(config)
    with whole_replica(config) as replica:
        return resume_round(config, directory, replica, until=until, target=target)


@contextmanager
def whole_replica(config: CrawlConfig) -> Iterator[Replica | None]:
    """Open the recording that was all a crawl could see, without its bodies; None for others."""
    if not is_offline(config):
        yield None
        return
    files = replica_files(config)
    missing = [file for file in files if not Path(file).exists()]
    if missing:
        raise ConfigError(
            f"The crawl knew only what {str(missing[0])!r} holds, and that file is gone: "
            f"put it back where it was."
        )
    replica = Replica.open(files, limit=0)
    try:
        yield replica
    finally:
        replica.close()
