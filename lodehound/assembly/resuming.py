"""How a crawl is continued: with other options, if anything is left to do, by which command."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from lodehound.assembly.crawl import check_crawl
from lodehound.assembly.endings import MEANINGS
from lodehound.assembly.rebuild import config_of
from lodehound.config import CrawlConfig, more, written_size, written_time
from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir import CrawlDir, Summary

# The options that are budgets, by the reason for which a crawl ends when they are spent.
BUDGETS = {"requests": "requests", "bytes": "bytes", "seconds": "time", "finds": "finds"}
# Credentials are not stored, so a command cannot show them.
SECRETS = {"auth": "USER:PASSWORD", "header": "'NAME: VALUE'", "proxy": "URL"}


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
    before = _used(used)
    values = {
        name: more(name, value, before[name]) if name in before else value
        for name, value in changes.items()
    }
    made = CrawlConfig.made_of(values)
    changed = replace(config, **{name: getattr(made, name) for name in values})
    if values.keys() & {"policy", "early_stop"}:
        check_crawl(changed)
    return changed


def nothing_to_do(config: CrawlConfig, directory: CrawlDir) -> str:
    """Say in one line why a crawl cannot go on, and how it could; "" if it can."""
    summary = directory.journal.summary()
    if spent := _spent(config, summary):
        why = ", ".join(MEANINGS[reason] for reason in spent)
        return f"Nothing to do: {why}. Go on with: {_resume(config, directory, spent)}"
    begun = next(directory.journal.inspections(), None) is not None
    to_inspect = config.inspect and begun and directory.journal.not_inspected()
    if directory.ended == "exhausted" and not to_inspect:
        return "Nothing to do: every link was followed."
    return ""


def next_command(directory: CrawlDir) -> str:
    """Return the command that continues a crawl; "" if nothing is left to do."""
    config, ended = config_of(directory), directory.ended
    if ended == "exhausted":
        return ""
    if ended == "nothing reachable":
        return f"lodehound crawl {shlex.join(config.urls)} --out {shlex.quote(str(directory.path))}"
    spent = _spent(config, directory.journal.summary())
    return _resume(config, directory, spent or [ended])


def _resume(config: CrawlConfig, directory: CrawlDir, reasons: Collection[str]) -> str:
    """Return the command that continues a crawl which ended for these reasons."""
    words = ["lodehound resume", shlex.quote(str(directory.path))]
    for reason in reasons:
        if reason == "early-stop":
            words.append("--early-stop off")
        elif name := BUDGETS.get(reason):
            write = {"bytes": written_size, "time": written_time}.get(name, str)
            words.append(f"--{name} +{write(getattr(config, name))}")
    secrets = json.loads(directory.config)["had_secrets"]
    return " ".join([*words, *(f"--{name} {SECRETS[name]}" for name in secrets)])


def _spent(config: CrawlConfig, summary: Summary) -> list[str]:
    """Return the reasons for which a crawl ends at once: the budgets that are spent."""
    used = _used(summary)
    limits = {reason: (used[name], getattr(config, name)) for reason, name in BUDGETS.items()}
    return [r for r, (amount, limit) in limits.items() if limit is not None and amount >= limit]


def _used(summary: Summary) -> dict[str, float]:
    """Return what a crawl has used of each budget."""
    return {
        "requests": summary.requests,
        "bytes": summary.bytes,
        "time": summary.at,
        "finds": summary.finds,
    }
