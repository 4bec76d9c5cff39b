"""Gives a crawl its shortcuts: those that read its answers, and when their requests are made."""

from __future__ import annotations

from collections.abc import Mapping

from lodehound.config import CrawlConfig
from lodehound.core.crawl import Reader
from lodehound.core.errors import ConfigError
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.policies.with_shortcuts import WithShortcuts
from lodehound.registry import make_shortcuts
from lodehound.shortcuts.contract import Shortcut
from lodehound.shortcuts.reading import ShortcutReader

AUTO, OFF = "auto", "off"


def shortcuts_of(config: CrawlConfig, target: Target) -> dict[str, Shortcut]:
    """Return the shortcuts that a crawl uses, by their names.

    By default all, if the crawl looks for files: APIs list nothing else. A recording is of what
    the site shows.
    """
    if config.record:
        return {}
    if config.metadata_only and config.shortcuts == OFF:
        raise ConfigError(
            "--metadata-only reads what APIs list, and --shortcuts is off: leave one out."
        )
    if config.shortcuts == AUTO and not (target.inspected or config.metadata_only):
        return {}
    return make_shortcuts(config.shortcuts)


def with_shortcuts(
    policy: Policy, shortcuts: Mapping[str, Shortcut], config: CrawlConfig
) -> Policy:
    """Return the policy with requests to APIs before its own, if there are shortcuts."""
    if not shortcuts:
        return policy
    named = config.shortcuts != AUTO
    return WithShortcuts(
        policy, eager=[name for name, one in shortcuts.items() if named or one.eager]
    )


def reader_with(read: Reader, shortcuts: Mapping[str, Shortcut], config: CrawlConfig) -> Reader:
    """Return a reader that also reads answers of APIs, if there are shortcuts."""
    if not shortcuts:
        return read
    named = config.shortcuts != AUTO
    return ShortcutReader(read, shortcuts, named=named, only=config.metadata_only)
