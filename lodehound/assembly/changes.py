"""Continues a crawl with other options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lodehound.assembly.build import check_crawl, check_robots
from lodehound.assembly.resuming import used_by
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.catalogue.totals import Summary


def with_changes(config: CrawlConfig, changes: Mapping[str, Any], used: Summary) -> CrawlConfig:
    """Return the config of a crawl that is continued with other options.

    Args:
        config: The config so far.
        changes: New values by option; for a budget also "+N": N more than were used.
        used: What the crawl has used so far.

    Raises:
        ConfigError: The crawl cannot be run with these options.
    """
    if config.record and changes.keys() & {"policy", "seed"}:
        raise ConfigError("A recording is made breadth first: resume it without --policy, --seed.")
    made = CrawlConfig.made_of(dict(changes), used=used_by(used))
    values = {name: getattr(made, name) for name in changes}
    changed = replace(config, **values, named=config.named | made.named)
    if changes.keys() & {"policy", "seed", "early_stop"}:
        check_crawl(changed)
    check_robots(changed)
    return changed
