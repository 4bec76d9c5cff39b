"""Divides one crawl of many hosts into parts: each asks some of the hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError

# Budgets that every part would have for itself.
UNDIVIDED = {"requests": "--requests-per-site", "finds": "--finds", "bytes": "--bytes"}


def parts_of(
    configs: Sequence[CrawlConfig], parts: int, names: Mapping[str, str]
) -> list[CrawlConfig]:
    """Make one crawl of all start URLs, and return the config of each of its parts.

    Args:
        configs: Those of the list.
        parts: How many parts a new crawl gets.
        names: Names of the parts that are there already: their number cannot change.

    Raises:
        ConfigError: The list gives sites options of their own, or a budget cannot be divided.
    """
    first = replace(configs[0], urls=())
    if any(replace(config, urls=()) != first for config in configs):
        raise ConfigError(
            "With --scope web, the list is one crawl: give options for all of it on the command "
            "line, or crawl each site for itself with --scope site."
        )
    for name, flag in UNDIVIDED.items():
        if getattr(first, name) is not None:
            raise ConfigError(f"{flag} is for sites: a crawl of many hosts takes --requests.")
    parts = len(names) or min(parts, first.max_hosts or parts)
    urls = tuple(dict.fromkeys(url for config in configs for url in config.urls))
    divided = (parts, first.max_hosts)
    return [
        replace(first, urls=urls, part=(number, parts), max_hosts=_share(number, *divided))
        for number in range(parts)
    ]


def _share(number: int, parts: int, hosts: int | None) -> int | None:
    """Return how many of the hosts a part may ask.

    >>> [_share(number, 3, 10) for number in range(3)]
    [4, 3, 3]
    """
    return None if hosts is None else hosts // parts + (number < hosts % parts)


def is_part(start: str) -> bool:
    """Return whether the start of a site in a fleet says that it is a part."""
    return "://" not in start
