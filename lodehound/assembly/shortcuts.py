"""Gives a crawl its shortcuts: those that read its answers, and when their requests are made."""

from __future__ import annotations

from collections.abc import Mapping

from lodehound.config import CrawlConfig
from lodehound.core.crawl import Reader
from lodehound.core.errors import ConfigError
from lodehound.core.lanes import Lanes
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.policies.api_lane import ApiLane
from lodehound.registry import make_shortcuts
from lodehound.shortcuts.contract import Shortcut
from lodehound.shortcuts.reading import ShortcutReader
from lodehound.shortcuts.sitemap import Sitemaps

AUTO, OFF = "auto", "off"
SITEMAP, FEED = "sitemap", "feed"


def shortcuts_of(config: CrawlConfig, target: Target) -> dict[str, Shortcut]:
    """Return the shortcuts that a crawl uses, by their names.

    By default all, if the crawl looks for files: APIs list nothing else. A recording is of what
    the site shows.
    """
    also = make_shortcuts("sitemap,feed") if config.sitemaps else {}
    if config.record:
        return also
    if config.metadata_only and config.shortcuts == OFF:
        raise ConfigError(
            "--metadata-only reads what APIs list, and --shortcuts is off: leave one out."
        )
    if config.shortcuts == AUTO and not (target.inspected or config.metadata_only):
        return also
    return make_shortcuts(config.shortcuts, named=config.is_named("shortcuts")) | also


def sitemaps_of(config: CrawlConfig, target: Target) -> Sitemaps:
    """Return which sitemaps are read: in crawls of a site those that its robots.txt names."""
    if config.sitemaps or SITEMAP in config.shortcuts.split(","):
        return "usual"
    is_site = (config.scope or target.scope) == "site"
    wanted = is_site and not config.metadata_only and SITEMAP in shortcuts_of(config, target)
    return "named" if wanted else "none"


def lanes_with(policy: Policy, shortcuts: Mapping[str, Shortcut], config: CrawlConfig) -> Lanes:
    """Return the lanes of a crawl: requests to APIs come before those of the policy."""
    if not shortcuts:
        return Lanes(policy)
    eager = [name for name, one in shortcuts.items() if _is_named(name, config) or one.eager]
    patient = [name for name, one in shortcuts.items() if one.patient]
    return Lanes(policy, [ApiLane(eager=eager, patient=patient)])


def _is_named(name: str, config: CrawlConfig) -> bool:
    return config.shortcuts not in {AUTO, OFF} or (config.sitemaps and name in {SITEMAP, FEED})


def reader_with(read: Reader, shortcuts: Mapping[str, Shortcut], config: CrawlConfig) -> Reader:
    """Return a reader that also reads answers of APIs, if there are shortcuts."""
    if not shortcuts:
        return read
    named = config.shortcuts not in {AUTO, OFF}
    return ShortcutReader(read, shortcuts, named=named, only=config.metadata_only)
