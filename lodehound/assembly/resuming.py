"""How a crawl is continued: if anything is left to do, and by which command. Imports little."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lodehound.assembly.ending import MEANINGS
from lodehound.assembly.trust import flag, unnamed, written_options
from lodehound.config import CrawlConfig, secrets_of
from lodehound.core.errors import LodehoundError
from lodehound.core.left_out import OPTION_OF
from lodehound.options import OPTIONS, written
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.texts import json_of
from lodehound.text.counts import counted
from lodehound.text.shell import joined, quoted

# The options that are budgets, by the reason for which a crawl ends when they are spent.
BUDGETS = {"requests": "requests", "bytes": "bytes", "seconds": "time", "finds": "finds"}
# Credentials are not stored, so a command cannot show them.
PLACEHOLDERS = {"auth": "USER:PASSWORD", "header": "'NAME: VALUE'", "proxy": "URL"}
HOSTS = 30  # in a command
FOLLOW = "follow"  # in the metadata: the options that would follow the links that were left out
NOTHING: Mapping[str, Any] = MappingProxyType({})


def used_so_far(directory: CrawlDir) -> Summary:
    """Return what the last round of a crawl has used: all of its time if that was up.

    The last answer comes a little earlier than that.
    """
    used = directory.round_summary()
    limit = CrawlConfig.without_secrets(directory.config).time
    if directory.ended == "seconds" and limit is not None:
        return replace(used, at=max(used.at, limit))
    return used


def nothing_to_do(
    config: CrawlConfig,
    directory: CrawlDir,
    used: Summary,
    changes: Mapping[str, Any],
    *,
    renders: bool = False,
) -> str:
    """Return in one line why a crawl cannot go on, and how it could; "" if it can.

    Args:
        config: The config with the changes.
        directory: The crawl.
        used: What it has used so far.
        changes: The options that were given, and that its next command should keep.
        renders: There is a browser, and pages may be rendered.
    """
    if spent := _spent(config, used):
        why = ", ".join(MEANINGS[reason] for reason in spent)
        kept = {name: v for name, v in changes.items() if name not in map(BUDGETS.get, spent)}
        return f"Nothing to do: {why}. Go on with: {_resume(config, directory, spent, kept)}"
    if directory.ended == "left out":
        command = next_command(directory, used)
        return f"Nothing to do: {MEANINGS['left out']}. Begin again with: {command}"
    begun = next(directory.finds.inspections(), None) is not None
    to_inspect = config.inspect and begun and directory.finds.not_inspected()
    unrendered = len(directory.renders.unrendered())
    if directory.ended != "exhausted" or to_inspect or (unrendered and renders):
        return ""
    pages = counted(unrendered, "page seems", "pages seem")
    more = f" {pages} to need JavaScript, and no browser is used: see docs/javascript.md."
    return f"Nothing to do: every link was followed.{more if unrendered else ''}"


def next_command(directory: CrawlDir, used: Summary) -> str:
    """Return the command that continues a crawl; "" if nothing is left to do.

    Args:
        directory: The crawl.
        used: What it has used so far.
    """
    config, ended = CrawlConfig.without_secrets(directory.config), directory.ended
    if ended == "exhausted":
        return ""
    if ended == "left out":
        return crawl_command(_followed(config, directory), directory)
    further = len(directory.facts.rounds()) > 1
    if ended == "nothing reachable":
        return update_command(directory) if further else crawl_command(config, directory)
    if further:  # budgets are those of a round
        used = directory.round_summary()
    spent = _spent(config, used)
    return _resume(config, directory, spent or [ended])


def _followed(config: CrawlConfig, directory: CrawlDir) -> CrawlConfig:
    """Return a config with the options that follow what was left out, as kept at the end."""
    try:
        kept = json_of(directory.facts.meta().get(FOLLOW, "{}"))
        changes: dict[str, Any] = {
            name: kept[name] if name in {"under", "max_depth"} else tuple(map(str, kept[name]))
            for name in OPTION_OF.values()
            if name in kept
        }
        return replace(config, **changes)
    except (ValueError, TypeError, AttributeError, LodehoundError):
        return config  # damaged


def crawl_command(config: CrawlConfig, directory: CrawlDir, path: Path | None = None) -> str:
    """Return the command that begins a crawl, with all of its options.

    Args:
        config: The options.
        directory: An earlier crawl, which had the same credentials.
        path: Its own directory; the same one unless given.
    """
    words = ["lodehound crawl", joined(config.urls), "--out", _place(path or directory.path)]
    usual, in_file = CrawlConfig(), False
    for name, one in OPTIONS.items():
        if one.is_internal or one.is_secret or name == "urls":
            continue
        if getattr(config, name) == getattr(usual, name):
            continue
        if one.help:
            words += flags(config, name)
        else:
            in_file = True
    if in_file:  # some options are set by a config file only
        words.append("--config FILE")
    return " ".join([*words, *_secrets(directory)])


def _place(folder: Path) -> str:
    """Return the folder of a crawl as a word that is no option."""
    path = str(folder)
    return quoted(f"./{path}" if path.startswith("-") else path)


def flags(config: CrawlConfig, name: str) -> list[str]:
    """Return an option as it is written on the command line, once for each of its values."""
    value, option = getattr(config, name), name.replace("_", "-")
    if OPTIONS[name].in_file:
        return [f"--{option} {_listed(value)}"]
    return _options({name: value if isinstance(value, bool | tuple) else _written(config, name)})


def _listed(hosts: tuple[str, ...]) -> str:
    """Return a short list of hosts as it is typed; a long one is in a file of the user."""
    urls = [host if "://" in host else f"http://{host}" for host in hosts]
    return "FILE" if len(urls) > HOSTS or "," in "".join(urls) else quoted(",".join(urls))


def _written(config: CrawlConfig, name: str) -> str:
    """Return the value of an option as the command line takes it."""
    value = getattr(config, name)
    if isinstance(value, float) and not value.is_integer():
        return str(value)  # a time is written in whole seconds elsewhere
    return written(name, value)


def _resume(
    config: CrawlConfig,
    directory: CrawlDir,
    reasons: Collection[str],
    more: Mapping[str, Any] = NOTHING,
) -> str:
    """Return the command that continues a crawl which ended for these reasons.

    Args:
        config: Its config.
        directory: Where it is.
        reasons: Why it ended, or cannot go on.
        more: Further options.
    """
    words = ["lodehound resume", _place(directory.path)]
    for reason in reasons:
        if reason == "early-stop":
            words.append("--early-stop off")
        elif (name := BUDGETS.get(reason)) and getattr(config, name) is not None:
            words.append(f"--{name} +{_written(config, name)}")
    words += _options(more)
    again = written_options(config, [name for name in unnamed(config) if name not in more])
    return " ".join(filter(None, [*words, again, *_secrets(directory)]))


def again_with(command: str, directory: CrawlDir, given: Mapping[str, Any]) -> str:
    """Return the command that was typed, with these options."""
    words = [f"lodehound {command}", _place(directory.path), *_secrets(directory)]
    return " ".join([*words, *_options(given)])


def _options(given: Mapping[str, Any]) -> list[str]:
    """Return options as they are typed: one that may be repeated has several values."""
    return [
        flag(name, one)
        for name, value in given.items()
        if value is not None
        for one in (value if isinstance(value, list | tuple) else [value])
    ]


def update_command(directory: CrawlDir) -> str:
    """Return the command that begins a further round."""
    config = CrawlConfig.without_secrets(directory.config)
    words = ["lodehound update", _place(directory.path), written_options(config, unnamed(config))]
    return " ".join(filter(None, [*words, *_secrets(directory)]))


def _secrets(directory: CrawlDir) -> list[str]:
    """Return the options for credentials, which are not stored."""
    return [f"--{name} {PLACEHOLDERS[name]}" for name in secrets_of(directory.config)]


def _spent(config: CrawlConfig, summary: Summary) -> list[str]:
    """Return the reasons for which a crawl ends at once: the budgets that are spent."""
    used = used_by(summary)
    limits = {reason: (used[name], getattr(config, name)) for reason, name in BUDGETS.items()}
    return [r for r, (amount, limit) in limits.items() if limit is not None and amount >= limit]


def used_by(summary: Summary) -> dict[str, float]:
    """Return what a crawl has used of each budget."""
    return {
        "requests": summary.requests,
        "bytes": summary.bytes,
        "time": summary.at,
        "finds": summary.finds,
    }
